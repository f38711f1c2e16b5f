import ICAL from 'ical.js';
import { describe, expect, it, test } from 'vitest';
import { davAnswer } from '../../src/dav/index.ts';
import { readXml } from '../../src/dav/xml/read.ts';
import { event, FakeObjects, plainly } from './fake.ts';
import { multiget, namesWithin, query } from './rig.ts';

/** calendar-query, calendar-multiget and free-busy-query, by the examples of RFC 4791 and by tables. */

const at = (day: number, hour: number, minute = 0): number => Date.UTC(2006, 0, day, hour, minute);
const ZONE = 'America/New_York';
const UID3 = 'DC6C50A017428C5216A2F1CD@example.com';

/** Of RFC 4791, appendix B, what a calendar of events has. */
function appendixB(): FakeObjects {
  const objects = new FakeObjects();
  const daily = { freq: 'DAILY', count: 5 } as const;
  const moved = (day: number, summary: string) =>
    event('2@example.com', at(day, 14), { recurrenceId: { zone: ZONE, wall: at(day, 12) }, summary });
  objects.put('abcd1.ics', [event('1@example.com', at(2, 12), { summary: 'Event #1', description: 'Go Steelers!' })]);
  objects.put('abcd2.ics', [
    event('2@example.com', at(2, 12), { summary: 'Event #2', rrule: daily }),
    moved(4, 'Event #2 bis'),
    moved(6, 'Event #2 bis bis'),
  ]);
  objects.put('abcd3.ics', [event(UID3, at(4, 10), { summary: 'Event #3', status: 'TENTATIVE' })]);
  return objects;
}

const objects = appendixB();
const PATH = '/dav/series/c/';
const report = (body: string, headers: Record<string, string> = { depth: '1' }) =>
  plainly(objects, 'REPORT', PATH, { body, headers });

const found = (text: string): string[] =>
  [...text.matchAll(/<D:href>\/dav\/series\/c\/([^<]*)<\/D:href>/g)].map(([, name]) => name as string);
const dataOf = (text: string): string[] =>
  [...text.matchAll(/<C:calendar-data>([\s\S]*?)<\/C:calendar-data>/g)].map(([, data]) =>
    (data as string).replaceAll('&#13;', '\r').replaceAll('&lt;', '<').replaceAll('&amp;', '&'),
  );
const lines = (octets: string, name: string): string[] => octets.match(new RegExp(`^${name}[;:].*$`, 'gm')) ?? [];

const ZONE_SENT =
  'BEGIN:VCALENDAR&#13;\nBEGIN:VTIMEZONE&#13;\nTZID:America/Los_Angeles&#13;\nEND:VTIMEZONE&#13;\nEND:VCALENDAR&#13;\n';
const inSmall = (zone: string): string =>
  zone.replaceAll(/BEGIN|END|TZID|VTIMEZONE|VCALENDAR/g, (name) => name.toLowerCase());
const RANGE = '<C:time-range start="20060104T000000Z" end="20060105T000000Z"/>';
const vevent = (inner: string): string => `<C:comp-filter name="VEVENT">${inner}</C:comp-filter>`;
const prop = (name: string, inner: string): string => vevent(`<C:prop-filter name="${name}">${inner}</C:prop-filter>`);
const match = (text: string, attributes = ''): string => `<C:text-match ${attributes}>${text}</C:text-match>`;
const ALL = ['abcd1.ics', 'abcd2.ics', 'abcd3.ics'];

describe('calendar-query takes', () => {
  it.each<[what: string, filter: string, names: string[]]>([
    ['all of VCALENDAR', '', ALL],
    ['all events (7.8.8)', vevent(''), ALL],
    ['a day (7.8.1)', vevent(RANGE), ['abcd2.ics', 'abcd3.ics']],
    ['what begins later', vevent('<C:time-range start="20060105T170000Z"/>'), ['abcd2.ics']],
    ['what ended before', vevent('<C:time-range end="20060102T170000Z"/>'), []],
    ['what began before', vevent('<C:time-range end="20060102T170001Z"/>'), ['abcd1.ics', 'abcd2.ics']],
    [
      'nothing where an instance was before it was moved',
      vevent('<C:time-range start="20060106T170000Z" end="20060106T180000Z"/>'),
      [],
    ],
    [
      'an instance where it was moved to',
      vevent('<C:time-range start="20060106T190000Z" end="20060106T200000Z"/>'),
      ['abcd2.ics'],
    ],
    ['nothing after COUNT', vevent('<C:time-range start="20060107T000000Z"/>'), []],
    ['no journal', '<C:comp-filter name="VJOURNAL"/>', []],
    ['what has no journal', '<C:comp-filter name="VJOURNAL"><C:is-not-defined/></C:comp-filter>', ALL],
    ['what has a zone', '<C:comp-filter name="VTIMEZONE"/>', ALL],
    [
      'no alarms (7.8.5)',
      vevent(
        '<C:comp-filter name="VALARM"><C:time-range start="20060106T100000Z" end="20060107T100000Z"/></C:comp-filter>',
      ),
      [],
    ],
    ['what has no alarms', vevent('<C:comp-filter name="VALARM"><C:is-not-defined/></C:comp-filter>'), ALL],
    ['a UID (7.8.6)', prop('UID', match(UID3, 'collation="i;octet"')), ['abcd3.ics']],
    ['a UID of other case by default', prop('UID', match(UID3.toLowerCase(), 'collation="default"')), ['abcd3.ics']],
    ['a UID of other case by i;octet', prop('UID', match(UID3.toLowerCase(), 'collation="i;octet"')), []],
    ['a UID of other case', prop('UID', match(UID3.toLowerCase())), ['abcd3.ics']],
    ['a part of a text', prop('DESCRIPTION', match('steelers')), ['abcd1.ics']],
    ['what an override is called', prop('SUMMARY', match('bis bis')), ['abcd2.ics']],
    ['what is not called so', prop('SUMMARY', match('Event #3', 'negate-condition="yes"')), ['abcd1.ics', 'abcd2.ics']],
    [
      'no attendees (7.8.7)',
      prop(
        'ATTENDEE',
        `${match('mailto:lisa@example.com', 'collation="i;ascii-casemap"')}<C:param-filter name="PARTSTAT">${match('NEEDS-ACTION')}</C:param-filter>`,
      ),
      [],
    ],
    ['a property that is there', prop('RRULE', ''), ['abcd2.ics']],
    ['a property that is not there', prop('RRULE', '<C:is-not-defined/>'), ALL],
    ['none of a property that nobody has', prop('X-ABC-GUID', match('ABC')), []],
    ['a parameter', prop('DTSTART', `<C:param-filter name="TZID">${match('new_york')}</C:param-filter>`), ALL],
    [
      'a parameter that is not there',
      prop('DTSTART', '<C:param-filter name="VALUE"><C:is-not-defined/></C:param-filter>'),
      ALL,
    ],
    [
      'a property at a time',
      prop('DTSTART', '<C:time-range start="20060104T000000Z" end="20060104T160000Z"/>'),
      ['abcd3.ics'],
    ],
    ['no property at the end of a time', prop('DTSTART', '<C:time-range end="20060102T170000Z"/>'), []],
    [
      'time and text of one component',
      vevent(`${RANGE}<C:prop-filter name="SUMMARY">${match('#2 bis')}</C:prop-filter>`),
      ['abcd2.ics'],
    ],
    [
      'not the time of one and the text of another',
      vevent(
        `<C:time-range start="20060102T170000Z" end="20060102T180000Z"/><C:prop-filter name="SUMMARY">${match('bis')}</C:prop-filter>`,
      ),
      [],
    ],
    [
      'properties of the calendar',
      '<C:prop-filter name="VERSION"><C:text-match>2.0</C:text-match></C:prop-filter>',
      ALL,
    ],
  ])('%s', async (_, filter, names) => {
    const { status, text } = await report(query(filter));
    expect([status, found(text)]).toEqual([207, names]);
  });
});

test('i;unicode-casemap finds a letter with its accent apart from it, and i;ascii-casemap does not', async () => {
  const cafe = new FakeObjects();
  cafe.put('a.ics', [event('a', at(2, 12), { summary: 'Yoga at the Caf\u00e9' })]);
  const names = async (collation: string) => {
    const body = query(prop('SUMMARY', match('CAFE\u0301', `collation="${collation}"`)));
    return found((await plainly(cafe, 'REPORT', PATH, { body, headers: { depth: '1' } })).text);
  };
  expect([await names('i;unicode-casemap'), await names('i;ascii-casemap')]).toEqual([['a.ics'], []]);
});

describe('calendar-query refuses', () => {
  const raw = (filter: string): string => query('').replace(/<C:filter>.*<\/C:filter>/, filter);
  const data = (inner: string): string => query('', `<C:calendar-data>${inner}</C:calendar-data>`);
  it.each<[what: string, body: string, condition: string]>([
    ['no filter', raw(''), 'valid-filter'],
    ['an empty filter', raw('<C:filter/>'), 'valid-filter'],
    ['another root', raw('<C:filter><C:comp-filter name="VEVENT"/></C:filter>'), 'valid-filter'],
    ['a time of VCALENDAR', query(RANGE), 'valid-filter'],
    ['a component without a name', query('<C:comp-filter/>'), 'valid-filter'],
    ['a time-range without times', query(vevent('<C:time-range/>')), 'valid-filter'],
    ['a date', query(vevent('<C:time-range start="20060104"/>')), 'valid-filter'],
    ['a local time', query(vevent('<C:time-range start="20060104T000000"/>')), 'valid-filter'],
    ['what is wholly after all times', query(vevent('<C:time-range start="20900101T000000Z"/>')), 'max-date-time'],
    ['what is wholly before them', query(vevent('<C:time-range end="19690101T000000Z"/>')), 'min-date-time'],
    ['30 February', query(vevent('<C:time-range start="20060230T000000Z"/>')), 'valid-filter'],
    [
      'an end before the start',
      query(vevent('<C:time-range start="20060104T000000Z" end="20060103T000000Z"/>')),
      'valid-filter',
    ],
    ['is-not-defined beside others', query(prop('UID', `<C:is-not-defined/>${match('a')}`)), 'valid-filter'],
    ['an element that it does not know', query(vevent('<C:near-by/>')), 'supported-filter'],
    ['an element of others', query(vevent('<D:prop xmlns:D="DAV:"/>')), 'supported-filter'],
    ['any of its conditions', query(vevent('<C:prop-filter name="UID" test="anyof"/>')), 'supported-filter'],
    ['the whole of a text', query(prop('UID', match('a', 'match-type="equals"'))), 'supported-filter'],
    [
      'a negation that is neither yes nor no',
      query(prop('UID', match('a', 'negate-condition="true"'))),
      'valid-filter',
    ],
    ['another collation', query(prop('UID', match('a', 'collation="i;klingon"'))), 'supported-collation'],
    [
      'another type of data',
      query('', '<C:calendar-data content-type="application/calendar+json" version="2.0"/>'),
      'supported-calendar-data',
    ],
    [
      'another version of it',
      query('', '<C:calendar-data content-type="text/calendar" version="1.0"/>'),
      'supported-calendar-data',
    ],
    ['expand without an end', data('<C:expand start="20060104T000000Z"/>'), 'valid-filter'],
    ...[
      'garbage',
      'BEGIN:VCALENDAR\nEND:VCALENDAR',
      'BEGIN:VTIMEZONE\nTZID:Europe/Paris\nEND:VTIMEZONE',
      ZONE_SENT.repeat(2),
    ].map((text): [string, string, string] => [
      `as a zone: ${text.slice(0, 30)}`,
      query('', '<D:getetag/>', `<C:timezone>${text}</C:timezone>`),
      'valid-calendar-data',
    ]),
    ['a zone that is none', query('', '<D:getetag/>', '<C:timezone-id>Mars/Olympus</C:timezone-id>'), 'valid-timezone'],
  ])('%s', async (_, body, condition) => {
    const { status, text } = await report(body);
    expect(status).toBe(403);
    expect(readXml(text)?.children.map(({ local }) => local)).toEqual([condition]);
  });
});

describe('calendar-data', () => {
  const data = (inner: string): string => `<C:calendar-data>${inner}</C:calendar-data>`;

  test('expanded (7.8.3): each instance by itself, in UTC, overrides in place of theirs', async () => {
    const { text } = await report(
      query(vevent(''), data('<C:expand start="20060103T000000Z" end="20060105T000000Z"/>')),
    );
    // The first has no instance within, and no text of an object without a component (RFC 5545 3.6).
    const [second = '', third = '', ...others] = dataOf(text);
    expect([found(text), others]).toEqual([ALL, []]);
    const [first] = text.split('</D:response>');
    expect(first).toContain(
      '<D:propstat><D:prop><C:calendar-data/></D:prop><D:status>HTTP/1.1 404 Not Found</D:status>',
    );
    expect(lines(second, 'DTSTART')).toEqual(['DTSTART:20060103T170000Z', 'DTSTART:20060104T190000Z']);
    expect(lines(second, 'RECURRENCE-ID')).toEqual([
      'RECURRENCE-ID:20060103T170000Z',
      'RECURRENCE-ID:20060104T170000Z',
    ]);
    expect(lines(second, 'SUMMARY')).toEqual(['SUMMARY:Event #2', 'SUMMARY:Event #2 bis']);
    expect(lines(third, 'RECURRENCE-ID')).toEqual([]);
    for (const name of ['RRULE', 'EXDATE', 'TZID']) expect(lines(second, name)).toEqual([]);
    expect(second).not.toContain('VTIMEZONE');
  });

  test('limited (7.8.2): the master, and overrides that touch the window', async () => {
    const { text } = await report(
      query(vevent(RANGE), data('<C:limit-recurrence-set start="20060103T000000Z" end="20060105T000000Z"/>')),
    );
    expect(lines(dataOf(text)[0] ?? '', 'SUMMARY')).toEqual(['SUMMARY:Event #2', 'SUMMARY:Event #2 bis']);
    expect(dataOf(text)[0]).toContain('RRULE:FREQ=DAILY;COUNT=5');
    // By the time that the instance would have without it, too.
    const before = await report(
      query(vevent(''), data('<C:limit-recurrence-set start="20060106T170000Z" end="20060106T180000Z"/>')),
    );
    expect(lines(dataOf(before.text)[1] ?? '', 'SUMMARY')).toEqual(['SUMMARY:Event #2', 'SUMMARY:Event #2 bis bis']);
  });

  test('in part (7.8.1): what is named, and what is named without more as a whole', async () => {
    const { text } = await report(
      query(
        vevent(RANGE),
        data(
          '<C:comp name="VCALENDAR"><C:prop name="VERSION"/><C:comp name="VEVENT"><C:prop name="SUMMARY"/><C:prop name="UID"/><C:prop name="DTSTART" novalue="yes"/></C:comp><C:comp name="VTIMEZONE"/></C:comp>',
        ),
      ),
    );
    const [, third = ''] = dataOf(text);
    expect(third.replace(/BEGIN:VTIMEZONE[\s\S]*END:VTIMEZONE\r\n/, 'ZONE\r\n').split('\r\n')).toEqual([
      'BEGIN:VCALENDAR',
      'VERSION:2.0',
      'ZONE',
      'BEGIN:VEVENT',
      `UID:${UID3}`,
      'DTSTART;TZID=America/New_York:',
      'SUMMARY:Event #3',
      'END:VEVENT',
      'END:VCALENDAR',
      '',
    ]);
    expect(third).toContain('TZOFFSETTO:-0500');
  });

  test('whole: ical.js reads the octets that GET has', async () => {
    const { text } = await report(query(vevent('')));
    const whole = await report(query(vevent(''), '<D:getetag/><C:calendar-data/>'));
    expect(found(whole.text)).toEqual(found(text));
    for (const [index, data] of dataOf(whole.text).entries()) {
      const { text: got } = await plainly(objects, 'GET', PATH + found(whole.text)[index]);
      expect(data).toBe(got);
      expect(new ICAL.Component(ICAL.parse(got)).getAllSubcomponents('vevent').length).toBeGreaterThan(0);
    }
  });

  test('of all instances of all objects no more than one answer may have', async () => {
    const endless = new FakeObjects();
    for (let n = 0; n < 20; n += 1) endless.put(`${n}.ics`, [event(`${n}`, at(2, 12), { rrule: { freq: 'DAILY' } })]);
    const body = query(vevent(''), data('<C:expand start="20060101T000000Z" end="20990101T000000Z"/>'));
    const { status, text } = await plainly(endless, 'REPORT', PATH, { body, headers: { depth: '1' } });
    expect([status, namesWithin(readXml(text))]).toEqual([403, ['number-of-matches-within-limits']]);
  });

  test('of large instances no more octets than one answer may have', async () => {
    const large = new FakeObjects();
    large.put('a.ics', [event('a', at(2, 12), { rrule: { freq: 'DAILY' }, description: 'x'.repeat(4000) })]);
    const body = query(vevent(''), data('<C:expand start="20060101T000000Z" end="20500101T000000Z"/>'));
    const { status, text } = await plainly(large, 'REPORT', PATH, { body, headers: { depth: '1' } });
    expect([status, namesWithin(readXml(text))]).toEqual([403, ['number-of-matches-within-limits']]);
  });
});

describe('dates without a time', () => {
  const day = Date.UTC(2006, 0, 4);
  const whole = new FakeObjects();
  whole.put('day.ics', [event('day', day, { span: { zone: ZONE, start: day, end: day + 86_400_000, allDay: true } })]);
  const ends = (time: string, more = '') =>
    plainly(whole, 'REPORT', PATH, {
      body: query(vevent(`<C:time-range start="${time}" end="20060105T120000Z"/>`), '<D:getetag/>', more),
      headers: { depth: '1' },
    });

  it.each([
    ['the zone of the calendar', '20060105T045900Z', '', 1],
    ['no longer', '20060105T050000Z', '', 0],
    ['the zone that is named', '20060105T045900Z', '<C:timezone-id>Europe/London</C:timezone-id>', 0],
    ['the zone that is sent', '20060105T075900Z', `<C:timezone>${ZONE_SENT}</C:timezone>`, 1],
    ['one with small letters', '20060105T075900Z', `<C:timezone>${inSmall(ZONE_SENT)}</C:timezone>`, 1],
    [
      'the calendar’s, where nobody knows the one that is sent',
      '20060105T045900Z',
      `<C:timezone>${ZONE_SENT.replace('America/Los_Angeles', 'Nowhere')}</C:timezone>`,
      1,
    ],
  ])('are in %s', async (_, start, more, count) => {
    expect(found((await ends(start, more)).text)).toHaveLength(count);
  });
});

describe('calendar-multiget', () => {
  it.each<[what: string, href: string, status: 200 | 404]>([
    ['a path', `${PATH}abcd1.ics`, 200],
    ['a whole address', `https://c.example${PATH}abcd1.ics`, 200],
    ['a whole address in capitals', `HTTPS://C.EXAMPLE${PATH}abcd1.ics`, 200],
    ['a whole address of another host', `https://d.example${PATH}abcd1.ics`, 404],
    ['a whole address of another port', `https://c.example:8443${PATH}abcd1.ics`, 404],
    ['a path with more encoded than must be', '/dav/%73eries/c/%61bcd1.ics', 200],
    ['nothing that is there', `${PATH}none.ics`, 404],
    ['an object of another calendar', '/dav/series/d/abcd1.ics', 404],
    ['the calendar itself', PATH, 404],
    ['a path that goes up', `${PATH}../c/abcd1.ics`, 404],
    ['a path that goes up, encoded', `${PATH}%2e%2e/c/abcd1.ics`, 404],
    ['the segment that goes up, encoded', `${PATH}%2e%2e`, 404],
    ['an encoded slash in front of an object', `${PATH}%2e%2e%2fc%2fabcd1.ics`, 404],
    ['a whole address that goes up to another calendar', `https://c.example${PATH}%2e%2e/d/abcd1.ics`, 404],
    ['an address without a scheme', `//c.example${PATH}abcd1.ics`, 404],
    ['an address without a scheme, of another host', `//d.example${PATH}abcd1.ics`, 404],
    ['a whole address of another host, without TLS', `http://d.example${PATH}abcd1.ics`, 404],
    ['a whole address that is none', `https://[c.example${PATH}abcd1.ics`, 404],
    ['nothing', '', 404],
    ['spaces alone', '  ', 404],
    ['a path that cannot be decoded', `${PATH}%zz.ics`, 404],
    ['no address at all', 'abcd1.ics', 404],
    ['another scheme', 'file:///dav/series/c/abcd1.ics', 404],
    ['text', '&lt;D:href&gt;', 404],
  ])('%s', async (_, href, status) => {
    const { status: whole, text } = await report(multiget([href]));
    expect(whole).toBe(207);
    const response = readXml(text)?.children[0];
    expect(response?.children[0]?.text).toBe(href.trim().replaceAll('&lt;', '<').replaceAll('&gt;', '>'));
    const own = response?.children.find(({ local }) => local === 'status')?.text;
    expect(own).toBe(status === 404 ? 'HTTP/1.1 404 Not Found' : undefined);
    expect(text.includes('BEGIN:VCALENDAR')).toBe(status === 200);
  });

  test('of a type of data with parameters, which text/calendar has (RFC 5545 8.1)', async () => {
    const data = '<C:calendar-data content-type="Text/Calendar; component=VEVENT; charset=utf-8" version="2.0"/>';
    const { status, text } = await report(multiget([`${PATH}abcd1.ics`], data));
    expect([status, text.match(/BEGIN:VEVENT/g)?.length]).toEqual([207, 1]);
  });

  test('answers each address once, in the order that they were asked', async () => {
    const hrefs = ['abcd3.ics', 'x.ics', 'abcd1.ics', 'abcd3.ics'].map((name) => PATH + name);
    expect(found((await report(multiget(hrefs))).text)).toEqual(['abcd3.ics', 'x.ics', 'abcd1.ics']);
  });

  test('a whole address of the host that was asked, by another name than that of the base address', async () => {
    const body = multiget([`http://10.0.0.2:8080${PATH}abcd1.ics`]);
    const { text } = await plainly(objects, 'REPORT', PATH, { body, headers: { host: '10.0.0.2:8080' } });
    expect(text.match(/BEGIN:VCALENDAR/g)).toHaveLength(1);
  });

  test('under a base address with a path', async () => {
    const base = 'https://c.example/calendars';
    const body = multiget([`/calendars${PATH}abcd1.ics`, `${base}${PATH}abcd3.ics`]);
    const { text } = await plainly(objects, 'REPORT', PATH, { body, base });
    expect(text.match(/BEGIN:VCALENDAR/g)).toHaveLength(2);
    const listed = await plainly(objects, 'PROPFIND', PATH, { headers: { depth: '1' }, base });
    expect(listed.text.match(/<D:href>[^<]*/g)?.every((href) => href.startsWith('<D:href>/calendars/dav/'))).toBe(true);
  });
});

describe('free-busy-query', () => {
  const ask = (range: string) =>
    report(`<C:free-busy-query xmlns:C="urn:ietf:params:xml:ns:caldav">${range}</C:free-busy-query>`);

  test('has what takes place, tentative apart (7.10.1)', async () => {
    const { status, headers, text } = await ask('<C:time-range start="20060104T140000Z" end="20060105T220000Z"/>');
    expect([status, headers['Content-Type']]).toEqual([200, 'text/calendar; charset=utf-8']);
    expect(lines(text, 'FREEBUSY')).toEqual(
      [
        'FREEBUSY;FBTYPE=BUSY-TENTATIVE:20060104T150000Z/20060104T160000Z',
        'FREEBUSY;FBTYPE=BUSY:20060104T190000Z/20060104T200000Z',
        'FREEBUSY;FBTYPE=BUSY:20060105T170000Z/20060105T180000Z',
      ].map((line) => expect.stringContaining(line)),
    );
    expect(text.match(/BEGIN:VFREEBUSY/g)).toHaveLength(1);
    expect(lines(text, 'DTEND')).toEqual([expect.stringContaining('DTEND:20060105T220000Z')]);
  });

  test('has nothing of what is cancelled or transparent', async () => {
    const free = new FakeObjects();
    free.put('a.ics', [event('a', at(4, 10), { status: 'CANCELLED' })]);
    free.put('b.ics', [event('b', at(4, 10), { transparent: true })]);
    const body =
      '<C:free-busy-query xmlns:C="urn:ietf:params:xml:ns:caldav"><C:time-range start="20060104T000000Z" end="20060105T000000Z"/></C:free-busy-query>';
    expect(lines((await plainly(free, 'REPORT', PATH, { body })).text, 'FREEBUSY')).toEqual([]);
  });

  test('of all calendars of a list has no more than one answer may have', async () => {
    const daily = new FakeObjects();
    for (let n = 0; n < 40; n += 1) daily.put(`${n}.ics`, [event(`${n}`, at(2, 12), { rrule: { freq: 'DAILY' } })]);
    const range = '<C:time-range start="20060104T000000Z" end="20070110T000000Z"/>';
    const body = `<C:free-busy-query xmlns:C="urn:ietf:params:xml:ns:caldav">${range}</C:free-busy-query>`;
    const answer = async (path: string) => {
      const objects = Object.assign(daily, { chosen: async () => ['series/c', 'series/c'] });
      const library = { objects, chosenList: async () => ({ things: [] }) as never, freeBusy: async () => undefined };
      const request = { method: 'REPORT', path, header: () => undefined, body, at: Date.UTC(2026, 10, 27) };
      return davAnswer(request, library, 'https://c.example');
    };
    expect((await answer(PATH)).status).toBe(200);
    const { status, body: refused } = await answer('/dav/my/abc/');
    expect([status, String(refused)]).toEqual([403, expect.stringContaining('number-of-matches-within-limits')]);
  });

  it.each<[what: string, range: string, status: number]>([
    ['no time-range', '', 400],
    ['no end', '<C:time-range start="20060104T140000Z"/>', 403],
    ['more than a year and a month', '<C:time-range start="20060104T140000Z" end="20090104T140000Z"/>', 403],
  ])('with %s is refused', async (_, range, status) => {
    expect((await ask(range)).status).toBe(status);
  });
});
