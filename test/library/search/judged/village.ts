import type { RpdeJson } from '../../../generate/series.ts';
import { item } from '../../../server/stored-rig.ts';

/** A village without parkour, where holidays have classes of their own. Saturday 21 November 2026. */

const HALL = {
  '@type': 'Place',
  '@id': 'https://x.example/places/1',
  name: 'Broadwater Leisure Centre',
  address: { '@type': 'PostalAddress', addressLocality: 'Hadley', postalCode: 'AB1 2CD', addressCountry: 'GB' },
  geo: { '@type': 'GeoCoordinates', latitude: 52.2, longitude: -1.5 },
};

interface Weekly {
  days: readonly string[];
  time: string;
  activity: string;
  from?: string;
  to?: string;
  age?: readonly [min: number, max?: number];
  price?: number;
  leader?: string;
}

function weekly(name: string, { days, time, activity, from, to, age, price, leader }: Weekly): RpdeJson {
  return item('SessionSeries', name, {
    name,
    activity: [{ '@type': 'Concept', prefLabel: activity }],
    location: HALL,
    ...(age && { ageRange: { '@type': 'QuantitativeValue', minValue: age[0], ...(age[1] && { maxValue: age[1] }) } }),
    ...(price !== undefined && { offers: [{ '@type': 'Offer', price, priceCurrency: 'GBP' }] }),
    ...(leader && { leader: [{ '@type': 'Person', name: leader }] }),
    eventSchedule: {
      '@type': 'Schedule',
      startDate: from ?? '2026-01-05',
      ...(to && { endDate: to }),
      startTime: time,
      duration: 'PT1H',
      repeatFrequency: 'P1W',
      byDay: days.map((day) => `https://schema.org/${day}`),
      scheduleTimezone: 'Europe/London',
      scheduledEventType: 'ScheduledSession',
    },
  });
}

export const villageItems = (): RpdeJson[] => [
  weekly('Half Term Holiday Camp', {
    days: ['Monday', 'Tuesday', 'Wednesday'],
    time: '09:00',
    activity: 'Multi-sports',
    from: '2027-02-15',
    to: '2027-02-19',
    age: [5, 11],
    price: 25,
  }),
  weekly('Christmas Fun Swim', {
    days: ['Saturday', 'Sunday'],
    time: '13:00',
    activity: 'Swimming',
    from: '2026-12-19',
    to: '2027-01-03',
    price: 4.5,
  }),
  weekly('Lane Swimming', { days: ['Monday', 'Friday'], time: '06:15', activity: 'Swimming', price: 4 }),
  weekly('Club Swimming', { days: ['Wednesday'], time: '18:30', activity: 'Swimming', price: 4 }),
  weekly('Parkrun', { days: ['Saturday'], time: '09:00', activity: 'Running', price: 0 }),
  weekly('Trail Running', { days: ['Thursday'], time: '18:15', activity: 'Running', price: 3 }),
  weekly('Mini Splash', { days: ['Tuesday'], time: '10:00', activity: 'Swimming', age: [0, 4], price: 5 }),
  weekly('Hatha Yoga', { days: ['Friday'], time: '11:00', activity: 'Yoga', price: 6, leader: 'Kenji Mori' }),
  weekly('Cardio Tennis', { days: ['Saturday'], time: '16:30', activity: 'Tennis', price: 6 }),
  weekly('Late Night Gym', { days: ['Friday'], time: '20:30', activity: 'Gym', price: 3 }),
];
