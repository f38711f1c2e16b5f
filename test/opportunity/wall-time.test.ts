import { expect, test } from 'vitest';
import { scheduleIn } from '../../src/opportunity/local-times.ts';
import { zone as zoneNamed } from '../../src/time/zone.ts';
import { scheduleWith, seriesWith, sessionWith, through } from './reader.ts';

/** Times without a zone are of the place's, then of the series' Schedule's, then of the configured default (semantics 3). */

const PARIS = { '@type': 'Place', '@id': 'https://x.org/p', name: 'Salle', geo: { latitude: 48.85, longitude: 2.35 } };
const inCountry = (addressCountry: string) => ({ '@type': 'Place', name: 'Salle', address: { addressCountry } });
const ONLINE = { '@type': 'VirtualLocation', url: 'https://x.org/live' };
const scheduled = (scheduleTimezone: string) => [{ '@type': 'PartialSchedule', scheduleTimezone }];
const TIMES = { startDate: '2027-07-01T10:00:00', endDate: '2027-07-01T11:00:00' };

const sessionIn = (series: object, own: object = {}) =>
  sessionWith({ ...TIMES, superEvent: seriesWith({ ...series }), ...own });
const held = (series: object, own: object = {}) =>
  seriesWith({ subEvent: [{ '@type': 'ScheduledSession', '@id': 'https://x.org/s/1', ...TIMES, ...own }], ...series });

test.each<[what: string, data: Record<string, unknown>, start: string]>([
  ['its own coordinates', sessionWith({ ...TIMES, location: PARIS }), '08'],
  ['the country, where it has one zone', sessionWith({ ...TIMES, location: inCountry('IN') }), '04:30'],
  ['coordinates before the country', sessionWith({ ...TIMES, location: { ...inCountry('IN'), ...PARIS } }), '08'],
  ['the place of its series', sessionIn({ location: PARIS }), '08'],
  [
    'the place of the series of its series',
    sessionIn({ superEvent: { '@type': 'EventSeries', name: 'All', location: PARIS } }),
    '08',
  ],
  ['its own place before that of its series', sessionIn({ location: PARIS }, { location: inCountry('IN') }), '04:30'],
  ['the place before the Schedule', sessionIn({ location: PARIS, eventSchedule: scheduled('Asia/Tokyo') }), '08'],
  ['the Schedule, where the place is unknown', sessionIn({ eventSchedule: scheduled('Asia/Tokyo') }), '01'],
  [
    'the Schedule, where the country has several zones',
    sessionIn({ location: inCountry('US'), eventSchedule: scheduled('America/Denver') }),
    '16',
  ],
  [
    'the Schedule by the name of another time',
    sessionIn({ schedule: { timezone: 'Asia/Tokyo' }, eventSchedule: undefined }),
    '01',
  ],
  [
    'a place described around the one that only names it',
    sessionIn({ location: PARIS }, { location: PARIS['@id'] }),
    '08',
  ],
  ['the place of the series, for a session online', sessionIn({ location: PARIS }, { location: ONLINE }), '08'],
  ['the series that holds it', held({ location: PARIS }), '08'],
  ['the Schedule of the series that holds it', held({ eventSchedule: scheduled('Asia/Tokyo') }), '01'],
  ['its own place within a series', held({ location: PARIS }, { location: inCountry('IN') }), '04:30'],
  ['an event of its own', { '@type': 'Event', '@id': 'https://x.org/e', name: 'Run', ...TIMES, location: PARIS }, '08'],
  [
    'an event within another',
    {
      '@type': 'EventSeries',
      '@id': 'https://x.org/all',
      name: 'All',
      location: PARIS,
      subEvent: [{ '@type': 'HeadlineEvent', '@id': 'https://x.org/e', name: 'Run', ...TIMES }],
    },
    '08',
  ],
])('a time without a zone: %s', (_, data, start) => {
  const { sessions, codes } = through(data);
  const hour = `2027-07-01T${start.length === 2 ? `${start}:00` : start}:00.000Z`;
  expect(sessions.map((one) => new Date(one.start ?? 0).toISOString())).toEqual([hour]);
  expect((sessions[0]?.end ?? 0) - (sessions[0]?.start ?? 0)).toBe(3_600_000);
  expect(codes).toContain('datetime-without-zone');
  expect(codes).not.toContain('zone-assumed');
});

test.each<[what: string, data: Record<string, unknown>]>([
  ['nothing says it', sessionWith(TIMES)],
  ['the country has several zones', sessionWith({ ...TIMES, location: inCountry('US') })],
  ['the zone of the Schedule is unknown', sessionIn({ eventSchedule: scheduled('Middle/Earth') })],
  ['the coordinates are 0, 0', sessionWith({ ...TIMES, location: { ...PARIS, geo: { latitude: 0, longitude: 0 } } })],
])('a time without a zone is of the configured default where %s', (_, data) => {
  const { sessions, findings } = through(data, { zone: 'Asia/Tokyo' });
  expect(sessions.map((one) => new Date(one.start ?? 0).toISOString())).toEqual(['2027-07-01T01:00:00.000Z']);
  expect(findings).toContain('datetime-without-zone startDate');
  expect(sessions.map((one) => one.stated?.zone)).toEqual([undefined]);
});

test('previousStartDate and the times of slots are of the place too', () => {
  const moved = through(sessionWith({ ...TIMES, previousStartDate: '2027-06-30T10:00:00', location: PARIS }));
  expect(moved.sessions).toMatchObject([{ previousStart: Date.parse('2027-06-30T08:00:00Z') }]);
  const slot = { '@type': 'Slot', '@id': 'https://x.org/slot', ...TIMES, remainingUses: 1 };
  const court = { '@type': 'IndividualFacilityUse', '@id': 'https://x.org/c', name: 'Court', event: [slot] };
  const facility = { '@type': 'FacilityUse', '@id': 'https://x.org/f', name: 'Courts', location: PARIS };
  for (const data of [
    { ...facility, event: [slot] },
    { ...facility, individualFacilityUse: [court] },
    { ...slot, facilityUse: facility },
  ]) {
    expect(through(data, { slots: true }).slots).toMatchObject([{ start: Date.parse('2027-07-01T08:00:00Z') }]);
  }
});

test('what is odd about the place is not found twice for it', () => {
  const odd = { ...PARIS, geo: { latitude: 0, longitude: 0 } };
  const zoned = { startDate: '2027-07-01T10:00:00Z', endDate: '2027-07-01T11:00:00Z' };
  const { codes } = through(sessionWith({ ...zoned, location: odd }));
  const without = through(sessionWith({ ...TIMES, location: odd })).codes;
  expect(without.filter((code) => !code.includes('zone'))).toEqual(codes);
});

test.each([
  ['in the zone that is assumed', 'Europe/London', { endDate: '2027-06-30' }],
  ['before the start, in a zone to the west', 'America/New_York', { endDate: '2027-06-29' }],
  ['a midnight in another zone', 'Asia/Kathmandu', { endDate: '2027-06-30' }],
  ['the next day there, before the start', 'Pacific/Apia', { endDate: '2027-06-30' }],
])('the time in endDate of a Schedule that states no zone bounds its starts: %s', (_, name, expected) => {
  const endDate = name === 'Asia/Kathmandu' ? '2027-06-29T18:15:00Z' : '2027-06-30T12:00:00Z';
  const { schedule } = scheduleWith({ scheduleTimezone: undefined, endDate });
  const zone = zoneNamed(name);
  expect(zone && scheduleIn(zone, schedule)).toMatchObject(expected);
});

test('the last time of day of a Schedule that states no zone follows the zone too', () => {
  const { schedule } = scheduleWith({
    scheduleTimezone: undefined,
    repeatFrequency: 'PT1H',
    endDate: '2027-06-30T12:00:00Z',
  });
  const zone = zoneNamed('Asia/Tokyo');
  expect(schedule).toMatchObject({ endDate: '2027-06-30', lastTime: 46_800 });
  expect(zone && scheduleIn(zone, schedule)).toMatchObject({ endDate: '2027-06-30', lastTime: 75_600 });
});
