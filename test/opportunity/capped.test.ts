import { expect, test } from 'vitest';
import { cleanItem } from '../../src/opportunity/clean.ts';
import { finish } from '../../src/opportunity/findings.ts';

/** What one hostile object holds of each list, and how much of it is taken. */

const hours = { dayOfWeek: ['https://schema.org/Monday'], opens: '09:00', closes: '17:00' };
const schedule = {
  '@type': 'Schedule',
  startDate: '2027-01-04',
  startTime: '18:00',
  duration: 'PT1H',
  repeatFrequency: 'P1W',
  scheduleTimezone: 'Europe/London',
  scheduledEventType: 'ScheduledSession',
};
const session = { '@type': 'ScheduledSession', startDate: '2027-01-04T18:00:00Z', duration: 'PT1H' };
const use = { '@type': 'IndividualFacilityUse', name: 'Court' };
const slot = { '@type': 'Slot', startDate: '2027-01-04T18:00:00Z', duration: 'PT1H' };

test.each<[type: string, property: string, entry: unknown, sent: number, most: number]>([
  ['Place', 'openingHoursSpecification', hours, 20_000, 600],
  ['Place', 'specialOpeningHoursSpecification', { ...hours, validFrom: '2027-01-04' }, 20_000, 600],
  ['FacilityUse', 'hoursAvailable', hours, 20_000, 600],
  ['FacilityUse', 'individualFacilityUse', use, 20_001, 20_000],
  ['FacilityUse', 'event', slot, 20_001, 20_000],
  ['SessionSeries', 'eventSchedule', schedule, 3_000, 200],
  ['SessionSeries', 'subEvent', session, 20_001, 20_000],
  ['SessionSeries', 'offers', { '@type': 'Offer', price: 5 }, 20_000, 20],
  ['SessionSeries', 'activity', { '@type': 'Concept', prefLabel: 'Yoga' }, 20_000, 20],
  ['SessionSeries', 'leader', { '@type': 'Person', name: 'Ann' }, 20_000, 20],
])('%s with more %s than anybody has: the rest is counted', (type, property, entry, sent, most) => {
  const data = { '@type': type, '@id': 'https://h.example/1', name: 'H', [property]: Array(sent).fill(entry) };
  const { findings } = cleanItem(
    { state: 'updated', kind: type, id: '1', modified: '1', data },
    { zone: 'Europe/London', feed: 'https://h.example/feed', slots: true },
  );
  const found = findings.filter(({ code }) => code === 'capped');
  expect(found).toEqual([
    { code: 'capped', path: `$.${property}`, facts: { property, most, count: sent, omitted: sent - most } },
  ]);
  expect(found.map((one) => finish(one, '', '').message)).toEqual([
    `Give "${property}" at most ${most} entries: it has ${sent}, and the last ${sent - most} were left out.`,
  ]);
});
