import { Publishers } from '../../join/publishers.ts';
import type { RawFinding } from '../../opportunity/findings.ts';
import { envelopeFindings } from '../../opportunity/page/page.ts';
import type { RecordKind } from '../../opportunity/records.ts';
import {
  type Affected,
  joinSessions,
  NOTHING_ENDS,
  nothingAffected,
  RULES_VERSION,
  reviseCalendars,
  revisionContext,
} from '../../revision/index.ts';
import type { Change } from '../../revision/records/prepared.ts';
import { DAMAGED_DATA, isShown, META, type Store, storedJson, type Writer } from '../../store/index.ts';
import { useVocabularies } from '../../vocabulary/shipped.ts';
import { renamedRows } from '../former-ids.ts';
import { cleanRaw } from '../page/prepare.ts';
import type { IngestOptions } from './contract.ts';
import { assignOwners } from './ownership.ts';

const BATCH = 500;

/**
 * Makes every record anew from the raw data if the rules or the vocabularies have changed. One transaction: readers see the
 * old state until it is done.
 */
export async function rebuildIfNeeded(store: Store, options: IngestOptions): Promise<boolean> {
  const version = await store.read.meta(META.rules);
  const used = await store.read.meta(META.vocabularies);
  const newer = (await store.read.meta(META.newerVocabularies)) ?? used;
  if (version === RULES_VERSION && newer === used) return false;
  useVocabularies(newer);
  const fresh = (await store.read.feeds()).length === 0;
  if (!fresh) await rebuild(store, options);
  await store.write(async (tx) => {
    await tx.setMeta(META.rules, RULES_VERSION);
    if (newer !== undefined) await tx.setMeta(META.vocabularies, newer);
  });
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
    const affected = await abandon(tx);
    for (const id of unnamed) affected.unnamed.add(id);
    await joinSessions(tx, affected, []);
    for await (const id of all(tx, 'series')) affected.series.add(id);
    for await (const id of all(tx, 'place')) affected.places.add(id);
    for await (const id of all(tx, 'facility')) affected.places.add(id);
    const context = { ...(await revisionContext(tx, options)), silent: true };
    return reviseCalendars(tx, affected, NOTHING_ENDS, context);
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
      const content = cleanRaw(
        { kind, rpdeId, modified },
        raws.get(item) ?? 'null',
        options.cleanOptions(feed),
        before,
      );
      changes.push({ item, feed: feed.url, kind, rpdeId, modified, known: false, records: content.records });
      // A later copy without data is not kept; its findings stay.
      if (hash !== DAMAGED_DATA) findings.push({ item, findings: content.findingsText });
    }
    await tx.saveFindings(findings);
    const { affected } = await assignOwners(tx, changes, options, new Publishers(feeds.values()));
    unnamed.push(...affected.unnamed);
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
async function abandon(tx: Writer): Promise<Affected> {
  const affected = nothingAffected(tx);
  for (let after = 0; ; ) {
    const rows = await tx.unowned(after, BATCH);
    if (rows.length === 0) return affected;
    after = (rows.at(-1) as { id: number }).id;
    for (const row of rows)
      if (row.kind === 'session' && isShown(row.hash) && row.parent !== undefined) affected.reduced.add(row.parent);
    const shown = rows.flatMap(({ id, kind, ident }) => (hasCalendar(kind) ? [{ id, kind, ident }] : []));
    for (const [now, before] of await renamedRows(tx, shown)) affected.renamed.set(now, before);
    await tx.clearRecords(rows.map((row) => row.id));
  }
}
