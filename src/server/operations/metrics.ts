import { setTimeout } from 'node:timers/promises';
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { STORE_TROUBLES, type StoreTrouble } from '../../errors.ts';
import type { FeedHealth } from '../../library/index.ts';
import type { SecondCounts } from '../cache/second-level.ts';
import { type Log, repeatedError } from './log.ts';
import type { Meter, Meters } from './meters.ts';

/** `/metrics` for Prometheus. */

/** The sources of metrics in a process that serves calendars. */
export interface Serving {
  meters: Meters;
  cached(): { entries: number; bytes: number };
  /** Counts of the shared cache, where there is one. */
  shared?(): Readonly<SecondCounts> | undefined;
}

/** The sources of all metrics. */
export interface Measured {
  serving?: Serving;
  /** The feeds, from the store, so that a process without a harvester has them too. */
  feeds(): Promise<FeedHealth[]>;
  /** The trouble of the store that this process has met, until it is over. */
  trouble?: (() => StoreTrouble | undefined) | undefined;
  writes?: (() => number) | undefined;
  retries?: (() => number) | undefined;
  /** Messages to the webhook; absent: there is none. */
  notices?: () => { delivered: number; failed: number };
  now(): number;
  log: Log;
}

/** The metrics of a process, read from their sources with each request. */
export class Metrics {
  readonly contentType = Registry.PROMETHEUS_CONTENT_TYPE;
  readonly #measured: Measured;
  readonly #reading: ReturnType<typeof repeatedError>;
  #registry: Promise<Registry> | undefined;
  /** The feeds, read once for all metrics; undefined: the store does not answer. */
  #feeds: readonly FeedHealth[] | undefined;

  constructor(measured: Measured) {
    this.#measured = measured;
    this.#reading = repeatedError(measured.log, 'The feeds could not be read for /metrics.');
  }

  async text(): Promise<string> {
    const { feeds, trouble, serving, writes, retries, notices, now } = this.#measured;
    try {
      this.#feeds = await feeds();
      this.#reading.well();
    } catch (error) {
      this.#feeds = undefined;
      this.#reading.failed(error);
    }
    // The registry is made at its first use, so that processes without metrics do not pay for it.
    this.#registry ??= warmRegistry([
      ...(serving ? servingMetrics(serving) : []),
      ...(trouble
        ? [
            gauge('store_trouble', TROUBLE, ['trouble'], () =>
              STORE_TROUBLES.map((one) => [[one], trouble() === one ? 1 : 0]),
            ),
          ]
        : []),
      ...(writes ? [counter('store_writes_total', WRITES, [], () => [[[], writes()]])] : []),
      ...(retries ? [counter('store_retries_total', RETRIES, [], () => [[[], retries()]])] : []),
      ...(notices
        ? [
            counter('notices_total', NOTICES, ['result'], () =>
              Object.entries(notices()).map(([result, count]) => [[result], count]),
            ),
          ]
        : []),
      ...feedMetrics(() => this.#feeds, now),
    ]);
    return (await this.#registry).metrics();
  }
}

/** Several times the resolution of event loop delays, which is 10 ms. */
const FIRST_DELAYS_MS = 50;

/** A registry that has been read once. Before that the delays of the event loop are NaN, 0 and the largest of all numbers. */
async function warmRegistry(metrics: readonly Metric[]): Promise<Registry> {
  const registry = registryOf(metrics);
  await registry.metrics();
  await setTimeout(FIRST_DELAYS_MS);
  return registry;
}

const TROUBLE = '1 for what is the matter with the store, or its disk; /readyz has the cure.';
const NOTICES = 'Messages to the webhook (notifyUrl) that were delivered, and tries that failed.';
const RETRIES =
  'Transactions that were begun anew, because the database ended them for others (deadlock, serialization).';
const WRITES = 'Transactions written to the store by this process.';

/** Values of the labels in their order, and the number. */
type LabelledValue = readonly [labels: readonly string[], value: number];

/** A counter or gauge that takes numbers from elsewhere whenever metrics are read. */
type Metric = (registry: Registry) => Counter | Gauge;

function metric(Kind: typeof Counter | typeof Gauge) {
  return (name: string, help: string, labelNames: string[], values: () => readonly LabelledValue[]): Metric =>
    (registry) =>
      new Kind({
        name: `openactive_ical_${name}`,
        help,
        labelNames,
        registers: [registry],
        collect() {
          this.reset();
          for (const [of, value] of values()) {
            this.inc(Object.fromEntries(labelNames.map((label, at) => [label, of[at] as string])), value);
          }
        },
      });
}

const counter = metric(Counter);
const gauge = metric(Gauge);

function registryOf(metrics: readonly Metric[]): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  for (const add of metrics) add(registry);
  return registry;
}

function servingMetrics({ meters, cached, shared }: Serving): Metric[] {
  const each = (read: (kind: string, meter: Meter) => LabelledValue[]) =>
    [...meters.calendars].flatMap(([kind, meter]) => read(kind, meter));
  const ofShared =
    'Answers of the shared cache; refused: not made by a process of this store, or damaged, or too large.';
  return [
    counter('calendar_answers_total', 'Calendars sent whole, and answered with 304.', ['calendar', 'outcome'], () =>
      each((kind, { full, notModified }) => [
        [[kind, 'full'], full],
        [[kind, 'not_modified'], notModified],
      ]),
    ),
    counter('calendar_bytes_total', 'Bytes of calendars sent.', ['calendar'], () =>
      each((kind, { bytes }) => [[[kind], bytes]]),
    ),
    counter('cache_lookups_total', 'Calendars looked for in memory.', ['calendar', 'result'], () =>
      each((kind, { hits, misses }) => [
        [[kind, 'hit'], hits],
        [[kind, 'miss'], misses],
      ]),
    ),
    counter('renders_total', 'Calendars rendered.', ['calendar'], () =>
      each((kind, { renders }) => [[[kind], renders]]),
    ),
    counter('render_seconds_total', 'Time taken to render them.', ['calendar'], () =>
      each((kind, { renderMs }) => [[[kind], renderMs / 1000]]),
    ),
    counter(
      'http_answers_total',
      'Answers by what was asked for and the class of the status.',
      ['route', 'status'],
      () => [
        ...Object.entries(meters.answers).flatMap(([route, hundreds]) =>
          hundreds.map((count, at): LabelledValue => [[route, `${at}xx`], count]).slice(1),
        ),
        ...each((_, { full, notModified }) => [
          [['calendar', '2xx'], full],
          [['calendar', '3xx'], notModified],
        ]),
      ],
    ),
    ...(shared?.() === undefined
      ? []
      : [
          counter('shared_cache_answers_total', ofShared, ['result'], () =>
            Object.entries(shared() ?? {}).map(([result, count]) => [[result], count]),
          ),
        ]),
    gauge('cache_bytes', 'Bytes of calendars in memory.', [], () => [[[], cached().bytes]]),
    gauge('cache_entries', 'Calendars in memory.', [], () => [[[], cached().entries]]),
  ];
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
  // A retired or paused feed has no lag, because an alarm about it would never end.
  ['feed_lag_seconds', 'Since it was last read to its end.', (feed, now) => lag(feed, now)],
  ['feed_next_visit_seconds', 'Until it is asked again.', ({ nextVisit }, now) => since(now, nextVisit)],
];

function lag({ state, lastSuccess }: FeedHealth, now: number): number | undefined {
  return state === 'retired' || state === 'paused' ? undefined : since(lastSuccess, now);
}

function since(from: number | undefined, to: number | undefined): number | undefined {
  return from === undefined || to === undefined ? undefined : (to - from) / 1000;
}

function feedMetrics(feeds: () => readonly FeedHealth[] | undefined, now: () => number): Metric[] {
  const each = (read: (feed: FeedHealth) => number | undefined) =>
    labelled(feeds() ?? []).flatMap(([label, feed]): LabelledValue[] => {
      const value = read(feed);
      return value === undefined ? [] : [[[label], value]];
    });
  return [
    ...OF_FEEDS.map(([name, help, read]) =>
      (name.endsWith('_total') ? counter : gauge)(name, help, ['feed'], () => each((feed) => read(feed, now()))),
    ),
    gauge('feed_state', '1 for the state that it is in.', ['feed', 'state'], () =>
      labelled(feeds() ?? []).map(([label, { state }]) => [[label, state], 1]),
    ),
    gauge('store_up', '1 if the store answers; at 0 there are no figures of feeds.', [], () => [[[], feeds() ? 1 : 0]]),
  ];
}

/** Each feed under its name, or its address without keys; distinguished by number where two have one name. */
function labelled(feeds: readonly FeedHealth[]): [label: string, feed: FeedHealth][] {
  const names = Map.groupBy(feeds, ({ name }) => name);
  return feeds.map((feed) => [names.get(feed.name)?.length === 1 ? feed.name : `${feed.name} #${feed.id}`, feed]);
}
