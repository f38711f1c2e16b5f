import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { planSeries } from '../../../src/calendar/series/plan.ts';
import { readInput } from '../../../src/join/input.ts';
import { join } from '../../../src/join/join.ts';
import { openLibrary } from '../../../src/library/stored-library.ts';
import { keyOf } from '../../../src/opportunity/identity.ts';
import type { RpdeJson } from '../../generate/series.ts';
import { type Rig, rig } from '../rig.ts';

/** Sessions that do not say all of their time, or replace their instance without its `@id`, by way of the store. */

const SERIES = 'https://example.org/series/1';
const KEY = keyOf('series', SERIES);
const FIRST = '2026-11-23T18:00:00Z';

let modified = 1;
const item = (kind: string, id: string, data?: Record<string, unknown>): RpdeJson => {
  modified += 1;
  return data === undefined ? { state: 'deleted', kind, id, modified } : { state: 'updated', kind, id, modified, data };
};
const series = (over: Record<string, unknown> = {}): RpdeJson =>
  item('SessionSeries', '1', {
    '@type': 'SessionSeries',
    '@id': SERIES,
    name: 'Yoga',
    eventSchedule: [SCHEDULE],
    ...over,
  });
const SCHEDULE = {
  '@type': 'Schedule',
  startDate: '2026-11-16',
  startTime: '18:00',
  duration: 'PT1H',
  repeatFrequency: 'P1W',
  repeatCount: 3,
  scheduleTimezone: 'Europe/London',
  scheduledEventType: 'ScheduledSession',
  idTemplate: `${SERIES}/{startDate}`,
};
const session = (said: Record<string, unknown>): RpdeJson =>
  item('ScheduledSession', 's', { '@type': 'ScheduledSession', superEvent: SERIES, ...said });
const cancelled = { eventStatus: 'https://schema.org/EventCancelled' };

describe('what a session does not say of its time', () => {
  let one: Rig;
  beforeEach(async () => {
    one = await rig();
  });
  afterEach(() => one.close());

  const library = () => openLibrary(one.store, { ...one.options, rendering: 'test' });
  const upcoming = async () =>
    (await (await library()).series(KEY))?.upcoming.map(({ start, end, status }) =>
      [
        new Date(start).toISOString().slice(5, 16),
        end && new Date(end).toISOString().slice(11, 16),
        status.slice(5),
      ].join(' '),
    );
  /** Times and summaries of what is served, and of what `convert` makes of the same items. */
  async function served(items: readonly RpdeJson[]): Promise<[string[], string[]]> {
    const calendar = await (await library()).calendar(KEY);
    const input = readInput(JSON.stringify(items.map(({ data }) => data)), { zone: 'Europe/London', feed: 'x' });
    const [known] = join(input.records).series;
    const planned =
      known === undefined ? [] : planSeries(known.series, known.sessions, { zone: 'Europe/London' }).events;
    const lines = (events: typeof planned) =>
      events.map(({ summary, span, recurrenceId, rrule, status }) =>
        JSON.stringify([summary, span, recurrenceId, rrule, status]),
      );
    return [lines(calendar?.calendar.events ?? []), lines(planned)];
  }

  it.each<[string, Record<string, unknown>, string]>([
    ['no start, and cancelled', { '@id': `${SERIES}/${FIRST}`, ...cancelled }, '11-23T18:00 19:00 Cancelled'],
    ['no start, a duration', { '@id': `${SERIES}/${FIRST}`, duration: 'PT30M' }, '11-23T18:00 18:30 Scheduled'],
    ['no end', { '@id': `${SERIES}/${FIRST}`, startDate: '2026-11-23T20:00:00Z' }, '11-23T20:00 21:00 Scheduled'],
    ['no @id', { startDate: FIRST, duration: 'PT2H' }, '11-23T18:00 20:00 Scheduled'],
    [
      'an @id with milliseconds',
      { '@id': `${SERIES}/2026-11-23T18:00:00.000Z`, startDate: FIRST, duration: 'PT2H' },
      '11-23T18:00 20:00 Scheduled',
    ],
    [
      'a new @id, and when it was',
      { '@id': `${SERIES}/new`, startDate: '2026-11-24T18:00:00Z', duration: 'PT1H', previousStartDate: FIRST },
      '11-24T18:00 19:00 Scheduled',
    ],
  ])('%s: the same in whatever order it comes, and after a restart', async (_what, said, listed) => {
    for (const order of [
      [0, 1],
      [1, 0],
      [1, 0, 1],
      [0, 1, 0],
    ]) {
      await one.close();
      one = await rig();
      const items = [series(), session(said)];
      for (const n of order) await one.feed([items[n] as RpdeJson]);
      await one.reopen();
      const [shown, planned] = await served(items);
      expect(shown).toEqual(planned);
      expect(await upcoming()).toEqual([listed, '11-30T18:00 19:00 Scheduled']);
      const findings = (await (await library()).series(KEY))?.findings.map(({ code }) => code) ?? [];
      expect(findings.some((code) => code.startsWith('matched-by-') || code === 'session-time-from-schedule')).toBe(
        true,
      );
    }
  });

  it('a session without a start hides and shows its instance as it comes and goes, with a new revision each time', async () => {
    const revision = async () => (await one.store.read.calendarByKey(KEY))?.revision;
    await one.feed([series()]);
    const whole = ['11-23T18:00 19:00 Scheduled', '11-30T18:00 19:00 Scheduled'];
    expect(await upcoming()).toEqual(whole);
    await one.feed([session({ '@id': `${SERIES}/${FIRST}`, ...cancelled })]);
    expect(await upcoming()).toEqual(['11-23T18:00 19:00 Cancelled', whole[1]]);
    const before = await revision();
    await one.feed([session({ '@id': `${SERIES}/${FIRST}`, ...cancelled })]);
    expect(await revision()).toBe(before);
    await one.feed([item('ScheduledSession', 's')]);
    expect(await upcoming()).toEqual(whole);
    expect(await revision()).toBe((before as number) + 1);
  });

  it('a Schedule that goes takes the time of such a session with it, and one that comes back brings it', async () => {
    const said = session({ '@id': `${SERIES}/${FIRST}` });
    const other = session({ '@id': `${SERIES}/other`, startDate: '2026-12-01T10:00:00Z', duration: 'PT1H' });
    await one.feed([series(), said, { ...other, id: 'o' }]);
    const count = async () => (await (await library()).calendar(KEY))?.calendar.events.length;
    const all = await count();
    await one.feed([series({ eventSchedule: undefined })]);
    expect(await count()).toBe(1);
    expect(await upcoming()).toEqual(['12-01T10:00 11:00 Scheduled']);
    await one.feed([series()]);
    expect(await count()).toBe(all);
    const [shown, planned] = await served([series(), said, other]);
    expect(shown).toEqual(planned);
  });

  it('is explained', async () => {
    await one.feed([series(), session({ '@id': `${SERIES}/${FIRST}`, ...cancelled })]);
    const window = { from: Date.UTC(2026, 10, 23), to: Date.UTC(2026, 10, 24) };
    const explained = await (await library()).explain(KEY, { window, after: 0, limit: 10 });
    expect(explained?.rows.map(({ because, start, end, events }) => [because, start, end, events.length])).toEqual([
      [['replaced-by-session'], FIRST, '2026-11-23T19:00:00Z', 0],
      [['replaces-by-id', 'time-from-schedule', 'cancelled'], FIRST, '2026-11-23T19:00:00Z', 1],
    ]);
  });
});
