import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import {
  type Answered,
  type Asked,
  type DavRig,
  davServed,
  listOf,
  namesWithin,
  placePath,
  propfind,
  props,
  query,
  seriesKey,
  seriesPath,
  singles,
  textIn,
  weekly,
} from './rig.ts';

/** What each client sends (clients' sources, and servers' logs of closed ones), and what it must get to go on. */

let one: DavRig;
beforeAll(async () => {
  one = await davServed();
  await one.feed(weekly('a'), singles('b'));
});
afterAll(() => one.close());

const A = seriesPath('a');
const HOME = `/dav/my/${listOf(`series/${seriesKey('a')}`, `series/${seriesKey('b')}`)}/`;
const ALONE = `/dav/my/${listOf(`series/${seriesKey('a')}`)}/`;

const ask = (method: string, path: string, asked?: Asked): Promise<Answered> => one.ask(method, path, asked);
const hrefIn = (answered: Answered, name: string): string | undefined => {
  const found = props(answered).get(name);
  return found && textIn(found, 'href');
};

describe('discovery', () => {
  it.each(['GET', 'HEAD', 'PROPFIND', 'REPORT', 'POST'])(
    '%s of the well-known address leads to /dav/',
    async (method) => {
      for (const path of ['/.well-known/caldav', '/.well-known/caldav/']) {
        const answered = await ask(method, path);
        expect([answered.status, answered.headers.get('location')]).toEqual([301, 'https://c.example/dav/']);
      }
    },
  );

  it.each(['/', '/principals/', '/principals/users/x/'])('PROPFIND of %s leads there too', async (path) => {
    const answered = await ask('PROPFIND', path, { depth: '0' });
    expect([answered.status, answered.headers.get('location')]).toEqual([301, 'https://c.example/dav/']);
  });

  const FIRST = propfind('<D:prop><D:current-user-principal/><D:principal-URL/><D:resourcetype/></D:prop>');
  it.each([
    ['the root', '/dav/', '/dav/'],
    ['the root without its slash', '/dav', '/dav/'],
    ['a folder', '/dav/series/', '/dav/'],
    ['a home', HOME, HOME],
    ['a calendar', A, ALONE],
    ['a calendar of a list', `${HOME}series-${seriesKey('a')}/`, HOME],
    ['a place', placePath, undefined],
  ])('every address names its principal: %s', async (_, path, principal) => {
    const answered = await ask('PROPFIND', path, { depth: '0', body: FIRST });
    const found = hrefIn(answered, 'current-user-principal') ?? '';
    expect(answered.status).toBe(207);
    expect(hrefIn(answered, 'principal-URL')).toBe(found);
    if (principal !== undefined) expect(found).toBe(principal);
    const home = await ask('PROPFIND', found, {
      depth: '0',
      body: propfind('<D:prop><C:calendar-home-set/></D:prop>'),
    });
    const listed = hrefIn(home, 'calendar-home-set') ?? '';
    const answer = await ask('PROPFIND', listed, { depth: '0', body: FIRST });
    expect(namesWithin(props(answer).get('resourcetype'))).not.toContain('calendar');
    expect(namesWithin(props(answer).get('resourcetype'))).toContain('collection');
  });

  it.each([
    ['the root', '/dav', '/dav/'],
    ['a home', HOME.slice(0, -1), HOME],
    ['a calendar', A.slice(0, -1), A],
  ])('%s without its slash says where it is (RFC 4918 5.2)', async (_, path, location) => {
    const at = async (...asked: Parameters<typeof ask>) => (await ask(...asked)).headers.get('content-location');
    expect([await at('PROPFIND', path, { depth: '0' }), await at('PROPFIND', location, { depth: '0' })]).toEqual([
      location,
      null,
    ]);
    if (path.startsWith('/dav/series')) expect(await at('REPORT', path, { body: query('') })).toBe(location);
  });

  it.each(['/dav/', '/dav/series/', HOME, A, placePath])('OPTIONS of %s', async (path) => {
    const { status, headers } = await ask('OPTIONS', path);
    expect(status).toBe(200);
    expect(headers.get('dav')?.split(/,\s*/)).toEqual(
      expect.arrayContaining(['1', '3', 'access-control', 'calendar-access']),
    );
    expect(headers.get('dav')).not.toMatch(/\b2\b|schedule/);
    expect(headers.get('allow')).not.toMatch(/PUT|POST|DELETE/);
  });
});

/** Names of the properties that were found, and of those that were not. */
function foundAndMissing(answered: Answered): [string[], string[]] {
  return [[...props(answered).keys()].sort(), [...props(answered, 404).keys()].sort()];
}

describe('Apple', () => {
  test('asks the principal for much, and leaves out what it may', async () => {
    const body = propfind(
      '<D:prop><C:calendar-home-set/><C:calendar-user-address-set/><D:displayname/><D:principal-collection-set/><D:principal-URL/><D:resource-id/><C:schedule-inbox-URL/><C:schedule-outbox-URL/><CS:dropbox-home-URL/><CS:email-address-set/><CS:notification-URL/><D:supported-report-set/></D:prop>',
    );
    const headers = { Brief: 't', Prefer: 'return=minimal', 'User-Agent': 'iOS/17.0 (21A329) dataaccessd/1.0' };
    const answered = await ask('PROPFIND', HOME, { depth: '0', body, headers });
    expect(foundAndMissing(answered)).toEqual([
      [
        'calendar-home-set',
        'calendar-user-address-set',
        'displayname',
        'principal-URL',
        'principal-collection-set',
        'supported-report-set',
      ],
      [],
    ]);
    expect(answered.headers.get('preference-applied')).toBe('return=minimal');
  });

  test('lists the home with colours, order and rights', async () => {
    const body =
      '<?xml version="1.0" encoding="UTF-8"?><A:propfind xmlns:A="DAV:"><A:prop><A:add-member/><C:allowed-sharing-modes xmlns:C="http://calendarserver.org/ns/"/><D:autoprovisioned xmlns:D="http://apple.com/ns/ical/"/><E:bulk-requests xmlns:E="http://me.com/_namespace/"/><D:calendar-color xmlns:D="http://apple.com/ns/ical/"/><B:calendar-description xmlns:B="urn:ietf:params:xml:ns:caldav"/><B:calendar-free-busy-set xmlns:B="urn:ietf:params:xml:ns:caldav"/><D:calendar-order xmlns:D="http://apple.com/ns/ical/"/><B:calendar-timezone xmlns:B="urn:ietf:params:xml:ns:caldav"/><A:current-user-privilege-set/><A:displayname/><C:getctag xmlns:C="http://calendarserver.org/ns/"/><A:owner/><C:push-transports xmlns:C="http://calendarserver.org/ns/"/><C:pushkey xmlns:C="http://calendarserver.org/ns/"/><A:quota-available-bytes/><D:refreshrate xmlns:D="http://apple.com/ns/ical/"/><A:resource-id/><A:resourcetype/><C:source xmlns:C="http://calendarserver.org/ns/"/><B:supported-calendar-component-set xmlns:B="urn:ietf:params:xml:ns:caldav"/><A:supported-report-set/><A:sync-token/></A:prop></A:propfind>';
    const answered = await ask('PROPFIND', HOME, { depth: '1', body, headers: { Brief: 't' } });
    const [home, ...calendars] = [...answered.responses.values()];
    expect(home?.href).toBe(HOME);
    expect(calendars.map(({ href }) => href)).toEqual([
      `${HOME}series-${seriesKey('a')}/`,
      `${HOME}series-${seriesKey('b')}/`,
    ]);
    expect(calendars.map(({ props: found }) => found.get(200)?.get('calendar-order')?.text)).toEqual(['1', '2']);
    const second = await ask('PROPFIND', calendars[1]?.href ?? '', { depth: '0', body });
    expect(props(second).get('calendar-order')?.text).toBe('2');
    for (const { props: found } of calendars) {
      const ok = found.get(200);
      expect([...found.keys()]).toEqual([200]);
      expect(ok?.get('calendar-color')?.text).toMatch(/^#[0-9A-F]{8}$/);
      expect(ok?.get('refreshrate')?.text).toMatch(/^PT\d+H$/);
      expect(namesWithin(ok?.get('resourcetype'))).toEqual(['collection', 'calendar']);
      const rights = namesWithin(ok?.get('current-user-privilege-set'));
      expect(rights).toContain('read');
      expect(rights.filter((name) => /write|bind|all|unlock/.test(name))).toEqual([]);
      expect(ok?.get('sync-token')?.text).toBe(ok?.get('getctag')?.text);
    }
  });

  test('writes an order and a colour, and hears of each by itself', async () => {
    const body =
      '<?xml version="1.0" encoding="UTF-8"?><A:propertyupdate xmlns:A="DAV:"><A:set><A:prop><D:calendar-order xmlns:D="http://apple.com/ns/ical/">3</D:calendar-order><D:calendar-color xmlns:D="http://apple.com/ns/ical/" symbolic-color="custom">#FF2968FF</D:calendar-color></A:prop></A:set></A:propertyupdate>';
    const answered = await ask('PROPPATCH', A, { body });
    expect(answered.status).toBe(207);
    expect([...props(answered, 403).keys()]).toEqual(['calendar-order', 'calendar-color']);
    expect(answered.text).toContain('<D:cannot-modify-protected-property/>');
  });
});

describe('DAVx5', () => {
  test('finds a calendar by its address alone', async () => {
    const body =
      '<?xml version="1.0" encoding="UTF-8"?><propfind xmlns="DAV:" xmlns:CAL="urn:ietf:params:xml:ns:caldav" xmlns:CARD="urn:ietf:params:xml:ns:carddav"><prop><resourcetype /><displayname /><CAL:supported-calendar-component-set /><CAL:calendar-description /><n0:calendar-color xmlns:n0="http://apple.com/ns/ical/" /><CAL:calendar-timezone /><CAL:calendar-timezone-id /><n1:source xmlns:n1="http://calendarserver.org/ns/" /><current-user-privilege-set /><owner /><current-user-principal /><CARD:addressbook-description /></prop></propfind>';
    const answered = await ask('PROPFIND', A, { depth: '0', body });
    expect(foundAndMissing(answered)).toEqual([
      [
        'calendar-color',
        'calendar-description',
        'calendar-timezone',
        'calendar-timezone-id',
        'current-user-principal',
        'current-user-privilege-set',
        'displayname',
        'owner',
        'resourcetype',
        'source',
        'supported-calendar-component-set',
      ],
      ['addressbook-description'],
    ]);
  });

  test('asks what there is, syncs from nothing, and gets objects', async () => {
    const body = propfind(
      '<D:prop><C:max-resource-size/><D:supported-report-set/><CS:getctag/><D:sync-token/></D:prop>',
    );
    const state = await ask('PROPFIND', A, { depth: '0', body });
    expect(namesWithin(props(state).get('supported-report-set'))).toContain('sync-collection');
    const first = await ask('REPORT', A, {
      depth: '0',
      body: '<?xml version="1.0" encoding="UTF-8"?><sync-collection xmlns="DAV:"><sync-token /><sync-level>1</sync-level><prop><resourcetype /><getetag /></prop></sync-collection>',
    });
    expect(first.root && textIn(first.root, 'sync-token')).toBe(props(state).get('sync-token')?.text);
    const got = await ask('REPORT', A, {
      body: `<?xml version="1.0" encoding="UTF-8"?><CAL:calendar-multiget xmlns="DAV:" xmlns:CAL="urn:ietf:params:xml:ns:caldav"><prop><getcontenttype /><getetag /><CAL:schedule-tag /><CAL:calendar-data content-type="text/calendar" version="2.0" /></prop>${[...first.responses.keys()].map((href) => `<href>${href}</href>`).join('')}</CAL:calendar-multiget>`,
    });
    expect(got.responses.size).toBe(1);
    for (const [href, { props: found }] of got.responses) {
      expect(found.get(200)?.get('getetag')?.text).toBe(
        first.responses.get(href)?.props.get(200)?.get('getetag')?.text,
      );
      expect(
        new Set(
          found
            .get(200)
            ?.get('calendar-data')
            ?.text.match(/^UID:.*$/gm),
        ).size,
      ).toBe(1);
    }
  });

  test('asks for a stretch of time by calendar-query', async () => {
    const body =
      '<?xml version="1.0" encoding="UTF-8"?><CAL:calendar-query xmlns="DAV:" xmlns:CAL="urn:ietf:params:xml:ns:caldav"><prop><getetag /></prop><CAL:filter><CAL:comp-filter name="VCALENDAR"><CAL:comp-filter name="VEVENT"><CAL:time-range start="20261208T000000Z" /></CAL:comp-filter></CAL:comp-filter></CAL:filter></CAL:calendar-query>';
    expect((await ask('REPORT', seriesPath('b'), { depth: '1', body })).responses.size).toBe(2);
    const tasks = body.replace('"VEVENT"', '"VJOURNAL"');
    expect((await ask('REPORT', seriesPath('b'), { depth: '1', body: tasks })).responses.size).toBe(0);
  });
});

describe('Thunderbird', () => {
  test('asks a calendar what it can, and its folder for OPTIONS', async () => {
    const body =
      '<?xml version="1.0" encoding="UTF-8"?><D:propfind xmlns:D="DAV:" xmlns:CS="http://calendarserver.org/ns/" xmlns:C="urn:ietf:params:xml:ns:caldav"><D:prop><D:resourcetype/><D:owner/><D:current-user-principal/><D:current-user-privilege-set/><D:supported-report-set/><C:supported-calendar-component-set/><CS:getctag/></D:prop></D:propfind>';
    const answered = await ask('PROPFIND', A, { depth: '0', body });
    expect(foundAndMissing(answered)[1]).toEqual([]);
    expect((await ask('OPTIONS', '/dav/series/')).status).toBe(200);
  });

  test('syncs with Depth 1, and takes what has a type and an ETag', async () => {
    const body =
      '<?xml version="1.0" encoding="UTF-8"?>\n<sync-collection xmlns="DAV:"><sync-token/><sync-level>1</sync-level><prop><getcontenttype/><getetag/></prop></sync-collection>';
    const answered = await ask('REPORT', seriesPath('b'), { depth: '1', body });
    expect(answered.responses.size).toBe(3);
    for (const { props: found } of answered.responses.values()) {
      expect(found.get(200)?.get('getcontenttype')?.text).toMatch(/^text\/calendar/);
      expect(found.get(200)?.get('getetag')?.text).toMatch(/^"[^"]+"$/);
    }
  });

  test('without sync asks for types and ETags of all', async () => {
    const body = propfind('<D:prop><D:getcontenttype/><D:resourcetype/><D:getetag/></D:prop>');
    const answered = await ask('PROPFIND', seriesPath('b'), { depth: '1', body });
    const [itself, ...objects] = [...answered.responses.values()];
    expect(namesWithin(itself?.props.get(200)?.get('resourcetype'))).toContain('collection');
    expect(objects.every(({ props: found }) => found.get(200)?.size === 3)).toBe(true);
  });

  test('an error of the sync is never what it takes for a rate limit', async () => {
    const body =
      '<sync-collection xmlns="DAV:"><sync-token>https://c.example/ns/sync/x/1</sync-token><sync-level>1</sync-level><prop><getetag/></prop></sync-collection>';
    const answered = await ask('REPORT', A, { depth: '1', body });
    expect(answered.status).toBe(403);
    expect(answered.root?.children.map(({ local }) => local)).toEqual(['valid-sync-token']);
    expect(answered.text).not.toContain('<D:error xmlns:D="DAV:"/>');
  });
});

describe('GNOME, vdirsyncer and others', () => {
  test('Evolution finds neither a way nor a right to write', async () => {
    const body = propfind('<D:prop><D:current-user-privilege-set/></D:prop>');
    const rights = namesWithin(props(await ask('PROPFIND', A, { depth: '0', body })).get('current-user-privilege-set'));
    expect(rights.filter((name) => /write|all/.test(name))).toEqual([]);
    const body2 = propfind('<D:prop><CS:getctag/><D:supported-report-set/><D:sync-token/></D:prop>');
    expect(props(await ask('PROPFIND', A, { depth: '0', body: body2 })).get('sync-token')?.text).toMatch(
      /^https:\/\/.*\//,
    );
  });

  test('vdirsyncer walks from the well-known address to the calendars of a home', async () => {
    const principal = await ask('PROPFIND', HOME, {
      depth: '0',
      body: '<?xml version="1.0" encoding="utf-8" ?><d:propfind xmlns:d="DAV:"><d:prop><d:current-user-principal/></d:prop></d:propfind>',
    });
    const home = await ask('PROPFIND', hrefIn(principal, 'current-user-principal') ?? '', {
      depth: '0',
      body: '<?xml version="1.0" encoding="utf-8" ?><d:propfind xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav"><d:prop><c:calendar-home-set/></d:prop></d:propfind>',
    });
    const listed = await ask('PROPFIND', hrefIn(home, 'calendar-home-set') ?? '', {
      depth: '1',
      body: '<?xml version="1.0" encoding="utf-8" ?><d:propfind xmlns:d="DAV:"><d:prop><d:resourcetype/></d:prop></d:propfind>',
    });
    const calendars = [...listed.responses.values()].filter(({ props: found }) =>
      namesWithin(found.get(200)?.get('resourcetype')).includes('calendar'),
    );
    expect(calendars).toHaveLength(2);
  });

  test('programs of Microsoft send Depth 0 with a calendar-query, and mean 1', async () => {
    const body =
      '<C:calendar-query xmlns:C="urn:ietf:params:xml:ns:caldav" xmlns:D="DAV:"><D:prop><D:getetag/></D:prop><C:filter><C:comp-filter name="VCALENDAR"><C:comp-filter name="VEVENT"/></C:comp-filter></C:filter></C:calendar-query>';
    const headers = { 'User-Agent': 'MSFT-WP/8.0' };
    expect((await ask('REPORT', seriesPath('b'), { depth: '0', body, headers })).responses.size).toBe(3);
  });
});

describe('what would write', () => {
  it.each([
    ['PUT', 'bind'],
    ['POST', 'write-content'],
    ['PATCH', 'write-content'],
    ['DELETE', 'unbind'],
    ['MKCALENDAR', 'bind'],
    ['MKCOL', 'bind'],
    ['MOVE', 'unbind', 'bind'],
    ['COPY', 'bind'],
    ['ACL', 'write-acl'],
  ])('%s is refused for want of a privilege', async (method, ...privileges) => {
    const answered = await ask(method, `${A}new.ics`, { body: 'BEGIN:VCALENDAR' });
    expect(answered.status).toBe(403);
    expect(answered.root && namesWithin(answered.root)).toEqual([
      'need-privileges',
      ...privileges.flatMap((privilege) => ['resource', 'href', 'privilege', privilege]),
    ]);
  });

  it('a privilege to make or delete is one of the collection, and one to write is of the object', async () => {
    const listed = await ask('PROPFIND', A, { depth: '1' });
    const object = [...listed.responses.keys()].find((path) => path !== A) ?? '';
    const named = async (method: string, path: string, Destination?: string) => {
      const headers = Destination === undefined ? {} : { Destination };
      const { text } = await ask(method, path, { body: 'x', headers });
      return [...text.matchAll(/<D:href>([^<]*)<\/D:href><D:privilege><D:([\w-]+)/g)].flatMap((one) => one.slice(1));
    };
    expect(await named('DELETE', object)).toEqual([A, 'unbind']);
    expect(await named('PUT', object)).toEqual([object, 'write-content']);
    expect(await named('PUT', `${A}new.ics`)).toEqual([A, 'bind']);
    expect(await named('MKCOL', `${A}new/`)).toEqual([A, 'bind']);
    expect(await named('ACL', A)).toEqual([A, 'write-acl']);
    // RFC 3744, appendix B, and the example of 7.1.1: what is moved leaves one collection, and joins another.
    const other = seriesPath('b');
    expect(await named('MOVE', object, `https://c.example${other}x.ics`)).toEqual([A, 'unbind', other, 'bind']);
    expect(await named('COPY', object, `${other}x.ics`)).toEqual([other, 'bind']);
    expect(await named('COPY', `${A}new.ics`, object)).toEqual([object, 'write-content']);
  });

  it.each(['LOCK', 'UNLOCK', 'BREW'])('%s is no method of this server', async (method) => {
    const { status, headers } = await ask(method, A);
    expect([status, headers.get('allow')]).toEqual([405, 'OPTIONS, GET, HEAD, PROPFIND, PROPPATCH, REPORT']);
  });
});

describe('GET', () => {
  test('of an object is its octets, with validators', async () => {
    const listed = await ask('PROPFIND', A, {
      depth: '1',
      body: propfind('<D:prop><D:getetag/><D:getcontentlength/></D:prop>'),
    });
    const [, object] = [...listed.responses.values()];
    const { href = '', props: found } = object ?? {};
    const got = await ask('GET', href);
    const etag = found?.get(200)?.get('getetag')?.text ?? '';
    expect(got.headers.get('etag')).toBe(etag);
    // Programs keep the tag of a report beside what GET gives them: that must not be older.
    expect(got.headers.get('cache-control')).toBe('no-cache');
    expect(got.headers.get('content-type')).toBe('text/calendar; charset=utf-8; component=VEVENT');
    expect(Buffer.byteLength(got.text)).toBe(Number(found?.get(200)?.get('getcontentlength')?.text));
    expect(got.text).toMatch(/^BEGIN:VCALENDAR\r\nVERSION:2\.0\r\n/);
    const status = async (headers: Record<string, string>) => (await ask('GET', href, { headers })).status;
    expect(await status({ 'If-None-Match': etag })).toBe(304);
    expect(await status({ 'If-None-Match': `"other", W/${etag}` })).toBe(304);
    expect(await status({ 'If-None-Match': '"other"' })).toBe(200);
    expect(await status({ 'If-Match': '"other"' })).toBe(412);
    expect(await status({ 'If-Match': `W/${etag}` })).toBe(412);
    expect(await status({ 'If-Match': `W/${etag}, ${etag}` })).toBe(200);
    const modified = got.headers.get('last-modified') ?? '';
    const before = new Date(Date.parse(modified) - 1000).toUTCString();
    expect(await status({ 'If-Modified-Since': modified })).toBe(304);
    expect(await status({ 'If-Modified-Since': before })).toBe(200);
    expect(await status({ 'If-Modified-Since': 'some time in 2030' })).toBe(200);
    expect(await status({ 'If-Modified-Since': modified, 'If-None-Match': '"other"' })).toBe(200);
    expect(await status({ 'If-Unmodified-Since': modified })).toBe(200);
    expect(await status({ 'If-Unmodified-Since': before })).toBe(412);
    expect(await status({ 'If-Unmodified-Since': before, 'If-Match': etag })).toBe(200);
    const head = await ask('HEAD', href);
    expect([head.text, head.headers.get('etag')]).toEqual(['', etag]);
    const whole = await one.text(`/series/${seriesKey('a')}.ics`);
    for (const event of got.text.match(/BEGIN:VEVENT[\s\S]*?END:VEVENT\r\n/g) ?? ['none'])
      expect(whole).toContain(event);
  });

  it.each([
    [A, undefined, `/series/${seriesKey('a')}.ics`],
    [A, 'text/html', `/series/${seriesKey('a')}`],
    [HOME, undefined, HOME.replace('/dav', '').replace(/\/$/, '.ics')],
    ['/dav/search/q%3Dyoga/', undefined, '/search.ics?q=yoga'],
  ])('of %s (Accept: %s) leads to %s', async (path, accept, location) => {
    const answered = await ask('GET', path, { headers: accept === undefined ? {} : { Accept: accept } });
    expect([answered.status, answered.headers.get('location')]).toEqual([302, location]);
  });

  it('of the root explains itself', async () => {
    const answered = await ask('GET', '/dav/');
    expect([answered.status, answered.text]).toEqual([200, expect.stringContaining('calendar programs')]);
    for (const kind of ['series', 'places', 'facilities', 'search', 'my'])
      expect(answered.text).toContain(`/dav/${kind}/`);
  });

  it.each([
    ['/dav/series/nothing/', 404],
    ['/dav/other/', 404],
    [`${A}nothing.ics`, 404],
    [`${A}x.ics/y.ics`, 404],
    ['/dav/my/1Snone_00000000/', 404],
    ['/dav/search/nothing%3D1/', 404],
    ['/dav/search/%E0%A4%A/', 404],
    ['/dav/series/..%2f..%2fetc/', 404],
    [`/dav/my/${listOf(`series/${seriesKey('a')}`)}/series-${seriesKey('b')}/`, 404],
  ])('%s is %i', async (path, status) => {
    expect((await ask('PROPFIND', path, { depth: '0' })).status).toBe(status);
  });
});
