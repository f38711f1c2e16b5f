import { setImmediate } from 'node:timers/promises';
import { aggregateKey } from '../../join/keys.ts';
import { identOf, isActive } from '../../opportunity/identity.ts';
import { isObject, type Json, type JsonObject } from '../../opportunity/item/json.ts';
import { slotIn } from '../../opportunity/local-times.ts';
import type { Facility, RecordKind, Series, Session, Slot } from '../../opportunity/records.ts';
import {
  batches,
  type ChangedRecord,
  type ChangeLog,
  effectiveSeries,
  type FeedRow,
  facilityZone,
  isHolder,
  type LogChange,
  type Reader,
  type RecordBody,
  type RecordWatch,
  recordOf,
  sessionsOf,
  shownFeed,
  storedSession,
  storedVenue,
} from '../../store/index.ts';
import type { Instant } from '../../time/instant.ts';
import { datasetKey, sourcesNow } from './datasets.ts';
import { FEEDS_OF_KIND, feedOfType, kindOf, kindsOf, PARTS_OF, typeOf } from './feed-names.ts';
import {
  type Concepts,
  facilityObject,
  type ObjectContext,
  type Provenance,
  placeObject,
  seriesObject,
  sessionObject,
  sessionType,
  slotObject,
} from './record-object.ts';

/** Records of one transaction of the log. */
const BATCH = 200;
/** Most parts written into an event. */
const MOST_PARTS = 500;

const SEEN = 'seen';
const SWEPT = 'swept';
const SOURCES = 'sources';
/** The version of the form of objects. Objects in another form are written again. */
const FORM = 3;

/**
 * Republishes harvested records as clean feeds, a dataset for each publisher: follows changed records, and writes their
 * objects into the log. The position is stored in the same transaction, so that work resumes there after a crash. Repeated
 * work changes nothing.
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

  /** Publishes all changes since the last call; returns the number of records. */
  async follow(now: Instant): Promise<number> {
    let followed = 0;
    await this.#readFeeds();
    const state = await this.#state();
    // First: who reads several feeds as one meets a tombstone before what takes its place.
    await this.#sweep(state, now);
    for (let after = await this.#seen(state); ; ) {
      const changed = await this.#watch.since(after, BATCH);
      if (changed.length === 0) break;
      await this.#readFeeds();
      after = (changed.at(-1) as ChangedRecord).seq;
      await this.#log.merge(await this.#changes(changed), now, { key: SEEN, value: `${state} ${after}` });
      followed += changed.length;
      await setImmediate();
    }
    await this.#log.expire(now);
    return followed;
  }

  async #readFeeds(): Promise<void> {
    this.#feeds = new Map((await this.#read.feeds()).map((feed) => [feed.url, feed]));
  }

  /** The version of all objects: under another one, such as that of another watch or publisher, they are followed again. */
  async #state(): Promise<string> {
    const known = await this.#log.value(SOURCES);
    const sources = sourcesNow([...this.#feeds.values()], known);
    const value = JSON.stringify(sources);
    if (value !== known) await this.#log.setValue({ key: SOURCES, value });
    return `${this.#watch.name}/${FORM}/${sources.turn}`;
  }

  async #seen(state: string): Promise<number> {
    const [known, n] = (await this.#log.value(SEEN))?.split(' ') ?? [];
    return known === state ? Number(n) : 0;
  }

  /** Removes objects that were withdrawn without a watch, or belong to another dataset now: once for each new watch. */
  async #sweep(state: string, now: Instant): Promise<void> {
    if ((await this.#log.value(SWEPT)) === state) return;
    for (const feed of await this.#log.feeds()) {
      const pages = batches(
        (after) => this.#log.page(feed, after, BATCH),
        ({ number }) => number,
      );
      for await (const entries of pages) {
        const changes: LogChange[] = [];
        for (const { id, kind, data } of entries) {
          if (data !== undefined && !(await this.#isThere(feed, id))) changes.push({ feed, id, kind, data: undefined });
        }
        if (changes.length > 0) await this.#log.merge(changes, now);
      }
    }
    await this.#log.setValue({ key: SWEPT, value: state });
  }

  async #isThere(feed: string, ident: string): Promise<boolean> {
    for (const kind of kindsOf(feed)) {
      const row = await this.#row(kind, ident);
      if (row !== undefined && (await this.#feedOf(row)) === feed) return true;
    }
    return false;
  }

  /** The row of a record, if it is published. */
  async #row(kind: RecordKind, ident: string): Promise<RecordBody | undefined> {
    return publishedRow(await this.#read.recordByIdent(kind, ident));
  }

  async #changes(changed: readonly ChangedRecord[]): Promise<LogChange[]> {
    const concerned = await this.#concerned(changed);
    const rows = await Promise.all(concerned.map(([kind, ident]) => this.#row(kind, ident)));
    const concepts = await this.#concepts(rows.filter((row) => row !== undefined));
    // Who reads several feeds as one meets a tombstone before what takes its place.
    const [gone, changes]: [LogChange[], LogChange[]] = [[], []];
    for (const [index, [kind, ident]] of concerned.entries()) {
      const row = rows[index];
      const own = row && (await this.#feedOf(row));
      for (const feed of await this.#feedsWith(kind, ident)) {
        if (feed !== own && !(await this.#isAnothers(kind, feed, ident))) {
          gone.push({ feed, id: ident, kind: '', data: undefined });
        }
      }
      if (row === undefined || own === undefined) continue;
      const context = { provenance: this.#provenance(row), concepts: concepts.get(row.owner?.item ?? 0) ?? NONE };
      const data = await this.#object(row, context);
      changes.push({ feed: own, id: ident, kind: kindOf(data['@type'] as string), data: JSON.stringify(data) });
    }
    return [...gone, ...changes];
  }

  /** The feeds that an object of a kind is in now. */
  async #feedsWith(kind: RecordKind, ident: string): Promise<string[]> {
    return (await this.#log.feedsOf(ident)).filter((feed) => kindsOf(feed).includes(kind));
  }

  /** Whether another record writes the object: an event that is a series and its one session is one object. */
  async #isAnothers(kind: RecordKind, feed: string, ident: string): Promise<boolean> {
    if ((kind !== 'session' && kind !== 'series') || typeOf(feed) !== 'events') return false;
    const row = await this.#row(kind === 'session' ? 'series' : 'session', ident);
    return row !== undefined && (await this.#feedOf(row)) === feed;
  }

  /** Changed records, and records whose objects show them: series of sessions, courts of a facility. */
  async #concerned(changed: readonly ChangedRecord[]): Promise<[kind: RecordKind, ident: string][]> {
    const found = new Map<string, [RecordKind, string]>();
    const add = (kind: RecordKind, ident: string) => found.set(`${kind} ${ident}`, [kind, ident]);
    for (const { kind, ident } of changed) {
      if (FEEDS_OF_KIND[kind].length > 0) add(kind, ident);
      // An Event may join the series that it names, or be its own series again.
      const row = kind === 'session' ? await this.#row(kind, ident) : undefined;
      if (row !== undefined && (recordOf(row) as Session).ownSeries) add('series', ident);
    }
    for (const parent of parentsOf(changed, 'session')) {
      const row = publishedRow(await this.#read.recordById(parent));
      if (row !== undefined && holdsSessions(recordOf(row) as Series)) add('series', row.ident);
    }
    for (const [kind, ident] of await this.#partsToFollow([...found.values()])) add(kind, ident);
    // Courts and lanes show their FacilityUse.
    const whole = changed.filter(({ kind }) => kind === 'facility').map(({ ident }) => aggregateKey(ident));
    for (const { ident } of await this.#read.recordsByKey('facility', whole, -1)) add('facility', ident);
    return [...found.values()];
  }

  /** Sessions and slots of records that move to another dataset, and move along. */
  async #partsToFollow(
    changed: readonly [kind: RecordKind, ident: string][],
  ): Promise<[kind: RecordKind, ident: string][]> {
    const parts: [RecordKind, string][] = [];
    for (const [kind, ident] of changed) {
      const part = PARTS_OF[kind];
      const row = part && (await this.#row(kind, ident));
      if (part === undefined || row === undefined) continue;
      const dataset = this.#datasetOf(row);
      const before = await this.#feedsWith(kind, ident);
      if (before.every((feed) => feed.startsWith(`${dataset}/`))) continue;
      for (const child of await this.#read.children(part, row.id)) parts.push([part, child.ident]);
    }
    return parts;
  }

  /** The feed of a record, as the log names it; undefined: the object of another record includes it. */
  async #feedOf(row: RecordBody): Promise<string | undefined> {
    const record = recordOf(row);
    switch (record.kind) {
      case 'series':
        // Its one session belongs to the series that it names.
        if (record.untilJoined && (await this.#read.countChildren('session', row.id, 1)) === 0) return undefined;
        return `${this.#datasetOf(row)}/${feedOfType(record.type)}`;
      case 'facility':
        return `${this.#datasetOf(row)}/${feedOfType(record.type)}`;
      case 'session': {
        const series = await this.#parentOf(row);
        // Parts are in the objects of their events: alone they would lack inherited properties.
        if (series && isHolder((recordOf(series) as Series).type)) return undefined;
        return `${this.#datasetOf(series ?? row)}/${feedOfType(sessionType(record))}`;
      }
      case 'slot':
        return `${this.#datasetOf((await this.#parentOf(row)) ?? row)}/slots`;
      case 'place':
        return `${this.#datasetOf(row)}/places`;
    }
  }

  /** The parent of a session or slot, which is in the dataset of its parent so that readers meet both. */
  async #parentOf({ parent }: RecordBody): Promise<RecordBody | undefined> {
    return parent === undefined ? undefined : publishedRow(await this.#read.recordById(parent));
  }

  #datasetOf({ owner }: RecordBody): string {
    return datasetKey(this.#feeds.get(owner?.feed ?? '') ?? { publisherKey: undefined, publisher: undefined });
  }

  async #object(row: RecordBody, context: ObjectContext): Promise<JsonObject> {
    const record = recordOf(row);
    switch (record.kind) {
      case 'series':
        return this.#series(row, context);
      case 'session':
        return sessionObject(await this.#session(row, record), context);
      case 'facility':
        return this.#facility(row, context);
      case 'slot':
        return slotObject(await this.#slot(row, record), context);
      case 'place':
        return placeObject(record, context);
    }
  }

  /** A session with the series that it names or that claims it, and with its times read in the zone of its place. */
  async #session(of: RecordBody, own: Session): Promise<Session> {
    const isWhole = own.series !== undefined && own.stated === undefined;
    const row = isWhole ? undefined : await this.#parentOf(of);
    const series = row && (await effectiveSeries(this.#read, row));
    const timed = own.stated === undefined ? own : await storedSession(this.#read, own, series);
    return { ...timed, details: own.details, ...(own.series === undefined && series && { series: series.id }) };
  }

  async #slot(row: RecordBody, own: Slot): Promise<Slot> {
    const facility = own.stated && (await this.#parentOf(row));
    return slotIn(facility && (await facilityZone(this.#read, facility)), own);
  }

  async #series(row: RecordBody, context: ObjectContext): Promise<JsonObject> {
    const series = await effectiveSeries(this.#read, row);
    // A SessionSeries without a Schedule must have a session; its other sessions have a feed of their own.
    const limit = series.type === 'SessionSeries' ? 1 : MOST_PARTS;
    const held = holdsSessions(series) ? await sessionsOf(this.#read, row.id, { limit, around: 0 }) : [];
    const sessions = held.map(({ session }) => session);
    return seriesObject(series, sessions, context);
  }

  async #facility(row: RecordBody, context: ObjectContext): Promise<JsonObject> {
    const facility = recordOf(row) as Facility;
    const { around: place } = await storedVenue(this.#read, row);
    const whole =
      facility.aggregate === undefined ? undefined : await this.#row('facility', identOf(facility.aggregate));
    const aggregate = whole && (recordOf(whole) as Facility);
    return facilityObject({ facility, place, aggregate }, context);
  }

  #provenance({ owner }: RecordBody): Provenance {
    const feed = owner && this.#feeds.get(owner.feed);
    return {
      feed: feed === undefined || !/^https?:/i.test(feed.url) ? (feed?.name ?? 'a file') : shownFeed(feed),
      publisher: feed?.publisher,
      license: feed?.license,
    };
  }

  /** Concepts by item. Records have labels, and raw data the addresses; raw data is read only for records with labels. */
  async #concepts(rows: readonly RecordBody[]): Promise<Map<number, Concepts>> {
    const labelled = rows.filter((row) => {
      const record = recordOf(row);
      return 'details' in record && record.details.activity !== undefined;
    });
    const items = new Set(labelled.map(({ owner }) => owner?.item).filter((item) => item !== undefined));
    const raws = await this.#read.raw([...items]);
    return new Map([...raws].map(([item, raw]) => [item, conceptsOf(JSON.parse(raw) as Json)]));
  }
}

const NONE: Concepts = new Map();

function publishedRow(row: RecordBody | undefined): RecordBody | undefined {
  return row === undefined || row.body === '' ? undefined : row;
}

function parentsOf(changed: readonly ChangedRecord[], of: RecordKind): Set<number> {
  const parents = changed.filter(({ kind }) => kind === of).map(({ parent }) => parent);
  return new Set(parents.filter((parent) => parent !== undefined));
}

/** Whether sessions stand in the object of a series: those of events do, and one of a SessionSeries without Schedules. */
function holdsSessions({ type, schedules }: Series): boolean {
  return type === 'SessionSeries' ? schedules.length === 0 : isHolder(type);
}

/** Greatest depth at which concepts are looked for. */
const DEEP = 8;

/** The concepts with an address anywhere in an item. */
function conceptsOf(item: Json, depth = 0, found = new Map<string, JsonObject>()): Concepts {
  if (depth > DEEP) return found;
  if (Array.isArray(item)) for (const part of item) conceptsOf(part, depth + 1, found);
  if (!isObject(item)) return found;
  const { prefLabel, inScheme } = item;
  const id = item['@id'] ?? item.id;
  const isStated = typeof id === 'string' && typeof inScheme === 'string' && !isActive(id) && !isActive(inScheme);
  if (typeof prefLabel === 'string' && isStated) {
    found.set(prefLabel, { '@type': 'Concept', '@id': id, prefLabel, inScheme });
  }
  for (const part of Object.values(item)) conceptsOf(part, depth + 1, found);
  return found;
}
