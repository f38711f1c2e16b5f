import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { tokenOf } from '../../../src/library/lists/token.ts';
import type { ObjectCollection } from '../../../src/library/objects/types.ts';
import { keyOf } from '../../../src/opportunity/identity.ts';
import { item, type Served, served } from '../../server/stored-rig.ts';
import { eventsIn, textOf, uidsIn, zonesIn } from './octets.ts';

const ID = 'https://x.example';

let one: Served;
beforeEach(async () => {
  one = await served();
});
afterEach(() => one.close());

const place = (id: string) => ({ '@type': 'Place', '@id': `${ID}/place/${id}`, name: `Hall ${id}` });
const session = (id: string, start: string, over: object = {}) => ({
  '@type': 'ScheduledSession',
  '@id': `${ID}/${id}`,
  startDate: start,
  duration: 'PT1H',
  ...over,
});
const series = (id: string, over: Record<string, unknown> = {}) =>
  item('SessionSeries', id, { '@id': `${ID}/${id}`, name: `Yoga ${id}`, location: place('p'), ...over });
const weekly = {
  '@type': 'Schedule',
  startDate: '2026-11-24',
  endDate: '2027-06-30',
  startTime: '18:00',
  endTime: '19:00',
  repeatFrequency: 'P1W',
  byDay: ['https://schema.org/Tuesday'],
  scheduleTimezone: 'Europe/London',
};
const rule = (id: string) =>
  series(id, {
    eventSchedule: [weekly],
    subEvent: [session(`${id}/1`, '2026-12-01T18:00:00Z', { name: 'Yoga by candlelight' })],
  });
const single = (id: string) => series(id, { subEvent: [session(`${id}/1`, '2026-12-03T10:00:00Z')] });
const keyOfSeries = (id: string) => keyOf('series', `${ID}/${id}`);
const PLACE = keyOf('place', `${ID}/place/p`);

async function collection(name: string): Promise<ObjectCollection> {
  const found = await one.library.objects.collection(name);
  if (found === undefined) throw new Error(`no ${name}`);
  return found;
}

describe('a collection', () => {
  it.each([
    ['of a series', () => [`series/${keyOfSeries('a')}`, `/series/${keyOfSeries('a')}.ics`]],
    ['of a place', () => [`places/${PLACE}`, `/places/${PLACE}.ics`]],
    ['of a search', () => ['search/q=yoga', '/search.ics?q=yoga']],
    ['of a list', () => [`my/${listToken()}`, `/my/${listToken()}.ics`]],
  ])('%s has the VEVENTs of the .ics, one object for each UID', async (_, names) => {
    await one.feed(rule('a'), single('b'));
    const [name, path] = names() as [string, string];
    const { members, calendar, omitted, head } = await collection(name);
    const texts = members.map(textOf);
    const whole = await one.rendered(path);
    expect(eventsIn(texts.join(''))).toEqual(eventsIn(whole));
    expect(members.map(({ uid }) => uid).sort()).toEqual(uidsIn(whole));
    expect(members.length).toBeGreaterThan(name.startsWith('series') ? 0 : 1);
    for (const [at, text] of texts.entries()) {
      expect(uidsIn(text)).toEqual([members[at]?.uid]);
      expect(zonesIn(text).given).toEqual(zonesIn(text).used);
      expect(text).toMatch(/^BEGIN:VCALENDAR\r\nVERSION:2\.0\r\nPRODID:[^\r]+\r\n/);
      expect(text).not.toMatch(/^METHOD|X-WR-CALNAME/m);
    }
    expect([omitted, head.state]).toEqual([0, 'live']);
    expect(whole).toContain(`X-WR-CALNAME:${calendar.name.replace(/[,;]/g, '\\$&')}\r\n`);
  });

  const listToken = () =>
    tokenOf([
      { kind: 'series', key: keyOfSeries('a') },
      { kind: 'places', key: PLACE },
    ]);

  it('has opening hours as availability, and a facility has no objects', async () => {
    const hours = {
      '@type': 'OpeningHoursSpecification',
      dayOfWeek: 'https://schema.org/Monday',
      opens: '09:00',
      closes: '10:00',
    };
    await one.feed(item('FacilityUse', 'c', { '@id': `${ID}/c`, name: 'Court', hoursAvailable: [hours] }));
    const { members, availability } = await collection(`facilities/${keyOf('facility', `${ID}/c`)}`);
    expect(members).toEqual([]);
    expect(availability?.components.map(({ name }) => name)).toEqual(['VAVAILABILITY']);
  });

  it('puts the master before its overrides, and names members by their UIDs', async () => {
    await one.feed(rule('a'), single('b'));
    const { members } = await collection(`places/${PLACE}`);
    expect(members.some(({ events }) => events.length > 1)).toBe(true);
    for (const { name, uid, events } of members) {
      expect(name).toBe(`${uid.slice(0, 40)}.ics`);
      expect(events.map(({ recurrenceId }) => recurrenceId === undefined)).toEqual(events.map((__, at) => at === 0));
    }
    expect(members.map(({ name }) => name)).toEqual(members.map(({ name }) => name).sort());
    const alone = await collection(`series/${keyOfSeries('b')}`);
    expect(members).toContainEqual(alone.members[0]);
  });

  it('is withdrawn with its series: 90 days of cancelled events, then nothing', async () => {
    await one.feed(single('a'));
    const name = `series/${keyOfSeries('a')}`;
    const before = await collection(name);
    await one.feed(item('SessionSeries', 'a'));
    const tail = await collection(name);
    expect(tail.head.state).toBe('deleted');
    expect(tail.members.map(({ name: file }) => file)).toEqual(before.members.map(({ name: file }) => file));
    expect(textOf(tail.members[0] as never)).toContain('STATUS:CANCELLED');
    expect(tail.state).not.toBe(before.state);
    await one.roll(91);
    expect(await collection(name)).toMatchObject({ head: { state: 'gone' }, members: [] });
  });

  it.each([
    '',
    'series',
    'series/',
    'series/A',
    'series/a/b',
    'my/',
    'my/none',
    'search/',
    'search/nope=1',
    'places/x',
    'series/none',
  ])('is nothing under the name "%s"', async (name) => {
    expect(await one.library.objects.collection(name)).toBeUndefined();
    expect(await one.library.objects.changes(name, '0')).toBeUndefined();
  });
});

describe('the collections of a list', () => {
  it('stand in its order, under the keys that they have now', async () => {
    const thing = (id: string) => ({ kind: 'series' as const, key: keyOfSeries(id) });
    const search = { kind: 'search' as const, query: 'q=yoga' };
    await one.feed(series('b'), series('a', { '@id': `${ID}/old` }));
    await one.feed(series('a'));
    const things = [
      thing('b'),
      search,
      thing('old'),
      thing('a'),
      thing('never'),
      { kind: 'places' as const, key: PLACE },
    ];
    expect(await one.library.objects.chosen(tokenOf(things))).toEqual([
      `series/${keyOfSeries('b')}`,
      'search/q=yoga',
      `series/${keyOfSeries('a')}`,
      `places/${PLACE}`,
    ]);
    expect(await one.library.objects.chosen('none')).toBeUndefined();
  });
});
