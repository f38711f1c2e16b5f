import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toComponents } from '../../src/calendar/components.ts';
import type { Calendar, CalendarEvent } from '../../src/calendar/objects.ts';
import { bounded, MOST_EVENTS } from '../../src/calendar/size.ts';
import { write } from '../../src/ical/write.ts';

const DAY = 86_400_000;
const TODAY = Date.UTC(2026, 10, 21);

const event = (uid: string, start: number, over: Partial<CalendarEvent> = {}): CalendarEvent => ({
  uid,
  span: { zone: 'Europe/London', start, end: start + 3_600_000 },
  status: 'CONFIRMED',
  summary: uid,
  ...over,
});
const singles = (count: number, from: number, name = 'single'): CalendarEvent[] =>
  Array.from({ length: count }, (_, index) => event(`${name}-${index}`, from + index * DAY));
const master = (uid: string, start: number, until?: string): CalendarEvent =>
  event(uid, start, {
    rrule: { freq: 'DAILY', ...(until !== undefined && { until: Date.parse(`${until}T12:00:00Z`) }) },
  });
const overrides = (uid: string, from: number, count: number): CalendarEvent[] =>
  Array.from({ length: count }, (_, index) => {
    const wall = from + index * DAY;
    return event(uid, wall + 60_000, { recurrenceId: { zone: 'Europe/London', wall } });
  });
const calendar = (events: CalendarEvent[]): Calendar => ({
  name: 'Yoga',
  zone: 'Europe/London',
  color: { name: 'teal', hex: '#008080' },
  refresh: 'PT6H',
  events,
});
const names = (events: readonly CalendarEvent[]): string[] => events.map(({ uid }) => uid);

describe('the size of a subscribed calendar (feed rule 29)', () => {
  it('leaves one alone that fits', () => {
    const all = calendar(singles(MOST_EVENTS, TODAY));
    expect(bounded(all, TODAY)).toEqual({ calendar: all, omitted: 0 });
  });

  it.each([
    ['the oldest go first', singles(1100, TODAY - 600 * DAY), (index: number) => index >= 100],
    ['then the latest', singles(1200, TODAY), (index: number) => index < 1000],
    [
      'both, where the past is not enough',
      singles(1500, TODAY - 100 * DAY),
      (index: number) => index >= 99 && index < 1099,
    ],
  ])('%s', (_, events, kept) => {
    const { calendar: small, omitted } = bounded(calendar(events), TODAY);
    expect(names(small.events)).toEqual(names(events.filter((_one, index) => kept(index))));
    expect(omitted).toBe(events.length - 1000);
    expect(small.description).toBe(
      `This calendar would be too large for some programs: ${omitted} events are left out, the past first, then the far future.`,
    );
  });

  it('keeps rules that go on before single events, and lets rules go that are over', () => {
    const old = Array.from({ length: 300 }, (_, index) => master(`old-${index}`, TODAY - 900 * DAY, '2025-01-01'));
    const open = Array.from({ length: 300 }, (_, index) => master(`open-${index}`, TODAY - 900 * DAY));
    const { calendar: small } = bounded(calendar([...old, ...open, ...singles(650, TODAY)]), TODAY);
    expect(Object.groupBy(names(small.events), (name) => name.replace(/-.*/, '')).open).toHaveLength(300);
    expect(names(small.events).filter((name) => name.startsWith('single'))).toHaveLength(650);
    expect(names(small.events).filter((name) => name.startsWith('old'))).toHaveLength(50);
  });

  it('never parts an override from its master', () => {
    const groups = Array.from({ length: 400 }, (_, index) => [
      master(`m-${index}`, TODAY - 10 * DAY),
      ...overrides(`m-${index}`, TODAY, 3),
    ]).flat();
    const { calendar: small } = bounded(calendar(groups), TODAY);
    const sizes = [...Map.groupBy(small.events, ({ uid }) => uid).values()].map((own) => own.length);
    expect(sizes.slice(0, -1).every((size) => size === 4)).toBe(true);
    expect(
      small.events.every(({ uid, recurrenceId }) => recurrenceId === undefined || names(small.events).includes(uid)),
    ).toBe(true);
  });

  it('keeps the overrides around today of a rule that has too many', () => {
    const events = [master('m', TODAY - 700 * DAY), ...overrides('m', TODAY - 700 * DAY, 1400)];
    const { calendar: small } = bounded(calendar(events), TODAY);
    const walls = small.events.flatMap(({ recurrenceId }) => recurrenceId?.wall ?? []);
    // The exclusions of the others take room too.
    expect(walls.length).toBeGreaterThan(950);
    expect(Math.abs(Math.min(...walls) - TODAY) / DAY).toBeLessThan(501);
    expect(Math.abs(Math.max(...walls) - TODAY) / DAY).toBeLessThan(501);
  });

  it('excludes the instances of the overrides that it leaves out: they would be shown as if nothing were said of them', () => {
    const events = [master('m', TODAY - 700 * DAY), ...overrides('m', TODAY - 700 * DAY, 1400)];
    const { calendar: small } = bounded(calendar(events), TODAY);
    const said = small.events.flatMap(({ recurrenceId, exdates = [] }) => [recurrenceId?.wall ?? [], exdates].flat());
    expect(said.toSorted((a, b) => a - b)).toEqual(events.flatMap(({ recurrenceId }) => recurrenceId?.wall ?? []));
  });

  it('holds whatever the events are: under 1,000 of them, under 1 MB as they are written', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 3000 });
    const any = fc.array(fc.tuple(fc.integer({ min: -800, max: 800 }), text), { minLength: 300, maxLength: 1200 });
    fc.assert(
      fc.property(any, (made) => {
        const events = made.map(([day, description], index) => event(`e-${index}`, TODAY + day * DAY, { description }));
        const { calendar: small } = bounded(calendar(events), TODAY);
        expect(small.events.length).toBeLessThanOrEqual(MOST_EVENTS);
        const written = write(toComponents(small, () => ({ sequence: 0, modified: TODAY })));
        expect(Buffer.byteLength(written)).toBeLessThan(1_000_000);
      }),
      { numRuns: 10 },
    );
  });
});
