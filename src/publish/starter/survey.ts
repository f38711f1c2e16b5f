import type { Instant } from '../../time/instant.ts';
import type { PublishCode } from '../codes.ts';
import type { CalendarText } from '../contract.ts';
import { choose } from '../map/choice/choice.ts';
import { groupsOf } from '../map/dates/groups.ts';
import { ANY_NAME } from '../map/json.ts';
import { NO_MAPPING } from '../map/mapping.ts';
import { publishReading, readSource } from '../publish-calendar.ts';
import { isAddress } from '../read/place.ts';

/** The contents of a calendar, counted, for the author of its mapping. */
export interface Survey {
  source: string;
  /** NAME or X-WR-CALNAME. */
  name: string | undefined;
  /** IANA zone of times without one. */
  zone: string;
  /** Titles, the most frequent first. */
  titles: FoundTitle[];
  places: FoundPlace[];
  /** Categories of all sessions. */
  categories: [label: string, events: number][];
  /** Number of events that no mapping publishes, because CLASS is not PUBLIC. */
  private: number;
  /** Names of the facilities with hours in it. */
  facilities: string[];
  /** Why the calendar was not read, or not in full, each with the limit or the cure. */
  troubles: string[];
  /** Whether a session has no place, or no price. */
  lacks: { place: boolean; price: boolean };
}

export interface FoundTitle {
  /** SUMMARY, or the name of events without one. */
  title: string;
  events: number;
  categories: string[];
  /** Why the title is not published without a mapping; absent: it is that of a session or of opening hours. */
  why?: PublishCode;
}

interface FoundPlace {
  location: string;
  geo?: { latitude: number; longitude: number };
  events: number;
}

const UNREAD: ReadonlySet<PublishCode> = new Set<PublishCode>([
  'calendar-too-large',
  'calendar-not-icalendar',
  'calendar-cut',
]);

/** Reads and counts a calendar; never throws. */
export function surveyOf(input: CalendarText, now: Instant): Survey {
  const reading = readSource(input, NO_MAPPING);
  const { model, mapped } = reading;
  const { series, facilities, findings } = publishReading(reading, [], now);
  const titles = new Map<string, FoundTitle>();
  const places = new Map<string, FoundPlace>();
  const categories = new Map<string, number>();
  let closed = 0;
  const groups = groupsOf(model.events, () => () => {});
  // Overrides without their master are events of their own.
  for (const event of groups.flatMap(({ master, overrides }) => (master === undefined ? overrides : [master]))) {
    const { role, why } = choose(event, model, mapped);
    if (event.access !== undefined) closed += 1;
    if (event.access !== undefined || role === 'open' || role === 'closed') continue;
    const { summary, categories: labels, location, geo } = event.wording;
    const title = summary ?? ANY_NAME;
    const key = `${role} ${title.toLowerCase()}`;
    const found = titles.get(key) ?? {
      title,
      events: 0,
      categories: [],
      ...(role === 'nothing' && why && { why: why[0] }),
    };
    titles.set(key, found);
    found.events += 1;
    found.categories = [...new Set([...found.categories, ...labels])];
    if (role !== 'session') continue;
    for (const label of new Set(labels)) categories.set(label, (categories.get(label) ?? 0) + 1);
    if (location === undefined || isAddress(location)) continue;
    const place = places.get(location) ?? { location, events: 0, ...(geo && { geo }) };
    places.set(location, place);
    place.events += 1;
  }
  const published = series.map((one) => one.series.data);
  return {
    source: model.source,
    name: model.name,
    zone: model.zone.id,
    titles: byEvents([...titles.values()]),
    places: byEvents([...places.values()]),
    categories: [...categories].sort(([, a], [, b]) => b - a),
    private: closed,
    facilities: facilities.flatMap(({ data: { name } }) => (typeof name === 'string' ? name : [])),
    troubles: findings.filter(({ code }) => UNREAD.has(code)).map(({ message }) => message),
    lacks: {
      place:
        published.some(({ location }) => location === undefined) ||
        facilities.some(({ data }) => data.location === undefined),
      price: published.some(({ offers }) => offers === undefined),
    },
  };
}

function byEvents<T extends { events: number }>(found: readonly T[]): T[] {
  return found.toSorted((a, b) => b.events - a.events);
}
