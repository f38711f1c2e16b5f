import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { changeWords } from '../../src/calendar/changes/change-words.ts';
import type { Change } from '../../src/calendar/changes/changes.ts';
import { rebuild } from '../../src/harvest/ingest/rebuild.ts';
import { openLibrary } from '../../src/library/stored-library.ts';
import { keyOf } from '../../src/opportunity/identity.ts';
import { rollForward } from '../../src/revision/roll.ts';
import type { ChangesOf } from '../../src/store/contract/changes.ts';
import { type Zone, zone } from '../../src/time/zone.ts';
import type { RpdeJson } from '../generate/series.ts';
import { FEED, type Rig, rig } from '../harvest/rig.ts';

const london = zone('Europe/London') as Zone;
const SERIES = 'https://example.org/series/1';
const DAY = 86_400_000;

let modified = 1;
const item = (kind: string, id: string, data?: Record<string, unknown>): RpdeJson => {
  modified += 1;
  return data === undefined ? { state: 'deleted', kind, id, modified } : { state: 'updated', kind, id, modified, data };
};
const place = (name: string) => ({ '@type': 'Place', '@id': 'https://example.org/places/1', name });
const series = (over: Record<string, unknown> = {}): RpdeJson =>
  item('SessionSeries', '1', {
    '@type': 'SessionSeries',
    '@id': SERIES,
    name: 'Yoga',
    location: place('Harbour Lane'),
    ...over,
  });
const session = (id: string, start: string, over: Record<string, unknown> = {}): RpdeJson =>
  item('ScheduledSession', id, {
    '@type': 'ScheduledSession',
    '@id': `${SERIES}/${id}`,
    superEvent: SERIES,
    startDate: start,
    duration: 'PT1H',
    ...over,
  });
const schedule = (over: Record<string, unknown> = {}) => ({
  eventSchedule: [
    {
      '@type': 'Schedule',
      startDate: '2026-11-02',
      startTime: '18:00',
      duration: 'PT1H',
      repeatFrequency: 'P1W',
      byDay: ['https://schema.org/Monday'],
      scheduleTimezone: 'Europe/London',
      scheduledEventType: 'ScheduledSession',
      idTemplate: `${SERIES}/{startDate}`,
      ...over,
    },
  ],
});
const CANCELLED = { eventStatus: 'https://schema.org/EventCancelled' };

describe('changes that are noted', () => {
  let one: Rig;
  beforeEach(async () => {
    one = await rig();
  });
  afterEach(() => one.close());

  async function readToEnd(of = one): Promise<void> {
    const handle = await of.ingest.open(FEED, {});
    await of.ingest.note(handle, (state) => ({ ...state, state: 'ended', lastSuccess: of.clock.now }));
  }

  async function noted(): Promise<string[]> {
    const row = await one.store.read.calendarByKey(keyOf('series', SERIES));
    return words({ series: row?.record ?? 0 });
  }

  async function notedAt(number: number): Promise<string[]> {
    const row = await one.store.read.calendarByKey(keyOf('place', `https://example.org/places/${number}`));
    return words({ venue: row?.record ?? 0 });
  }

  async function words(of: ChangesOf): Promise<string[]> {
    const found = await one.store.read.changes(of, 0, 500);
    return found.flatMap(({ at, text }) =>
      (JSON.parse(text) as Change[]).map((change) => changeWords(change, london, at)),
    );
  }

  /** What is noted with these items alone. */
  async function notedWith(...items: RpdeJson[]): Promise<string[]> {
    const before = await noted();
    one.clock.now += 60_000;
    await one.feed(items);
    const all = await noted();
    return all.slice(0, all.length - before.length);
  }

  async function given(...items: RpdeJson[]): Promise<void> {
    await one.feed(items);
    expect(await noted()).toEqual([]);
    await readToEnd();
  }

  it('are none on the first reading of a feed', async () => {
    await one.feed([series(), session('a', '2026-11-24T18:00:00Z')]);
    expect(await notedWith(session('b', '2026-11-25T18:00:00Z'), session('a', '2026-11-24T19:00:00Z'))).toEqual([]);
  });

  it('say what became of each session', async () => {
    await given(series(), session('a', '2026-11-24T18:00:00Z'), session('b', '2026-12-01T18:00:00Z'));
    expect(await notedWith(session('a', '2026-11-24T19:00:00Z'))).toEqual(['Moved: Tue 24 Nov 18:00 is now 19:00']);
    expect(await notedWith(session('b', '2026-12-01T18:00:00Z', CANCELLED))).toEqual(['Cancelled: Tue 1 Dec 18:00']);
    expect(await notedWith(session('b', '2026-12-01T18:00:00Z'))).toEqual(['On again: Tue 1 Dec 18:00']);
    expect(await notedWith(session('c', '2026-12-08T18:00:00Z'))).toEqual(['Added: Tue 8 Dec 18:00']);
    expect(await notedWith(item('ScheduledSession', 'c'))).toEqual(['Removed: Tue 8 Dec 18:00']);
    const elsewhere = { location: { '@type': 'Place', name: 'Town Hall' } };
    expect(await notedWith(session('b', '2026-12-01T18:00:00Z', elsewhere))).toEqual([
      'New place: Tue 1 Dec 18:00 is at Town Hall, not Harbour Lane',
    ]);
    expect(await noted()).toHaveLength(6);
  });

  it('say nothing of what is past, of other facts, and of the same data', async () => {
    await given(series(), session('a', '2026-11-20T18:00:00Z'), session('b', '2026-12-01T18:00:00Z'));
    expect(await notedWith(item('ScheduledSession', 'a'))).toEqual([]);
    expect(await notedWith(session('c', '2026-11-19T18:00:00Z'))).toEqual([]);
    expect(await notedWith(session('b', '2026-12-01T18:00:00Z', { description: 'Bring a mat' }))).toEqual([]);
    expect(await notedWith(session('b', '2026-12-01T18:00:00Z', { description: 'Bring a mat' }))).toEqual([]);
    expect(await notedWith(series({ name: 'Gentle yoga' }))).toEqual([]);
  });

  it('say what changed of all dates', async () => {
    await given(series(), session('a', '2026-11-24T18:00:00Z'));
    expect(await notedWith(series({ location: place('Hilltop') }))).toEqual(['New place: Hilltop, not Harbour Lane']);
    expect(await notedWith(series({ ...CANCELLED, location: place('Hilltop') }))).toEqual(['Cancelled: all dates']);
    expect(await notedWith(series({ location: place('Hilltop') }))).toEqual(['On again: all dates']);
    expect(await notedWith(item('SessionSeries', '1'))).toEqual(['Withdrawn by its publisher']);
    expect(await notedWith(series())).toEqual(['On again: all dates']);
  });

  it('say that a place of the same name is at another address', async () => {
    const at = (streetAddress: string, postalCode?: string) => ({
      location: { ...place('Hall'), address: { '@type': 'PostalAddress', streetAddress, postalCode } },
    });
    await given(series(at('1 Road')), session('a', '2026-11-24T18:00:00Z'), session('b', '2026-12-01T18:00:00Z'));
    expect(await notedWith(series(at('1 ROAD', 'LS1 1AA')))).toEqual([]);
    expect(await notedWith(series(at('9 Other Street')))).toEqual([
      'New place: Hall, 9 Other Street, not Hall, 1 ROAD, LS1 1AA',
    ]);
    expect(await notedWith(session('b', '2026-12-01T18:00:00Z', at('2 Lane')))).toEqual([
      'New place: Tue 1 Dec 18:00 is at Hall, 2 Lane, not Hall, 9 Other Street',
    ]);
  });

  it('say that times without a zone are others where the place has another one', async () => {
    const at = (latitude: number, longitude: number) => ({
      location: { ...place('Hall'), geo: { '@type': 'GeoCoordinates', latitude, longitude } },
    });
    const items = ['a', 'b'].map((id, index) => session(id, `2026-12-0${index + 1}T18:00:00`));
    await given(series(at(51.5, -0.1)), session('c', '2026-12-03T18:00:00Z'), ...items);
    expect(await notedWith(series(at(48.85, 2.35)))).toEqual([
      'Moved: Tue 1 Dec 18:00 is now 17:00',
      'Moved: Wed 2 Dec 18:00 is now 17:00',
    ]);
    expect(await notedWith(series(at(51.5, -0.1)), session('a', '2026-12-01T19:00:00'))).toEqual([
      'Moved: Tue 1 Dec 17:00 is now 19:00',
      'Moved: Wed 2 Dec 17:00 is now 18:00',
    ]);
  });

  it('are those of the place where the series was, and of that where it is', async () => {
    const hilltop = { '@type': 'Place', '@id': 'https://example.org/places/2', name: 'Hilltop' };
    await given(series(), session('a', '2026-11-24T18:00:00Z'));
    const [withdrawn, back] = ['Withdrawn by its publisher', 'On again: all dates'];
    const moved = 'New place: Hilltop, not Harbour Lane';
    await notedWith(item('SessionSeries', '1'));
    expect(await notedAt(1)).toEqual([withdrawn]);
    await notedWith(series());
    expect(await notedAt(1)).toEqual([back, withdrawn]);
    await notedWith(series({ location: hilltop }));
    expect([await notedAt(1), await notedAt(2)]).toEqual([[moved, back, withdrawn], [moved]]);
    await notedWith(session('a', '2026-11-24T19:00:00Z'));
    expect([await notedAt(1), await notedAt(2)]).toEqual([
      [moved, back, withdrawn],
      ['Moved: Tue 24 Nov 18:00 is now 19:00', moved],
    ]);
    expect(await noted()).toEqual(['Moved: Tue 24 Nov 18:00 is now 19:00', moved, back, withdrawn]);
  });

  it('say a rule in words, and sessions over it by the instance they stand for', async () => {
    await given(series(schedule()));
    const id = '2026-11-30T18:00:00Z';
    expect(await notedWith(session(id, '2026-11-30T19:00:00Z'))).toEqual(['Moved: Mon 30 Nov 18:00 is now 19:00']);
    expect(await notedWith(session(id, '2026-11-30T18:00:00Z', CANCELLED))).toEqual(['Cancelled: Mon 30 Nov 19:00']);
    expect(await notedWith(item('ScheduledSession', id))).toEqual(['On again: Mon 30 Nov 18:00']);
    expect(await notedWith(session('2026-12-07T18:00:00Z', '2026-12-07T18:00:00Z'))).toEqual([]);
    expect(await notedWith(series(schedule({ exceptDate: ['2026-12-14T18:00:00Z'] })))).toEqual([
      'Removed: Mon 14 Dec 18:00',
    ]);
    expect(await notedWith(series(schedule()))).toEqual(['Added: Mon 14 Dec 18:00']);
    expect(await notedWith(series(schedule({ startTime: '17:30' })))).toEqual([
      'New dates: Mondays 17:30–18:30. It was: Mondays 18:00–19:00',
    ]);
    expect(await notedWith(series())).toEqual(['No regular dates any more. It was: Mondays 17:30–18:30']);
  });

  it('are one where there are many', async () => {
    const all = Array.from({ length: 25 }, (_, index) => index);
    const at = (index: number, hour: number) => new Date(Date.UTC(2026, 11, 1 + index, hour)).toISOString();
    await given(series(), ...all.map((index) => session(String(index), at(index, 18))));
    expect(await notedWith(...all.map((index) => session(String(index), at(index, 19))))).toEqual([
      '25 dates changed: 25 moved',
    ]);
  });

  it('are none in a feed where a date is removed and soon added again as it was', async () => {
    const listed = async () => {
      const library = await openLibrary(one.store, { ...one.options, rendering: 'test' });
      const feed = await library.changeFeed('series', keyOf('series', SERIES), 99);
      return feed?.entries.map(({ what }) => what);
    };
    await given(series(), session('a', '2026-11-24T18:00:00Z'), session('b', '2026-12-01T18:00:00Z'));
    const renumbered = (id: string, start: string) => ({ ...session(id, start), id: `new ${id}` });
    await notedWith(item('ScheduledSession', 'a'), item('ScheduledSession', 'b'));
    expect(await listed()).toEqual(['removed', 'removed']);
    await notedWith(renumbered('a', '2026-11-24T18:00:00Z'), renumbered('b', '2026-12-01T19:00:00Z'));
    expect(await listed()).toEqual(['added', 'removed']);
    expect(await noted()).toHaveLength(4);
    await notedWith({ ...item('ScheduledSession', 'a'), id: 'new a' });
    one.clock.now += 600_000;
    await notedWith(session('a', '2026-11-24T18:00:00Z'));
    expect(await listed()).toEqual(['added', 'removed', 'added', 'removed']);
  });

  it('are the same without fast paths', async () => {
    const plain = await rig({ withoutFastPaths: true });
    const history = [
      [series(), session('a', '2026-11-24T18:00:00Z')],
      [session('b', '2026-12-01T18:00:00Z', { name: 'Yoga by candlelight' }), session('c', '2026-12-08T18:00:00Z')],
      [session('d', '2026-12-02', { duration: 'P1D' }), session('e', '2026-12-03T18:00:00Z', CANCELLED)],
      [session('a', '2026-11-24T19:00:00Z'), item('ScheduledSession', 'c'), session('f', '2026-12-08T18:00:00Z')],
    ];
    const texts = await Promise.all(
      [one, plain].map(async (each) => {
        for (const [index, items] of history.entries()) {
          await each.feed(items);
          if (index === 0) await readToEnd(each);
        }
        const row = await each.store.read.calendarByKey(keyOf('series', SERIES));
        const rows = await each.store.read.changes({ series: row?.record ?? 0 }, 0, 99);
        return rows.flatMap(({ text }) => JSON.parse(text) as Change[]);
      }),
    );
    await plain.close();
    expect(texts[0]).toHaveLength(4);
    expect(texts[0]).toEqual(texts[1]);
  });

  it('are none of a rebuild and of a day that passes', async () => {
    await given(series(schedule()), session('a', '2026-11-24T18:00:00Z'));
    await rebuild(one.store, one.options);
    await rebuild(one.store, { ...one.options, cleanOptions: () => ({ zone: 'Europe/Paris', feed: FEED }) });
    one.clock.now += DAY;
    await rollForward(one.store, one.options);
    expect(await noted()).toEqual([]);
  });

  it('are forgotten after ninety days', async () => {
    await given(series(), session('a', '2027-11-24T18:00:00Z'));
    await notedWith(session('a', '2027-11-24T19:00:00Z'));
    one.clock.now += 89 * DAY;
    await rollForward(one.store, one.options);
    expect(await noted()).toHaveLength(1);
    one.clock.now += 3 * DAY;
    await rollForward(one.store, one.options);
    expect(await noted()).toEqual([]);
  });
});
