import { expect, test } from 'vitest';
import { planSeries } from '../../../src/calendar/series/plan.ts';
import { finish } from '../../../src/opportunity/findings.ts';
import type { Session } from '../../../src/opportunity/records.ts';
import { schedule, series, session, without } from '../../recurrence/make.ts';

/** Semantics 4.7 and 4.8: what was tolerated is said, once for each Schedule. */

const AT = '2026-11-16T18:00:00Z';
const ID = `https://e.org/${AT}`;
const OF = series({
  schedules: [schedule({ startDate: '2026-11-02', count: 4, idTemplate: 'https://e.org/{startDate}' })],
});
const exact = session(ID, AT, { remainingAttendeeCapacity: 1 });
const CODES = ['session-time-from-schedule', 'matched-by-id', 'matched-by-start', 'matched-by-previous-start'];

test.each<[string, Session, string[]]>([
  ['nothing', exact, []],
  ['no start', without(exact, 'start'), ['session-time-from-schedule']],
  ['no end', without(exact, 'end'), ['session-time-from-schedule']],
  ['milliseconds', { ...exact, id: ID.replace('Z', '.000Z') }, ['matched-by-id']],
  ['no @id', { ...exact, idStated: false }, ['matched-by-start']],
  [
    'a new @id, and no end',
    without(session('https://e.org/new', '2026-11-16T20:00:00Z', { previousStart: Date.parse(AT) }), 'end'),
    ['matched-by-previous-start', 'session-time-from-schedule'],
  ],
])('%s', (_what, one, expected) => {
  const { findings } = planSeries(OF, [one], { zone: 'Europe/London' });
  const found = findings.filter(({ code }) => CODES.includes(code));
  expect(found.map(({ code, path }) => [code, path])).toEqual(expected.map((code) => [code, '$.eventSchedule[0]']));
});

test('several are one finding that counts them', () => {
  const more = session('https://e.org/2026-11-23T18:00:00Z', '2026-11-23T18:00:00Z');
  const { findings } = planSeries(OF, [without(exact, 'end'), without(more, 'end')], { zone: 'Europe/London' });
  const [one] = findings.filter(({ code }) => code === 'session-time-from-schedule');
  expect(one && finish(one, '', '').message).toBe(
    `Give sessions their own "startDate" and "endDate": 2 such as ${ID} have been given the time of the occurrence that this Schedule generates.`,
  );
});
