import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toComponents } from '../../src/calendar/components.ts';
import type { Calendar, CalendarEvent } from '../../src/calendar/objects.ts';
import { bounded, MOST_BYTES, MOST_EVENTS } from '../../src/calendar/size.ts';
import type { MoreComponents } from '../../src/calendar/venue/venue-calendar.ts';
import { write, writeBytes } from '../../src/ical/write.ts';

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

  /** Octets of a calendar as it is served, changed as often as may be. */
  const octets = (small: Calendar, more?: MoreComponents): number => {
    const served = { ...small, source: `https://calendars.example/series/${'k'.repeat(16)}.ics` };
    return writeBytes(toComponents(served, () => ({ sequence: 9_999_999, modified: TODAY }), more)).length;
  };
  const source = { id: `https://example.org/sessions/${'9'.repeat(60)}`, series: 'zv673mj3xtcjdt4k' };
  /** With every content line that an event may have. */
  const full = (description: string, over: Partial<CalendarEvent> = {}): CalendarEvent[] =>
    singles(990, TODAY).map((one, index) => ({
      ...one,
      uid: `${String(index).padStart(40, 'u')}@openactive-ical`,
      description,
      location: { title: 'Hall "A" ^ B', address: 'High Street, Town', latitude: 51.512345, longitude: -0.123456 },
      categories: ['Yoga', 'Pilates'],
      url: 'https://example.org/yoga',
      source: { ...source, previousStart: TODAY, rescheduled: true },
      transparent: true,
      ...over,
    }));
  const described = (sign: string, octets = 220): CalendarEvent[] =>
    full(sign.repeat(octets / Buffer.byteLength(sign)));

  const daily = (zone: string, count: number): CalendarEvent[] => {
    const [{ uid: _, span: __, ...text }] = described('a', 150) as [CalendarEvent];
    const start = TODAY - (count / 2) * DAY;
    const rule = { ...master('m', start), ...text, span: { zone, start, end: start + 3_600_000 } };
    const moved = overrides('m', start, count).map((one) => ({
      ...one,
      span: { ...one.span, zone },
      recurrenceId: { zone, wall: one.recurrenceId?.wall ?? 0 },
      ...text,
    }));
    return [rule, ...moved];
  };
  it.each<[title: string, whole: Calendar]>([
    ['a rule with 1,300 moved sessions', calendar(daily('Europe/London', 1300))],
    ['a rule with 6,000 moved sessions', calendar(daily('Europe/London', 6000))],
    ['a rule in a zone with a long name', calendar(daily('America/Argentina/Buenos_Aires', 6000))],
    ['sessions with commas', calendar(described(','))],
    ['sessions with wide characters', calendar(described('日'))],
    ['sessions with plain texts', calendar(described('a'))],
    ['a long header', { ...calendar(described('a')), description: ',;'.repeat(5000), series: ['\\"'.repeat(8000)] }],
    ['places with quotes', calendar(full('', { location: { title: '"^'.repeat(40), latitude: 1, longitude: 1 } }))],
    ['addresses of other alphabets', calendar(full('', { url: `https://example.org/${'é'.repeat(90)}` }))],
    [
      'zones of many years',
      calendar(
        described('a').map((one, index) => ({
          ...one,
          span: {
            ...one.span,
            zone: ['Asia/Hebron', 'Asia/Gaza', 'America/Santiago', 'Africa/Cairo'][index % 4] ?? '',
          },
        })),
      ),
    ],
  ])('counts every octet of %s', (_, whole) => {
    const { calendar: small, omitted } = bounded(whole, TODAY);
    expect(octets(small)).toBeLessThanOrEqual(MOST_BYTES);
    expect(small.events.length + omitted).toBe(whole.events.length);
    expect(small.description).toContain(`${omitted} events are left out`);
    expect(octets(small)).toBeGreaterThan(MOST_BYTES - 5000);
  });

  it('counts what is written beside the events', () => {
    const text = { name: 'SUMMARY', type: 'text', value: 'Open' } as const;
    const periods = Array.from({ length: 2000 }, () => ({ name: 'AVAILABLE', properties: [text], components: [] }));
    const more = { components: [{ name: 'VAVAILABILITY', properties: [], components: periods }], zones: new Map() };
    const whole = calendar(described('a', 40));
    expect(bounded(whole, TODAY)).toEqual({ calendar: whole, omitted: 0 });
    const { calendar: small } = bounded(whole, TODAY, 0, more);
    expect(octets(small, more)).toBeLessThanOrEqual(MOST_BYTES);
    expect(octets(small, more)).toBeGreaterThan(MOST_BYTES - 3000);
  });

  it('lets one event go for one that grows', () => {
    const counts = Array.from({ length: 40 }, (_, n) => {
      const events = described('a').map((one, index) => (index === 5 ? { ...one, summary: 'b'.repeat(60 * n) } : one));
      return bounded(calendar(events), TODAY).calendar.events.length;
    });
    expect(counts).toEqual(counts.toSorted((a, b) => b - a));
    expect(Math.max(...counts.slice(1).map((count, n) => (counts[n] ?? 0) - count))).toBe(1);
  });

  it('leaves a calendar to the room of those who write it, if it cannot be written', () => {
    const broken = calendar(described('a').map((one, index) => (index === 3 ? { ...one, uid: 'ü' } : one)));
    expect(bounded(broken, TODAY).calendar.events.length).toBeGreaterThan(500);
  });

  it('holds whatever the events are: under 1,000 of them, 900,000 octets as they are written', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 3000 });
    const any = fc.array(fc.tuple(fc.integer({ min: -800, max: 800 }), text), { minLength: 300, maxLength: 1200 });
    fc.assert(
      fc.property(any, (made) => {
        const events = made.map(([day, description], index) => event(`e-${index}`, TODAY + day * DAY, { description }));
        const { calendar: small } = bounded(calendar(events), TODAY);
        expect(small.events.length).toBeLessThanOrEqual(MOST_EVENTS);
        const written = write(toComponents(small, () => ({ sequence: 0, modified: TODAY })));
        expect(Buffer.byteLength(written)).toBeLessThanOrEqual(MOST_BYTES);
      }),
      { numRuns: 10 },
    );
  });
});
