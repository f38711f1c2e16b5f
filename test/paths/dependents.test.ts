import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { RpdeJson } from '../generate/series.ts';
import { type Rig, rig } from '../harvest/rig.ts';
import { byPart, converted, feed, items, pairs, servedBy, wronglyMoved } from './paths.ts';

const id = (path: string) => `https://ex.org/${path}`;
const hours = (opens: string) => [
  { '@type': 'OpeningHoursSpecification', dayOfWeek: ['https://schema.org/Monday'], opens, closes: '17:00' },
];
const hall = { '@type': 'Place', '@id': id('places/1'), name: 'Hall', address: 'Leeds' };
const tennis = {
  '@type': 'FacilityUse',
  '@id': id('facilities/1'),
  name: 'Tennis',
  location: id('places/1'),
  hoursAvailable: hours('09:00'),
};
const court = {
  '@type': 'IndividualFacilityUse',
  '@id': id('facilities/1/1'),
  name: 'Court 1',
  aggregateFacilityUse: id('facilities/1'),
};
const series = { '@type': 'SessionSeries', '@id': id('series/1'), name: 'Yoga', superEvent: id('groups/1') };
const session = {
  '@type': 'ScheduledSession',
  '@id': id('sessions/1'),
  superEvent: id('series/1'),
  startDate: '2026-12-07T18:00:00Z',
  duration: 'PT1H',
};
const group = { '@type': 'EventSeries', '@id': id('groups/1'), location: id('places/1'), description: 'Mats' };

/** Records that inherit from others, and what they inherit from. */
const BASE = items(court, tennis, hall, session, series, group);

const changed = (index: number, change: object): RpdeJson => {
  const item = BASE[index] as RpdeJson;
  return { ...item, modified: item.modified + 1000, data: { ...item.data, ...change } };
};
const gone = (index: number): RpdeJson => {
  const { kind, id: rpdeId, modified } = BASE[index] as RpdeJson;
  return { state: 'deleted', kind, id: rpdeId, modified: modified + 1000 };
};

/** Semantics 2: what takes from a record is planned again when that changes. */
describe('what takes from another record follows it', () => {
  let one: Rig;
  beforeEach(async () => {
    one = await rig();
  });
  afterEach(() => one.close());

  test.each<[string, RpdeJson]>([
    ['the hours of the facility of a court', changed(1, { hoursAvailable: hours('10:00') })],
    ['the activity and name of the facility of a court', changed(1, { name: 'Padel', hoursAvailable: undefined })],
    ['the facility of a court moves', changed(1, { location: { ...hall, '@id': id('places/2'), name: 'Shed' } })],
    ['the facility of a court goes', gone(1)],
    ['the place of a facility, of its court and of an EventSeries', changed(2, { name: 'Great Hall' })],
    ['the place of a facility goes', gone(2)],
    ['the EventSeries of a series', changed(5, { description: 'No mats' })],
    ['the EventSeries of a series is cancelled', changed(5, { eventStatus: 'https://schema.org/EventCancelled' })],
    ['the EventSeries of a series goes', gone(5)],
  ])('%s', async (_name, change) => {
    await feed(one, BASE);
    const before = await servedBy(one);
    one.changed.clear();
    one.clock.now += 60_000;
    await feed(one, [change]);
    const after = await servedBy(one);
    expect(wronglyMoved(before, after, one.changed)).toEqual([]);
    expect([...after].filter(([name, text]) => before.get(name) !== text)).not.toEqual([]);
    const now = [...BASE.filter((item) => item.id !== change.id), change];
    for (const [is, expected] of pairs(await converted(now), byPart(after), now)) expect(is).toEqual(expected);
  });

  test.each([...BASE.keys()])('number %i of all comes last', async (last) => {
    await feed(one, BASE.toSpliced(last, 1));
    const before = await servedBy(one);
    one.changed.clear();
    one.clock.now += 60_000;
    await feed(one, [BASE[last] as RpdeJson]);
    const after = await servedBy(one);
    expect(wronglyMoved(before, after, one.changed)).toEqual([]);
    for (const [is, expected] of pairs(await converted(BASE), byPart(after), BASE)) expect(is).toEqual(expected);
  });
});
