import { afterEach, beforeEach, expect, test } from 'vitest';
import { item, type Served, served } from '../server/stored-rig.ts';

/** What waits for a series or a facility is in no calendar, and the findings of its feed say so. */

let one: Served;
beforeEach(async () => {
  one = await served();
});
afterEach(() => one.close());

const found = async (): Promise<string[]> => {
  const findings = (await one.library.feedFindings(1, { limit: 100 }))?.findings ?? [];
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
