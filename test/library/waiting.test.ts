import { afterEach, beforeEach, expect, test } from 'vitest';
import type { FeedFindings } from '../../src/library/library.ts';
import { item, type Served, served } from '../server/stored-rig.ts';

/** What waits for a series or a facility is in no calendar, and what names a Place shows none: the findings of its feed say so. */

let one: Served;
beforeEach(async () => {
  one = await served();
});
afterEach(() => one.close());

const found = async (feed = 1): Promise<string[]> => {
  const findings = (await one.library.feedFindings(feed, { limit: 100 }))?.findings ?? [];
  const waiting = findings.filter(({ code }) => code.endsWith('-not-here'));
  return waiting.map(({ item: name, message }) => `${name}: ${message}`);
};
const startDate = '2026-12-01T18:00:00Z';
const times = { startDate, endDate: '2026-12-01T19:00:00Z' };

test('sessions without their series, until it comes', async () => {
  const superEvent = 'https://x.example/yoga';
  const session = (n: number) =>
    item('ScheduledSession', `s${n}`, { '@id': `https://x.example/yoga/${n}`, superEvent, ...times });
  await one.feed(session(1), session(2));
  expect(await found()).toEqual([
    'ScheduledSession s1: Publish the series https://x.example/yoga too: 2 of its sessions are here, and no series has a calendar before it comes.',
  ]);
  await one.feed(item('SessionSeries', 'yoga', { '@id': superEvent, name: 'Yoga' }));
  expect(await found()).toEqual([]);
});

test('slots without their facility', async () => {
  const slot = { '@id': 'https://x.example/slot', facilityUse: 'https://x.example/court', remainingUses: 1, ...times };
  await one.feed(item('Slot', 'slot', slot));
  expect(await found()).toEqual([
    'Slot slot: Publish the facility https://x.example/court too: 1 of its slots are here, and say nothing without it.',
  ]);
});

test('events and facilities at a Place that is only named, until it comes', async () => {
  const place = { '@type': 'Place', '@id': 'https://x.example/hall', name: 'Hall', address: 'High St' };
  const [location, embedded] = ['https://x.example/hall', { ...place, '@id': 'https://x.example/park' }];
  const series = (id: string, more: object) =>
    item('SessionSeries', id, { '@id': `https://x.example/${id}`, name: 'Yoga', ...more });
  const session = { '@id': 'https://x.example/yoga/1', superEvent: 'https://x.example/yoga', ...times };
  await one.feed(
    series('yoga', { location }),
    series('run', { location: embedded }),
    series('swim', { location: embedded['@id'] }),
    item('ScheduledSession', 's1', { ...session, location: { '@type': 'Place', '@id': location, name: null } }),
    item('FacilityUse', 'f1', { '@id': 'https://x.example/court', name: 'Court', location }),
  );
  expect(await found()).toEqual([
    'SessionSeries yoga: Embed the Place https://x.example/hall in "location", or publish it too: 3 of the events and facilities show no place.',
  ]);
  await one.feed(item('Place', 'hall', place));
  expect(await found()).toEqual([]);
});

test('a Place that another publisher describes is not waited for', async () => {
  const location = { '@type': 'Place', '@id': 'https://other.example/hall', name: 'Hall', address: 'High St' };
  const others = ['https://other.example/feed', 'https://x.example/feed'] as const;
  await one.rig.feed([item('Place', 'p', { ...location, name: 'Theirs' })], 50, others[0]);
  await one.rig.feed(
    [item('FacilityUse', 'f', { '@id': 'https://x.example/f', name: 'Court', location })],
    50,
    others[1],
  );
  expect(await found(2)).toEqual([]);
});

test('slots that are not harvested are one finding, with their number and one of them', async () => {
  one.rig.options.cleanOptions = (feed) => ({ zone: 'Europe/London', feed: feed.url });
  const slot = (n: number, kind = 'FacilityUse/Slot') => ({
    ...item('Slot', `${n}`, { '@id': `https://x.example/${n}`, facilityUse: 'https://x.example/court', ...times }),
    kind,
  });
  const facility = { '@id': 'https://x.example/court', name: 'Court' };
  await one.feed(slot(1), slot(2), slot(3), item('FacilityUse', 'court', facility), slot(4, 'other'));
  const all = async () => {
    const { feed, findings } = (await one.library.feedFindings(1, { limit: 100 })) as FeedFindings;
    const slots = findings.filter(({ code }) => code === 'slots-not-harvested');
    return { total: feed.findings, slots: slots.map(({ item: name, message }) => `${name}: ${message}`) };
  };
  const leftOut = (name: string, count: number) =>
    `${name}: Change nothing: slots are not harvested from this feed, and ${count} were left out.`;
  // Of a kind that does not say so, the item itself has it.
  expect(await all()).toEqual({ total: 1, slots: [leftOut('FacilityUse/Slot 1', 3), leftOut('other 4', 1)] });
  await one.feed(item('FacilityUse/Slot', '1'));
  expect((await all()).slots[0]).toBe(leftOut('FacilityUse/Slot 2', 2));
});
