import { describe, expect, test } from 'vitest';
import type { Schedule, Series, Session } from '../../src/opportunity/records.ts';
import { matchSessions, type Occurrence, occurrences } from '../../src/recurrence/overlay.ts';
import { byDay, schedule, series, session, utc, without } from './make.ts';

const at = (text: string) => Date.parse(text.length === 10 ? `${text}T00:00:00Z` : text);
const listed = (of: Series, sessions: Session[], from: string, to: string) =>
  occurrences(of, sessions, at(from), at(to));
/** `E 2026-01-05T18:00:00Z` with E for explicit and G for generated. */
const short = ({ source, start }: Occurrence) => `${source === 'explicit' ? 'E' : 'G'} ${utc(start)}`;
const matched = (of: Series, sessions: Session[]) =>
  Object.fromEntries([...matchSessions(of, sessions)].map(([id, match]) => [id, utc(match.start)]));

const base = 'https://api.example.org/session-series/1402CBP20150217';
/** Mondays at 18:00 in London, with ids. */
const withIds = (given: Partial<Schedule> = {}) => schedule({ idTemplate: `${base}/{startDate}`, ...given });

describe("the documentation's worked example", () => {
  const thursdays = series({
    schedules: [
      withIds({
        startDate: '2018-03-01',
        endDate: '2018-03-29',
        startTime: 8.5 * 3600,
        byDay: byDay('TH'),
        except: [{ instant: at('2018-03-15T08:30:00Z') }],
        urlTemplate: 'https://example.org/session-series/1402CBP20150217/{startDate}',
      }),
    ],
  });
  const replacement = session(`${base}/2018-03-15T10:30:00Z`, '2018-03-15T10:30:00Z', {
    url: 'https://example.org/15',
  });
  const booked = session(`${base}/2018-03-22T08:30:00Z`, '2018-03-22T08:30:00Z', { remainingAttendeeCapacity: 3 });

  test('is five occurrences across the change of March 2018', () => {
    const found = listed(thursdays, [replacement, booked], '2018-01-01', '2019-01-01');
    expect(found.map(short)).toEqual([
      'G 2018-03-01T08:30:00Z',
      'G 2018-03-08T08:30:00Z',
      'E 2018-03-15T10:30:00Z',
      'E 2018-03-22T08:30:00Z',
      'G 2018-03-29T07:30:00Z',
    ]);
    expect(found.map(({ id }) => id)).toEqual(found.map(({ start }) => `${base}/${utc(start)}`));
    expect(found.every(({ start, end, name }) => end - start === 3_600_000 && name === 'Yoga')).toBe(true);
  });

  test('the explicit ones are used in their entirety, the generated have what the templates say', () => {
    const urls = listed(thursdays, [replacement, booked], '2018-03-08', '2018-03-23').map(({ url }) => url);
    expect(urls).toEqual([
      'https://example.org/session-series/1402CBP20150217/2018-03-08T08:30:00Z',
      'https://example.org/15',
      undefined,
    ]);
  });

  test('the replacement stands for nothing, the booked one for its own start', () => {
    expect(matched(thursdays, [replacement, booked])).toEqual({ [booked.id]: '2018-03-22T08:30:00Z' });
  });

  test('an explicit one deleted from its feed stops hiding', () => {
    expect(listed(thursdays, [replacement], '2018-03-22', '2018-03-23').map(short)).toEqual(['G 2018-03-22T08:30:00Z']);
  });
});

describe('matching by @id', () => {
  const mondays = series({ schedules: [withIds()] });
  test.each<[string, string, string, string | undefined]>([
    ['raw', `${base}/2026-01-12T18:00:00Z`, '2026-01-12T18:00:00Z', '2026-01-12T18:00:00Z'],
    ['percent-encoded', `${base}/2026-01-12T18%3A00%3A00Z`, '2026-01-12T18:00:00Z', '2026-01-12T18:00:00Z'],
    ['dashed', `${base}/2026-01-12T18-00-00Z`, '2026-01-12T18:00:00Z', '2026-01-12T18:00:00Z'],
    ['moved: by the start in the id', `${base}/2026-01-12T18:00:00Z`, '2026-01-14T10:00:00Z', '2026-01-12T18:00:00Z'],
    ['moved a year away', `${base}/2026-01-12T18:00:00Z`, '2027-01-14T10:00:00Z', '2026-01-12T18:00:00Z'],
    ['of another day', `${base}/2026-01-13T18:00:00Z`, '2026-01-12T18:00:00Z', undefined],
    ['of summer as if it were winter', `${base}/2026-07-06T18:00:00Z`, '2026-07-06T17:00:00Z', undefined],
    ['of summer', `${base}/2026-07-06T17:00:00Z`, '2026-07-06T17:00:00Z', '2026-07-06T17:00:00Z'],
    ['before the first', `${base}/2025-12-29T18:00:00Z`, '2025-12-29T18:00:00Z', undefined],
    ['another id at the same start', 'https://example.org/s/1', '2026-01-12T18:00:00Z', undefined],
  ])('%s', (_name, id, start, original) => {
    expect(matched(mondays, [session(id, start)])).toEqual(original === undefined ? {} : { [id]: original });
  });

  test('a moved one hides where it was, also when one of both is outside the window', () => {
    const moved = session(`${base}/2026-01-12T18:00:00Z`, '2026-03-20T10:00:00Z');
    expect(listed(mondays, [moved], '2026-01-10', '2026-01-15')).toEqual([]);
    expect(listed(mondays, [moved], '2026-03-20', '2026-03-21').map(short)).toEqual(['E 2026-03-20T10:00:00Z']);
  });

  test('an id that only stands in for one matches no template: the start does, and a moved one stands alone', () => {
    const nameless = session(`${base}/2026-01-12T18:00:00Z`, '2026-01-12T18:00:00Z', { idStated: false });
    expect(listed(mondays, [nameless], '2026-01-12', '2026-01-13').map(short)).toEqual(['E 2026-01-12T18:00:00Z']);
    const moved = { ...nameless, start: Date.parse('2026-01-12T17:00:00Z') };
    expect(matched(mondays, [moved])).toEqual({});
    expect(listed(mondays, [moved], '2026-01-12', '2026-01-13').map(short)).toEqual([
      'E 2026-01-12T17:00:00Z',
      'G 2026-01-12T18:00:00Z',
    ]);
  });

  const saying = (id: string, given: Partial<Session>): Session => ({
    ...without(session(id, '2026-01-12T18:00:00Z'), 'start', 'end'),
    ...given,
  });
  const id = `${base}/2026-01-12T18:00:00Z`;
  const [six, seven] = [Date.parse('2026-01-12T18:00:00Z'), Date.parse('2026-01-12T19:00:00Z')];
  test.each<[string, Session, string[]]>([
    ['no start: that of the instance', saying(id, {}), ['E 18:00 19:00']],
    ['no start, and cancelled', saying(id, { status: 'EventCancelled' }), ['E 18:00 19:00']],
    ['no start, but a duration of its own', saying(id, { length: 1_800_000 }), ['E 18:00 18:30']],
    ['no start, but an end of its own', saying(id, { end: seven + 3_600_000 }), ['E 18:00 20:00']],
    ['no start, and an end before the instance begins', saying(id, { end: six - 1 }), ['E 18:00 19:00']],
    ['no end: the length of the instance', saying(id, { start: six }), ['E 18:00 19:00']],
    ['no end, and moved', saying(id, { start: seven }), ['E 19:00 20:00']],
    ['no start, and no instance either: at no time', saying('https://e.org/1', {}), ['G 18:00 19:00']],
    ['an @id with milliseconds', saying(id.replace('Z', '.000Z'), { start: six, end: seven }), ['E 18:00 19:00']],
    [
      'the same percent-encoded, and moved',
      saying(`${base}/2026-01-12T18%3A00%3A00.123Z`, { start: seven }),
      ['E 19:00 20:00'],
    ],
    ['a new @id, and when it was', saying('https://e.org/1', { start: seven, previousStart: six }), ['E 19:00 20:00']],
    ['no start, and when it was', saying('https://e.org/1', { previousStart: six }), ['E 18:00 19:00']],
    [
      'a new @id, and when it was not',
      saying('https://e.org/1', { start: seven, previousStart: six + 1000 }),
      ['G 18:00 19:00', 'E 19:00 19:00'],
    ],
  ])('%s', (_name, one, expected) => {
    const time = (instant: number) => utc(instant).slice(11, 16);
    const found = listed(mondays, [one], '2026-01-12', '2026-01-13');
    expect(
      found.map(({ source, start, end }) => `${source === 'explicit' ? 'E' : 'G'} ${time(start)} ${time(end)}`),
    ).toEqual(expected);
  });

  test('of several sessions for one instance the closest replaces it, in whatever order they come', () => {
    const exact = session(id, '2026-01-12T20:00:00Z');
    const near = session(id.replace('Z', '.000Z'), '2026-01-12T18:00:00Z');
    const alone = session('stand-in', '2026-01-12T18:00:00Z', { idStated: false });
    const before = session('https://e.org/1', '2026-01-12T21:00:00Z', { previousStart: six });
    const all = [before, alone, near, exact];
    for (const [n, one] of all.entries()) {
      expect(Object.keys(matched(mondays, all.slice(0, n + 1)))).toEqual([one.id]);
      expect(Object.keys(matched(mondays, all.slice(0, n + 1).toReversed()))).toEqual([one.id]);
    }
  });

  test('templates with an end must agree with the length', () => {
    const both = series({ schedules: [withIds({ idTemplate: 'x/{startDate}/{endDate}' })] });
    const right = 'x/2026-01-12T18:00:00Z/2026-01-12T19:00:00Z';
    const wrong = 'x/2026-01-12T18:00:00Z/2026-01-12T20:00:00Z';
    const sessions = [session(right, '2026-01-12T18:00:00Z'), session(wrong, '2026-01-12T18:00:00Z')];
    expect(matched(both, sessions)).toEqual({ [right]: '2026-01-12T18:00:00Z' });
    const endOnly = series({ schedules: [withIds({ idTemplate: 'x/{endDate}' })] });
    expect(matched(endOnly, [session('x/2026-01-12T19:00:00Z', '2026-01-12T18:00:00Z')])).toEqual({
      'x/2026-01-12T19:00:00Z': '2026-01-12T18:00:00Z',
    });
  });

  test('a template without a time: the start says which, and an only one may move', () => {
    const constant = series({ schedules: [withIds({ idTemplate: 'x' })] });
    expect(matched(constant, [session('x', '2026-01-12T18:00:00Z')])).toEqual({ x: '2026-01-12T18:00:00Z' });
    expect(matched(constant, [session('x', '2026-01-13T18:00:00Z')])).toEqual({});
    const once = series({ schedules: [withIds({ idTemplate: 'x', count: 1 })] });
    expect(matched(once, [session('x', '2026-01-13T18:00:00Z')])).toEqual({ x: '2026-01-05T18:00:00Z' });
  });
});

describe('matching by start, where there is no template', () => {
  const mondays = series();
  test.each<[string, string, boolean]>([
    ['the same instant', '2026-01-12T18:00:00Z', true],
    ['a minute later', '2026-01-12T18:01:00Z', false],
    ['another day', '2026-01-13T18:00:00Z', false],
  ])('%s', (_name, start, hides) => {
    const found = listed(mondays, [session('https://example.org/s/1', start)], '2026-01-12', '2026-01-14');
    expect(found.map(({ source }) => source)).toEqual(hides ? ['explicit'] : ['generated', 'explicit']);
  });

  test('a stand-in id is enough', () => {
    const nameless = session('standin', '2026-01-12T18:00:00Z', { idStated: false });
    expect(matched(mondays, [nameless])).toEqual({ standin: '2026-01-12T18:00:00Z' });
  });

  test('an excluded instance is not there to match', () => {
    const without = series({ schedules: [schedule({ except: [{ date: '2026-01-12' }] })] });
    expect(matched(without, [session('s', '2026-01-12T18:00:00Z')])).toEqual({});
    expect(listed(without, [session('s', '2026-01-12T18:00:00Z')], '2026-01-12', '2026-01-13').map(short)).toEqual([
      'E 2026-01-12T18:00:00Z',
    ]);
  });

  test('COUNT is respected', () => {
    const two = series({ schedules: [schedule({ count: 2 })] });
    expect(matched(two, [session('s', '2026-01-12T18:00:00Z')])).toEqual({ s: '2026-01-12T18:00:00Z' });
    expect(matched(two, [session('s', '2026-01-19T18:00:00Z')])).toEqual({});
  });

  test('in a gap and in a fold', () => {
    const nights = series({ schedules: [schedule({ startDate: '2026-03-22', startTime: 5400 })] });
    const sessions = [session('gap', '2026-03-29T01:30:00Z'), session('fold', '2026-10-25T00:30:00Z')];
    expect(matched(nights, sessions)).toEqual({ gap: '2026-03-29T01:30:00Z', fold: '2026-10-25T00:30:00Z' });
  });
});

describe('two sessions for one instance', () => {
  const mondays = series({ schedules: [withIds()] });
  const raw = `${base}/2026-01-12T18:00:00Z`;
  const dashed = `${base}/2026-01-12T18-00-00Z`;

  test('the one that has not moved wins, the other stands alone', () => {
    const moved = session(dashed, '2026-01-13T18:00:00Z');
    const there = session(raw, '2026-01-12T18:00:00Z');
    for (const sessions of [
      [moved, there],
      [there, moved],
    ]) {
      expect(matched(mondays, sessions)).toEqual({ [raw]: '2026-01-12T18:00:00Z' });
      expect(listed(mondays, sessions, '2026-01-12', '2026-01-14').map(short)).toEqual([
        'E 2026-01-12T18:00:00Z',
        'E 2026-01-13T18:00:00Z',
      ]);
    }
  });

  test('else the first by id', () => {
    const sessions = [session(raw, '2026-01-14T18:00:00Z'), session(dashed, '2026-01-13T18:00:00Z')];
    expect(Object.keys(matched(mondays, sessions))).toEqual([dashed]);
    expect(Object.keys(matched(mondays, sessions.reverse()))).toEqual([dashed]);
  });
});

describe('several schedules', () => {
  const again = { index: 1 };
  const longer = { index: 1, duration: 7_200_000 };
  test.each<[string, Schedule[], number]>([
    ['the same start and end is one occurrence', [schedule(), schedule(again)], 1],
    ['the same start and end with two ids is one', [withIds(), withIds({ ...again, idTemplate: 'y/{startDate}' })], 1],
    ['with an id and without one, it is one', [withIds(), schedule(again)], 1],
    // The longer class at the same time was gone without a word.
    ['the same start with another end is two', [schedule(), schedule(longer)], 2],
    [
      'the same start with another end and id is two',
      [withIds(), withIds({ ...longer, idTemplate: 'y/{startDate}' })],
      2,
    ],
    ['the same id is one occurrence, whatever its end', [withIds(), withIds(longer)], 1],
    [
      'an id that tells the length apart is two',
      [withIds({ idTemplate: '{endDate}' }), withIds({ ...longer, idTemplate: '{endDate}' })],
      2,
    ],
    ['a partial one adds none', [schedule(), schedule({ ...again, partial: true })], 1],
    ['an excluded one gives way to the other', [schedule({ except: [{ date: '2026-01-12' }] }), schedule(again)], 1],
    [
      'what is the same as one that is not shown is shown',
      [withIds(), withIds(longer), schedule({ ...longer, index: 2 })],
      2,
    ],
  ])('%s', (_name, schedules, count) => {
    const found = listed(series({ schedules }), [], '2026-01-12', '2026-01-13');
    expect(found).toHaveLength(count);
  });

  test('of one id the first wins, also in a window that only the longer second reaches', () => {
    const both = series({ schedules: [withIds(), withIds(longer)] });
    expect(listed(both, [], '2026-01-12', '2026-01-13').map(({ schedule, end }) => [schedule, utc(end)])).toEqual([
      [0, '2026-01-12T19:00:00Z'],
    ]);
    expect(listed(both, [], '2026-01-12T19:30:00Z', '2026-01-13')).toEqual([]);
  });

  test('a session hides the instance of all schedules that give it', () => {
    const both = series({ schedules: [schedule(), schedule(again)] });
    const sessions = [session('s', '2026-01-12T18:00:00Z')];
    expect(listed(both, sessions, '2026-01-12', '2026-01-13').map(short)).toEqual(['E 2026-01-12T18:00:00Z']);
    expect(matchSessions(both, sessions).get('s')).toMatchObject({ schedule: 0, wall: at('2026-01-12T18:00:00Z') });
  });

  test('a session with the id of the second hides what both give', () => {
    const both = series({ schedules: [withIds({ idTemplate: 'x/{startDate}' }), withIds(again)] });
    const sessions = [session(`${base}/2026-01-12T18:00:00Z`, '2026-01-12T20:00:00Z')];
    expect(listed(both, sessions, '2026-01-12', '2026-01-13').map(short)).toEqual(['E 2026-01-12T20:00:00Z']);
  });

  test('of two that start together a session stands for the one that ends with it', () => {
    const both = series({ schedules: [schedule(), schedule(longer)] });
    const long = session('s', '2026-01-12T18:00:00Z', { end: at('2026-01-12T20:00:00Z') });
    expect(matchSessions(both, [long]).get('s')).toMatchObject({ schedule: 1 });
    const other = session('s', '2026-01-12T18:00:00Z', { end: at('2026-01-12T21:00:00Z') });
    expect(matchSessions(both, [other]).get('s')).toMatchObject({ schedule: 0 });
  });

  // A cancelled class was shown as if it were on: its override had the wall time of the other zone.
  test('of two zones that start together a session has the wall time of the one that it stands for', () => {
    const late = schedule({ zone: 'America/New_York', startTime: 23.5 * 3600, byDay: byDay('SU') });
    const early = schedule({ zone: 'Asia/Kolkata', startTime: 10 * 3600, index: 1, duration: 7_200_000 });
    const both = series({ schedules: [late, early] });
    const cancelled = session('s', '2026-01-12T04:30:00Z', { end: at('2026-01-12T06:30:00Z') });
    expect(matchSessions(both, [cancelled]).get('s')).toMatchObject({ schedule: 1, wall: at('2026-01-12T10:00:00Z') });
  });

  test('an id is compared before a start', () => {
    const both = series({ schedules: [schedule(), withIds({ index: 1, byDay: byDay('TU') })] });
    const moved = session(`${base}/2026-01-13T18:00:00Z`, '2026-01-12T18:00:00Z');
    expect(matched(both, [moved])).toEqual({ [moved.id]: '2026-01-13T18:00:00Z' });
  });
});

describe('what an occurrence says', () => {
  test.each<[string, Partial<Series>, Partial<Session>, string, string]>([
    ['scheduled by itself', {}, {}, 'EventScheduled', 'EventScheduled'],
    [
      'cancelled with its series',
      { status: 'EventCancelled' },
      { statusStated: false },
      'EventCancelled',
      'EventCancelled',
    ],
    [
      'postponed with its series',
      { status: 'EventPostponed' },
      { statusStated: false },
      'EventPostponed',
      'EventPostponed',
    ],
    [
      'what it states itself, whatever the series',
      { status: 'EventCancelled' },
      {},
      'EventCancelled',
      'EventScheduled',
    ],
    ['its own', {}, { status: 'EventCancelled' }, 'EventScheduled', 'EventCancelled'],
    [
      'not rescheduled with its series',
      { status: 'EventRescheduled' },
      { statusStated: false },
      'EventScheduled',
      'EventScheduled',
    ],
  ])('status: %s', (_name, ofSeries, ofSession, generated, explicit) => {
    const found = listed(
      series(ofSeries),
      [session('s', '2026-01-12T18:00:00Z', ofSession)],
      '2026-01-05',
      '2026-01-13',
    );
    expect(found.map(({ status }) => status)).toEqual([generated, explicit]);
  });

  test('its own name over the series, its own type and address only', () => {
    const own = session('s', '2026-01-12T18:00:00Z', { details: { name: 'Yoga in the park' }, type: 'Event' });
    expect(listed(series({ url: 'https://example.org/yoga' }), [own], '2026-01-12', '2026-01-13')).toEqual([
      {
        id: 's',
        type: 'Event',
        start: at('2026-01-12T18:00:00Z'),
        end: at('2026-01-12T19:00:00Z'),
        name: 'Yoga in the park',
        status: 'EventScheduled',
        source: 'explicit',
        session: 's',
        schedule: 0,
        original: at('2026-01-12T18:00:00Z'),
      },
    ]);
  });

  test('without an end it ends as it starts', () => {
    const endless = without(session('s', '2026-01-13T18:00:00Z'), 'end');
    const [only] = listed(series({ schedules: [] }), [endless], '2026-01-13', '2026-01-14');
    expect(only?.end).toBe(only?.start);
  });

  test('sorted by start, then id, whatever the order of sessions', () => {
    const sessions = ['b', 'a', 'c'].map((id) => session(id, '2026-01-13T18:00:00Z'));
    expect(listed(series(), sessions, '2026-01-12', '2026-01-20').map(({ id }) => id)).toEqual([
      undefined,
      'a',
      'b',
      'c',
      undefined,
    ]);
  });

  test('a limit bounds what is generated', () => {
    expect(occurrences(series(), [], at('2026-01-01'), at('2050-01-01'), 10)).toHaveLength(10);
  });
});
