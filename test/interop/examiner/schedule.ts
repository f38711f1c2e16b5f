import type { Random } from '../../generate/random.ts';

/** Random schedules: any frequency with any days, in any zone, around the hours that make trouble. */

const ZONES: readonly (readonly [number, string])[] = [
  [10, 'Europe/London'],
  [4, 'America/New_York'],
  [3, 'Australia/Sydney'],
  [2, 'Australia/Lord_Howe'],
  [2, 'Europe/Dublin'],
  [2, 'Atlantic/Azores'],
  [2, 'Africa/Cairo'],
  [2, 'America/Asuncion'],
  [1, 'America/Santiago'],
  [1, 'Asia/Beirut'],
  [1, 'Asia/Tehran'],
  [1, 'America/Sao_Paulo'],
  [1, 'America/Mexico_City'],
  [1, 'Asia/Amman'],
  [1, 'Europe/Volgograd'],
  [1, 'America/St_Johns'],
  [1, 'Antarctica/Troll'],
  [1, 'Asia/Jerusalem'],
  [1, 'Asia/Kathmandu'],
  [1, 'Asia/Tokyo'],
  [1, 'Pacific/Apia'],
  [1, 'Pacific/Kiritimati'],
  [1, 'Pacific/Norfolk'],
  [1, 'Pacific/Chatham'],
  [1, 'Africa/Juba'],
  [1, 'Asia/Almaty'],
  [1, 'UTC'],
  [1, 'Etc/GMT+5'],
];

/** The zones that these schedules are in: all but those of the ledger. */
export const SCHEDULE_ZONES: readonly string[] = ZONES.map(([, zone]) => zone);

const STARTS =
  '00:00 00:15 00:30 01:00 01:15 01:30 01:59 02:00 02:30 03:00 06:45 09:00 10:30 12:00 18:00 19:30 22:00 23:00 23:30 23:59';
const MINUTES: readonly (readonly [number, number])[] = [
  [10, 60],
  [6, 45],
  [4, 90],
  [2, 30],
  [2, 1],
  [2, 180],
  [2, 480],
  [1, 720],
  [1, 1440],
  [1, 1500],
  [1, 2160],
  [1, 2880],
  [0.5, 10080],
  [0.5, 20160],
];

const DAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
const SHORT = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'];

export function randomSchedule(r: Random): Record<string, unknown> {
  const startDate = randomDate(r);
  const frequency = r.chance(0.03) ? withinDay(r, startDate) : { ...shape(r), ...ending(r, startDate) };
  return { '@type': 'Schedule', startDate, ...frequency, ...time(r), scheduleTimezone: r.among(ZONES) };
}

/** Days on which the clocks change somewhere, leap days, ends of months and years, and any other. */
const AWKWARD = [
  '2024-02-29 2023-01-31 2022-12-31 2024-12-30 2023-10-31 2025-08-31 2027-01-29 2028-02-29 2026-05-29',
  '2026-03-08 2026-03-22 2026-03-29 2026-04-05 2026-10-04 2026-10-18 2026-10-25 2026-11-01 2021-10-31 2022-03-27',
  '2023-04-28 2023-10-27 2026-04-24 2026-10-30 2024-10-06 2024-03-24 2026-09-05 2026-04-04 2022-10-27 2025-03-02',
].flatMap((line) => line.split(' '));

function randomDate(r: Random): string {
  if (r.chance(0.3)) return r.pick(AWKWARD);
  return dateAfter('2020-01-01', r.int(0, 365 * 10));
}

function dateAfter(date: string, days: number): string {
  return new Date(Date.parse(date) + days * 86_400_000).toISOString().slice(0, 10);
}

function withinDay(r: Random, startDate: string): Record<string, unknown> {
  const repeatFrequency = r.pick(['PT1H', 'PT2H', 'PT6H', 'PT12H', 'PT90M', 'PT24H', 'PT48H']);
  return r.chance(0.5)
    ? { repeatFrequency, repeatCount: r.int(2, 100) }
    : { repeatFrequency, endDate: dateAfter(startDate, r.int(0, 20)) };
}

function ending(r: Random, startDate: string): Record<string, unknown> {
  const way = r.weighted({ count: 4, end: 5, both: 2, open: 2 });
  return {
    ...((way === 'count' || way === 'both') && { repeatCount: r.pick([1, 2, 3, 4, 5, 6, 8, 10, 12, 20, 26, 52, 100]) }),
    ...((way === 'end' || way === 'both') && {
      endDate: dateAfter(startDate, r.pick([0, 6, 7, 30, 90, 180, 365, 366, 1461, 3000])),
    }),
  };
}

function shape(r: Random): Record<string, unknown> {
  const weekdays = (most: number) => spelt(r, r.some([0, 1, 2, 3, 4, 5, 6], r.int(1, most)));
  const nth = () => `${r.pick(['1', '2', '3', '4', '5', '-1', '-2', '-3', '+1', '+2'])}${r.pick(SHORT)}`;
  const dates = () => r.some([1, 2, 5, 12, 15, 28, 29, 30, 31], r.int(1, 3));
  const months = () => r.some([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12], r.int(1, 5));
  const every = (list: string) => r.pick(list.split(' '));
  return r.among<() => Record<string, unknown>>([
    [10, () => ({ repeatFrequency: every('P1D P1D P1D P2D P3D P5D P10D P13D') })],
    [2, () => ({ repeatFrequency: every('P1D P1D P2D P3D'), byDay: weekdays(5) })],
    [1, () => ({ repeatFrequency: every('P1D P2D P5D'), byMonth: months() })],
    [1, () => ({ repeatFrequency: 'P1D', byMonthDay: dates() })],
    [20, () => ({ repeatFrequency: every('P1W P1W P7D'), byDay: weekdays(5) })],
    [10, () => ({ repeatFrequency: every('P2W P3W P4W P14D P21D P28D P6W'), byDay: weekdays(4) })],
    [5, () => ({ repeatFrequency: every('P1W P2W P7D P52W') })],
    [4, () => ({ byDay: weekdays(4) })],
    [2, () => ({ repeatFrequency: every('P1W P2W'), byDay: weekdays(3), byMonth: months() })],
    [6, () => ({ repeatFrequency: every('P1M P1M P2M P3M P6M P12M') })],
    [6, () => ({ repeatFrequency: every('P1M P1M P2M P3M'), byMonthDay: dates() })],
    [10, () => ({ repeatFrequency: every('P1M P1M P2M P3M'), byDay: [nth()] })],
    [3, () => ({ repeatFrequency: 'P1M', byDay: [nth(), nth()] })],
    [2, () => ({ repeatFrequency: every('P1M P2M'), byDay: weekdays(2) })],
    [2, () => ({ repeatFrequency: 'P1M', byDay: weekdays(2), byMonthDay: [1, 2, 3, 4, 5, 6, 7] })],
    [2, () => ({ repeatFrequency: 'P1M', byMonth: months(), byDay: [nth()] })],
    [1, () => ({ repeatFrequency: 'P1M', byMonth: months(), byMonthDay: dates() })],
    [5, () => ({ repeatFrequency: every('P1Y P1Y P2Y P4Y') })],
    [2, () => ({ repeatFrequency: every('P1Y P2Y'), byMonth: months() })],
    [2, () => ({ repeatFrequency: 'P1Y', byMonth: months(), byDay: [nth()] })],
    [2, () => ({ repeatFrequency: 'P1Y', byMonth: months(), byMonthDay: dates() })],
    [1, () => ({ repeatFrequency: 'P1Y', byDay: weekdays(2) })],
    [1, () => ({ repeatFrequency: 'P1Y', byDay: [nth()] })],
    [2, () => ({ byMonthDay: dates() })],
    [1, () => ({ byMonthDay: dates(), byDay: weekdays(3) })],
    [1, () => ({ byMonth: months() })],
    [
      3,
      () => ({
        ...r.pick([{}, { repeatFrequency: 'P1W' }, { repeatFrequency: 'P2M' }]),
        byDay: weekdays(2),
        byMonthWeek: r.some([1, 2, 3, 4, 5, -1], r.int(1, 2)),
      }),
    ],
    [2, () => ({})],
  ])();
}

function spelt(r: Random, days: readonly number[]): string[] {
  const style = r.weighted({ https: 6, http: 1, prefix: 1, bare: 1, short: 2, mixed: 1 });
  const one = (day: number, way: string) => {
    if (way === 'short') return SHORT[day] as string;
    const base = { https: 'https://schema.org/', http: 'http://schema.org/', prefix: 'schema:', bare: '' }[way] ?? '';
    return `${base}${DAYS[day]}`;
  };
  const list = days.map((day) => one(day, style === 'mixed' ? r.pick(['https', 'short', 'bare']) : style));
  if (r.chance(0.05)) list.push(list[0] as string);
  if (r.chance(0.03)) list.push('https://schema.org/PublicHolidays');
  return list;
}

function time(r: Random): Record<string, unknown> {
  const startTime = r.chance(0.8) ? r.pick(STARTS.split(' ')) : clock(r.int(0, 1439));
  const minutes = r.among(MINUTES);
  const [hours, rest] = startTime.split(':').map(Number) as [number, number];
  const way = r.weighted({ both: 4, duration: 4, endTime: 3 });
  const seconds = r.chance(0.1) ? ':00' : '';
  const endTime = `${clock((hours * 60 + rest + minutes) % 1440)}${seconds}`;
  const isShort = minutes <= 1440;
  return {
    startTime: `${startTime}${seconds}`,
    ...(way !== 'endTime' || !isShort ? { duration: duration(r, minutes) } : {}),
    ...(way !== 'duration' && isShort ? { endTime } : {}),
  };
}

function duration(r: Random, minutes: number): string {
  if (minutes % 10080 === 0 && r.chance(0.5)) return `P${minutes / 10080}W`;
  if (minutes % 1440 === 0) return r.pick([`P${minutes / 1440}D`, `PT${minutes / 60}H`]);
  return r.pick([`PT${minutes}M`, `PT${Math.floor(minutes / 60)}H${minutes % 60}M`]);
}

function clock(minutes: number): string {
  return `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
}
