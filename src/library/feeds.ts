import { StoreError } from '../errors.ts';
import { LIMITS } from '../limits.ts';
import { type Finding, finish, type RawFinding, shown } from '../opportunity/findings.ts';
import { compareText } from '../opportunity/ids.ts';
import { itemName } from '../opportunity/page/page.ts';
import { defined } from '../opportunity/records.ts';
import {
  type FeedReport,
  publicFeed,
  type Reader,
  type StoreReading,
  shownFeed,
  shownText,
  troubleWords,
} from '../store/index.ts';
import type { FeedFindings, FeedHealth, Health } from './library.ts';
import { publisherOf } from './reads.ts';

/** The health of a feed for its operator: without keys. */
export function feedHealth(report: FeedReport): FeedHealth {
  return healthAs(report, publicFeed(report.url));
}

/** The health of a feed for everybody: without keys and folders of the operator. */
export function shownHealth(report: FeedReport): FeedHealth {
  const health = healthAs(report, shownFeed(report));
  const { lastError, resync } = health;
  return {
    ...health,
    ...(lastError !== undefined && { lastError: shownText(lastError, report) }),
    ...(resync && { resync: { ...resync, reason: shownText(resync.reason, report) } }),
  };
}

function healthAs(report: FeedReport, address: string): FeedHealth {
  const { id, license, held, resync } = report;
  const publisher = report.publisher === undefined ? undefined : publisherOf(report);
  const state = shownState(report);
  const { failures, totalFailures, pages, taken, items, deleted, findings } = report;
  const moments = {
    paused: report.paused,
    lastAttempt: report.lastAttempt,
    lastSuccess: report.lastSuccess,
    lastChange: report.lastChange,
    modified: report.modified,
    lastError: report.lastError,
    lastErrorAt: report.lastErrorAt,
    // A retired or paused feed keeps its next visit in the store, and is not visited until it is active again.
    nextVisit: state === 'retired' || state === 'paused' ? undefined : report.nextVisit,
  };
  return {
    id,
    name: report.name ?? address,
    address,
    ...defined({ publisher, license }),
    state,
    ...defined(moments),
    failures,
    totalFailures,
    pages,
    taken,
    items,
    deleted,
    findings,
    ...(held && { held }),
    ...(resync && { resync: { since: resync.since, reason: resync.reason } }),
  };
}

function shownState({ state, paused }: FeedReport): FeedHealth['state'] {
  return paused === undefined ? state : 'paused';
}

/** @throws StoreError, also where there is no answer in time */
export async function feedsOf(read: Reader): Promise<FeedHealth[]> {
  return (await answered(read.feedStates())).map(shownHealth);
}

/** @throws StoreError, also where there is no answer in time */
export async function feedsInFull(read: Reader): Promise<FeedHealth[]> {
  return (await answered(read.feedStates())).map(feedHealth);
}

/** Whether the service is ready. Failing feeds do not count, for stored data is served; a store does that needs help, or gives no answer. */
export async function healthOf(store: StoreReading): Promise<Health> {
  const facts = await answered(factsOf(store.read)).catch((error: unknown) => {
    store.troubles.met(error, true);
    if (error instanceof StoreError && error.cure !== undefined) return error;
    throw error;
  });
  const fault = store.troubles.lastMet ?? (facts instanceof StoreError ? facts : undefined);
  return {
    ready: fault === undefined,
    ...(fault !== undefined && { reason: troubleWords(fault) }),
    ...(!(facts instanceof StoreError) && { facts }),
  };
}

/** An answer within `answerMs`, as a database on another machine may give none for minutes. @throws StoreError */
async function answered<T>(answer: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => late.reject(new StoreError(`The database failed: ${LATE}.`, { cure: LATE })),
    LIMITS.answerMs,
  );
  try {
    return await Promise.race([answer, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

const LATE = `it gives no answer within ${LIMITS.answerMs / 1000} seconds; check whether it runs, and the network to it`;

/** Notes an error of the store. The result is the trouble in words that may be public. */
export function noteError({ troubles }: Pick<StoreReading, 'troubles'>, error: unknown): string | undefined {
  troubles.met(error, true);
  return error instanceof StoreError && error.trouble !== undefined ? troubleWords(error) : undefined;
}

async function factsOf(read: Reader): Promise<NonNullable<Health['facts']>> {
  const calendars = await servedCalendars(read);
  const states = (await read.feedStates()).map(shownState);
  const count = (state: FeedHealth['state']) => states.filter((one) => one === state).length;
  const troubled = {
    failing: count('failing'),
    stalled: count('stalled'),
    gone: count('gone'),
    held: count('held'),
    paused: count('paused'),
  };
  return { calendars, feeds: states.length, ...troubled };
}

/** Counts of calendars by store, each with the `seq` of its newest change. A count is valid until `until`, in milliseconds. */
const counts = new WeakMap<Reader, { calendars: number; seq: number; until: number }>();

/**
 * The number of calendars of series, places and facilities. It is counted again after a change, and for a twentieth of the
 * time at most, because anybody may request `/readyz`.
 */
async function servedCalendars(read: Reader): Promise<number> {
  const known = counts.get(read);
  const began = performance.now();
  if (known !== undefined && began < known.until) return known.calendars;
  const seq = await read.lastSeq();
  if (known?.seq === seq) return known.calendars;
  let calendars = 0;
  for (const kind of ['series', 'place', 'facility'] as const) calendars += await read.countCalendars({ kind });
  const ended = performance.now();
  counts.set(read, { calendars, seq, until: ended + 19 * (ended - began) });
  return calendars;
}

/**
 * Findings of a feed: with the first answer those of its pages, and those of its items, `limit` items at a time.
 * `after`: the last item of the answer before.
 */
export async function findingsOf(
  read: Reader,
  id: number,
  { after, limit }: { after?: number; limit: number },
): Promise<FeedFindings | undefined> {
  const report = (await read.feedStates()).find((one) => one.id === id);
  if (report === undefined) return undefined;
  const feed = shownHealth(report);
  const ofFeed = after === undefined ? await feedFindings(read, report, feed.address) : [];
  const items = await read.itemFindings(id, after ?? 0, limit);
  const findings = [
    ...ofFeed,
    ...items.flatMap(({ kind, rpdeId, ident, findings: text }) =>
      (JSON.parse(text) as RawFinding[]).map((finding) =>
        finish(finding, feed.address, itemName({ kind, id: rpdeId }), ident),
      ),
    ),
  ];
  const last = items.length === limit ? items.at(-1)?.id : undefined;
  return { feed, findings, ...(last !== undefined && { next: last }) };
}

/** Findings about the feed as a whole: its pages, and relations between its items. */
async function feedFindings(read: Reader, report: FeedReport, address: string): Promise<Finding[]> {
  const ofPages = (await read.pageFindings(report.id)).slice(0, MOST_OF_PAGES);
  return [
    ...ofPages.map(({ item, finding }) => shownFinding(finish(finding, address, item), report)),
    ...(await waitingIn(read, report.id, address)),
    ...(await slotsLeftOut(read, report, address)),
    ...(await repeatedIn(read, report.id, address)),
  ];
}

/** Parents that are missing to items of the feed (semantics 1.1). They are found with each answer, as a parent may still come. */
async function waitingIn(read: Reader, feed: number, address: string): Promise<Finding[]> {
  const found: Finding[] = [];
  for (const kind of ['series', 'facility', 'place'] as const)
    for (const { ident, count, kind: itemKind, rpdeId } of await read.awaitedBy(feed, kind, MOST_WAITING)) {
      const facts = { id: shown(ident, 200), count };
      found.push(
        finish({ code: `${kind}-not-here`, path: '$', facts }, address, itemName({ kind: itemKind, id: rpdeId })),
      );
    }
  return found;
}

/** One finding for all slots of a feed that is read without slots. */
async function slotsLeftOut(read: Reader, { id, reading, slots }: FeedReport, address: string): Promise<Finding[]> {
  const found = slots && reading?.slots !== true ? await read.slotItems(id, MOST_SLOTS + 1) : undefined;
  if (found === undefined) return [];
  const { count, first } = found;
  const facts = { count: count > MOST_SLOTS ? `more than ${MOST_SLOTS}` : count };
  const example = itemName({ kind: first.kind, id: first.rpdeId });
  return [finish({ code: 'slots-not-harvested', path: '$', facts }, address, example)];
}

/** Items that another item of the feed hides (semantics 1.4). They are found with each answer, as either item may change. */
async function repeatedIn(read: Reader, id: number, feed: string): Promise<Finding[]> {
  const found = (await read.repeatedItems(id, MOST_WAITING)).map(({ ident, kind, rpdeId, by }) => {
    const facts = { id: shown(ident, 200), other: itemName({ kind: by.kind, id: by.rpdeId }) };
    return finish({ code: 'repeated-in-feed', path: '$', facts }, feed, itemName({ kind, id: rpdeId }), ident);
  });
  return found.sort((a, b) => compareText(a.item, b.item));
}

/** A finding without keys: one about a page may quote its address. */
function shownFinding(finding: Finding, report: FeedReport): Finding {
  return { ...finding, message: shownText(finding.message, report) };
}

/** Most findings of pages: people read the first ones, and the rest are of one kind. */
const MOST_OF_PAGES = 1000;
const MOST_WAITING = 1000;
/** Slots that are counted for one answer: feeds have millions. */
const MOST_SLOTS = 10_000;
