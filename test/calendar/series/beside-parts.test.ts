import { describe, expect, test } from 'vitest';
import { planSeries } from '../../../src/calendar/series/plan.ts';
import { readInput } from '../../../src/join/input.ts';
import { join } from '../../../src/join/join.ts';
import { openLibrary } from '../../../src/library/stored-library.ts';
import { keyOf } from '../../../src/opportunity/identity.ts';
import { verdicts } from '../../../src/recurrence/explain.ts';
import { occurrences } from '../../../src/recurrence/overlay.ts';
import { rig } from '../../harvest/rig.ts';

/** A HeadlineEvent with times of its own beside its parts (semantics 4.9). */

const ID = 'https://e.org/headline';
const times = (from: string, to: string) => ({ startDate: `2026-11-28T${from}:00Z`, endDate: `2026-11-28T${to}:00Z` });
const part = (name: string, from: string, to: string) => ({
  '@type': 'Event',
  '@id': `https://e.org/${name}`,
  name,
  ...times(from, to),
});
const event = (own: object, ...subEvent: object[]) => ({
  '@type': 'HeadlineEvent',
  '@id': ID,
  name: 'Festival',
  ...own,
  ...(subEvent.length > 0 && { subEvent }),
});
const tenK = part('10k', '10:00', '11:00');
const WHOLE = 'Festival 09:00–17:00';

const CASES: [string, object[], string[]][] = [
  [
    'is beside its parts, and nobody is busy for it',
    [event(times('09:00', '17:00'), tenK)],
    [`${WHOLE} free`, '10k 10:00–11:00'],
  ],
  ['is not there where a part has the same times', [event(times('10:00', '11:00'), tenK)], ['10k 10:00–11:00']],
  ['without parts is an event like any other', [event(times('09:00', '17:00'))], [WHOLE]],
  ['without times has only its parts', [event({}, tenK)], ['10k 10:00–11:00']],
  [
    'whose part is an item of its own',
    [event(times('09:00', '17:00')), { ...tenK, superEvent: ID }],
    [`${WHOLE} free`, '10k 10:00–11:00'],
  ],
  [
    'whose part of the same times is an item of its own',
    [event(times('10:00', '11:00')), { ...tenK, superEvent: ID }],
    ['10k 10:00–11:00'],
  ],
  [
    'with a pattern of parts has no time but theirs',
    [event({ ...times('09:00', '17:00'), eventSchedule: { '@type': 'PartialSchedule' } }, tenK)],
    ['10k 10:00–11:00'],
  ],
];

const clock = (instant: number) => new Date(instant).toISOString().slice(11, 16);

describe('a HeadlineEvent', () => {
  test.each(CASES)('%s', async (_what, objects, expected) => {
    const [known] = join(readInput(JSON.stringify(objects), { zone: 'UTC', feed: 'x' }).records).series;
    if (known === undefined) throw new Error('no series');
    const lines = (events: ReturnType<typeof planSeries>['events']) =>
      events.map(
        ({ summary, span, transparent }) =>
          `${summary} ${clock(span.start)}–${clock(span.end)}${transparent === true ? ' free' : ''}`,
      );
    expect(lines(planSeries(known.series, known.sessions, { zone: 'UTC' }).events)).toEqual(expected);
    const plain = expected.map((line) => line.replace(' free', ''));
    const window = [Date.UTC(2026, 10, 1), Date.UTC(2026, 11, 1)] as const;
    const listed = occurrences(known.series, known.sessions, ...window);
    expect(listed.map(({ name, start, end }) => `${name} ${clock(start)}–${clock(end)}`)).toEqual(plain);
    const explained = verdicts(known.series, known.sessions, ...window);
    expect(explained.filter(({ shown }) => shown).map(({ occurrence }) => occurrence)).toEqual(listed);

    for (const order of [objects, objects.toReversed()]) {
      const one = await rig();
      try {
        for (const [n, data] of order.entries()) {
          const kind = (data as { '@type': string })['@type'];
          await one.feed([
            { state: 'updated', kind, id: kind, modified: n + 1, data: data as Record<string, unknown> },
          ]);
        }
        const library = await openLibrary(one.store, { ...one.options, rendering: 'test' });
        const key = keyOf('series', ID);
        expect(lines((await library.calendar(key))?.calendar.events ?? [])).toEqual(expected);
        const next = (await library.series(key))?.upcoming ?? [];
        expect(next.map(({ start, end = 0 }) => `${clock(start)}–${clock(end)}`)).toEqual(
          plain.map((line) => line.split(' ')[1]),
        );
      } finally {
        await one.close();
      }
    }
  });
});
