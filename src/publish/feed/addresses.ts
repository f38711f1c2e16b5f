import { LIMITS } from '../../limits.ts';
import type { ChangeLog } from '../../store/index.ts';
import type { Instant } from '../../time/instant.ts';

/** Which pages a feed in files has, so that it stays small and no reader loses their place. */

/** A page: the entries after one change number, until another one. */
export interface PageAddress {
  name: string;
  after: number;
  /** Absent: the last page, which is empty. */
  until?: number;
  /** Name of the page that follows; of the last page its own. */
  next: string;
}

/** The beginning of a page that readers have been led to. */
interface Beginning {
  name: string;
  after: number;
  /** When it was no longer the last page: most readers wait there. */
  passed?: Instant;
  /** When no page began there any more. */
  dropped?: Instant;
}

/**
 * The pages of a feed, the first one first. Readers may be away for a week, for as long as tombstones stay (RPDE 1.0). A page
 * that was the last one within a week stays a page of its own, and one that no page leads to any more stays for a week.
 */
export async function pageAddresses(feed: string, log: ChangeLog, now: Instant): Promise<PageAddress[]> {
  const known = await beginnings(feed, log, now);
  const isRecent = (at: Instant | undefined) => at === undefined || now - at < LIMITS.tombstoneMs;
  const kept = known.filter(({ passed, dropped }) => dropped === undefined && isRecent(passed));
  const numbers = kept.map(({ after }) => after).sort((a, b) => a - b);
  const cuts = await cutsOf(feed, log, numbers);
  const last = cuts.at(-1) ?? 0;
  const byName = new Map(known.map((one) => [one.name, one]));
  for (const after of cuts) {
    const name = pageName(after);
    const { passed } = byName.get(name) ?? {};
    byName.set(name, { name, after, ...(after !== last && { passed: passed ?? now }) });
  }
  const names = new Set(cuts.map(pageName));
  const all = [...byName.values()]
    .map((one) => (names.has(one.name) ? one : { ...one, passed: one.passed ?? now, dropped: one.dropped ?? now }))
    .filter(({ dropped }) => dropped === undefined || isRecent(dropped))
    .filter(({ after }) => after <= last);
  // Before any page is written: who is led there must find it later on.
  await remember(feed, log, all);
  const pages = [...new Map([{ name: pageName(0), after: 0 }, ...all].map((one) => [one.name, one])).values()];
  const addresses: PageAddress[] = [];
  for (const { name, after } of pages.sort((a, b) => a.after - b.after)) {
    // What followed the beginning of a dropped page may have expired: it ends where the next entries do, so that it is not empty.
    const { count, last: first } = await log.pageVersion(feed, after, 1);
    const until = count === 0 ? undefined : cuts.find((cut) => cut >= first);
    addresses.push(until === undefined ? { name, after, next: name } : { name, after, until, next: pageName(until) });
  }
  return addresses;
}

/** Where pages begin, after the first one: at `kept` where there is something before it, else when a page is full. */
async function cutsOf(feed: string, log: ChangeLog, kept: readonly number[]): Promise<number[]> {
  const cuts: number[] = [];
  for (let after = 0; ; ) {
    const { count, last } = await log.pageVersion(feed, after, LIMITS.pageItems);
    if (count === 0) return cuts;
    const first = (await log.pageVersion(feed, after, 1)).last;
    after = kept.find((cut) => cut >= first && cut < last) ?? last;
    cuts.push(after);
  }
}

function pageName(after: number): string {
  return after === 0 ? 'page-000001.json' : `page-after-${after}.json`;
}

function keyOfBeginnings(feed: string): string {
  return `pages ${feed}`;
}

async function beginnings(feed: string, log: ChangeLog, now: Instant): Promise<Beginning[]> {
  const text = await log.value(keyOfBeginnings(feed));
  if (text !== undefined) return JSON.parse(text) as Beginning[];
  // Pages were once numbered, and kept their range for ever.
  const cuts = JSON.parse((await log.value(`cuts ${feed}`)) ?? '[]') as number[];
  return cuts.map((after, index) => {
    const name = `page-${String(index + 2).padStart(6, '0')}.json`;
    return { name, after, passed: now, dropped: now };
  });
}

async function remember(feed: string, log: ChangeLog, all: readonly Beginning[]): Promise<void> {
  const value = JSON.stringify(all);
  if ((await log.value(keyOfBeginnings(feed))) !== value) await log.setValue({ key: keyOfBeginnings(feed), value });
}
