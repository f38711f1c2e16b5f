import {
  type ChosenList,
  type Library,
  type Publisher,
  searchWords,
  type Thing,
  thingText,
  venueName,
} from '../../../library/index.ts';
import { readFilters } from '../../../search/query.ts';
import { DAY_MS } from '../../../time/days.ts';
import type { Instant } from '../../../time/instant.ts';
import { type Family, familyOfActivities } from '../../../vocabulary/families.ts';

/** What a list holds, and what its calendar will show, as its page says it. */

/** A thing that was chosen. */
export interface ShownThing {
  entry: string;
  name: string;
  /** Path of its page, below the base. */
  path: string;
  /** When and where, in a line. */
  says: string;
  family?: Family | undefined;
  /** Nothing is to come, or there is no such thing any more. */
  note?: string;
}

/** A date of one of the things. */
export interface ShownDate {
  series: string;
  name: string;
  start: Instant;
  end?: Instant;
  allDay?: true;
  zone: string;
  isCancelled: boolean;
  was?: Instant;
  isFull: boolean;
  family?: Family | undefined;
}

export interface ShownList {
  things: ShownThing[];
  dates: ShownDate[];
  /** There are more dates than are shown. */
  isCut: boolean;
  publishers: Publisher[];
}

export const SHOWN_DAYS = 14;
const MOST_DATES = 60;

interface ThingDates {
  thing: ShownThing;
  dates: ShownDate[];
  publisher?: Publisher | undefined;
}

export async function shownList(library: Library, { things, cancelled }: ChosenList, now: Instant): Promise<ShownList> {
  const found: ThingDates[] = [];
  for (const thing of things) found.push(await thingDates(library, thing, now));
  const dates = new Map<string, ShownDate>();
  for (const date of found.flatMap((one) => one.dates)) dates.set(`${date.series} ${date.start} ${date.name}`, date);
  const wanted = [...dates.values()].filter(({ isCancelled }) => !isCancelled || cancelled !== false);
  const sorted = wanted.sort((a, b) => a.start - b.start);
  const publishers = found.flatMap(({ publisher }) => publisher ?? []);
  return {
    things: found.map(({ thing }) => thing),
    dates: sorted.slice(0, MOST_DATES),
    isCut: sorted.length > MOST_DATES,
    publishers: [...new Map(publishers.map((one) => [one.name, one])).values()],
  };
}

function thingDates(library: Library, thing: Thing, now: Instant): Promise<ThingDates> {
  if (thing.kind === 'search') return ofSearch(library, thing.query, now);
  return thing.kind === 'series' ? ofSeries(library, thing.key, now) : ofVenue(library, thing.kind, thing.key, now);
}

const QUIET = 'It stays quiet until the organiser publishes some.';

function endedThing(thing: Thing, path: string): ThingDates {
  const says = 'Its calendar shows nothing new.';
  return { thing: { entry: thingText(thing), name: 'Not here any more', path, says, note: 'Ended' }, dates: [] };
}

async function ofSeries(library: Library, key: string, now: Instant): Promise<ThingDates> {
  const path = `/series/${key}`;
  const moved = (await library.head(key))?.movedTo;
  const page = await library.series(moved ?? key);
  if (page === undefined) return endedThing({ kind: 'series', key }, path);
  const found = await library.seriesDates(moved ?? key, now);
  const { name = page.type, activity = [], location } = page.details;
  const family = familyOfActivities(activity);
  const zone = found?.zone ?? page.zone;
  const dates = (found?.dates ?? [])
    .filter(({ start }) => start < now + SHOWN_DAYS * DAY_MS)
    .map(({ start, end, allDay, status, was, placesLeft, name: own }): ShownDate => {
      const isCancelled = status === 'EventCancelled';
      const times = { start, ...(end && { end }), ...(allDay && { allDay }), ...(was !== undefined && { was }) };
      return { series: key, name: own ?? name, zone, ...times, isCancelled, isFull: placesLeft === 0, family };
    });
  const isQuiet = page.upcoming.length === 0;
  const says = isQuiet ? QUIET : [whenOf(found?.times ?? []), location?.name].filter(Boolean).join(' · ');
  const note = isQuiet ? { note: 'No dates known' } : {};
  const thing = { entry: `series/${key}`, name, path, says, family, ...note };
  return { thing, dates, publisher: page.publisher };
}

function whenOf(times: readonly { days?: string; time?: string; date?: string }[]): string {
  const [first] = times;
  if (first === undefined) return '';
  const more = times.length > 1 ? ' and more' : '';
  return [first.days ?? first.date, first.time].filter(Boolean).join(', ') + more;
}

async function ofVenue(
  library: Library,
  kind: 'places' | 'facilities',
  key: string,
  now: Instant,
): Promise<ThingDates> {
  const moved = (await library.head(venueName(kind, key, 'all')))?.movedTo;
  const venue = await library.venue(kind, moved ?? key, now);
  const path = `/${kind}/${key}`;
  if (venue === undefined) return endedThing({ kind, key }, path);
  const { name = venue.type, zone, upcoming, address, publisher } = venue;
  const dates = upcoming
    .filter(({ start }) => start < now + SHOWN_DAYS * DAY_MS)
    .map(({ seriesKey, start, end, allDay, status, name: own = name }): ShownDate => {
      const times = { start, ...(end && { end }), ...(allDay && { allDay }) };
      return { series: seriesKey, name: own, zone, ...times, isCancelled: status === 'EventCancelled', isFull: false };
    });
  const what = kind === 'places' ? 'Everything that is on here, and opening hours' : 'Opening hours';
  const says = [what, address].filter(Boolean).join(' · ');
  return { thing: { entry: `${kind}/${key}`, name, path, says }, dates, publisher };
}

async function ofSearch(library: Library, query: string, now: Instant): Promise<ThingDates> {
  const { filters } = readFilters(new URLSearchParams(query));
  const found = await library.search.occurrences(filters, { limit: MOST_DATES, notBefore: now });
  const until = now + SHOWN_DAYS * DAY_MS;
  const dates = found.items
    .filter(({ start }) => start < until)
    .map(
      ({ series, name, start, end, allDay, zone, status, was, placesLeft, activity }): ShownDate => ({
        series: series.key,
        name: name || series.name,
        start,
        end,
        zone,
        ...(allDay && { allDay }),
        ...(was !== undefined && { was }),
        isCancelled: status === 'EventCancelled',
        isFull: placesLeft === 0,
        family: familyOfActivities(activity.map((one) => one.name)),
      }),
    );
  const more = found.next === undefined ? '' : 'more than ';
  const count = found.items.length;
  const says =
    count === 0 ? 'Nothing matches now' : `${more}${count} ${count === 1 ? 'date matches' : 'dates match'} now`;
  return { thing: { entry: `search?${query}`, name: searchWords(filters), path: `/search?${query}`, says }, dates };
}
