import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sessionUid } from '../../../src/calendar/uid.ts';
import { rebuild } from '../../../src/harvest/ingest/rebuild.ts';
import type { KeptLists } from '../../../src/library/lists/kept.ts';
import { tokenOf } from '../../../src/library/lists/token.ts';
import type { ObjectCollection } from '../../../src/library/objects/types.ts';
import { openLibrary } from '../../../src/library/stored-library.ts';
import { keyOf } from '../../../src/opportunity/identity.ts';
import { META } from '../../../src/store/index.ts';
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

  it('shows what the .ics shows, before the new day has revised its calendar', async () => {
    const cancelled = { eventStatus: 'https://schema.org/EventCancelled' };
    await one.feed(series('a', { subEvent: [session('a/1', '2026-11-20T10:00:00Z', cancelled)] }));
    const name = `series/${keyOfSeries('a')}`;
    expect((await collection(name)).members.length).toBe(1);
    await one.rig.store.write((tx) => tx.setMeta(META.today, '2027-01-20'));
    expect(eventsIn(await one.rendered(`/${name}.ics`))).toEqual([]);
    expect((await collection(name)).members).toEqual([]);
  });

  it.each([`places/${PLACE}`, 'search/q=yoga'])(
    'of %s is made once, for as long as its calendar stays',
    async (name) => {
      await one.feed(single('a'), single('b'));
      const first = await collection(name);
      expect(await collection(name)).toBe(first);
      expect((await one.library.objects.changes(name, first.state)) as object).toHaveProperty('collection', first);
      await one.feed(single('c'));
      expect(await collection(name)).not.toBe(first);
    },
  );

  it('shows a list as its owner has just changed it', async () => {
    await one.feed(single('a'), single('b'));
    const { lists } = one.library as { lists: KeptLists };
    const things = (id: string) => ({ things: [{ kind: 'series' as const, key: keyOfSeries(id) }] });
    const { token, editKey } = await lists.make(things('a'));
    const before = await collection(`my/${token}`);
    await lists.change(token, editKey, things('b'));
    const after = await collection(`my/${token}`);
    expect(after.members).toEqual((await collection(`series/${keyOfSeries('b')}`)).members);
    expect(after.state).not.toBe(before.state);
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

describe('its state', () => {
  const NAMES = [`places/${PLACE}`, 'search/q=yoga', `series/${keyOfSeries('a')}`];
  const states = async () => Promise.all(NAMES.map(async (name) => (await collection(name)).state));

  it('stays with a rebuild, a restart and what is not shown, and moves with a member', async () => {
    await one.feed(rule('a'), single('b'));
    const before = await states();
    expect(before[2]).not.toBe(before[0]);
    await rebuild(one.rig.store, one.rig.options);
    await one.feed(series('c', { location: place('q'), name: 'Judo' }));
    expect(await states()).toEqual(before);
    const again = await openLibrary(one.rig.store, { ...one.rig.options, rendering: 'test', now: () => 0 });
    expect((await again.objects.collection(NAMES[0] as string))?.state).toBe(before[0]);
    await one.feed(series('b', { subEvent: [session('b/1', '2026-12-03T11:00:00Z')] }));
    const after = await states();
    expect(after.map((state, at) => state === before[at])).toEqual([false, false, true]);
  });

  it('is the same for the same data of another store, with the same history', async () => {
    const items = [rule('a'), single('b')];
    await one.feed(...items);
    const other = await served();
    try {
      await other.feed(...items);
      for (const name of NAMES)
        expect((await other.library.objects.collection(name))?.state).toBe((await collection(name)).state);
    } finally {
      await other.close();
    }
  });

  it('moves with the settings, as the octets do', async () => {
    await one.feed(single('a'));
    const [before] = await states();
    const other = await openLibrary(one.rig.store, { ...one.rig.options, rendering: 'another' });
    expect((await other.objects.collection(NAMES[0] as string))?.state).not.toBe(before);
  });
});

describe('changes', () => {
  const NAME = `places/${PLACE}`;

  it('names what was added, changed and removed', async () => {
    await one.feed(single('a'), single('b'));
    const { state, members } = await collection(NAME);
    await one.feed(single('c'), series('a', { subEvent: [session('a/1', '2026-12-03T11:00:00Z')] }));
    await one.feed(item('SessionSeries', 'b'));
    const changes = await one.library.objects.changes(NAME, state);
    const now = await collection(NAME);
    const of = (id: string) => now.members.find(({ uid }) => uid === sessionUid(`${ID}/${id}/1`))?.name;
    expect(changes).toEqual({
      changed: [of('a'), of('c')].sort(),
      removed: members.map(({ name }) => name).filter((name) => name !== of('a')),
      collection: now,
    });
  });

  it('are expired where the state is unknown, of another collection, or was for reading alone', async () => {
    await one.feed(single('a'), single('b'));
    const { state } = await collection(`series/${keyOfSeries('a')}`);
    const reading = await one.library.objects.collection(NAME, 'read');
    await one.feed(single('c'));
    for (const since of [state, reading?.state ?? '', '', 'x'])
      expect(await one.library.objects.changes(NAME, since)).toBe('expired');
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
