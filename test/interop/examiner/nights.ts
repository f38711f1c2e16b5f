import { Random } from '../../generate/random.ts';
import type { Json } from './series.ts';

/**
 * Random series around the nights on which clocks change: starts within the hour that is left out or comes twice, sessions
 * that run across it, rules that step over it, in zones of every kind.
 */

const ZONES: readonly (readonly [number, string])[] = [
  [6, 'Europe/London'],
  [4, 'America/New_York'],
  [3, 'Australia/Sydney'],
  // Half an hour.
  [3, 'Australia/Lord_Howe'],
  // Summer time that the law calls standard.
  [2, 'Europe/Dublin'],
  // Across the date line of the day: at 00:00 and 01:00.
  [2, 'Atlantic/Azores'],
  [2, 'Asia/Beirut'],
  // At midnight.
  [2, 'Africa/Cairo'],
  [2, 'America/Santiago'],
  [2, 'America/Asuncion'],
  [1, 'Pacific/Norfolk'],
  [1, 'Pacific/Chatham'],
  // Two hours.
  [1, 'Antarctica/Troll'],
  // Rules that ended, or zones that moved, within these ten years.
  [1, 'America/Mexico_City'],
  [1, 'Asia/Amman'],
  [1, 'Asia/Tehran'],
  [1, 'Asia/Almaty'],
  [1, 'Europe/Volgograd'],
  [1, 'Pacific/Apia'],
  [1, 'Asia/Jerusalem'],
  // None.
  [1, 'Asia/Kathmandu'],
  [1, 'America/Sao_Paulo'],
];

/** The zones that these series are in. */
export const NIGHT_ZONES: readonly string[] = ZONES.map(([, zone]) => zone);

const MINUTE = 60_000;
const DAY = 86_400_000;

/** A series whose rule meets a change of the clocks; its name begins with `N` and the seed. */
export function nightSeries(seed: number): Json {
  const r = new Random(seed * 17 + 1);
  const zone = r.among(ZONES);
  const change = r.pick(changesOf(zone));
  // Wall time of the change by the offset before it, and somewhat before or after.
  const wall =
    change.at + change.before + r.pick([-1440, -120, -60, -30, 0, 0, 15, 30, 30, 45, 60, 90, 120, 180]) * MINUTE;
  const [date, time] = new Date(wall).toISOString().split('T') as [string, string];
  const steps = r.int(0, 12);
  const every = r.pick([1, 1, 1, 2, 7, 7, 14]);
  const frequency = r.among<() => Json>([
    [
      8,
      () => ({
        repeatFrequency: every % 7 === 0 ? `P${every / 7}W` : `P${every}D`,
        startDate: before(date, steps * every),
      }),
    ],
    [2, () => ({ repeatFrequency: 'P1M', startDate: `${date.slice(0, 8)}01`, byDay: [nth(date)] })],
    [1, () => ({ repeatFrequency: 'P1M', startDate: date, byMonthDay: [Number(date.slice(8))] })],
    [1, () => ({ repeatFrequency: 'P1Y', startDate: date })],
    [1, () => ({ repeatFrequency: 'P1D', startDate: before(date, steps), byDay: ['SA', 'SU', 'MO'] })],
    [1, () => ({ startDate: date })],
    [1, () => ({ repeatFrequency: r.pick(['PT1H', 'PT2H', 'PT24H']), startDate: before(date, 1) })],
  ])();
  const isHourly = (frequency.repeatFrequency as string | undefined)?.startsWith('PT') === true;
  const id = `https://id.example.com/api/nights/${seed}`;
  return {
    '@context': 'https://openactive.io/',
    '@type': 'SessionSeries',
    '@id': id,
    name: `N${seed} Night`,
    eventSchedule: [
      {
        '@type': 'Schedule',
        scheduleTimezone: zone,
        scheduledEventType: 'ScheduledSession',
        startTime: time.slice(0, 5),
        duration: `PT${r.pick([15, 30, 60, 90, 120, 480, 1440, 1500])}M`,
        ...frequency,
        ...(isHourly || r.chance(0.7) ? { repeatCount: r.pick([2, 5, 13, 30]) } : { endDate: before(date, -800) }),
        ...(r.chance(0.8) && { idTemplate: `${id}/{startDate}` }),
      },
    ],
  };
}

interface Change {
  at: number;
  before: number;
}

const changes = new Map<string, Change[]>();

/** Changes of the clocks in the ten years, asked of Intl hour by hour where two days differ; one made up where there is none. */
function changesOf(zone: string): Change[] {
  let found = changes.get(zone);
  if (found !== undefined) return found;
  found = [];
  const format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' });
  const offset = (at: number): number => {
    const [, sign = '+', hours = '0', minutes = '0'] = /GMT(?:([+-])(\d+):(\d+))?$/.exec(format.format(at)) ?? [];
    return (Number(hours) * 60 + Number(minutes)) * MINUTE * (sign === '-' ? -1 : 1);
  };
  for (let day = Date.UTC(2021, 10, 1); day < Date.UTC(2031, 9, 30); day += DAY) {
    if (offset(day) === offset(day + DAY)) continue;
    let at = day;
    while (offset(at) === offset(day)) at += 15 * MINUTE;
    found.push({ at, before: offset(day) });
  }
  if (found.length === 0) found.push({ at: Date.UTC(2026, 9, 25, 1), before: offset(0) });
  changes.set(zone, found);
  return found;
}

function before(date: string, days: number): string {
  return new Date(Date.parse(date) - days * DAY).toISOString().slice(0, 10);
}

/** `-1SU`, `2SA`: the weekday of a date within its month. */
function nth(date: string): string {
  const at = new Date(date);
  const day = at.getUTCDate();
  const isLast = new Date(at.getTime() + 7 * DAY).getUTCMonth() !== at.getUTCMonth();
  return `${isLast ? -1 : Math.ceil(day / 7)}${['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'][at.getUTCDay()]}`;
}
