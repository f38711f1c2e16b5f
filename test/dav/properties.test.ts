import { describe, expect, it, test } from 'vitest';
import { readXml } from '../../src/dav/xml/read.ts';
import { event, FakeObjects, plainly } from './fake.ts';
import { propfind } from './rig.ts';

/** Each property, as its RFC has it, and each way to ask for several. */

const PATH = '/dav/series/c/';
const OBJECT = `${PATH}a.ics`;
const objects = new FakeObjects();
objects.put('a.ics', [event('a', Date.UTC(2026, 10, 23, 18))]);

const ask = (path: string, inner: string, headers: Record<string, string> = {}) =>
  plainly(objects, 'PROPFIND', path, {
    body: inner === '' ? '' : propfind(inner),
    headers: { depth: '0', ...headers },
  });

/** The XML within a property; undefined: it is not there. */
async function valueAt(path: string, name: string): Promise<string | undefined> {
  const { text } = await ask(path, `<D:prop><${name}/></D:prop>`);
  expect(text).toContain(`<D:href>${path}</D:href>`);
  if (text.includes('404 Not Found')) return undefined;
  return new RegExp(`<${name}>([\\s\\S]*)</${name}>`).exec(text)?.[1] ?? '';
}

describe('of a calendar', () => {
  it.each<[name: string, value: string | RegExp]>([
    ['D:resourcetype', '<D:collection/><C:calendar/>'],
    ['D:displayname', 'Calendar &amp; &lt;friends&gt;'],
    ['D:getlastmodified', 'Thu, 01 Jan 1970 00:16:40 GMT'],
    ['D:owner', /^<D:href>\/dav\/my\/1Sc_[0-9a-f]{8}\/<\/D:href>$/],
    [
      'D:current-user-privilege-set',
      '<D:privilege><D:read/></D:privilege><D:privilege><D:read-current-user-privilege-set/></D:privilege><D:privilege><C:read-free-busy/></D:privilege>',
    ],
    ['D:supported-privilege-set', /^<D:supported-privilege><D:privilege><D:read\/>/],
    ['D:supported-report-set', /calendar-query.*calendar-multiget.*free-busy-query.*sync-collection/],
    ['D:supportedlock', ''],
    ['D:sync-token', /^https:\/\/c\.example\/ns\/sync\/[0-9a-f]{16}\/s[0-9a-f]{20}$/],
    ['CS:getctag', /^https:\/\/c\.example\/ns\/sync\/[0-9a-f]{16}\/s[0-9a-f]{20}$/],
    ['CS:source', '<D:href>https://c.example/series/c.ics</D:href>'],
    ['C:calendar-description', /^Two&#13;\nlines $/],
    [
      'C:calendar-timezone',
      /^BEGIN:VCALENDAR&#13;\n[\s\S]*TZID:America\/New_York&#13;\n[\s\S]*END:VTIMEZONE&#13;\nEND:VCALENDAR&#13;\n$/,
    ],
    ['C:calendar-timezone-id', 'America/New_York'],
    ['C:supported-calendar-component-set', '<C:comp name="VEVENT"/>'],
    ['C:supported-calendar-data', '<C:calendar-data content-type="text/calendar" version="2.0"/>'],
    ['C:supported-collation-set', /i;ascii-casemap.*i;octet/],
    ['C:max-resource-size', '1048576'],
    ['C:min-date-time', '19700101T000000Z'],
    ['C:max-date-time', '20510101T000000Z'],
    ['A:calendar-color', '#008080FF'],
    ['A:calendar-order', '1'],
    ['A:refreshrate', 'PT6H'],
  ])('%s', async (name, value) => {
    const found = await valueAt(PATH, name);
    if (typeof value === 'string') expect(found).toBe(value);
    else expect(found).toMatch(value);
  });

  it.each([
    'D:getetag',
    'D:getcontentlength',
    'C:calendar-home-set',
    'C:calendar-availability',
    'C:calendar-data',
    'C:schedule-calendar-transp',
    'CS:push-transports',
    'D:quota-used-bytes',
  ])('no %s', async (name) => {
    expect(await valueAt(PATH, name)).toBeUndefined();
  });
});

describe('of an object', () => {
  it.each<[name: string, value: string | RegExp]>([
    ['D:resourcetype', ''],
    ['D:getetag', /^"[^"]+"$/],
    ['D:getcontenttype', 'text/calendar; charset=utf-8; component=VEVENT'],
    ['D:getcontentlength', /^\d{3,}$/],
    ['D:current-user-principal', /^<D:href>\/dav\/my\//],
  ])('%s', async (name, value) => {
    const found = await valueAt(OBJECT, name);
    if (typeof value === 'string') expect(found).toBe(value);
    else expect(found).toMatch(value);
  });

  it.each(['D:displayname', 'D:sync-token', 'CS:getctag'])('no %s', async (name) => {
    expect(await valueAt(OBJECT, name)).toBeUndefined();
  });
});

test('what changed later than the answer says the time of the answer (RFC 9110 8.8.2.1)', async () => {
  const made = new FakeObjects();
  for (const name of ['b.ics', 'c.ics', 'd.ics', 'a.ics']) made.put(name, [event(name, Date.UTC(2026, 10, 23, 18))]);
  const at = 2_500;
  const time = 'Thu, 01 Jan 1970 00:00:02 GMT';
  expect((await plainly(made, 'GET', OBJECT, { at })).headers['Last-Modified']).toBe(time);
  const body = propfind('<D:prop><D:getlastmodified/></D:prop>');
  const { text } = await plainly(made, 'PROPFIND', PATH, { body, headers: { depth: '1' }, at });
  expect([...text.matchAll(/<D:getlastmodified>([^<]*)/g)].map(([, found]) => found)).toEqual([
    time,
    time,
    'Thu, 01 Jan 1970 00:00:00 GMT',
    'Thu, 01 Jan 1970 00:00:01 GMT',
    time,
  ]);
  const since = { 'if-modified-since': time };
  expect((await plainly(made, 'GET', OBJECT, { headers: since, at })).status).toBe(200);
});

describe('asked for', () => {
  const names = (text: string): string[] =>
    (readXml(text)?.children[0]?.children ?? [])
      .filter(({ local }) => local === 'propstat')
      .flatMap(({ children }) => children[0]?.children.map(({ local }) => local) ?? []);
  const ALL = ['resourcetype', 'displayname', 'getlastmodified', 'supportedlock', 'lockdiscovery'];

  test('by an empty body: those of RFC 4918', async () => {
    expect(names((await ask(PATH, '')).text)).toEqual(ALL);
  });

  test('in the namespace of XML, which has its own prefix', async () => {
    const { text } = await ask(PATH, '<D:prop><xml:lang/></D:prop>');
    expect(text).toContain('<xml:lang/>');
    expect(text).not.toContain('xmlns:X');
  });

  test('by allprop, and with what is included', async () => {
    expect(names((await ask(PATH, '<D:allprop/>')).text)).toEqual(ALL);
    const more = '<D:allprop/><D:include><D:sync-token/><D:displayname/><D:none/></D:include>';
    expect(names((await ask(PATH, more)).text)).toEqual([...ALL, 'sync-token']);
  });

  test('by propname: each that has a value', async () => {
    const text = (await ask(PATH, '<D:propname/>')).text;
    for (const name of names(text)) expect(await valueAt(PATH, prefixed(text, name))).toBeDefined();
    expect(names(text)).toEqual(expect.arrayContaining([...ALL, 'getctag', 'calendar-color', 'sync-token']));
    expect(text).not.toContain('Calendar &amp;');
  });

  const prefixed = (text: string, name: string): string => new RegExp(`<(\\w+:${name})/>`).exec(text)?.[1] ?? '';

  it.each<[what: string, headers: Record<string, string>]>([
    ['Prefer', { prefer: 'return=minimal' }],
    ['Prefer among others', { prefer: 'respond-async, return=minimal; x=1, wait=5' }],
    ['Brief', { brief: 't' }],
  ])('with %s: without what is missing', async (_, headers) => {
    const { text, headers: own } = await ask(PATH, '<D:prop><D:displayname/><D:none/></D:prop>', headers);
    expect(names(text)).toEqual(['displayname']);
    expect(text).not.toContain('404');
    expect(own['Preference-Applied']).toBe('return=minimal');
    const nothing = (await ask(PATH, '<D:prop><D:none/></D:prop>', headers)).text;
    expect(nothing).toContain('<D:propstat><D:prop></D:prop><D:status>HTTP/1.1 200 OK</D:status></D:propstat>');
  });

  test('without the root, where that is preferred', async () => {
    const { text, headers } = await ask(PATH, '', { depth: '1', prefer: 'depth-noroot' });
    expect(headers['Preference-Applied']).toBe('depth-noroot');
    expect(text).not.toContain(`<D:href>${PATH}</D:href>`);
    expect(text).toContain(`<D:href>${OBJECT}</D:href>`);
    const own = await ask(PATH, '', { depth: '0', prefer: 'depth-noroot' });
    expect([own.headers['Preference-Applied'], own.text.includes(`<D:href>${PATH}</D:href>`)]).toEqual([
      undefined,
      true,
    ]);
  });

  it.each<[depth: string, withRoot: boolean]>([
    ['1', true],
    ['1,noroot', false],
    ['1 , NoRoot ', false],
  ])('of a calendar and its objects with Depth %s', async (depth, withRoot) => {
    const { text, headers } = await ask(PATH, '', { depth });
    expect(headers['Preference-Applied']).toBe(withRoot ? undefined : 'depth-noroot');
    expect(text).toContain(`<D:href>${OBJECT}</D:href>`);
    expect(text.includes(`<D:href>${PATH}</D:href>`)).toBe(withRoot);
  });

  it.each(['infinity', '1,noroot'])('of an object with Depth %s', async (depth) => {
    const { status, text } = await ask(OBJECT, '', { depth });
    expect([status, text.includes(`<D:href>${OBJECT}</D:href>`)]).toEqual([207, true]);
  });
});

describe('a calendar that', () => {
  const withHead = (head: Partial<FakeObjects['head']>): FakeObjects => {
    const made = new FakeObjects();
    made.head = { ...made.head, ...head };
    return made;
  };

  test('has moved leads to where it is', async () => {
    const answered = await plainly(withHead({ movedTo: 'd' }), 'PROPFIND', PATH, {
      headers: { depth: '0' },
      base: 'https://c.example/calendars',
    });
    expect([answered.status, answered.headers.Location]).toEqual([308, '/calendars/dav/series/d/']);
  });

  test('is gone stays so', async () => {
    expect((await plainly(withHead({ state: 'gone' }), 'PROPFIND', PATH, { headers: { depth: '0' } })).status).toBe(
      410,
    );
  });

  test('is deleted is served to the end of its tail', async () => {
    expect((await plainly(withHead({ state: 'deleted' }), 'PROPFIND', PATH, { headers: { depth: '0' } })).status).toBe(
      207,
    );
  });
});

describe('reports about people', () => {
  test('principal-property-search finds nobody', async () => {
    const body =
      '<D:principal-property-search xmlns:D="DAV:" test="anyof"><D:property-search><D:prop><D:displayname/></D:prop><D:match>x</D:match></D:property-search><D:prop><D:displayname/></D:prop></D:principal-property-search>';
    const { status, text } = await plainly(objects, 'REPORT', '/dav/', { body, headers: { depth: '0' } });
    expect([status, readXml(text)?.children]).toEqual([207, []]);
  });

  test('principal-search-property-set has nothing to find them by', async () => {
    const body = '<D:principal-search-property-set xmlns:D="DAV:"/>';
    const { status, text } = await plainly(objects, 'REPORT', '/dav/', { body });
    expect([status, readXml(text)?.local]).toEqual([200, 'principal-search-property-set']);
  });
});
