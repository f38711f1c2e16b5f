import { startOf } from '../calendar/series/compose.ts';
import { CANCELLED_DAYS } from '../calendar/series/context.ts';
import { isCrowded } from '../calendar/size.ts';
import { CHANGE_DAYS, META, noteFirstIds, type Store, type Writer } from '../store/index.ts';
import { DAY_MS } from '../time/days.ts';
import { utcDate } from '../time/instant.ts';
import { replan } from './changed-calendars.ts';
import { type RevisionOptions, revisionContext } from './context.ts';
import { reviseVenueParts } from './venues.ts';
import { withdrawAnew } from './withdrawn.ts';

/** The most days that a service may be down: a longer step of the day means that the clock was set. */
const MOST_DOWN_DAYS = 7;
/** The most earlier stored days that are remembered, from before the clock was set. */
const MOST_DAYS_BEFORE = 20;
const BATCH = 100;

/** The meta key of the calendars that are still to be revised after the stored day moved. */
const PENDING = 'rolling';

interface Pending {
  day: string;
  /** The last series done. */
  after: number;
  /** Series with sessions whose cancellation is no longer shown. */
  cancelled: number[];
  /** The last place done. */
  places: number;
  /** The last withdrawn calendar done. */
  tails: number;
  /** The clock was set: calendars that are gone may come back. */
  set: boolean;
}

/**
 * Moves the stored day to that of the clock, also backwards, and derives again all that depends on it (semantics 6). That is
 * the horizon of stored occurrences, old cancellations, the end of withdrawn calendars, and calendars that hold a window of
 * their events. It takes small transactions, and a new process goes on where one stopped. Does nothing while the day is the stored
 * one. Returns the number of calendars that changed.
 */
export async function rollForward(store: Store, options: RevisionOptions): Promise<number> {
  await store.write((tx) => moveDay(tx, options));
  let changed = 0;
  for (;;) {
    const keys = await rollSome(store, options);
    if (keys === undefined) return changed;
    changed += keys.length;
    if (keys.length > 0) options.onChange?.(keys);
  }
}

async function moveDay(tx: Writer, options: RevisionOptions): Promise<void> {
  const { compose, daysBefore } = await revisionContext(tx, options);
  const before = compose.today;
  const day = utcDate(options.now());
  if (day === before) return;
  // This clock is a day behind that of a process which has moved the day: it was not set.
  if (options.hasOtherClocks && day === utcDate(startOf(before) - DAY_MS)) return;
  await tx.setMeta(META.today, day);
  await noteFirstIds(tx, day);
  await tx.forgetChanges(startOf(day) - CHANGE_DAYS * DAY_MS);
  const wasSet = day < before || day > utcDate(startOf(before) + MOST_DOWN_DAYS * DAY_MS);
  if (wasSet) await tx.setMeta(META.daysBefore, JSON.stringify([...daysBefore, before].slice(-MOST_DAYS_BEFORE)));
  const [first, last] = day < before ? [day, before] : [before, day];
  // Two days of grace on either side: an unchanged calendar that is planned keeps its revision.
  const cancelled = await tx.seriesWithCancelled(
    startOf(first) - (CANCELLED_DAYS + 2) * DAY_MS,
    startOf(last) - (CANCELLED_DAYS - 2) * DAY_MS,
  );
  const left = await pendingOf(tx);
  const pending: Pending = {
    day,
    after: 0,
    cancelled: [...new Set([...(left?.cancelled ?? []), ...cancelled])],
    places: 0,
    tails: 0,
    set: wasSet || left?.set === true,
  };
  await tx.setMeta(PENDING, JSON.stringify(pending));
}

async function pendingOf(tx: Writer): Promise<Pending | undefined> {
  const text = await tx.meta(PENDING);
  return text ? (JSON.parse(text) as Pending) : undefined;
}

function rollSome(store: Store, options: RevisionOptions): Promise<string[] | undefined> {
  return store.write(async (tx) => {
    const pending = await pendingOf(tx);
    if (pending === undefined) return undefined;
    const context = await revisionContext(tx, options);
    const series = await tx.rolling(pending.after, BATCH);
    const cancelled = pending.cancelled.splice(0, BATCH);
    const tails = await tx.withdrawn(pending.tails ?? 0, BATCH, pending.set === true);
    const places = await tx.loads(pending.places ?? 0, BATCH);
    if (series.length + cancelled.length + tails.length + places.length === 0) {
      await tx.setMeta(PENDING, '');
      return undefined;
    }
    const keys = await replan(tx, [...new Set([...series, ...cancelled])], context);
    const crowded = places.filter((place) => isCrowded(place.series)).map(({ venue }) => venue);
    keys.push(...(await reviseVenueParts(tx, crowded, 'sessions', context)));
    keys.push(...(await withdrawAnew(tx, tails, context, pending.set === true)));
    pending.places = places.at(-1)?.venue ?? Number.MAX_SAFE_INTEGER;
    pending.after = series.at(-1) ?? Number.MAX_SAFE_INTEGER;
    pending.tails = tails.at(-1) ?? Number.MAX_SAFE_INTEGER;
    await tx.setMeta(PENDING, JSON.stringify(pending));
    return keys;
  });
}
