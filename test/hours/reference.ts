/**
 * Opening hours read once more from semantics 5, straight from the JSON and date by date, with nothing of `src/`: dates
 * are JavaScript's own UTC dates, clocks are asked of Intl. Slow, and as literal as can be.
 */

export interface Specification {
  dayOfWeek?: readonly string[];
  opens: string;
  closes: string;
  validFrom?: string;
  validThrough?: string;
}

export interface PlaceHours {
  standard: Specification[];
  special: Specification[];
}

const NAMES = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

const covers = (one: Specification, date: string): boolean =>
  (one.validFrom ?? '0000') <= date && date <= (one.validThrough ?? '9999');

const weekday = (date: string): string => NAMES[new Date(`${date}T00:00:00Z`).getUTCDay()] as string;

const length = ({ validFrom, validThrough }: Specification): number =>
  validFrom === undefined || validThrough === undefined ? Infinity : Date.parse(validThrough) - Date.parse(validFrom);

/** The specifications that apply on a date. */
export function applying({ standard, special }: PlaceHours, date: string, holiday: boolean): Specification[] {
  const exceptions = special.filter((one) => {
    if (!covers(one, date)) return false;
    const days = one.dayOfWeek ?? [];
    return days.length === 0 || days.includes(weekday(date)) || (holiday && days.includes('PublicHolidays'));
  });
  if (exceptions.length > 0) {
    const shortest = Math.min(...exceptions.map(length));
    return exceptions.filter((one) => length(one) === shortest);
  }
  const valid = standard.filter((one) => covers(one, date));
  const forHolidays = valid.filter((one) => one.dayOfWeek?.includes('PublicHolidays'));
  if (holiday && forHolidays.length > 0) return forHolidays;
  return valid.filter((one) => one.dayOfWeek === undefined || one.dayOfWeek.includes(weekday(date)));
}

/** Open periods within [from, to), merged and clipped. */
export function referencePeriods(
  hours: PlaceHours,
  zone: string,
  holidays: ReadonlySet<string>,
  from: number,
  to: number,
): [number, number][] {
  const periods: [number, number][] = [];
  for (let midnight = floor(from) - 4 * DAY; midnight < to + 2 * DAY; midnight += DAY) {
    const date = new Date(midnight).toISOString().slice(0, 10);
    for (const { opens, closes } of applying(hours, date, holidays.has(date))) {
      if (opens === '00:00' && closes === '00:00') continue;
      const begin = clock(opens);
      const until = clock(closes);
      const end = closes.endsWith(':59')
        ? Math.ceil(until / 60_000) * 60_000 + (until % 60_000 === 0 ? 60_000 : 0)
        : until;
      const pair = [
        instant(zone, midnight + begin),
        instant(zone, midnight + end + (until <= begin ? DAY : 0)),
      ] as const;
      periods.push([Math.max(pair[0], from), Math.min(pair[1], to)]);
    }
  }
  return union(periods.filter(([start, end]) => start < end));
}

function floor(instantOf: number): number {
  return Math.floor(instantOf / DAY) * DAY;
}

function clock(text: string): number {
  const [hours, minutes, seconds = '0'] = text.split(':') as [string, string, string?];
  return (Number(hours) * 60 + Number(minutes)) * 60_000 + Number(seconds) * 1000;
}

function union(periods: [number, number][]): [number, number][] {
  const points = periods.flatMap(([start, end]) => [
    [start, 0],
    [end, 1],
  ]) as [number, 0 | 1][];
  points.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const merged: [number, number][] = [];
  let depth = 0;
  for (const [at, side] of points) {
    if (side === 0 && depth++ === 0) merged.push([at, at]);
    if (side === 1 && --depth === 0) (merged.at(-1) as [number, number])[1] = at;
  }
  return merged;
}

/** The first instant at which clocks show a wall time; one they skip is read with the offset before the jump. */
export function instant(zone: string, wall: number): number {
  const [before, after] = [offset(zone, floor(wall) - DAY), offset(zone, floor(wall) + 2 * DAY)];
  // No zone changes its clocks and changes them back within three days.
  if (before === after) return wall - before;
  const possible = new Set([-26, -13, 0, 13, 26].map((hours) => offset(zone, wall + hours * HOUR)));
  const fitting = [...possible].map((east) => wall - east).filter((at) => at + offset(zone, at) === wall);
  if (fitting.length > 0) return Math.min(...fitting);
  return wall - offset(zone, wall - 26 * HOUR);
}

/** What the clock shows at an instant, as if in UTC. */
export function wallAt(zone: string, at: number): number {
  return at + offset(zone, at);
}

const formats = new Map<string, Intl.DateTimeFormat>();
const offsets = new Map<string, number>();

/** What Intl says the clock shows, less what it is in UTC; remembered, for it is asked hundreds of times a day. */
function offset(zone: string, at: number): number {
  const key = `${zone} ${at}`;
  let east = offsets.get(key);
  if (east === undefined) {
    if (offsets.size > 500_000) offsets.clear();
    east = shown(zone, at) - at;
    offsets.set(key, east);
  }
  return east;
}

function shown(zone: string, at: number): number {
  let format = formats.get(zone);
  if (format === undefined) {
    const fields = {
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    } as const;
    format = new Intl.DateTimeFormat('en-GB', { timeZone: zone, hourCycle: 'h23', ...fields });
    formats.set(zone, format);
  }
  const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
  const { year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second);
}
