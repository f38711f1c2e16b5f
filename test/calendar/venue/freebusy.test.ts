import { describe, expect, test } from 'vitest';
import { freeBusy, freeBusyWindow, slotFreeBusy } from '../../../src/calendar/venue/freebusy.ts';
import { openPeriods } from '../../../src/hours/periods.ts';
import type { Component } from '../../../src/ical/tree.ts';
import { write } from '../../../src/ical/write.ts';
import type { Slot } from '../../../src/opportunity/records.ts';
import { WEEKDAYS } from '../../../src/time/days.ts';
import { Random } from '../../generate/random.ts';
import { randomHours } from '../../hours/random-place.ts';
import { venueOf } from '../../hours/venue.ts';

const REVISION = { sequence: 0, modified: Date.UTC(2026, 10, 21) };

/** `TYPE start/end`, in the order written. */
const periods = (component: Component | undefined, type?: string): string[] =>
  (component?.properties ?? [])
    .filter(({ name }) => name === 'FREEBUSY')
    .map(({ params, value }) => `${params?.[0]?.[1]} ${value}`)
    .filter((line) => type === undefined || line.startsWith(`${type} `));

const instants = (line: string): number[] =>
  line
    .replace(/^\S+ /, '')
    .split('/')
    .map((text) => Date.parse(text.replace(/(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z/, '$1-$2-$3T$4:$5:$6Z')));

describe('free and busy by opening hours', () => {
  test('closed is BUSY-UNAVAILABLE, in UTC, between the bounds of the window', () => {
    const venue = venueOf({ standard: [{ dayOfWeek: WEEKDAYS, opens: '09:00', closes: '17:00' }], special: [] });
    const component = freeBusy(venue, { from: Date.UTC(2026, 5, 15), to: Date.UTC(2026, 5, 17) }, REVISION);
    expect(periods(component)).toEqual([
      'BUSY-UNAVAILABLE 20260615T000000Z/20260615T080000Z',
      'BUSY-UNAVAILABLE 20260615T160000Z/20260616T080000Z',
      'BUSY-UNAVAILABLE 20260616T160000Z/20260617T000000Z',
    ]);
    expect(write(component as Component)).toMatch(
      /^BEGIN:VFREEBUSY\r\nUID:\w+@openactive-ical\r\nDTSTAMP:20261121T000000Z\r\nDTSTART:20260615T000000Z\r\nDTEND:20260617T000000Z\r\n/,
    );
  });

  test('free and busy fill the window exactly, for random places', () => {
    const [from, to] = [Date.UTC(2026, 9, 1), Date.UTC(2026, 10, 26)];
    for (let seed = 0; seed < 60; seed++) {
      const random = new Random(seed);
      const venue = venueOf(randomHours(random), random.pick(['Europe/London', 'America/New_York', 'Asia/Kolkata']));
      const component = freeBusy(venue, { from, to, free: true }, REVISION);
      if (component === undefined) continue;
      const free = periods(component, 'FREE').map(instants);
      expect(free).toEqual(openPeriods(venue.hours, venue.context, from, to).map(({ start, end }) => [start, end]));
      const all = periods(component)
        .map(instants)
        .toSorted((a, b) => (a[0] as number) - (b[0] as number));
      expect(all[0]?.[0]).toBe(from);
      expect(all.at(-1)?.[1]).toBe(to);
      expect(all.every(([start], i) => i === 0 || start === all[i - 1]?.[1])).toBe(true);
    }
  });

  test('without any hours nothing is claimed', () => {
    expect(freeBusy(venueOf({ standard: [], special: [] }), { from: 0, to: 1 }, REVISION)).toBeUndefined();
  });

  test('the usual window is eight weeks of whole days', () => {
    expect(freeBusyWindow('2026-11-21')).toEqual({ from: Date.UTC(2026, 10, 21), to: Date.UTC(2027, 0, 16) });
  });
});

describe('free and busy by slots', () => {
  const slot = (start: string, end: string, remainingUses: number): Slot => ({
    kind: 'slot',
    id: `${start} ${remainingUses}`,
    start: Date.parse(`2026-06-15T${start}:00Z`),
    end: Date.parse(`2026-06-15T${end}:00Z`),
    remainingUses,
  });
  const venue = venueOf({ standard: [], special: [] });
  const window = { from: Date.UTC(2026, 5, 15, 8), to: Date.UTC(2026, 5, 15, 12) };
  const line = (type: string, start: string, end: string) => `${type} 20260615T${start}00Z/20260615T${end}00Z`;

  test.each([
    ['no slots at all', [], [line('BUSY-UNAVAILABLE', '0800', '1200')]],
    [
      'one is free',
      [slot('09:00', '10:00', 1)],
      [line('BUSY-UNAVAILABLE', '0800', '0900'), line('BUSY-UNAVAILABLE', '1000', '1200')],
    ],
    [
      'one is booked',
      [slot('08:00', '09:00', 0)],
      [line('BUSY', '0800', '0900'), line('BUSY-UNAVAILABLE', '0900', '1200')],
    ],
    [
      'free and booked at one time is free',
      [slot('08:00', '12:00', 0), slot('09:00', '12:00', 2)],
      [line('BUSY', '0800', '0900')],
    ],
    [
      'slots beyond the window are cut',
      [slot('07:00', '09:00', 0), slot('11:00', '13:00', 1), slot('13:00', '14:00', 1)],
      [line('BUSY', '0800', '0900'), line('BUSY-UNAVAILABLE', '0900', '1100')],
    ],
    ['touching slots are one', [slot('08:00', '10:00', 0), slot('10:00', '12:00', 0)], [line('BUSY', '0800', '1200')]],
    ['more remaining than none at all', [slot('08:00', '12:00', -1)], [line('BUSY', '0800', '1200')]],
  ])('%s', (_, slots, expected) => {
    expect(periods(slotFreeBusy(venue, slots, window, REVISION))).toEqual(expected);
  });

  test('ends where slots are not known any more: nothing is said of what comes then', () => {
    const slots = [slot('09:00', '10:30', 1), slot('11:00', '12:00', 0)];
    const until = Date.UTC(2026, 5, 15, 10);
    const component = slotFreeBusy(venue, slots, { ...window, until }, REVISION);
    expect(periods(component)).toEqual([line('BUSY-UNAVAILABLE', '0800', '0900')]);
    expect(write(component)).toContain('DTEND:20260615T100000Z\r\n');
    expect(slotFreeBusy(venue, slots, { ...window, until: window.to + 1 }, REVISION)).toEqual(
      slotFreeBusy(venue, slots, window, REVISION),
    );
  });

  test('free time is listed when asked for', () => {
    const component = slotFreeBusy(venue, [slot('09:00', '10:00', 1)], { ...window, free: true }, REVISION);
    expect(periods(component, 'FREE')).toEqual([line('FREE', '0900', '1000')]);
  });
});
