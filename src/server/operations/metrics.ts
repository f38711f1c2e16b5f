import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { FeedHealth } from '../../library/index.ts';
import type { SecondCounts } from '../cache/second-level.ts';
import type { Log } from './log.ts';
import type { Meters } from './meters.ts';

/** What a process counts that serves calendars. */
export interface Serving {
  meters: Meters;
  /** Calendars held in memory. */
  held(): { entries: number; bytes: number };
  /** Of the shared cache, where there is one. */
  shared?(): Readonly<SecondCounts> | undefined;
}

/** What is measured at each request of `/metrics`. */
export interface Measured {
  /** Of a process that serves calendars. */
  serving?: Serving;
  /** From the store: a process that does not harvest knows as much. */
  feeds(): Promise<FeedHealth[]>;
  /** Transactions of this process. */
  writes?: (() => number) | undefined;
  now(): number;
  log: Log;
}

/** The text of `/metrics`, in the format of Prometheus. */
export class Metrics {
  readonly contentType = Registry.PROMETHEUS_CONTENT_TYPE;
  readonly #measured: Measured;
  #instruments: Instruments | undefined;

  constructor(measured: Measured) {
    this.#measured = measured;
  }

  async text(): Promise<string> {
    // Made when it is first asked for: who never does pays nothing for it.
    this.#instruments ??= instruments(this.#measured);
    await this.#instruments.refresh();
    return this.#instruments.registry.metrics();
  }
}

interface Instruments {
  registry: Registry;
  /** Reads what is measured and not counted. */
  refresh(): Promise<void>;
}

const PREFIX = 'openactive_ical_';

function instruments(measured: Measured): Instruments {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const { serving, writes } = measured;
  const readCache = serving && addServing(registry, serving);
  if (writes !== undefined) {
    counter(registry, 'store_writes_total', 'Transactions written to the store by this process.', [], (one) =>
      one.inc(writes()),
    );
  }
  const readFeeds = addFeeds(registry, measured);
  return {
    registry,
    refresh: async () => {
      readCache?.();
      await readFeeds();
    },
  };
}

/** A counter that takes its value from a number kept elsewhere, when metrics are read. */
function counter<L extends string>(
  registry: Registry,
  name: string,
  help: string,
  labelNames: L[],
  read: (counter: Counter<L>) => void,
): void {
  new Counter({
    name: PREFIX + name,
    help,
    labelNames,
    registers: [registry],
    collect() {
      this.reset();
      read(this);
    },
  });
}

/** Gives the function that measures memory. */
function addServing(registry: Registry, serving: Serving): () => void {
  addCalendars(registry, serving);
  addAnswers(registry, serving);
  addShared(registry, serving);
  return addCache(registry, serving);
}

function addCalendars(registry: Registry, { meters }: Serving): void {
  const each = (read: (kind: string, meter: ReturnType<Meters['of']>) => void) => {
    for (const [kind, meter] of meters.calendars) read(kind, meter);
  };
  counter(
    registry,
    'calendar_answers_total',
    'Calendars sent whole, and answered with 304.',
    ['calendar', 'outcome'],
    (one) =>
      each((calendar, { full, notModified }) => {
        one.inc({ calendar, outcome: 'full' }, full);
        one.inc({ calendar, outcome: 'not_modified' }, notModified);
      }),
  );
  counter(registry, 'calendar_bytes_total', 'Bytes of calendars sent.', ['calendar'], (one) =>
    each((calendar, { bytes }) => one.inc({ calendar }, bytes)),
  );
  counter(registry, 'cache_lookups_total', 'Calendars looked for in memory.', ['calendar', 'result'], (one) =>
    each((calendar, { hits, misses }) => {
      one.inc({ calendar, result: 'hit' }, hits);
      one.inc({ calendar, result: 'miss' }, misses);
    }),
  );
  counter(registry, 'renders_total', 'Calendars rendered.', ['calendar'], (one) =>
    each((calendar, { renders }) => one.inc({ calendar }, renders)),
  );
  counter(registry, 'render_seconds_total', 'Time taken to render them.', ['calendar'], (one) =>
    each((calendar, { renderMs }) => one.inc({ calendar }, renderMs / 1000)),
  );
}

function addShared(registry: Registry, { shared }: Serving): void {
  if (shared?.() === undefined) return;
  const help = 'Answers of the shared cache; refused: not made by a process of this store, or damaged, or too large.';
  counter(registry, 'shared_cache_answers_total', help, ['result'], (one) => {
    for (const [result, count] of Object.entries(shared() ?? {})) one.inc({ result }, count);
  });
}

function addCache(registry: Registry, { held }: Serving): () => void {
  const bytes = gauge(registry, 'cache_bytes', 'Bytes of calendars held in memory.', []);
  const entries = gauge(registry, 'cache_entries', 'Calendars held in memory.', []);
  return () => {
    bytes.set(held().bytes);
    entries.set(held().entries);
  };
}

function addAnswers(registry: Registry, { meters }: Serving): void {
  const help = 'Answers by what was asked for and the class of the status.';
  counter(registry, 'http_answers_total', help, ['route', 'status'], (one) => {
    for (const [route, hundreds] of Object.entries(meters.answers)) {
      for (const [at, count] of hundreds.entries()) if (at > 0) one.inc({ route, status: `${at}xx` }, count);
    }
    for (const { full, notModified } of meters.calendars.values()) {
      one.inc({ route: 'calendar', status: '2xx' }, full);
      one.inc({ route: 'calendar', status: '3xx' }, notModified);
    }
  });
}

function gauge<L extends string>(registry: Registry, name: string, help: string, labelNames: L[]): Gauge<L> {
  return new Gauge({ name: PREFIX + name, help, labelNames, registers: [registry] });
}

/** A number of each feed, absent where it is not known. */
const OF_FEEDS: readonly (readonly [
  name: string,
  help: string,
  read: (feed: FeedHealth, now: number) => number | undefined,
])[] = [
  ['feed_items', 'Live items.', ({ items }) => items],
  ['feed_tombstones', 'Deleted items that are remembered.', ({ deleted }) => deleted],
  ['feed_findings', 'What is odd about its items and pages.', ({ findings }) => findings],
  ['feed_pages_total', 'Pages taken in, ever.', ({ pages }) => pages],
  ['feed_taken_items_total', 'Items on them.', ({ taken }) => taken],
  ['feed_failures_total', 'Passes that failed, ever.', ({ totalFailures }) => totalFailures],
  ['feed_failures_in_a_row', 'Passes that failed since the last that did not.', ({ failures }) => failures],
  ['feed_held_items', 'Items whose losses wait for somebody to confirm them.', ({ held }) => held?.items ?? 0],
  ['feed_held_calendars', 'Calendars that would be gone with them.', ({ held }) => held?.calendars ?? 0],
  ['feed_held_sessions', 'Sessions that would be gone with them.', ({ held }) => held?.sessions ?? 0],
  // Nobody reads a retired or paused one: an alarm would ring for ever.
  ['feed_lag_seconds', 'Since it was last read to its end.', (feed, now) => lag(feed, now)],
  ['feed_next_visit_seconds', 'Until it is asked again.', ({ nextVisit }, now) => since(now, nextVisit)],
];

function lag({ state, lastSuccess }: FeedHealth, now: number): number | undefined {
  return state === 'retired' || state === 'paused' ? undefined : since(lastSuccess, now);
}

function since(from: number | undefined, to: number | undefined): number | undefined {
  return from === undefined || to === undefined ? undefined : (to - from) / 1000;
}

/** Gives the function that reads all feeds, once for all their metrics. */
function addFeeds(registry: Registry, { feeds, now, log }: Measured): () => Promise<void> {
  const gauges = OF_FEEDS.map(([name, help, read]) => ({ read, gauge: gauge(registry, name, help, ['feed']) }));
  const state = gauge(registry, 'feed_state', '1 for the state that it is in.', ['feed', 'state']);
  const up = gauge(registry, 'store_up', '1 if the store answers; if not, nothing is said of feeds.', []);
  return async () => {
    const known = await feeds().catch((error: unknown) => {
      log.error({ err: error }, 'The feeds could not be read for /metrics.');
      return undefined;
    });
    up.set(known === undefined ? 0 : 1);
    for (const one of [...gauges.map((row) => row.gauge), state]) one.reset();
    for (const [feed, health] of labelled(known ?? [])) {
      state.set({ feed, state: health.state }, 1);
      for (const { read, gauge: one } of gauges) {
        const value = read(health, now());
        if (value !== undefined) one.set({ feed }, value);
      }
    }
  };
}

/** Each feed under its name, or its address without keys; distinguished by number where two have one name. */
function labelled(feeds: readonly FeedHealth[]): [label: string, feed: FeedHealth][] {
  const names = Map.groupBy(feeds, ({ name }) => name);
  return feeds.map((feed) => [names.get(feed.name)?.length === 1 ? feed.name : `${feed.name} #${feed.id}`, feed]);
}
