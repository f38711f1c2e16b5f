import type { JsonObject } from '../../opportunity/item/json.ts';
import type { ChangeLog, LogObject, LogOutcome } from '../../store/index.ts';
import type { Instant } from '../../time/instant.ts';
import type { PublishFinding } from '../codes.ts';
import {
  type CalendarText,
  type Previous,
  PUBLISHED_FEEDS,
  type PublishedFeed,
  type PublishResult,
} from '../contract.ts';
import { MAX_PUBLISHED, MAX_SESSIONS } from '../limits.ts';
import type { Mapping } from '../map/schema.ts';
import { publishOffThread } from '../off-thread.ts';
import type { DatasetAbout } from './dataset.ts';
import { judge, type SourceState, sourceKey } from './last-good.ts';

/** One source of calendars, just read. */
export interface SourceReading {
  /** The identity of the source, which may hold a secret. */
  id: string;
  /** The name of the source for people, without secrets. */
  name: string;
  got:
    | { text: string; encoding?: string | undefined; etag?: string | undefined; lastModified?: string | undefined }
    /** The source has not changed. */
    | { unchanged: true }
    /** The source could not be read. */
    | { trouble: string };
}

/** The outcome of one round of publishing. */
export interface Round {
  /** The objects added, changed and removed in the feeds. */
  changes: LogOutcome;
  findings: PublishFinding[];
  /** Faults of sources, by name; the objects that these published before stay. */
  troubles: Map<string, string>;
  /** Number of sources with published objects, from now or from before. */
  yielding: number;
  /** The objects that stay although no named calendar has them, with the way to withdraw them. */
  withheld?: string;
}

type Publish = typeof publishOffThread;

/** Publishes the objects of sources in the feeds, and stores the last good text of each source. */
export class Publisher {
  readonly #log: ChangeLog;
  readonly #mapping: Mapping;
  readonly #publish: Publish;

  /** `publish`: makes the objects of calendars. */
  constructor(log: ChangeLog, mapping: Mapping, publish: Publish = publishOffThread) {
    this.#log = log;
    this.#mapping = mapping;
    this.#publish = publish;
  }

  /** The state of a source from earlier rounds and earlier runs. */
  async state(id: string): Promise<SourceState> {
    const text = await this.#log.value(sourceKey(id));
    return text === undefined ? {} : (JSON.parse(text) as SourceState);
  }

  /**
   * Publishes all sources, and deletes objects that belong to none of them any more. Where one of them gives nothing, its name
   * may be a mistake, so objects of sources that are not named stay too. Objects of a source that cannot be read now stay as
   * they are.
   */
  async round(readings: readonly SourceReading[], now: Instant): Promise<Round> {
    const sources = await Promise.all(readings.map((reading) => this.#sourceOf(reading, now)));
    const { result, reverted, missing } = await this.#makeFeeds(sources, now);
    const troubles = new Map(sources.flatMap(({ name, trouble }) => (trouble === undefined ? [] : [[name, trouble]])));
    for (const name of [...reverted, ...missing])
      troubles.set(name, 'nothing can be made of it now; what was published stays');
    const publishing = publishingOf(sources, result);
    const silent = sources.filter((one) => one.trouble !== undefined || !publishing.has(one.name));
    const unreadable = sources.filter(({ name }) => missing.includes(name)).map(({ before }) => before.ids);
    // The earlier objects of one calendar are unknown, so it is unknown which objects belong to none.
    const isUnknown = unreadable.some((ids) => ids === undefined);
    const unnamed = silent.length === 0 ? NO_IDS : await this.#unnamed(sources, result);
    const held = [...unreadable, unnamed];
    const series = [...result.overLimit, ...held.flatMap((ids) => ids?.series ?? [])];
    const facilities = held.flatMap((ids) => ids?.facilities ?? []);
    const contents = isUnknown ? undefined : await this.#withHeld(contentsOf(result), series, facilities);
    const changes = contents === undefined ? NOTHING : await this.#log.replace(contents, now);
    await this.#log.expire(now);
    await this.#remember(sources, result, reverted, publishing);
    const count = unnamed.series.length + unnamed.facilities.length;
    const round = { changes, findings: result.findings, troubles, yielding: publishing.size };
    return count === 0 ? round : { ...round, withheld: withheldText(count, silent) };
  }

  /** Ids of objects in the feeds of sources that are not named now. */
  async #unnamed(sources: readonly Source[], { published }: PublishResult): Promise<Ids> {
    const named = new Set(
      sources.flatMap(({ before: { ids } }) => [...(ids?.series ?? []), ...(ids?.facilities ?? [])]),
    );
    const idsOf = async (feed: PublishedFeed) => {
      const made = new Set(published[feed].map(({ id }) => id));
      const live = await this.#log.liveOf(feed, '', MAX_PUBLISHED);
      return live.map(({ id }) => id).filter((id) => !named.has(id) && !made.has(id));
    };
    return { series: await idsOf('session-series'), facilities: await idsOf('facility-uses') };
  }

  async #remember(
    sources: readonly Source[],
    result: PublishResult,
    reverted: ReadonlySet<string>,
    publishing: ReadonlySet<string>,
  ): Promise<void> {
    const yields = yieldsOf(result);
    const ids = new Map(result.calendars.map((one) => [one.source, one.ids]));
    for (const { id, name, state, before } of sources) {
      const published = publishing.has(name);
      const kept = reverted.has(name)
        ? { ...before, doubtedSince: undefined, etag: undefined, lastModified: undefined }
        : state;
      const own = (yields.get(name) ?? 0) > 0 ? ids.get(name) : before.ids;
      const value = JSON.stringify({ ...kept, published, ids: own } satisfies SourceState);
      if (value !== JSON.stringify(before)) await this.#log.setValue({ key: sourceKey(id), value });
    }
  }

  /** The objects with those series, sessions and facilities that stay as they are. */
  async #withHeld(
    contents: Record<string, LogObject[]>,
    series: readonly string[],
    facilities: readonly string[],
  ): Promise<Record<string, LogObject[]>> {
    const known = new Map(PUBLISHED_FEEDS.map((feed) => [feed, new Set(contents[feed]?.map(({ id }) => id))]));
    const add = async (feed: PublishedFeed, prefix: string, limit: number) => {
      for (const one of await this.#log.liveOf(feed, prefix, limit))
        if (known.get(feed)?.has(one.id) !== true) contents[feed]?.push(one);
    };
    for (const id of new Set(series)) {
      // Another calendar has an event with the same UID, and room for it.
      if (known.get('session-series')?.has(id)) continue;
      await add('session-series', id, 1);
      await add('scheduled-sessions', `${id}/`, MAX_PUBLISHED);
    }
    for (const id of new Set(facilities)) await add('facility-uses', id, 1);
    return contents;
  }

  async #sourceOf({ id, name, got }: SourceReading, now: Instant): Promise<Source> {
    const before = await this.state(id);
    if ('trouble' in got) return { id, name, before, state: before, trouble: got.trouble };
    if ('unchanged' in got) return { id, name, before, state: before };
    if (got.text === before.good && got.etag === before.etag && before.doubtedSince === undefined)
      return { id, name, before, state: before };
    const verdict = judge(before, got.text, now);
    if (!verdict.take) return { id, name, before, state: verdict.state, trouble: verdict.trouble };
    const { encoding, etag, lastModified } = got;
    return { id, name, before, state: { ...verdict.state, encoding, etag, lastModified } };
  }

  /**
   * The objects of all sources. A new text that gives no objects, where the text before gave some, counts as a failure: the
   * earlier text stays (`reverted`). `missing`: the earlier text cannot be read either.
   */
  async #makeFeeds(sources: readonly Source[], now: Instant): Promise<Made> {
    const before = (keys: readonly string[]) => this.#before(keys);
    const result = await this.#publish(texts(sources, new Set()), this.#mapping, before, now);
    const emptied = emptiedOf(sources, result);
    const changed = new Set(
      sources.filter(({ before: known, state }) => state.good !== known.good).map(({ name }) => name),
    );
    const reverted = new Set(emptied.filter((name) => changed.has(name)));
    if (reverted.size === 0) return { result, reverted, missing: emptied };
    const again = await this.#publish(texts(sources, reverted), this.#mapping, before, now);
    const findings = [...result.findings.filter(({ feed }) => reverted.has(feed)), ...again.findings];
    return { result: { ...again, findings }, reverted, missing: emptiedOf(sources, again) };
  }

  /** Series with their sessions, as they are in the feeds. */
  async #before(keys: readonly string[]): Promise<Previous> {
    const found: JsonObject[] = [];
    for (const key of keys) {
      const series = await this.#log.liveOf('session-series', key, 1);
      const sessions = series.length === 0 ? [] : await this.#log.liveOf('scheduled-sessions', `${key}/`, MAX_SESSIONS);
      for (const { data } of [...series, ...sessions]) found.push(JSON.parse(data) as JsonObject);
    }
    return found;
  }
}

type Ids = NonNullable<SourceState['ids']>;

const NO_IDS: Ids = { series: [], facilities: [] };

const NOTHING: LogOutcome = { added: 0, updated: 0, deleted: 0, unchanged: 0 };

interface Made {
  result: PublishResult;
  reverted: ReadonlySet<string>;
  missing: readonly string[];
}

interface Source {
  id: string;
  name: string;
  before: SourceState;
  state: SourceState;
  trouble?: string;
}

function texts(sources: readonly Source[], reverted: ReadonlySet<string>): CalendarText[] {
  return sources.flatMap(({ name, before, state }) => {
    const { good: text, encoding } = reverted.has(name) ? before : state;
    return text === undefined ? [] : [{ source: name, text, encoding }];
  });
}

/** The sources with published objects, from now or from before. */
function publishingOf(sources: readonly Source[], result: PublishResult): Set<string> {
  const yields = yieldsOf(result);
  return new Set(sources.filter(({ name, before }) => before.published || yields.get(name)).map(({ name }) => name));
}

function withheldText(count: number, silent: readonly Source[]): string {
  const names = silent.map(({ name }) => name).join(', ');
  return `${count} of the series and facilities of calendars that are no longer named stay published, for nothing comes of ${names}; to withdraw them, name only calendars that can be read and have events`;
}

/** Numbers of objects by source; a source that was left out has none. */
function yieldsOf({ calendars }: PublishResult): Map<string, number> {
  return new Map(
    calendars.map(({ source, events, overrides, availabilities }) => [source, events + overrides + availabilities]),
  );
}

/** The sources that published objects before, and publish none now. */
function emptiedOf(sources: readonly Source[], result: PublishResult): string[] {
  const yields = yieldsOf(result);
  return sources.filter(({ name, before }) => before.published && !yields.get(name)).map(({ name }) => name);
}

function contentsOf({ published }: PublishResult): Record<string, LogObject[]> {
  const objects = (feed: PublishedFeed) =>
    published[feed].map(({ id, kind, data }): LogObject => ({ id, kind, data: JSON.stringify(data) }));
  return Object.fromEntries(PUBLISHED_FEEDS.map((feed) => [feed, objects(feed)]));
}

/** The description of the dataset, from the mapping file. */
export function aboutDataset({ dataset, organizer, licence }: Mapping): DatasetAbout {
  const publisher = dataset.publisher ?? organizer ?? { name: 'Unnamed publisher' };
  return {
    name: dataset.name ?? `${publisher.name}: sessions and opening hours`,
    description:
      dataset.description ??
      `What is on at ${publisher.name}, published from its calendars with the OpenActive Modelling Specification 2.0.`,
    license: licence,
    publisher,
    contact: dataset.contact?.includes('@') ? `mailto:${dataset.contact}` : dataset.contact,
    documentation: dataset.documentation,
  };
}
