import { shown } from '../opportunity/findings.ts';
import { isObject, type JsonObject, jsonText } from '../opportunity/item/json.ts';
import { ATTENDANCE_MODES } from '../opportunity/whereabouts.ts';
import type { Instant } from '../time/instant.ts';
import { findingOf, type PublishFinding } from './codes.ts';
import type { CalendarText, Previous, Published, PublishedObject, PublishResult } from './contract.ts';
import { MAX_PUBLISHED } from './limits.ts';
import { unknownConcepts } from './map/concepts.ts';
import { NO_BASE } from './map/mapped.ts';
import type { Mapping } from './map/schema.ts';
import type { Claim, PublishedSeries } from './map/series.ts';
import { type CalendarOutcome, publishReading, readSource, tooMany } from './publish-calendar.ts';
import { fairShare, Share } from './share.ts';

/**
 * Calendars as the objects of the three feeds. Pure: the same input gives the same objects in the same order. `now` only
 * limits how far rules without a Schedule are written out, and which years of opening hours are read.
 */
export function publishCalendars(
  inputs: readonly CalendarText[],
  mapping: Mapping,
  previous: Previous,
  now: Instant,
): PublishResult {
  const pass = (apart: ReadonlySet<string>) => {
    const combined = new Combined(mapping);
    for (const input of inputs) combined.add(publishReading(readSource(input, mapping), previous, now, apart));
    return combined;
  };
  const first = pass(new Set());
  return (first.apart.size === 0 ? first : pass(first.apart)).finish();
}

interface Known {
  source: string;
  claim: Claim;
}

/** Several calendars in one set of feeds. None takes room from one that needs less of it. */
export class Combined {
  readonly #mapping: Mapping;
  readonly #most: number;
  readonly #calendars: CalendarOutcome[] = [];
  readonly #known = new Map<string, Known>();
  readonly #uids = new Map<string, Known>();
  /** Keys of different events with one id, because of which everything has to be published once more. */
  readonly apart = new Set<string>();
  #size = 0;

  constructor(mapping: Mapping, most = MAX_PUBLISHED) {
    this.#mapping = mapping;
    this.#most = most;
  }

  add(calendar: CalendarOutcome): void {
    const findings: PublishFinding[] = [];
    const { source } = calendar.count;
    const series = calendar.series.filter((one) => {
      const { id } = one.series;
      const claim = one.claim ?? claimOfId(one);
      const known = this.#known.get(id)?.source;
      const isNew = this.#take(id, { source, claim });
      const other = this.#uids.get(claim.plain);
      if (other === undefined) this.#uids.set(claim.plain, { source, claim });
      const isOther = other !== undefined && other.source !== source && other.claim.apart !== claim.apart;
      const kept = isNew
        ? `all were published; the other calendar is ${other?.source}`
        : `${claim.words} was published as it is in ${known}, and the one of ${source} was left out`;
      if (!isNew || isOther) findings.push(findingOf('uid-twice', source, claim.uid, '', { kept }));
      return isNew;
    });
    this.#calendars.push({ ...calendar, series, findings: [...calendar.findings, ...findings] });
    this.#size += sizeOf(series);
    // Memory is bounded: calendars over their share are cut already here.
    if (this.#size > 2 * this.#most) this.#cut();
  }

  /** Takes an id for an object; false: another object has it. */
  #take(id: string, one: Known): boolean {
    const known = this.#known.get(id);
    if (known === undefined) {
      this.#known.set(id, one);
      return true;
    }
    const isOther = isBetter(one.claim, known.claim);
    // The object of the first calendar is published, whichever has the better claim.
    if (isOther) this.#known.set(id, { ...known, claim: one.claim });
    if (known.claim.apart !== one.claim.apart) this.apart.add((isOther ? known : one).claim.apart);
    return false;
  }

  /** Cuts calendars that need more than an equal share down to it. */
  #cut(): void {
    const sizes = this.#calendars.map(({ series }) => sizeOf(series));
    const most = fairShare(sizes, this.#most);
    for (const [index, calendar] of this.#calendars.entries()) {
      if (sizeOf(calendar.series) <= most) continue;
      const share = new Share<PublishedSeries>(most);
      for (const one of calendar.series)
        share.add({ id: one.series.id, size: 1 + one.sessions.length, last: one.sessions.at(-1)?.id ?? '' }, one);
      const { kept, left } = share.finish();
      const overLimit = [...calendar.overLimit, ...left.map(({ id }) => id)];
      const findings = [...calendar.findings, tooMany(calendar.count.source, left, most)];
      this.#calendars[index] = { ...calendar, series: kept, overLimit, findings };
    }
    this.#size = this.#calendars.reduce((sum, { series }) => sum + sizeOf(series), 0);
  }

  finish(): PublishResult {
    if (this.#size > this.#most) this.#cut();
    const all = this.#calendars.flatMap(({ series }) => series);
    const published: Published = {
      'session-series': sorted(all.map(({ series }) => series)),
      'scheduled-sessions': sorted(all.flatMap(({ sessions }) => sessions)),
      'facility-uses': sorted(this.#calendars.flatMap(({ facilities }) => facilities)),
    };
    const findings = this.#calendars.flatMap((calendar) => calendar.findings);
    return {
      published,
      findings: [
        ...findings,
        ...missingValues(published, this.#mapping),
        ...unknownConcepts(this.#mapping),
        ...undecided(this.#mapping),
      ],
      calendars: this.#calendars.map(({ count }) => count),
      overLimit: this.#calendars.flatMap(({ overLimit }) => overLimit),
    };
  }
}

/** The claim of a series without one: its id is taken as it is. */
function claimOfId({ series: { id, data } }: PublishedSeries): Claim {
  return { uid: id, words: `"${shown(jsonText(data.name))}"`, plain: id, apart: '', alike: 0 };
}

/** Whether a claim is better: the plain key stays with its published event, else no order of calendars decides. */
function isBetter(claim: Claim, known: Claim): boolean {
  return claim.alike > known.alike || (claim.alike === known.alike && claim.apart < known.apart);
}

function sizeOf(series: readonly PublishedSeries[]): number {
  return series.reduce((sum, { sessions }) => sum + 1 + sessions.length, 0);
}

/** Objects sorted by id, each id once. */
function sorted(objects: readonly PublishedObject[]): PublishedObject[] {
  const byId = new Map(objects.map((object) => [object.id, object]));
  return [...byId.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** A value that the model requires and calendars seldom have: its place in objects and in the mapping file. */
interface Required {
  feed: keyof Published;
  lacks: (data: JsonObject) => boolean;
  /** The key of the mapping file for it. */
  setting: string;
}

const lacking = (property: string) => (data: JsonObject) => data[property] === undefined;

const REQUIRED: readonly Required[] = [
  { feed: 'session-series', lacks: lacking('organizer'), setting: 'organizer' },
  { feed: 'session-series', lacks: lacking('activity'), setting: 'activity' },
  {
    feed: 'session-series',
    lacks: ({ location, eventAttendanceMode }) =>
      location === undefined && eventAttendanceMode !== ATTENDANCE_MODES.online,
    setting: 'place',
  },
  { feed: 'session-series', lacks: isNowhere, setting: 'place.street' },
  { feed: 'session-series', lacks: lacking('offers'), setting: 'offers' },
  { feed: 'facility-uses', lacks: lacking('provider'), setting: 'organizer' },
  { feed: 'facility-uses', lacks: lacking('location'), setting: 'place' },
  { feed: 'facility-uses', lacks: isNowhere, setting: 'place.street' },
  {
    feed: 'facility-uses',
    lacks: ({ facilityType, activity }) => facilityType === undefined && activity === undefined,
    setting: 'calendars[].facility.type',
  },
];

/** Whether an object has no place with an address or coordinates. */
function isNowhere({ location }: JsonObject): boolean {
  return isObject(location) && location.address === undefined && location.geo === undefined;
}

/** One finding for each value that is missing, with the first object that lacks it. */
function missingValues(published: Published, { base }: Mapping): PublishFinding[] {
  const findings = REQUIRED.flatMap(({ feed, lacks, setting }) => {
    const first = published[feed].find(({ data }) => lacks(data));
    return first === undefined ? [] : [missing(first, setting)];
  });
  const isEmpty = Object.values(published).every((objects) => objects.length === 0);
  const noBase = base === undefined && !isEmpty;
  return noBase
    ? [...findings, findingOf('mapping-base-missing', 'mapping', '', '$.base', { used: NO_BASE })]
    : findings;
}

/** Findings about open decisions: each `$comment` that begins with "To decide". */
function undecided(value: unknown, path = '$'): PublishFinding[] {
  if (Array.isArray(value)) return value.flatMap((one, index) => undecided(one, `${path}[${index}]`));
  if (typeof value !== 'object' || value === null) return [];
  const { $comment } = value as { $comment?: unknown };
  const isOpen = typeof $comment === 'string' && $comment.startsWith('To decide');
  const own = isOpen ? [findingOf('mapping-undecided', 'mapping', '', path, { value: shown($comment, 200) })] : [];
  return [...own, ...Object.entries(value).flatMap(([key, one]) => undecided(one, `${path}.${key}`))];
}

function missing({ id, data: { name } }: PublishedObject, setting: string): PublishFinding {
  const facts = { property: setting, name: typeof name === 'string' ? name : id };
  return findingOf('mapping-value-missing', 'mapping', id, `$.${setting}`, facts);
}
