/** `hours`: lists when places and facilities are open, one line a period. */

import { type HolidayRegion, parseHolidays } from '../../hours/holidays.ts';
import { type OpenPeriod, openPeriods } from '../../hours/periods.ts';
import type { Venue } from '../../hours/venue.ts';
import { readInput } from '../../join/input.ts';
import type { Severity } from '../../opportunity/findings.ts';
import { DAY_MS } from '../../time/days.ts';
import { utcText } from '../../time/instant.ts';
import { type Zone, zone } from '../../time/zone.ts';
import { defineCommand, WINDOW_OPTIONS, windowFrom } from '../args.ts';
import { feedOf, readSourceAs, UsageError } from '../io.ts';
import { settingOptions, settingsOf } from '../settings.ts';
import { type Column, localSpan, tableLines, zoneColumn } from '../table.ts';
import { venuesOf } from '../venues.ts';

const DEFAULT_DAYS = 56;
/** The longest window: a century of every place is a million lines. */
const MOST_LISTED_DAYS = 36_525;

export const command = defineCommand({
  name: 'hours',
  summary: 'lists when places and facilities are open, and why',
  positionals: 'FILE|URL|-',
  arity: [1, 1],
  options: {
    ...WINDOW_OPTIONS,
    format: { type: 'string', choices: ['jsonl', 'table'], default: 'jsonl', help: 'how periods are written' },
    ...settingOptions(['defaultTimezone', 'holidays', 'allowPrivate']),
  },
  examples: [
    ['hours place.json --from 2026-06-01 --format table', 'eight weeks, in local time'],
    ['hours https://example.org/feeds/places --holidays GB-SCT', 'the next eight weeks of all places, as JSON lines'],
  ],
  notes: `Without --from it begins today (UTC), without --to it ends ${DEFAULT_DAYS} days after its beginning. Periods are cut at both ends of that time. Public holidays by date-holidays (data CC BY-SA 3.0).`,
  run: async (values, [source = ''], io) => {
    const settings = await settingsOf(values, io);
    const defaults = {
      zone: zone(settings.defaultTimezone) as Zone,
      holidays: holidayRegion('holidays', settings.holidays),
    };
    const { from, to } = windowFrom(values, io.now(), DEFAULT_DAYS);
    if (to - from > MOST_LISTED_DAYS * DAY_MS)
      throw new UsageError('--from and --to are more than a hundred years apart');
    const read = (text: string) => readInput(text, { zone: defaults.zone.id, feed: feedOf(source) });
    const input = await readSourceAs(source, io, read, { allowPrivate: settings.allowPrivate });
    const { venues } = venuesOf(input, defaults);
    const table: Open[] = [];
    let listed = 0;
    for (const venue of venues) {
      const periods = openPeriods(venue.hours, venue.context, from, to);
      listed += periods.length;
      if (values.format === 'table') for (const period of periods) table.push({ venue, period });
      else if (periods.length > 0) await io.stdout(periods.map((period) => `${jsonLine(venue, period)}\n`).join(''));
    }
    if (values.format === 'table') await io.stdout(`${tableOf(table, io.width).join('\n')}\n`);
    io.stderr(hoursSummary(venues, listed, input.findings));
    return 0;
  },
});

/**
 * The region of public holidays in the value of an option, as `GB-ENG`.
 * @throws UsageError for a region without known holidays
 */
export function holidayRegion(name: string, text: string): HolidayRegion {
  const region = parseHolidays(text);
  if (region !== undefined) return region;
  throw new UsageError(`--${name} ${JSON.stringify(text)}: a country or a part of one is needed, as GB-ENG or FR`);
}

function jsonLine({ id }: Venue, { start, end, because }: OpenPeriod): string {
  return JSON.stringify({ place: id, start: utcText(start), end: utcText(end), because });
}

interface Open {
  venue: Venue;
  period: OpenPeriod;
}

function tableOf(open: readonly Open[], width: number | undefined): string[] {
  const { start, column } = zoneColumn(new Set(open.map(({ venue }) => venue.context.zone.id)));
  const columns: Column[] = [
    { title: start.replace('START', 'OPENS') },
    { title: 'CLOSES' },
    ...column,
    { title: 'PLACE', most: 40, least: 12 },
    { title: 'BECAUSE', most: 120, least: 0 },
  ];
  const rows = open.map(({ venue: { id, name, context }, period: { start: from, end, because } }) => [
    ...localSpan(context.zone, from, end),
    ...(column.length > 0 ? [context.zone.id] : []),
    name ?? id,
    because.join('; '),
  ]);
  return tableLines(columns, rows, width);
}

/** The summary for standard error: standard output has periods alone. */
function hoursSummary(venues: readonly Venue[], listed: number, findings: readonly { severity: Severity }[]): string {
  const known = venues.filter(({ hours }) => hours.standard.length + hours.special.length > 0).length;
  const hint = findings.length === 0 ? '' : `, findings ${findings.length} (check lists them)`;
  return `places and facilities ${venues.length}, with opening hours ${known}, periods ${listed}${hint}\n`;
}
