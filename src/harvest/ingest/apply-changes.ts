import { Publishers } from '../../join/publishers.ts';
import { yieldToEventLoop } from '../../process/event-loop.ts';
import {
  joinSessions,
  lastStates,
  lossesOf,
  type RevisionContext,
  replan,
  reviseCalendars,
} from '../../revision/index.ts';
import type { Change } from '../../revision/records/prepared.ts';
import type { Writer } from '../../store/index.ts';
import { countLosses } from '../visit/deletion-guard.ts';
import type { IngestOptions } from './contract.ts';
import { assignOwners } from './ownership.ts';

/**
 * Gives records their owners, then revises calendars. Returns the keys of the calendars that changed.
 * @throws TooMuchError when a feed takes too much away: see `writeGuarded`
 */
export async function applyChanges(
  tx: Writer,
  changes: readonly Change[],
  context: RevisionContext,
  options: IngestOptions,
): Promise<string[]> {
  if (changes.length === 0) return [];
  const { affected, gone } = await assignOwners(tx, changes, options, new Publishers(context.feeds.values()));
  await yieldToEventLoop();
  const last = await lastStates(tx, gone, context);
  await tx.clearRecords(gone.map((row) => row.id));
  await joinSessions(tx, affected, gone);
  const keys = await reviseCalendars(tx, affected, last, context);
  // An unchanged item causes no loss: losses that other publishers cause cannot be held back with it.
  const changed = new Set(changes.filter(({ same }) => same !== true).map(({ item }) => item));
  const losses = (await lossesOf(tx, gone, affected, context.now)).filter(({ item }) => changed.has(item));
  await countLosses(tx, losses, options);
  return keys;
}

const BATCH = 500;

/** Makes the calendars of a feed again whose publisher or licence has changed: each event and opening hour names both. */
export async function replanFeed(tx: Writer, feed: number, context: RevisionContext): Promise<string[]> {
  const keys: string[] = [];
  const records = await tx.calendarsOfFeed(feed);
  for (let at = 0; at < records.length; at += BATCH)
    keys.push(...(await replan(tx, records.slice(at, at + BATCH), context)));
  return keys;
}
