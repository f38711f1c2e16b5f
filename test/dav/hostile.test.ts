import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { bodyOf, Refusal } from '../../src/dav/index.ts';
import { readXml } from '../../src/dav/xml/read.ts';
import { escaped, escapedOctets } from '../../src/dav/xml/write.ts';
import { LIMITS } from '../../src/limits.ts';
import { event, FakeObjects, plainly } from './fake.ts';
import { multiget, propfind, query } from './rig.ts';

/** What nobody sends by accident. */

const PATH = '/dav/series/c/';
const START = Date.UTC(2026, 10, 23, 18);
const objects = new FakeObjects();
objects.put('a.ics', [event('a', START, { summary: 'a < b & c ]]> \u{1f3f8} "d"', description: 'tab\tCR\r\nend' })]);

const ENTITIES = '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>';
const deep = (levels: number): string => '<D:a>'.repeat(levels) + '</D:a>'.repeat(levels);

describe('a body is refused', () => {
  it.each<[what: string, body: string, status: number]>([
    ['with a DOCTYPE', `<!DOCTYPE propfind>${propfind('<D:allprop/>').replace(/<\?.*?\?>/, '')}`, 400],
    [
      'with entities in entities (CVE-2013-0340)',
      `${ENTITIES}<D:propfind xmlns:D="DAV:"><D:prop>&b;</D:prop></D:propfind>`,
      400,
    ],
    ['with an external entity', '<!DOCTYPE x [<!ENTITY f SYSTEM "file:///etc/passwd">]><x>&f;</x>', 400],
    ['with a DOCTYPE of another case', '<!doctype x><x/>', 400],
    ['with an entity that nobody declared', propfind('<D:prop><D:a>&nbsp;</D:a></D:prop>'), 400],
    ['with a character that XML has not (CVE-2026-33036)', propfind('<D:prop><D:a>&#0;</D:a></D:prop>'), 400],
    ['with a number beyond Unicode', propfind('<D:prop><D:a>&#x110000;</D:a></D:prop>'), 400],
    ['that ends too early', '<D:propfind xmlns:D="DAV:"><D:prop>', 400],
    ['with a prefix that is not declared', '<E:propfind><E:prop/></E:propfind>', 400],
    ['that is no XML', '{"propfind": true}', 400],
    ['of another root', '<D:propertyupdate xmlns:D="DAV:"/>', 400],
    ['of another namespace', '<propfind xmlns="DAV"><allprop/></propfind>', 400],
    ['that asks in two ways', propfind('<D:allprop/><D:propname/>'), 400],
    ['that is too deep', propfind(deep(LIMITS.dav.depth)), 413],
    ['with too many elements', propfind(`<D:prop>${'<D:a/>'.repeat(LIMITS.dav.elements)}</D:prop>`), 413],
    [
      'with too many attributes',
      propfind(`<D:prop ${Array.from({ length: 40 }, (_, n) => `a${n}="1"`).join(' ')}/>`),
      413,
    ],
  ])('%s', async (_, body, status) => {
    const answered = await plainly(objects, 'PROPFIND', PATH, { body, headers: { depth: '0' } });
    expect(answered.status).toBe(status);
    expect(answered.text).not.toMatch(/ at \w+ \(|node_modules|passwd|aaaaaaaaaa/);
  });

  it.each<[what: string, body: string, status: number]>([
    [
      'with more addresses than one multiget has',
      multiget(Array.from({ length: LIMITS.dav.hrefs + 1 }, (_, n) => `/${n}`)),
      413,
    ],
    [
      'with more conditions than one filter has',
      query('<C:comp-filter name="VEVENT"/>'.repeat(LIMITS.dav.filters)),
      413,
    ],
    ['of no report', '', 400],
    ['of a report that nobody knows', '<D:version-tree xmlns:D="DAV:"/>', 403],
    ['of principal-match', '<D:principal-match xmlns:D="DAV:"><D:self/></D:principal-match>', 403],
    ['of acl-principal-prop-set', '<D:acl-principal-prop-set xmlns:D="DAV:"/>', 403],
    [
      'of an expand-property with markup for a name',
      '<D:expand-property xmlns:D="DAV:"><D:property name="a&gt;&lt;b"/></D:expand-property>',
      400,
    ],
    [
      'of an expand-property without a name',
      '<D:expand-property xmlns:D="DAV:"><D:property name="owner"><D:property/></D:property></D:expand-property>',
      400,
    ],
    [
      'of an expand-property as deep as it likes',
      `<D:expand-property xmlns:D="DAV:">${'<D:property name="owner">'.repeat(LIMITS.dav.depth)}${'</D:property>'.repeat(LIMITS.dav.depth)}</D:expand-property>`,
      413,
    ],
  ])('of a REPORT %s', async (_, body, status) => {
    expect((await plainly(objects, 'REPORT', PATH, { body, headers: { depth: '1' } })).status).toBe(status);
  });

  it.each(['', '<E:expired-props xmlns:E="urn:example"/>', '<D:prop/><D:propname/>', '<D:allprop/><D:prop/>'])(
    'of a propfind with %s in it (RFC 4918 A.1)',
    async (inner) => {
      const body = propfind(inner);
      expect((await plainly(objects, 'PROPFIND', PATH, { body, headers: { depth: '0' } })).status).toBe(400);
    },
  );

  it.each([undefined, 'infinity', 'INFINITY', 'infinity,noroot'])('of a PROPFIND of Depth %s', async (depth) => {
    const headers = depth === undefined ? {} : { depth };
    const answered = await plainly(objects, 'PROPFIND', PATH, { headers });
    expect(answered.status).toBe(403);
    expect(readXml(answered.text)?.children.map(({ local }) => local)).toEqual(['propfind-finite-depth']);
  });

  test('of another Depth', async () => {
    expect((await plainly(objects, 'PROPFIND', PATH, { headers: { depth: '2' } })).status).toBe(400);
  });
});

describe('a body in pieces', () => {
  const stream = (pieces: Uint8Array[]) => ReadableStream.from<Uint8Array>(pieces);
  const status = (pieces: Uint8Array[]) =>
    bodyOf(stream(pieces)).then(
      () => 200,
      (error: unknown) => (error instanceof Refusal ? error.status : 500),
    );

  test('is counted as it comes (CVE-2026-44456)', async () => {
    const piece = new Uint8Array(64 * 1024).fill(32);
    const most = LIMITS.dav.requestBytes / piece.length;
    expect(await status(Array.from({ length: most }, () => piece))).toBe(200);
    expect(await status(Array.from({ length: most + 1 }, () => piece))).toBe(413);
  });

  test.each([
    ['UTF-8', [0xef, 0xbb, 0xbf, 0x3c, 0xc3, 0xa9]],
    ['UTF-16BE', [0xfe, 0xff, 0, 0x3c, 0, 0xe9]],
    ['UTF-16LE', [0xff, 0xfe, 0x3c, 0, 0xe9, 0]],
  ])('may be %s with a byte order mark (RFC 7303)', async (_, octets) => {
    expect(await bodyOf(stream(octets.map((octet) => Uint8Array.of(octet))))).toBe('<é');
    expect(await status([Uint8Array.from(octets.slice(0, -1))])).toBe(400);
  });

  test('is UTF-8', async () => {
    expect(await status([Uint8Array.of(0x3c, 0xe9, 0x3e)])).toBe(400);
    const character = new TextEncoder().encode('é');
    expect(await status([character.slice(0, 1), character.slice(1)])).toBe(200);
  });
});

describe('an answer', () => {
  test('is well-formed, whatever stands in names and descriptions', async () => {
    const body = propfind('<D:prop><D:displayname/><C:calendar-description/></D:prop>');
    const { text } = await plainly(objects, 'PROPFIND', PATH, { body, headers: { depth: '0' } });
    expect(text).toContain('<D:displayname>Calendar &amp; &lt;friends&gt;</D:displayname>');
    expect(text).toContain('<C:calendar-description>Two&#13;\nlines </C:calendar-description>');
    const data = await plainly(objects, 'REPORT', PATH, { body: multiget([`${PATH}a.ics`]) });
    expect(readXml(data.text)?.local).toBe('multistatus');
  });

  test('names what it has not, in the namespace that was asked for', async () => {
    const body = propfind(
      '<D:prop><x xmlns=""/><x xmlns="urn:a&amp;&quot;b&lt;"/><é:ü xmlns:é="urn:é"/><D:x/><D:x/></D:prop>',
    );
    const { text } = await plainly(objects, 'PROPFIND', PATH, { body, headers: { depth: '0' } });
    const missing = readXml(text)?.children[0]?.children[1]?.children[0]?.children ?? [];
    expect(missing.map(({ ns, local }) => [ns, local])).toEqual([
      ['', 'x'],
      ['urn:a&"b<', 'x'],
      ['urn:é', 'ü'],
      ['DAV:', 'x'],
    ]);
  });

  test('of text is read as that text, without what XML cannot hold', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
        // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is left out
        const sound = text.replace(/[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|[\ud800-\udfff]/gu, '');
        expect(readXml(`<x>${escaped(text)}</x>`)?.text).toBe(sound);
      }),
    );
  });

  test('of octets is that of their text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
        const sound = `${text.toWellFormed()}&\r\n\ufffe\uffff\u0001<>`;
        const octets = new TextDecoder().decode(escapedOctets(new TextEncoder().encode(sound)));
        expect(octets).toMatch(/^[\t\n -~\x7f]*$/);
        expect(readXml(`<x>${octets}</x>`)?.text).toBe(readXml(`<x>${escaped(sound)}</x>`)?.text);
      }),
    );
  });
});

describe('any request', () => {
  const bodies = [
    propfind('<D:prop><D:getetag/><C:calendar-home-set/></D:prop>'),
    query(
      '<C:comp-filter name="VEVENT"><C:time-range start="20261201T000000Z" end="20261210T000000Z"/><C:prop-filter name="UID"><C:text-match collation="i;octet">a</C:text-match></C:prop-filter></C:comp-filter>',
      '<C:calendar-data><C:expand start="20261201T000000Z" end="20261210T000000Z"/></C:calendar-data>',
    ),
    multiget([`${PATH}a.ics`]),
    '<sync-collection xmlns="DAV:"><sync-token/><sync-level>1</sync-level><prop><getetag/></prop></sync-collection>',
    '<C:free-busy-query xmlns:C="urn:ietf:params:xml:ns:caldav"><C:time-range start="20261201T000000Z" end="20261210T000000Z"/></C:free-busy-query>',
  ];
  const pieces = [
    '<',
    '>',
    '/',
    '"',
    '&',
    '=',
    'x',
    '0',
    '</D:prop>',
    '<C:comp-filter name="',
    '<!--',
    '\u0000',
    '20269999T999999Z',
    'xmlns:D="x"',
  ];

  test('of bodies with a few pieces other than they should be is answered, never with a fault of ours', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('PROPFIND', 'REPORT', 'PROPPATCH'),
        fc.constantFrom(...bodies),
        fc.array(fc.tuple(fc.nat(1000), fc.nat(20), fc.constantFrom('', ...pieces)), { maxLength: 4 }),
        fc.constantFrom(PATH, `${PATH}a.ics`, '/dav/', '/dav/series/'),
        fc.constantFrom('0', '1', 'x'),
        async (method, body, edits, path, depth) => {
          const edited = edits.reduce(
            (text, [at, cut, piece]) => text.slice(0, at) + piece + text.slice(at + cut),
            body,
          );
          const { status, text } = await plainly(objects, method, path, { body: edited, headers: { depth } });
          expect([200, 207, 400, 403, 413]).toContain(status);
          if (status === 207) expect(readXml(text)?.local).toBe('multistatus');
        },
      ),
      { numRuns: 600 },
    );
  });
});

describe('paths', () => {
  it.each([
    '/dav/%2e%2e/%2e%2e/etc/passwd',
    '/dav/series/%00/',
    '/dav/series/c%2Fd/',
    `/dav/series/${'a'.repeat(10_000)}/`,
    '/dav/series/c/%ff.ics',
    '/dav//series/c/',
    '/dav/series//',
    '/dav/constructor/x/',
    '/dav/__proto__/x/',
    `/dav/my/${'x'.repeat(6001)}/`,
    `/dav/search/${'q'.repeat(1001)}/`,
  ])('%s lead nowhere', async (path) => {
    expect((await plainly(objects, 'PROPFIND', path, { headers: { depth: '0' } })).status).toBe(404);
  });

  it.each(['__proto__', 'constructor', 'toString'])('a method named %s is none', async (method) => {
    expect((await plainly(objects, method, PATH)).status).toBe(405);
  });
});
