import { setImmediate } from 'node:timers/promises';
import { publicUrl } from '../../errors.ts';
import { identOf } from '../../opportunity/identity.ts';
import { isObject, type Json, type JsonObject } from '../../opportunity/json.ts';
import type { Facility, Instant, Place, Series, Session, Slot } from '../../opportunity/records.ts';
import type { ChangeLog, LogChange } from '../../store/change-log.ts';
import type { FeedRow, Reader, RecordBody, RecordKind } from '../../store/contract.ts';
import type { RecordWatch, TouchedRecord } from '../../store/record-watch.ts';
import { HOLDERS } from '../../store/record-watch.ts';
import { effectiveSeries, recordOf, sessionsOf } from '../../store/series.ts';
import {
  type Concepts,
  facilityObject,
  type ObjectContext,
  type Provenance,
  seriesObject,
  sessionObject,
  sessionType,
  slotObject,
} from './record-object.ts';

/** The feeds of what was harvested, by the last part of their address. */
export const REPUBLISHED_FEEDS = [
  'session-series',
  'scheduled-sessions',
  'facility-uses',
  'individual-facility-uses',
  'slots',
  'events',
  'headline-events',
  'course-instances',
] as const;
export type RepublishedFeed = (typeof REPUBLISHED_FEEDS)[number];

/** The feed of each type; a type that only groups others has none. */
const FEED_OF: Readonly<Record<string, RepublishedFeed>> = {
  SessionSeries: 'session-series',
  ScheduledSession: 'scheduled-sessions',
  FacilityUse: 'facility-uses',
  IndividualFacilityUse: 'individual-facility-uses',
  Slot: 'slots',
  Event: 'events',
  HeadlineEvent: 'headline-events',
  CourseInstance: 'course-instances',
};

/** Where a record of a kind can be: in one of them, or after a change of its type in another. */
const FEEDS_OF_KIND: Readonly<Record<RecordKind, readonly RepublishedFeed[]>> = {
  series: ['session-series', 'events', 'headline-events', 'course-instances'],
  session: ['scheduled-sessions', 'events'],
  place: [],
  facility: ['facility-uses', 'individual-facility-uses'],
  slot: ['slots'],
};

/** Records turned into objects in one transaction of the log. */
const BATCH = 200;
/** Parts of an event written into it. */
const MOST_PARTS = 500;

const SEEN = 'seen';
const SWEPT = 'swept';

/** What there is to publish of a record; undefined: nothing. */
interface Made {
  feed: RepublishedFeed;
  kind: string;
  data: JsonObject;
}

/**
 * Publishes what was harvested as clean feeds: follows the records that were touched, and writes what became of each into
 * the log. How far it has come is written with it, so that after a crash it goes on where it was; what it does twice changes nothing.
 */
export class Republisher {
  readonly #read: Reader;
  readonly #watch: RecordWatch;
  readonly #log: ChangeLog;
  #feeds = new Map<string, FeedRow>();

  constructor(read: Reader, watch: RecordWatch, log: ChangeLog) {
    this.#read = read;
    this.#watch = watch;
    this.#log = log;
  }

  /** Publishes everything that was touched since the last time; how many records. */
  async follow(now: Instant): Promise<number> {
    let followed = 0;
    for (let after = await this.#seen(); ; ) {
      const touched = await this.#watch.since(after, BATCH);
      if (touched.length === 0) break;
      this.#feeds = new Map((await this.#read.feeds()).map((feed) => [feed.url, feed]));
      after = (touched.at(-1) as TouchedRecord).n;
      const value = `${this.#watch.name} ${after}`;
      await this.#log.merge(await this.#changes(touched), now, { key: SEEN, value });
      followed += touched.length;
      await setImmediate();
    }
    await this.#sweep(now);
    await this.#log.expire(now);
    return followed;
  }

  async #seen(): Promise<number> {
    const [name, n] = (await this.#log.mark(SEEN))?.split(' ') ?? [];
    return name === this.#watch.name ? Number(n) : 0;
  }

  /** What was withdrawn while nobody watched: once for every watch that begins anew. */
  async #sweep(now: Instant): Promise<void> {
    if ((await this.#log.mark(SWEPT)) === this.#watch.name) return;
    for (const feed of REPUBLISHED_FEEDS) {
      for (let after = ''; ; ) {
        const objects = await this.#log.live(feed, after, BATCH);
        if (objects.length === 0) break;
        after = (objects.at(-1) as { id: string }).id;
        const changes: LogChange[] = [];
        for (const { id, kind } of objects) {
          if (!(await this.#isThere(feed, id))) changes.push({ feed, id, kind, data: undefined });
        }
        await this.#log.merge(changes, now);
      }
    }
    await this.#log.setMark({ key: SWEPT, value: this.#watch.name });
  }

  async #isThere(feed: RepublishedFeed, ident: string): Promise<boolean> {
    for (const kind of Object.keys(FEEDS_OF_KIND) as RecordKind[]) {
      if (!FEEDS_OF_KIND[kind].includes(feed)) continue;
      const row = await this.#read.recordByIdent(kind, ident);
      if (row !== undefined && row.body !== '' && (await this.#made(row))?.feed === feed) return true;
    }
    return false;
  }

  async #changes(touched: readonly TouchedRecord[]): Promise<LogChange[]> {
    const changes: LogChange[] = [];
    for (const [kind, ident] of await this.#concerned(touched)) {
      const row = await this.#read.recordByIdent(kind, ident);
      const made = row === undefined || row.body === '' ? undefined : await this.#made(row);
      for (const feed of FEEDS_OF_KIND[kind]) {
        const here = made?.feed === feed ? made : undefined;
        // An event that is a series and its one session is one object, and the series' to say.
        if (here === undefined && kind === 'session' && feed === 'events' && (await this.#isEvent(ident))) continue;
        const data = here && JSON.stringify(here.data);
        changes.push({ feed, id: ident, kind: here?.kind ?? '', data });
      }
    }
    return changes;
  }

  /** Those touched, and what shows something of them: series of their sessions, courts of their facility. */
  async #concerned(touched: readonly TouchedRecord[]): Promise<[kind: RecordKind, ident: string][]> {
    const found = new Map<string, [RecordKind, string]>();
    const add = (kind: RecordKind, ident: string) => found.set(`${kind} ${ident}`, [kind, ident]);
    for (const { kind, ident } of touched) if (FEEDS_OF_KIND[kind].length > 0) add(kind, ident);
    for (const parent of parentsOf(touched, 'session')) {
      const row = await this.#read.recordById(parent);
      if (row !== undefined && row.body !== '' && holdsSessions(recordOf(row) as Series)) add('series', row.ident);
    }
    // Courts and lanes show what they are part of, and are at its place.
    for (const place of parentsOf(touched, 'facility')) {
      for (const row of await this.#read.children('facility', place)) {
        const { aggregate } = recordOf(row) as Facility;
        if (aggregate !== undefined && found.has(`facility ${identOf(aggregate)}`)) add('facility', row.ident);
      }
    }
    return [...found.values()];
  }

  async #isEvent(ident: string): Promise<boolean> {
    const row = await this.#read.recordByIdent('series', ident);
    return row !== undefined && row.body !== '' && (recordOf(row) as Series).type === 'Event';
  }

  async #made(row: RecordBody): Promise<Made | undefined> {
    const context = await this.#context(row);
    switch (row.kind) {
      case 'series':
        return this.#series(row, context);
      case 'session':
        return this.#session(row, context);
      case 'facility':
        return this.#facility(row, context);
      case 'slot':
        return made('Slot', slotObject(recordOf(row) as Slot, context));
      case 'place':
        return undefined;
    }
  }

  async #series(row: RecordBody, context: ObjectContext): Promise<Made | undefined> {
    const { series } = await effectiveSeries(this.#read, row);
    if (FEED_OF[series.type] === undefined) return undefined;
    // A SessionSeries without a Schedule must hold a session; the others are in their own feed.
    const limit = series.type === 'SessionSeries' ? 1 : MOST_PARTS;
    const sessions = holdsSessions(series) ? await sessionsOf(this.#read, row.id, { limit, around: 0 }) : [];
    return made(
      series.type,
      seriesObject(
        series,
        sessions.map(({ session }) => session),
        context,
      ),
    );
  }

  /** The parts of events are in them: alone they would be without what they inherit. */
  async #session(row: RecordBody, context: ObjectContext): Promise<Made | undefined> {
    const session = recordOf(row) as Session;
    const parent = row.parent === undefined ? undefined : await this.#read.recordById(row.parent);
    const around = parent === undefined || parent.body === '' ? undefined : (recordOf(parent) as Series).type;
    const held = around !== undefined && (HOLDERS as readonly string[]).includes(around);
    return held ? undefined : made(sessionType(session), sessionObject(session, context));
  }

  async #facility(row: RecordBody, context: ObjectContext): Promise<Made> {
    const facility = recordOf(row) as Facility;
    const place = row.parent === undefined ? undefined : await this.#read.recordById(row.parent);
    const whole = facility.aggregate && (await this.#read.recordByIdent('facility', identOf(facility.aggregate)));
    const parts = {
      facility,
      place: place === undefined || place.body === '' ? undefined : (recordOf(place) as Place),
      aggregate: !whole || whole.body === '' ? undefined : (recordOf(whole) as Facility),
    };
    return made(facility.type, facilityObject(parts, context)) as Made;
  }

  async #context(row: RecordBody): Promise<ObjectContext> {
    const { owner } = row;
    const feed = owner && this.#feeds.get(owner.feed);
    const provenance: Provenance = {
      feed: owner === undefined || !/^https?:/i.test(owner.feed) ? (feed?.name ?? 'a file') : publicUrl(owner.feed),
      publisher: feed?.publisher,
      license: feed?.license,
    };
    return { provenance, concepts: await this.#concepts(row) };
  }

  /** Records keep labels; their addresses stand in the raw data, which is only read where there is a label. */
  async #concepts(row: RecordBody): Promise<Concepts> {
    const record = recordOf(row);
    if (row.owner === undefined || !('details' in record) || record.details.activity === undefined) return new Map();
    const { item } = row.owner;
    const raw = (await this.#read.raw([item])).get(item);
    return raw === undefined ? new Map() : conceptsOf(JSON.parse(raw) as Json);
  }
}

function made(type: string, data: JsonObject): Made | undefined {
  const feed = FEED_OF[type];
  return feed && { feed, kind: type, data };
}

function parentsOf(touched: readonly TouchedRecord[], of: RecordKind): Set<number> {
  const parents = touched.filter(({ kind }) => kind === of).map(({ parent }) => parent);
  return new Set(parents.filter((parent) => parent !== undefined));
}

/** Events hold their parts; a SessionSeries one session, where it has no Schedule. */
function holdsSessions({ type, schedules }: Series): boolean {
  return type === 'SessionSeries' ? schedules.length === 0 : (HOLDERS as readonly string[]).includes(type);
}

/** Deeper than any real item has concepts in it. */
const DEEP = 8;

/** The concepts with an address that an item mentions, wherever in it. */
function conceptsOf(item: Json, depth = 0, found = new Map<string, JsonObject>()): Concepts {
  if (depth > DEEP) return found;
  if (Array.isArray(item)) for (const part of item) conceptsOf(part, depth + 1, found);
  if (!isObject(item)) return found;
  const { prefLabel, inScheme } = item;
  const id = item['@id'] ?? item.id;
  if (typeof prefLabel === 'string' && typeof id === 'string' && typeof inScheme === 'string') {
    found.set(prefLabel, { '@type': 'Concept', '@id': id, prefLabel, inScheme });
  }
  for (const part of Object.values(item)) conceptsOf(part, depth + 1, found);
  return found;
}
