import type { RawFinding } from '../opportunity/findings.ts';
import { envelopeFindings } from '../opportunity/page.ts';
import { Publishers } from '../opportunity/publishers.ts';
import { LOST_DATA, META, type RecordKind, type Store, type Writer } from '../store/contract.ts';
import { storedJson } from '../store/trouble.ts';
import type { Change } from './changes.ts';
import { NOTHING_ENDS } from './ending.ts';
import { renamedRows } from './former-ids.ts';
import type { IngestOptions } from './ingest.ts';
import { joinSessions } from './joining.ts';
import { settleOwners } from './ownership.ts';
import { cleanRaw } from './prepared.ts';
import { contextOf } from './replan.ts';
import { RULES_VERSION } from './rules.ts';
import { saveSessions } from './saving.ts';
import { settleCalendars } from './settle.ts';
import { type Touched, untouched } from './touched.ts';

const BATCH = 500;

/** Makes every record anew from the raw data if the rules have changed. One transaction: readers see the old state until it is done. */
export async function rebuildIfNeeded(store: Store, options: IngestOptions): Promise<boolean> {
  const version = await store.read.meta(META.rules);
  if (version === RULES_VERSION) return false;
  const fresh = (await store.read.feeds()).length === 0;
  if (!fresh) await rebuild(store, options);
  await store.write((tx) => tx.setMeta(META.rules, RULES_VERSION));
  return !fresh;
}

/** Makes every record, occurrence and calendar anew from the raw data; what comes out the same keeps its revision. */
export async function rebuild(store: Store, options: IngestOptions): Promise<void> {
  const keys = await store.write(async (tx) => {
    await tx.clearDerived();
    const unnamed: number[] = [];
    for (let after = 0; ; ) {
      const items = await tx.liveItems(after, BATCH);
      if (items.length === 0) break;
      after = (items.at(-1) as { id: number }).id;
      unnamed.push(...(await cleanAgain(tx, items, options)));
    }
    const touched = await abandon(tx);
    for (const id of unnamed) touched.unnamed.add(id);
    await joinSessions(tx, touched, []);
    for await (const id of all(tx, 'series')) touched.series.add(id);
    for await (const id of all(tx, 'place')) touched.places.add(id);
    for await (const id of all(tx, 'facility')) touched.places.add(id);
    return settleCalendars(tx, touched, NOTHING_ENDS, await contextOf(tx, options));
  });
  if (keys.length > 0) options.onChange?.(keys);
}

async function* all(tx: Writer, kind: RecordKind): AsyncGenerator<number> {
  for (let after = 0; ; ) {
    const ids = await tx.recordIds(kind, after, BATCH);
    if (ids.length === 0) return;
    yield* ids;
    after = ids.at(-1) as number;
  }
}

type LiveItem = Awaited<ReturnType<Writer['liveItems']>>[number];

/** Returns the sessions that name no series. */
async function cleanAgain(tx: Writer, items: readonly LiveItem[], options: IngestOptions): Promise<number[]> {
  const unnamed: number[] = [];
  const feeds = new Map((await tx.feeds()).map((feed) => [feed.id, feed]));
  const raws = await tx.raw(items.map((item) => item.id));
  for (const [id, own] of Map.groupBy(items, (item) => item.feed)) {
    const feed = feeds.get(id);
    if (feed === undefined) continue;
    const changes: Change[] = [];
    const findings: { item: number; findings: string | undefined }[] = [];
    for (const { id: item, kind, rpdeId, modified, hash } of own) {
      const before = envelopeFindings(storedJson<RawFinding[]>((await tx.findingsOf(item)) ?? '[]'));
      const said = cleanRaw({ kind, rpdeId, modified }, raws.get(item) ?? 'null', options.door(feed), before);
      changes.push({ item, feed: feed.url, kind, rpdeId, modified, known: false, records: said.records });
      // A later copy that said nothing is not kept: what was found of it stays.
      if (hash !== LOST_DATA) findings.push({ item, findings: said.findingsText });
    }
    await tx.saveFindings(findings);
    const { touched } = await settleOwners(tx, changes, options, new Publishers(feeds.values()));
    await saveSessions(tx, touched);
    unnamed.push(...touched.unnamed);
  }
  return unnamed;
}

function hasCalendar(kind: RecordKind): kind is 'series' | 'place' | 'facility' {
  return kind === 'series' || kind === 'place' || kind === 'facility';
}

/**
 * Records that nothing says under the new rules go; the series they were shown in lose them. The calendar of one that has
 * another identity now moves.
 */
async function abandon(tx: Writer): Promise<Touched> {
  const touched = untouched();
  for (let after = 0; ; ) {
    const rows = await tx.unowned(after, BATCH);
    if (rows.length === 0) return touched;
    after = (rows.at(-1) as { id: number }).id;
    for (const row of rows)
      if (row.kind === 'session' && row.hash && row.parent !== undefined) touched.lost.add(row.parent);
    const shown = rows.flatMap(({ id, kind, ident }) => (hasCalendar(kind) ? [{ id, kind, ident }] : []));
    for (const [now, before] of await renamedRows(tx, shown)) touched.moved.set(now, before);
    await tx.clearRecords(rows.map((row) => row.id));
  }
}
