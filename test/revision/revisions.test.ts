import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sessionUid } from '../../src/calendar/uid.ts';
import type { StoredCalendar } from '../../src/library/index.ts';
import { openLibrary } from '../../src/library/stored-library.ts';
import { keyOf } from '../../src/opportunity/identity.ts';
import { parsePage } from '../../src/opportunity/page/page.ts';
import { rollForward } from '../../src/revision/roll.ts';
import { renderCalendar } from '../../src/server/calendars/renderer.ts';
import type { CalendarRow } from '../../src/store/index.ts';
import type { RpdeJson } from '../generate/series.ts';
import { FEED, type Rig, rig, stamps } from '../harvest/rig.ts';

const SERIES = 'https://example.org/series/1';
const KEY = keyOf('series', SERIES);
const DAY = 86_400_000;

let modified = 1;
const item = (kind: string, id: string, data?: Record<string, unknown>): RpdeJson => {
  modified += 1;
  return data === undefined ? { state: 'deleted', kind, id, modified } : { state: 'updated', kind, id, modified, data };
};
const series = (over: Record<string, unknown> = {}, id = '1'): RpdeJson =>
  item('SessionSeries', id, {
    '@type': 'SessionSeries',
    '@id': id === '1' ? SERIES : `https://example.org/series/${id}`,
    name: 'Yoga',
    ...over,
  });
const SCHEDULE = {
  '@type': 'Schedule',
  startDate: '2026-11-02',
  startTime: '18:00',
  duration: 'PT1H',
  repeatFrequency: 'P1W',
  byDay: ['https://schema.org/Monday'],
  scheduleTimezone: 'Europe/London',
  scheduledEventType: 'ScheduledSession',
  idTemplate: `${SERIES}/{startDate}`,
};
const session = (id: string, start: string, over: Record<string, unknown> = {}): RpdeJson =>
  item('ScheduledSession', id, {
    '@type': 'ScheduledSession',
    '@id': `${SERIES}/${id}`,
    superEvent: SERIES,
    startDate: start,
    duration: 'PT1H',
    ...over,
  });

describe('revisions (semantics 6)', () => {
  let one: Rig;
  beforeEach(async () => {
    one = await rig();
  });
  afterEach(() => one.close());

  it.each([
    ['of a series without rules', {}],
    ['of a series with rules', { eventSchedule: [SCHEDULE] }],
  ])('a session %s that comes to another series goes on from the SEQUENCE it had', async (_what, over) => {
    const other = 'https://example.org/series/2';
    await one.feed([series(over), series({ name: 'Pilates' }, '2'), session('a', '2026-12-01T10:00:00Z')]);
    for (const name of ['Hatha', 'Vinyasa', 'Iyengar']) await one.feed([series({ ...over, name })]);
    const sequence = async (key: string): Promise<number> =>
      Math.max(...[...stamps(await text(key)).values()].map((stamp) => stamp.sequence));
    const before = await sequence(KEY);
    expect(before).toBe(3);
    await one.feed([session('a', '2026-12-01T10:00:00Z', { superEvent: other })]);
    expect(await sequence(keyOf('series', other))).toBeGreaterThan(before);
  });

  const text = async (key = KEY): Promise<string> => (await one.served()).get(key) ?? '';
  const revision = async (): Promise<number> => (await one.store.read.calendarByKey(KEY))?.revision ?? -1;
  /** What moved by the change: which calendars, and which components' SEQUENCE. */
  async function moved(...items: RpdeJson[]): Promise<{ keys: string[]; events: string[] }> {
    const before = stamps(await text());
    one.clock.now += 60_000;
    one.changed.clear();
    await one.feed(items);
    const events = [...stamps(await text())].filter(([name, { sequence }]) => before.get(name)?.sequence !== sequence);
    return { keys: [...one.changed], events: events.map(([name]) => name) };
  }

  it('begins with SEQUENCE 0 and the time of the commit on every component', async () => {
    await one.feed([series({ eventSchedule: [SCHEDULE] }), session('2026-11-23T18:00:00Z', '2026-11-23T19:00:00Z')]);
    const all = [...stamps(await text()).values()];
    expect(all.length).toBe(2);
    expect(
      all.every(
        ({ sequence, modified, stamp }) => sequence === 0 && modified === '20261121T093000Z' && stamp === modified,
      ),
    ).toBe(true);
  });

  it.each([
    ['the same item again', () => series({ description: 'x' })],
    ['an unknown field', () => series({ description: 'x', 'ext:thing': 1 })],
    ['a field no calendar shows', () => series({ description: 'x', 'beta:sportsActivityLocation': [] })],
  ])('does not move for %s', async (_name, again) => {
    await one.feed([series({ description: 'x' }), session('a', '2026-12-01T10:00:00Z')]);
    expect(await moved(again())).toEqual({ keys: [], events: [] });
  });

  it('does not move for places left, unless they are shown', async () => {
    const at = (remaining: number) =>
      session('a', '2026-12-01T10:00:00Z', { maximumAttendeeCapacity: 9, remainingAttendeeCapacity: remaining });
    await one.feed([series(), at(9)]);
    expect(await moved(at(8))).toEqual({ keys: [], events: [] });
    one.options.compose.placesLeft = true;
    expect((await moved(at(7))).keys).toEqual([KEY]);
  });

  it('moves one session of a series without a Schedule, and its calendar, and nothing else', async () => {
    await one.feed([
      series(),
      session('a', '2026-12-01T10:00:00Z'),
      session('b', '2026-12-02T10:00:00Z'),
      series({}, '2'),
    ]);
    const change = await moved(session('a', '2026-12-01T11:00:00Z'));
    expect(change.keys).toEqual([KEY]);
    expect(change.events).toHaveLength(1);
    expect(await revision()).toBe(1);
  });

  it('moves master and overrides together when an override comes, changes or goes', async () => {
    await one.feed([series({ eventSchedule: [SCHEDULE] })]);
    for (const change of [
      session('2026-11-23T18:00:00Z', '2026-11-23T19:00:00Z'),
      session('2026-11-23T18:00:00Z', '2026-11-23T20:00:00Z'),
      item('ScheduledSession', '2026-11-23T18:00:00Z'),
    ]) {
      const { keys, events } = await moved(change);
      expect(keys).toEqual([KEY]);
      expect(events).toHaveLength(stamps(await text()).size);
    }
    expect(new Set([...stamps(await text()).values()].map(({ sequence }) => sequence))).toEqual(new Set([3]));
  });

  it('moves once for a page, whatever the number of items in it', async () => {
    await one.feed([series(), session('a', '2026-12-01T10:00:00Z')]);
    await moved(
      ...[11, 12, 13].map((hour) => session('a', `2026-12-01T${hour}:00:00Z`)),
      session('b', '2026-12-03T10:00:00Z'),
    );
    expect(await revision()).toBe(1);
  });

  it('never goes back: a session that leaves and returns is younger than it was', async () => {
    await one.feed([series(), session('a', '2026-12-01T10:00:00Z'), session('b', '2026-12-02T10:00:00Z')]);
    await moved(session('a', '2026-12-01T11:00:00Z'));
    await moved(item('ScheduledSession', 'a'));
    await moved(session('a', '2026-12-01T11:00:00Z'));
    const sequences = [...stamps(await text()).values()].map(({ sequence }) => sequence);
    expect(Math.max(...sequences)).toBe(3);
  });

  it('keeps two changes of one second a second apart, for clients that revalidate by date', async () => {
    await one.feed([series()]);
    await one.feed([series({ name: 'A' })]);
    await one.feed([series({ name: 'B' })]);
    expect((await one.store.read.calendarByKey(KEY))?.changed).toBe(Date.UTC(2026, 10, 21, 9, 30, 2));
  });

  it('never goes back in time with the clock', async () => {
    await one.feed([series()]);
    one.clock.now -= 90 * DAY;
    await one.feed([series({ name: 'A' })]);
    expect((await one.store.read.calendarByKey(KEY))?.changed).toBe(Date.UTC(2026, 10, 21, 9, 30, 1));
  });

  it('follows an EventSeries and a Place that come later, and leaves others alone', async () => {
    const place = { '@type': 'Place', '@id': 'https://example.org/p', name: 'The Baths' };
    await one.feed([
      series({ superEvent: 'https://example.org/brand', location: 'https://example.org/p' }),
      session('a', '2026-12-01T10:00:00Z'),
      series({}, '2'),
    ]);
    const brand = { '@type': 'EventSeries', '@id': 'https://example.org/brand', description: 'From the brand' };
    expect((await moved(item('EventSeries', 'b', brand))).keys).toEqual([KEY]);
    expect(await text()).toContain('From the brand');
    expect((await moved(item('Place', 'p', place))).keys).toContain(KEY);
    expect(await text()).toContain('The Baths');
  });

  it('moves when another publisher says the same, and is to be believed', async () => {
    await one.feed([series(), session('a', '2026-12-01T10:00:00Z')]);
    const handle = await one.ingest.open('https://feeds.example.org/other', { publisher: 'Somebody Else' });
    one.changed.clear();
    const page = parsePage(JSON.stringify({ next: `${handle.url}?1`, items: [series()] }));
    await one.ingest.commit(handle, page, `${handle.url}?1`);
    expect([...one.changed]).toEqual([KEY]);
    expect(await revision()).toBe(1);
    expect(await text()).toContain('Source: Somebody Else');
    expect(await text()).not.toContain('Source: Example Leisure');
  });

  it('moves opening hours too when their publisher is named anew', async () => {
    const hours = { '@type': 'OpeningHoursSpecification', dayOfWeek: ['Monday'], opens: '09:00', closes: '17:00' };
    const place = { '@type': 'Place', '@id': 'https://example.org/p', openingHoursSpecification: [hours] };
    await one.feed([item('Place', 'p', place)]);
    one.changed.clear();
    await one.ingest.open(FEED, { publisher: 'Somebody Else' });
    expect([...one.changed]).toContain(keyOf('place', 'https://example.org/p'));
  });

  it('parks a session until its series comes, and again when the series goes', async () => {
    await one.feed([session('a', '2026-12-01T10:00:00Z')]);
    expect((await one.served()).size).toBe(0);
    await one.feed([series()]);
    expect(stamps(await text()).size).toBe(1);
  });

  it('stays when a session that is not shown leaves a series that has a Schedule now', async () => {
    await one.feed([series(), session('a', '2026-09-01T18:00:00Z'), session('b', '2026-12-01T18:00:00Z')]);
    await one.feed([series({ eventSchedule: [SCHEDULE] })]);
    await one.feed([session('a', '2026-09-01T18:00:00Z', { eventStatus: 'https://schema.org/EventCancelled' })]);
    const before = await one.store.read.calendarByKey(KEY);
    await one.feed([item('ScheduledSession', 'a')]);
    expect(await one.store.read.calendarByKey(KEY)).toMatchObject({ revision: before?.revision, sessions: 1 });
  });

  it('goes from sessions to a Schedule and back without losing count', async () => {
    await one.feed([
      series(),
      session('2026-11-23T18:00:00Z', '2026-11-23T18:00:00Z'),
      session('b', '2026-12-02T10:00:00Z'),
    ]);
    await moved(session('b', '2026-12-02T11:00:00Z'));
    const toSchedule = await moved(series({ eventSchedule: [SCHEDULE] }));
    expect(toSchedule.keys).toEqual([KEY]);
    const kept = [...stamps(await text()).values()].map(({ sequence }) => sequence).sort();
    expect(kept).toEqual([1, 2, 2]);
    await moved(series());
    const back = [...stamps(await text()).values()].map(({ sequence }) => sequence).sort();
    expect(back).toEqual([1, 3]);
  });

  it.each([
    ['sessions alone', {}],
    ['a Schedule meanwhile', { eventSchedule: [SCHEDULE] }],
  ])('never goes back where a series has its @id again, with %s', async (_what, over) => {
    await one.feed([series(), session('a', '2026-12-01T10:00:00Z')]);
    const sequence = async () => stamps(await text()).get(sessionUid(`${SERIES}/a`))?.sequence ?? -1;
    for (const name of ['Hatha', 'Vinyasa']) await moved(series({ ...over, name }));
    const before = await sequence();
    expect(before).toBe(2);
    await moved(series({ '@id': `${SERIES}/elsewhere` }));
    await moved(series());
    expect(await sequence()).toBeGreaterThan(before);
  });

  describe('when a series is deleted', () => {
    beforeEach(async () => {
      await one.feed([series(), session('past', '2026-11-01T10:00:00Z'), session('next', '2026-12-01T10:00:00Z')]);
      await moved(item('SessionSeries', '1'), item('ScheduledSession', 'next'));
    });
    const stored = async () => (await openLibrary(one.store, { ...one.options, rendering: 'test' })).calendar(KEY);

    it('serves its tail: the past as it was, the future cancelled', async () => {
      const tail = await stored();
      expect(tail?.head).toMatchObject({ state: 'deleted', revision: 1 });
      expect(tail?.calendar.events.map((event) => event.status)).toEqual(['CONFIRMED', 'CANCELLED']);
      expect(tail?.revision(tail.calendar.events[1]?.uid ?? '').sequence).toBe(1);
    });

    it('serves a calendar that an earlier release kept, rules as text and all', async () => {
      await one.feed([series({ eventSchedule: [SCHEDULE] })]);
      await moved(item('SessionSeries', '1'));
      const rendered = async () => Buffer.from(renderCalendar((await stored()) as StoredCalendar)).toString();
      const before = await rendered();
      const { calendar } = (await stored()) as StoredCalendar;
      const { source: _, events, ...header } = calendar;
      const rules = ['FREQ=WEEKLY;UNTIL=20261116T180000Z;BYDAY=MO', 'FREQ=WEEKLY;BYDAY=MO'];
      const texts = events.map((event) => (event.rrule === undefined ? event : { ...event, rrule: rules.shift() }));
      const { seq: __, ...row } = (await one.store.read.calendarByKey(KEY)) as CalendarRow;
      const tail = JSON.stringify({ ...header, events: texts });
      await one.store.write((tx) => tx.saveCalendars([{ ...row, tail }]));
      expect(rules).toEqual([]);
      expect(await rendered()).toBe(before);
      expect(before).toContain('RRULE:FREQ=WEEKLY;BYDAY=MO');
    });

    it('is gone after 90 days, and not before', async () => {
      one.clock.now += 89 * DAY;
      await rollForward(one.store, one.options);
      expect((await stored())?.head.state).toBe('deleted');
      one.clock.now += 2 * DAY;
      one.changed.clear();
      await rollForward(one.store, one.options);
      expect([...one.changed]).toContain(KEY);
      expect(await stored()).toBeUndefined();
      expect((await one.store.read.calendarByKey(KEY))?.state).toBe('gone');
    });

    it('comes back under its address when it is published again', async () => {
      await one.feed([series()]);
      expect((await stored())?.head).toMatchObject({ state: 'live', revision: 2 });
      expect(stamps(await text()).size).toBe(1);
    });
  });

  describe('as days go by', () => {
    it('rolls the horizon of stored occurrences forward, and moves no calendar by it', async () => {
      await one.feed([series({ eventSchedule: [SCHEDULE] })]);
      const id = (await one.store.read.calendarByKey(KEY))?.record as number;
      const first = await one.store.read.occurrences(id);
      expect(first.length).toBe(52);
      const before = await text();
      one.clock.now += 7 * DAY;
      one.changed.clear();
      expect(await rollForward(one.store, one.options)).toBe(0);
      const later = await one.store.read.occurrences(id);
      expect(later.map((row) => row.start)).toEqual(
        first
          .map((row) => row.start + 7 * DAY)
          .map((start) => later.find((row) => Math.abs(row.start - start) <= 3_600_000)?.start),
      );
      expect(later.length).toBe(52);
      expect(await text()).toBe(before);
    });

    it('hides the generated occurrence an explicit session stands for, and shows it again when that is deleted', async () => {
      await one.feed([series({ eventSchedule: [SCHEDULE] }), session('2026-11-23T18:00:00Z', '2026-11-23T20:00:00Z')]);
      const id = (await one.store.read.calendarByKey(KEY))?.record as number;
      const hidden = async () =>
        (await one.store.read.occurrences(id)).filter((row) => row.session !== undefined).map((row) => row.start);
      expect(await hidden()).toEqual([Date.UTC(2026, 10, 23, 18)]);
      await one.feed([item('ScheduledSession', '2026-11-23T18:00:00Z')]);
      expect(await hidden()).toEqual([]);
    });

    it('drops a cancelled session 30 days after its date, with a new revision', async () => {
      await one.feed([
        series(),
        session('a', '2026-11-20T10:00:00Z', { eventStatus: 'https://schema.org/EventCancelled' }),
        session('b', '2026-12-02T10:00:00Z'),
      ]);
      expect(stamps(await text()).size).toBe(2);
      one.clock.now += 28 * DAY;
      await rollForward(one.store, one.options);
      expect(stamps(await text()).size).toBe(2);
      one.clock.now += 5 * DAY;
      await rollForward(one.store, one.options);
      expect(stamps(await text()).size).toBe(1);
      expect(await revision()).toBe(1);
    });

    it('shows what is ahead of an hourly rule that began long ago, and moves on with it', async () => {
      const hourly = { ...SCHEDULE, startDate: '2025-01-01', repeatFrequency: 'PT1H', byDay: undefined };
      await one.feed([series({ eventSchedule: [hourly] })]);
      const first = () =>
        text().then((ics) => /\nDTSTART[^:\r]*:(\d{8})T/.exec(ics.split('END:VTIMEZONE').at(-1) ?? '')?.[1]);
      const today = () => new Date(one.clock.now).toISOString().slice(0, 10).replaceAll('-', '');
      expect(await first()).toBe(today());
      const before = await text();
      await rollForward(one.store, one.options);
      expect(await text()).toBe(before);
      one.clock.now += DAY;
      await rollForward(one.store, one.options);
      expect(await first()).toBe(today());
      expect(await revision()).toBe(1);
    });

    it('leaves a pattern that has ended out of the calendar’s words, and moves no event by it', async () => {
      const pattern = { '@type': 'PartialSchedule', startTime: '10:00', endDate: '2026-11-25' };
      await one.feed([series({ eventSchedule: [pattern] }), session('a', '2026-11-23T10:00:00Z')]);
      const events = async () => (await text()).replaceAll('\r\n ', '').split('BEGIN:VEVENT').slice(1);
      const before = await events();
      expect(before.join('')).toContain('Usually 10:00');
      expect(await text()).toContain('X-WR-CALDESC:Usually 10:00');
      one.clock.now += 2 * DAY;
      await rollForward(one.store, one.options);
      expect(await revision()).toBe(0);
      one.clock.now += 5 * DAY;
      await rollForward(one.store, one.options);
      expect(await text()).not.toContain('X-WR-CALDESC:Usually');
      expect(await revision()).toBe(1);
      expect(await events()).toEqual(before);
    });

    it('says a pattern again that had ended by a clock that was ahead, also of a series that was read by it', async () => {
      const pattern = { '@type': 'PartialSchedule', startTime: '10:00', endDate: '2026-11-25' };
      const right = one.clock.now;
      one.clock.now += 30 * DAY;
      await rollForward(one.store, one.options);
      await one.feed([series({ eventSchedule: [pattern] }), session('a', '2026-11-23T10:00:00Z')]);
      expect(await text()).not.toContain('X-WR-CALDESC:Usually');
      one.clock.now = right;
      await rollForward(one.store, one.options);
      expect(await text()).toContain('X-WR-CALDESC:Usually 10:00');
      expect(await revision()).toBe(1);
      one.clock.now += 30 * DAY;
      await rollForward(one.store, one.options);
      expect(await text()).not.toContain('X-WR-CALDESC:Usually');
      expect(await revision()).toBe(2);
      one.clock.now += DAY;
      await rollForward(one.store, one.options);
      expect(await revision()).toBe(2);
    });

    it('drops a session that is cancelled with its series so too: it left without a new revision', async () => {
      await one.feed([
        series({ eventStatus: 'https://schema.org/EventCancelled' }),
        session('a', '2026-11-20T10:00:00Z'),
        session('b', '2026-12-02T10:00:00Z', { eventStatus: 'https://schema.org/EventScheduled' }),
      ]);
      expect(stamps(await text()).size).toBe(2);
      one.clock.now += 33 * DAY;
      await rollForward(one.store, one.options);
      expect(stamps(await text()).size).toBe(1);
      expect(await revision()).toBe(1);
    });

    it('goes on where a stopped process left off', async () => {
      await one.feed(
        Array.from({ length: 250 }, (_, index) =>
          series({ eventSchedule: [{ ...SCHEDULE, idTemplate: undefined }] }, String(index + 2)),
        ),
      );
      one.clock.now += 3 * DAY;
      const write = one.store.write.bind(one.store);
      let left = 2;
      one.store.write = (work) => {
        left -= 1;
        return left < 0 ? Promise.reject(new Error('killed')) : write(work);
      };
      await expect(rollForward(one.store, one.options)).rejects.toThrow('killed');
      await one.reopen();
      await rollForward(one.store, one.options);
      const late = await Promise.all(
        (await one.store.read.calendars({ kind: 'series', limit: 500 })).map(
          async ({ record }) => (await one.store.read.occurrences(record))[0]?.stamp,
        ),
      );
      expect(late.length).toBe(250);
      expect(late.every((stamp) => stamp?.endsWith(' 2026-11-24'))).toBe(true);
    });
  });

  it('moves every calendar on once when settings make other bytes of the same data', async () => {
    await one.feed([series(), session('a', '2026-12-01T10:00:00Z')]);
    const first = await (await openLibrary(one.store, { ...one.options, rendering: 'one' })).calendar(KEY);
    one.clock.now += DAY;
    for (const _ of [1, 2]) {
      const second = await (await openLibrary(one.store, { ...one.options, rendering: 'two' })).calendar(KEY);
      expect(second?.head.revision).toBe((first?.head.revision ?? 0) + 1);
      expect(second?.head.changedAt).toBe(first === undefined ? 0 : first.head.changedAt + DAY);
      expect(second?.revision(second.calendar.events[0]?.uid ?? '')).toEqual({
        sequence: 1,
        modified: second?.head.changedAt,
      });
    }
  });
});
