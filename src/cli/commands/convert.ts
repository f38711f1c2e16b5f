/** `convert`: turns feeds into one calendar. */

import { toComponents } from '../../calendar/components.ts';
import { seriesCalendar } from '../../calendar/header.ts';
import { type Calendar, type CalendarEvent, NO_HISTORY } from '../../calendar/objects.ts';
import { type PlanOptions, planSeries } from '../../calendar/series/plan.ts';
import { seriesSource } from '../../calendar/source-properties.ts';
import { availabilityComponents, venueCalendar } from '../../calendar/venue/venue-calendar.ts';
import { attribution } from '../../calendar/wording/attribution.ts';
import { colorOf } from '../../calendar/wording/colors.ts';
import { cleanWithHours } from '../../hours/findings.ts';
import type { Component } from '../../ical/tree.ts';
import { writeBytes } from '../../ical/write.ts';
import { type Input, readInput } from '../../join/input.ts';
import { type Joined, join, NO_SERIES } from '../../join/join.ts';
import type { Finding } from '../../opportunity/findings.ts';
import { defined, type Series, type Session } from '../../opportunity/records.ts';
import { utcDate } from '../../time/instant.ts';
import { type Zone, zone } from '../../time/zone.ts';
import { conceptLabel } from '../../vocabulary/shipped.ts';
import { defineCommand, WINDOW_OPTIONS, windowOf } from '../args.ts';
import { claimPlaces, findingOf, type PlaceOf } from '../check/finding-places.ts';
import { waitingFindings } from '../check/join-findings.ts';
import { repeatedItems } from '../check/repeated-items.ts';
import { inputSummary } from '../check/report.ts';
import { feedOf, type Io, readSourceAs } from '../io.ts';
import { settingOptions, settingsOf } from '../settings.ts';
import { venuesOf } from '../venues.ts';
import { boundsFor, HOURS_AS, type HoursOptions } from './convert-hours.ts';
import { holidayRegion } from './hours.ts';

/** Octets that are written to standard output at a time, so that a slow pipe is awaited. */
const BYTES_AT_ONCE = 1 << 20;

export const command = defineCommand({
  name: 'convert',
  summary: 'turns series, sessions, places and facilities into a calendar',
  positionals: 'FILE|URL|-',
  arity: [1, 1],
  options: {
    as: {
      type: 'string',
      choices: ['events', 'availability', 'freebusy', 'hours'],
      help: 'what the calendar is made of',
    },
    ...WINDOW_OPTIONS,
    ...settingOptions(['defaultTimezone', 'holidays', 'allowPrivate']),
  },
  examples: [
    ['convert fixtures/overrides.json > classes.ics', 'the calendar of everything in a file'],
    ['convert https://example.org/feeds/places --as hours', 'opening hours as plain events'],
  ],
  notes: `Without --as: the events of all series and sessions, and the VAVAILABILITY of places and facilities that are items of their own. With --from and --to only what overlaps that time is written; rules stay whole. What a calendar's description shows as current is so on --from; without --from each time that ends says when. The same input gives the same bytes on every day and everywhere; only --as freebusy without --from begins today.`,
  run: async (values, [source = ''], io) => {
    const settings = await settingsOf(values, io);
    const options: HoursOptions = {
      zone: zone(settings.defaultTimezone) as Zone,
      holidays: holidayRegion('holidays', settings.holidays),
      ...windowOf(values),
      now: io.now(),
      // A conversion does not depend on the clock (semantics 6).
      revision: NO_HISTORY,
    };
    const slots = values.as === 'freebusy';
    const feed = feedOf(source);
    const read = (text: string) =>
      readInput(text, { zone: options.zone.id, feed, slots, conceptLabel }, cleanWithHours);
    const input = await readSourceAs(source, io, read, { allowPrivate: settings.allowPrivate });
    const whole: Whole = { ...input, joined: join(input.records), placeOf: claimPlaces(input.records, feed) };
    const { calendar, findings } = converted(values.as as As | undefined, whole, options);
    await print(writeBytes(calendar), io);
    const waiting = [...repeatedItems(input.records), ...waitingFindings(whole.joined, whole.placeOf)];
    const written = calendar.components.filter(({ name }) => name !== 'VTIMEZONE').length;
    io.stderr(inputSummary(input.items, `components ${written}`, [...input.findings, ...findings, ...waiting]));
    return 0;
  },
});

/** The input with its records joined. */
interface Whole extends Input {
  joined: Joined;
  placeOf: PlaceOf;
}

interface Converted {
  calendar: Component;
  findings: Finding[];
}

type As = keyof typeof HOURS_AS | 'events';

function converted(as: As | undefined, input: Whole, options: HoursOptions): Converted {
  switch (as) {
    case 'availability':
    case 'freebusy':
    case 'hours':
      return { calendar: HOURS_AS[as](input, options), findings: [] };
    case 'events':
    case undefined:
      return withEvents(input, options, as === undefined);
  }
}

/** The events of the input; `withPlaces`: and the availability of places and facilities that are items of their own. */
function withEvents(input: Whole, options: HoursOptions, withPlaces: boolean): Converted {
  const findings: Finding[] = [];
  const { series, orphans } = input.joined;
  const whole = orphans.length === 0 ? series : [...series, { series: NO_SERIES, sessions: orphans }];
  const events = whole.flatMap(({ series: one, sessions }) => {
    const plan = planSeries(one, sessions, planOptions(one, input, options));
    findings.push(...plan.findings.map((finding) => findingOf(finding, one, input.placeOf)));
    return plan.events;
  });
  const own = withPlaces ? ownVenues(input, options) : [];
  const more = availabilityComponents(own, boundsFor(options), options.revision);
  const onlyVenues = whole.length === 0 && own.length > 0;
  const calendar = onlyVenues
    ? venueCalendar(own, [], { zone: options.zone.id })
    : calendarOf(whole, events, input, options);
  return { calendar: toComponents(calendar, () => options.revision, more), findings };
}

/** The attribution as `serve` writes it, without the publisher, which only a dataset site names. */
function creditOf({ id, details }: Series, { licenses }: Input): string | undefined {
  return attribution({ license: licenses.get(id) }, details.organizer?.name);
}

function planOptions(series: Series, input: Input, { zone: z, from, to }: HoursOptions): PlanOptions {
  return { zone: z.id, ...defined({ from, to, attribution: creditOf(series, input) }) };
}

/** Places and facilities that are items themselves, without those that are only the location of another item. */
function ownVenues(input: Input, options: HoursOptions) {
  const records = input.records.filter(
    ({ rank, record: { kind } }) => rank === 2 && (kind === 'place' || kind === 'facility'),
  );
  const own = new Set(records.map(({ record }) => `${record.kind} ${record.id}`));
  return venuesOf(input, options).venues.filter(({ kind, id }) => own.has(`${kind} ${id}`));
}

/** The calendar of one series under its name, or of several under a common one. */
function calendarOf(
  all: readonly { series: Series; sessions: Session[] }[],
  events: CalendarEvent[],
  input: Input,
  { zone: { id }, from }: HoursOptions,
): Calendar {
  const [only] = all.length === 1 ? all : [];
  if (only !== undefined && only.series !== NO_SERIES) {
    const today = from === undefined ? undefined : utcDate(from);
    const more = defined({ today, attribution: creditOf(only.series, input) });
    return seriesCalendar(only.series, events, { zone: id, ...more });
  }
  const name = 'Sports and activities';
  const sources = all.flatMap(({ series }) => seriesSource(series) ?? []);
  return {
    name,
    zone: id,
    color: colorOf(name),
    refresh: 'PT6H',
    ...(sources.length > 0 && { series: sources }),
    events,
  };
}

async function print(bytes: Uint8Array, io: Io): Promise<void> {
  for (let at = 0; at < bytes.length; at += BYTES_AT_ONCE) await io.stdout(bytes.subarray(at, at + BYTES_AT_ONCE));
}
