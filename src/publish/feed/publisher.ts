import type { JsonObject } from '../../opportunity/item/json.ts';
import type { ChangeLog, LogObject, LogOutcome } from '../../store/index.ts';
import type { Instant } from '../../time/instant.ts';
import type { PublishFinding } from '../codes.ts';
import {
  type CalendarText,
  type Previous,
  PUBLISHED_FEEDS,
  type PublishedObject,
  type PublishResult,
} from '../contract.ts';
import type { Mapping } from '../map/mapping.ts';
import { publishOffThread } from '../off-thread.ts';
import type { DatasetAbout } from './dataset.ts';
import { judge, type SourceState, sourceKey } from './last-good.ts';

/** One source of calendars as it was just read. */
export interface Reading {
  /** Tells it from all others; may hold a secret. */
  id: string;
  /** What people know it by: without secrets. */
  name: string;
  got:
    | { text: string; etag?: string | undefined; lastModified?: string | undefined }
    /** It is what it was. */
    | { unchanged: true }
    /** It could not be read. */
    | { trouble: string };
}

/** What publishing once came to. */
export interface Round {
  outcome: LogOutcome;
  findings: PublishFinding[];
  /** What is wrong with a source, by its name; what it published before stays. */
  troubles: Map<string, string>;
  /** Sources of which something is published, from now or from before. */
  published: number;
}

type Publish = typeof publishOffThread;

/** Turns what sources say into what the feeds hold, and remembers the last good text of each. */
export class Publisher {
  readonly #log: ChangeLog;
  readonly #mapping: Mapping;
  readonly #publish: Publish;

  /** `publish`: what makes objects of calendars. */
  constructor(log: ChangeLog, mapping: Mapping, publish: Publish = publishOffThread) {
    this.#log = log;
    this.#mapping = mapping;
    this.#publish = publish;
  }

  /** What is known of a source from earlier rounds and earlier runs. */
  async state(id: string): Promise<SourceState> {
    const text = await this.#log.value(sourceKey(id));
    return text === undefined ? {} : (JSON.parse(text) as SourceState);
  }

  /** Publishes all sources, and nothing else: what belongs to none of them any more is deleted. */
  async round(readings: readonly Reading[], now: Instant): Promise<Round> {
    const judged = await Promise.all(readings.map((reading) => this.#judged(reading, now)));
    const { result, spoilt, missing } = await this.#made(judged, now);
    const troubles = new Map(judged.flatMap(({ name, trouble }) => (trouble === undefined ? [] : [[name, trouble]])));
    for (const name of [...spoilt, ...missing])
      troubles.set(name, 'nothing can be made of it now; what was published stays');
    // Without what a calendar published before, the feeds as a whole are unknown.
    const outcome = missing.length > 0 ? NOTHING : await this.#log.replace(contents(result), now);
    await this.#log.expire(now);
    const yields = yieldsOf(result);
    for (const { id, name, state, before } of judged) {
      const kept = spoilt.has(name) ? { good: before.good } : state;
      const published = before.published === true || (yields.get(name) ?? 0) > 0;
      if (kept === before && published === (before.published ?? false)) continue;
      await this.#log.setValue({ key: sourceKey(id), value: JSON.stringify({ ...kept, published }) });
    }
    const published = judged.filter(({ name, before }) => before.published || (yields.get(name) ?? 0) > 0).length;
    return { outcome, findings: result.findings, troubles, published };
  }

  async #judged({ id, name, got }: Reading, now: Instant): Promise<Judged> {
    const before = await this.state(id);
    if ('trouble' in got) return { id, name, before, state: before, trouble: got.trouble };
    if ('unchanged' in got) return { id, name, before, state: before };
    if (got.text === before.good && got.etag === before.etag && before.doubtedSince === undefined)
      return { id, name, before, state: before };
    const verdict = judge(before, got.text, now);
    if (!verdict.take) return { id, name, before, state: verdict.state, trouble: verdict.trouble };
    const { etag, lastModified } = got;
    return { id, name, before, state: { ...verdict.state, etag, lastModified } };
  }

  /**
   * The objects of all sources. A new text of which nothing can be made, where something could be made of the one before, is
   * as good as a failure: the one before stays (`spoilt`). `lost`: that one cannot be read either.
   */
  async #made(judged: readonly Judged[], now: Instant): Promise<Made> {
    const previous = await this.#previous();
    const result = await this.#publish(texts(judged, new Set()), this.#mapping, previous, now);
    const barren = barrenOf(judged, result);
    const changed = new Set(judged.filter(({ before, state }) => state.good !== before.good).map(({ name }) => name));
    const spoilt = new Set(barren.filter((name) => changed.has(name)));
    if (spoilt.size === 0) return { result, spoilt, missing: barren };
    const again = await this.#publish(texts(judged, spoilt), this.#mapping, previous, now);
    const findings = [...result.findings.filter(({ feed }) => spoilt.has(feed)), ...again.findings];
    return { result: { ...again, findings }, spoilt, missing: barrenOf(judged, again) };
  }

  async #previous(): Promise<Previous> {
    const found: JsonObject[] = [];
    for (let after = ''; ; ) {
      const objects = await this.#log.live('session-series', after, BATCH);
      if (objects.length === 0) return found;
      after = (objects.at(-1) as LogObject).id;
      found.push(...objects.map(({ data }) => JSON.parse(data) as JsonObject));
    }
  }
}

const BATCH = 1000;

const NOTHING: LogOutcome = { added: 0, updated: 0, deleted: 0, unchanged: 0 };

interface Made {
  result: PublishResult;
  spoilt: ReadonlySet<string>;
  missing: readonly string[];
}

interface Judged {
  id: string;
  name: string;
  before: SourceState;
  state: SourceState;
  trouble?: string;
}

function texts(judged: readonly Judged[], spoilt: ReadonlySet<string>): CalendarText[] {
  return judged.flatMap(({ name, before, state }) => {
    const text = spoilt.has(name) ? before.good : state.good;
    return text === undefined ? [] : [{ source: name, text }];
  });
}

/** How much was made of each source; one that was left out is not among them. */
function yieldsOf({ calendars }: PublishResult): Map<string, number> {
  return new Map(
    calendars.map(({ source, events, overrides, availabilities }) => [source, events + overrides + availabilities]),
  );
}

/** The sources that published something before and do not now. */
function barrenOf(judged: readonly Judged[], result: PublishResult): string[] {
  const yields = yieldsOf(result);
  return judged.filter(({ name, before }) => before.published && !yields.get(name)).map(({ name }) => name);
}

function contents({ published }: PublishResult): Record<string, LogObject[]> {
  return Object.fromEntries(PUBLISHED_FEEDS.map((feed) => [feed, published[feed].map(logObject)]));
}

function logObject({ id, kind, data }: PublishedObject): LogObject {
  return { id, kind, data: JSON.stringify(data) };
}

/** What the dataset page says, from the mapping file. */
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
