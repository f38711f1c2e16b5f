import { expect, test } from 'vitest';
import { formerGaps } from '../../src/time/former-gaps.ts';
import { type Zone, zone } from '../../src/time/zone.ts';

/** The hours that the clocks left out under rules that have ended, by the tz database's own history. */

const from = (id: string) => formerGaps(zone(id) as Zone).map((gap) => new Date(gap.from).toISOString().slice(0, 16));

test.each([
  ['Mexico, first Sundays of April', 'America/Mexico_City', '2023-04-02T02:00', '2027-04-04T02:00'],
  ['Paraguay, first Sundays of October', 'America/Asuncion', '2025-10-05T00:00', '2028-10-01T00:00'],
  ['East Greenland, where the rule moved', 'America/Scoresbysund', '2024-03-31T00:00', '2025-03-30T00:00'],
])('%s', (_, id, first, later) => {
  expect(from(id)[0]).toBe(first);
  expect(from(id)).toContain(later);
  expect(from(id).at(-1)?.slice(0, 4)).toBe('2050');
});

test.each([
  ['rules that go on', ['Europe/London', 'America/New_York', 'Australia/Lord_Howe', 'Europe/Dublin']],
  ['weekdays counted from another one', ['Asia/Jerusalem', 'America/Santiago', 'Asia/Gaza']],
  ['rules that ended long ago', ['Asia/Tokyo', 'Asia/Kolkata', 'Europe/Moscow', 'America/Sao_Paulo', 'UTC']],
])('%s leave none', (_, zones) => {
  for (const id of zones) expect(from(id), id).toEqual([]);
});

test('each is an hour long', () => {
  for (const gap of formerGaps(zone('America/Mexico_City') as Zone)) expect(gap.to - gap.from).toBe(3_600_000);
});
