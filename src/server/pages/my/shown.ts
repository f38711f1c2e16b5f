import type { When } from '../../../calendar/wording/when-words.ts';
import {
  type ChosenList,
  counted,
  distinctPublishers,
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
import { zoneNote } from '../times.tsx';
import { addressWords, nameWords, occurrenceName } from '../wording.ts';

/** The entries of a list, and the next dates of its calendar, for its page. */

/** An entry of a list. */
export interface ShownThing {
  entry: string;
  name: string;
  /** The path of its page, below the base address; absent where it never had one. */
  path?: string;
  /** When and where it takes place, in one line. */
  says: string;
  family?: Family | undefined;
  /** A note where no date is to come, or the thing does not exist any more. */
  note?: string;
  /** Whether the thing never existed here, so that its address is perhaps mistyped. */
  isUnknown?: true;
}

/** A date of one of the entries. */
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
  /** Whether there are more dates than `dates` has. */
  isCut: boolean;
  publishers: Publisher[];
}

const SHOWN_DAYS = 14;
const MOST_DATES = 60;

interface ThingDates {
  thing: ShownThing;
  dates: ShownDate[];
  publishers: readonly Publisher[];
}

interface ListContext {
  library: Library;
  now: Instant;
  /** IANA zone of the operator. */
  home: string;
}

/** The entries of a list with their dates of the next `SHOWN_DAYS` days. A date that several entries have is shown once. */
export async function shownList({ things, cancelled }: ChosenList, around: ListContext): Promise<ShownList> {
  const found: ThingDates[] = [];
  for (const thing of things) found.push(await thingDates(thing, around));
  const dates = new Map<string, ShownDate>();
  for (const date of found.flatMap((one) => one.dates)) dates.set(`${date.series} ${date.start} ${date.name}`, date);
  const wanted = [...dates.values()].filter(({ isCancelled }) => !isCancelled || cancelled !== false);
  const sorted = wanted.sort((a, b) => a.start - b.start);
  const publishers = found.flatMap((one) => one.publishers);
  return {
    things: found.map(({ thing }) => thing),
    dates: sorted.slice(0, MOST_DATES),
    isCut: sorted.length > MOST_DATES,
    publishers: distinctPublishers(publishers),
  };
}

function thingDates(thing: Thing, around: ListContext): Promise<ThingDates> {
  if (thing.kind === 'search') return ofSearch(thing.query, around);
  return thing.kind === 'series' ? ofSeries(thing.key, around) : ofVenue(thing.kind, thing.key, around);
}

interface DatedThing {
  start: Instant;
  end?: Instant | undefined;
  allDay?: boolean | undefined;
  status: string;
  was?: Instant | undefined;
  placesLeft?: number | undefined;
}

function shownDate(
  { start, end, allDay, status, was, placesLeft }: DatedThing,
  of: Pick<ShownDate, 'series' | 'name' | 'zone' | 'family'>,
): ShownDate {
  return {
    ...of,
    start,
    ...(end && { end }),
    ...(allDay && { allDay }),
    ...(was !== undefined && { was }),
    isCancelled: status === 'EventCancelled',
    isFull: placesLeft === 0,
  };
}

const QUIET = 'It stays quiet until the organiser publishes some.';

/** An entry without a series or venue: withdrawn (`wasHere`), or never known. */
function absentThing(thing: Thing, path: string, wasHere: boolean): ThingDates {
  if (!wasHere) {
    const entry = thingText(thing);
    const says = `Nothing is known here of ${entry}: is the address mistyped?`;
    return { thing: { entry, name: 'Not known here', says, isUnknown: true }, dates: [], publishers: [] };
  }
  const says = 'Its calendar shows nothing new.';
  return {
    thing: { entry: thingText(thing), name: 'Not here any more', path, says, note: 'Ended' },
    dates: [],
    publishers: [],
  };
}

async function ofSeries(key: string, { library, now, home }: ListContext): Promise<ThingDates> {
  const path = `/series/${key}`;
  const head = await library.head(key);
  const current = head?.movedTo ?? key;
  const page = await library.series(current);
  if (page === undefined) return absentThing({ kind: 'series', key }, path, head !== undefined);
  const found = await library.seriesDates(current, now);
  const { activity = [], location } = page.details;
  const name = nameWords(page.details.name, activity);
  const family = familyOfActivities(activity);
  const zone = found?.zone ?? page.zone;
  const dates = (found?.dates ?? [])
    .filter(({ start }) => start < now + SHOWN_DAYS * DAY_MS)
    .map((date) => shownDate(date, { series: current, name: date.name ?? name, zone, family }));
  const isQuiet = page.upcoming.length === 0;
  const says = isQuiet ? QUIET : [whenOf(found?.times ?? [], home, now), location?.name].filter(Boolean).join(' · ');
  const note = isQuiet ? { note: 'No dates known' } : {};
  const thing = { entry: `series/${key}`, name, path, says, family, ...note };
  return { thing, dates, publishers: page.publisher ? [page.publisher] : [] };
}

function whenOf(times: readonly When[], home: string, now: Instant): string {
  const [first] = times;
  if (first === undefined) return '';
  const more = times.length > 1 ? ' and more' : '';
  const time = first.time && first.time + zoneNote(first.zone, home, now);
  return [first.days ?? first.date, time].filter(Boolean).join(', ') + more;
}

async function ofVenue(
  kind: 'places' | 'facilities',
  key: string,
  { library, now, home }: ListContext,
): Promise<ThingDates> {
  const head = await library.head(venueName(kind, key, 'all'));
  const venue = await library.venue(kind, head?.movedTo ?? key, now);
  const path = `/${kind}/${key}`;
  if (venue === undefined) return absentThing({ kind, key }, path, head !== undefined);
  const { zone, address, publisher } = venue;
  const name = nameWords(venue.name);
  const window = { from: now, to: now + SHOWN_DAYS * DAY_MS, limit: MOST_DATES + 1 };
  const on = kind === 'places' ? await library.timetables.at(venue.key, window, { isRunning: true }) : undefined;
  const dates = (on?.entries ?? []).map(({ seriesKey: series, previousStart: was, name: own, family, ...entry }) =>
    shownDate({ ...entry, was }, { series, name: own ?? name, zone, family }),
  );
  const what = kind === 'places' ? 'Everything that is on here, and opening hours' : 'Opening hours';
  const says = [what, address && addressWords(address, zone, home)].filter(Boolean).join(' · ');
  const publishers = [...(publisher ? [publisher] : []), ...(on?.publishers ?? [])];
  return { thing: { entry: `${kind}/${key}`, name, path, says }, dates, publishers };
}

async function ofSearch(query: string, { library, now }: ListContext): Promise<ThingDates> {
  const { filters } = readFilters(new URLSearchParams(query));
  const found = await library.search.occurrences(filters, { limit: MOST_DATES, notBefore: now });
  const until = now + SHOWN_DAYS * DAY_MS;
  const dates = found.items
    .filter(({ start }) => start < until)
    .map((item) => {
      const family = familyOfActivities(item.activity.map((one) => one.name));
      return shownDate(item, { series: item.series.key, name: occurrenceName(item), zone: item.zone, family });
    });
  const more = found.next === undefined ? '' : 'More than ';
  const count = found.items.length;
  const says = count === 0 ? 'Nothing matches now' : `${more}${counted(count, 'date matches', 'dates match')} now`;
  const thing = { entry: `search?${query}`, name: searchWords(filters), path: `/search?${query}`, says };
  return { thing, dates, publishers: await library.publishers() };
}
