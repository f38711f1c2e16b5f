import { afterAll, beforeAll, expect, test } from 'vitest';
import { item } from '../server/stored-rig.ts';
import { type DavRig, davServed, PLACE, placePath, propfind, props, seriesKey, singles, weekly } from './rig.ts';

/** Calendars of places, whose opening hours are no events. */

let one: DavRig;
beforeAll(async () => {
  one = await davServed();
  await one.feed(item('Place', 'p', PLACE), weekly('a'), singles('b'));
});
afterAll(() => one.close());

test.each(['C', 'CS'])(
  'a place has its opening hours as calendar-availability, in the namespace of %s',
  async (prefix) => {
    const body = propfind(`<D:prop><${prefix}:calendar-availability/></D:prop>`);
    const text = props(await one.ask('PROPFIND', placePath, { depth: '0', body })).get('calendar-availability')?.text;
    const file = await one.text(`${placePath.slice('/dav'.length, -1)}/availability.ics`);
    const component = /BEGIN:VAVAILABILITY[\s\S]*END:VAVAILABILITY\r\n/.exec(file)?.[0] ?? 'none';
    expect(text).toContain(component);
    expect(text).toContain('TZID:Europe/London');
  },
);

test('a series has none', async () => {
  const body = propfind('<D:prop><C:calendar-availability/></D:prop>');
  const answered = await one.ask('PROPFIND', `/dav/series/${seriesKey('a')}/`, { depth: '0', body });
  expect(props(answered).size).toBe(0);
});

test('its objects are its sessions alone, and OPTIONS names the capability', async () => {
  const answered = await one.ask('PROPFIND', placePath, {
    depth: '1',
    body: propfind('<D:prop><D:getetag/></D:prop>'),
  });
  expect(answered.responses.size).toBe(1 + 4);
  expect(answered.headers.get('dav')).toContain('calendar-availability');
});

test('free/busy has sessions and closed hours in one component, by start, none under two types', async () => {
  const body =
    '<C:free-busy-query xmlns:C="urn:ietf:params:xml:ns:caldav"><C:time-range start="20261201T170000Z" end="20261203T103000Z"/></C:free-busy-query>';
  const { text } = await one.ask('REPORT', placePath, { depth: '1', body });
  expect(text.match(/BEGIN:VFREEBUSY/g)).toHaveLength(1);
  expect(text.match(/^FREEBUSY.*$/gm)?.map((line) => line.trim())).toEqual([
    'FREEBUSY;FBTYPE=BUSY:20261201T180000Z/20261201T190000Z',
    'FREEBUSY;FBTYPE=BUSY-UNAVAILABLE:20261201T210000Z/20261202T090000Z',
    'FREEBUSY;FBTYPE=BUSY-UNAVAILABLE:20261202T210000Z/20261203T090000Z',
    'FREEBUSY;FBTYPE=BUSY:20261203T100000Z/20261203T103000Z',
  ]);
});
