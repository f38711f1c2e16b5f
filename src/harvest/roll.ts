import { startOf } from '../calendar/compose.ts';
import { isCrowded } from '../calendar/size.ts';
import { META, type Store } from '../store/contract.ts';
import type { IngestOptions } from './ingest.ts';
import { contextOf, dayOf, replan } from './replan.ts';
import { touchVenues } from './venues.ts';

const DAY = 86_400_000;
/** A cancelled session stays visible so long after its date (semantics 4.5); planned for by `calendar/series.ts`. */
const CANCELLED_DAYS = 30;
/** A deleted calendar is served so long (semantics 6). */
const TAIL_DAYS = 90;
const BATCH = 100;

/** Series still to plan after the day was moved on: `day`, and the last id done. */
const PENDING = 'rolling';

interface Pending {
  day: string;
  after: number;
  /** Series with sessions whose cancellation is no longer shown. */
  cancelled: number[];
  /** The last place looked at. */
  places: number;
}

/**
 * Moves the stored day on to the clock's: the horizon of stored occurrences rolls forward, cancellations and deleted
 * calendars of long ago go, and calendars that hold only a part of what there is hold another one. In small transactions, and resumed where a stopped process left off. Does nothing while the
 * day is the stored one. Returns the number of calendars that moved.
 */
export async function rollForward(store: Store, options: IngestOptions): Promise<number> {
  await store.write(async (tx) => {
    const before = (await contextOf(tx, options)).compose.today;
    const day = dayOf(options.now());
    // A clock set back does not bring the past back.
    if (day <= before) return;
    await tx.setMeta(META.today, day);
    // Two days of grace on either side: planning a calendar once more than needed moves nothing.
    const cancelled = await tx.seriesWithCancelled(
      startOf(before) - (CANCELLED_DAYS + 2) * DAY,
      startOf(day) - (CANCELLED_DAYS - 2) * DAY,
    );
    const pending = await tx.meta(PENDING);
    const left = pending ? (JSON.parse(pending) as Pending).cancelled : [];
    await tx.setMeta(
      PENDING,
      JSON.stringify({ day, after: 0, cancelled: [...new Set([...left, ...cancelled])], places: 0 } satisfies Pending),
    );
  });
  let moved = 0;
  for (;;) {
    const keys = await rollSome(store, options);
    if (keys === undefined) return moved;
    moved += keys.length;
    if (keys.length > 0) options.onChange?.(keys);
  }
}

function rollSome(store: Store, options: IngestOptions): Promise<string[] | undefined> {
  return store.write(async (tx) => {
    const text = await tx.meta(PENDING);
    if (!text) return undefined;
    const pending = JSON.parse(text) as Pending;
    const context = await contextOf(tx, options);
    const series = await tx.rolling(pending.after, BATCH);
    const others = pending.cancelled.splice(0, BATCH);
    const tails = await tx.endedTails(startOf(pending.day) - TAIL_DAYS * DAY, BATCH);
    const places = await tx.loads(pending.places ?? 0, BATCH);
    if (series.length + others.length + tails.length + places.length === 0) {
      await tx.setMeta(PENDING, '');
      return undefined;
    }
    const keys = await replan(tx, [...new Set([...series, ...others])], context);
    const crowded = places.filter((place) => isCrowded(place.series)).map(({ venue }) => venue);
    keys.push(...(await touchVenues(tx, crowded, 'sessions', context)));
    await tx.saveCalendars(tails.map(({ seq: _, ...row }) => ({ ...row, state: 'gone' as const, tail: undefined })));
    pending.places = places.at(-1)?.venue ?? Number.MAX_SAFE_INTEGER;
    pending.after = series.at(-1) ?? Number.MAX_SAFE_INTEGER;
    await tx.setMeta(PENDING, JSON.stringify(pending));
    return [...keys, ...tails.map((row) => row.key)];
  });
}
