import { DAY_MS, type Day } from './days.ts';
import type { Instant } from './instant.ts';
import { type OffsetReader, offsetReader, readByDay, readTable } from './zone-table.ts';

/** Milliseconds of wall-clock time read as if it were UTC: `Date.UTC(y, m, d, h, …)` of what the clock on the wall shows. */
export type Wall = number;

/** One IANA zone with its whole table of transitions, built once from Intl. */
export interface Zone {
  readonly id: string;
  /** Instants at which the offset changes, ascending, 1970 … TABLE_END. */
  readonly transitions: readonly Instant[];
  /** Offset in ms east of UTC from `transitions[i]` on; `offsets[0]` is before the first transition. length = transitions.length + 1. */
  readonly offsets: readonly number[];
}

/** The end of the tables, 2051-01-01T00:00:00Z. After it, and before 1970, offsets are read from Intl, slowly. */
export const TABLE_END: Instant = 2_556_144_000_000;

/** No zone is further than 16 hours from UTC, and no clock has jumped by more than a day (Apia 2011). */
const WIDEST = 40 * 3_600_000;

/** ICU's own three-letter names. They are not in the IANA database, and mean other zones than publishers do: BST is Dhaka. */
const NOT_IANA =
  /^(?:ACT|AET|AGT|ART|AST|BET|BST|CAT|CNT|CST|CTT|EAT|ECT|IET|IST|JST|MIT|NET|NST|PLT|PNT|PRT|PST|SST|VST|SystemV\/.*)$/i;

/** Most names that are kept, because feeds may state any text. IANA has about 600 names. */
const MAX_NAMES = 2000;

/** The table that all aliases of a zone share. */
interface ZoneTable {
  transitions: readonly Instant[];
  offsets: readonly number[];
  read: OffsetReader;
}

const byName = new Map<string, Zone | undefined>();
/** Zones by id, never dropped, because zones are compared as objects. */
const byId = new Map<string, Zone>();
/** Tables by Intl's own name of the zone, one for all of its aliases. */
const sources = new Map<string, ZoneTable>();
const readers = new WeakMap<Zone, OffsetReader>();

/**
 * The zone of an IANA name or alias (`Europe/Kiev`, `US/Eastern`, `Etc/GMT+5`, `UTC`), memoised. The id is the name in its
 * usual spelling. Undefined for unknown names, fixed offsets (`+01:00`), Windows names and abbreviations such as `BST`.
 *
 * @example
 * ```ts
 * const london = zone('Europe/London');
 * ```
 */
export function zone(name: string): Zone | undefined {
  const known = byName.get(name);
  if (known !== undefined || byName.has(name)) return known;
  if (byName.size >= MAX_NAMES) byName.clear();
  const made = makeZone(name);
  byName.set(name, made);
  return made;
}

/** The zone of a name, else UTC. */
export function zoneOrUtc(name: string): Zone {
  return zone(name) ?? (zone('UTC') as Zone);
}

function makeZone(name: string): Zone | undefined {
  // Intl knows `+01:00` too, but readers do not know a VTIMEZONE of that name.
  if (name.length > 64 || !/^[A-Za-z][\w+/-]*$/.test(name) || NOT_IANA.test(name)) return undefined;
  const resolved = resolve(name);
  if (resolved === undefined) return undefined;
  const id = spelling(name, resolved);
  const known = byId.get(id);
  if (known !== undefined) return known;
  const { transitions, offsets, read } = sourceOf(resolved);
  const made: Zone = { id, transitions, offsets };
  byId.set(id, made);
  readers.set(made, read);
  return made;
}

/** Intl's own name for a zone: the same for all its aliases. */
function resolve(name: string): string | undefined {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}

/**
 * The id of a zone: the name, or Intl's own name where the name has unusual case, for readers of TZID compare case. Few
 * spellings of a name are usual, so the number of zones is bounded.
 */
function spelling(name: string, resolved: string): string {
  if (name.toLowerCase() === resolved.toLowerCase()) return resolved;
  const isUsual =
    /^[A-Z0-9]+$/.test(name) ||
    name.split(/[/_-]/).every((part) => /^(?:[A-Z][a-z]*|[A-Z]{2,4}|GMT[+]?\d+|\d+)$/.test(part));
  return isUsual ? name : resolved;
}

function sourceOf(resolved: string): ZoneTable {
  let source = sources.get(resolved);
  if (source === undefined) {
    const read = offsetReader(resolved);
    source = { ...readTable(read, TABLE_END), read: readByDay(read) };
    sources.set(resolved, source);
  }
  return source;
}

// The segment of the last lookup, because lookups come in runs: one series, one zone, neighbouring dates. The row `expand` of
// `npm run bench` pays for it (decision 23).
let hitZone: Zone | undefined;
let hitFrom = 0;
let hitUntil = 0;
let hitOffset = 0;

/** Offset in ms east of UTC in force at an instant. */
export function offsetAt(z: Zone, instant: Instant): number {
  if (z === hitZone && instant >= hitFrom && instant < hitUntil) return hitOffset;
  if (!(instant >= 0 && instant < TABLE_END)) return beyondTable(z, instant);
  const index = segmentAt(z.transitions, instant);
  hitZone = z;
  hitFrom = z.transitions[index - 1] ?? 0;
  hitUntil = z.transitions[index] ?? TABLE_END;
  hitOffset = z.offsets[index] as number;
  return hitOffset;
}

function beyondTable(z: Zone, instant: Instant): number {
  const read = readers.get(z);
  if (read !== undefined && !Number.isNaN(instant)) return read(instant);
  return z.offsets[instant < 0 ? 0 : z.offsets.length - 1] as number;
}

/** Index of the segment that holds an instant: the number of transitions at or before it. */
function segmentAt(transitions: readonly Instant[], instant: Instant): number {
  let low = 0;
  let high = transitions.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((transitions[middle] as number) <= instant) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * The instant of a wall time. In a gap the offset before it is taken; in a fold the first of the two (semantics 3).
 *
 * @example
 * ```ts
 * const instant = toInstant(london, Date.UTC(2026, 6, 1, 18)); // 17:00 UTC
 * ```
 */
export function toInstant(z: Zone, wall: Wall): Instant {
  const only = onlyOffset(z, wall);
  if (only !== undefined) return wall - only;
  const near = offsetsNear(z, wall);
  for (const { offset } of near) {
    if (offsetAt(z, wall - offset) === offset) return wall - offset;
  }
  // In a gap, the later offset gives an instant before the change, at which it is not in force yet.
  const before = near.findLast(({ offset, since }) => wall - offset >= since);
  return wall - (before ?? near[0]).offset;
}

/**
 * The wall time of an instant.
 *
 * @example
 * ```ts
 * const wall = toWall(london, Date.UTC(2026, 6, 1, 17));
 * ```
 */
export function toWall(z: Zone, instant: Instant): Wall {
  return instant + offsetAt(z, instant);
}

/** The local day that an instant is on. */
export function dayAt(z: Zone, instant: Instant): Day {
  return Math.floor(toWall(z, instant) / DAY_MS);
}

/** The wall times whose `toInstant` is this instant: one; after a gap also those of the gap; in the second half of a fold none. */
export function wallsAt(z: Zone, instant: Instant): Wall[] {
  const shown = toWall(z, instant);
  if (onlyOffset(z, shown) !== undefined) return [shown];
  const walls = new Set(offsetsNear(z, instant).map(({ offset }) => instant + offset));
  return [...walls].filter((wall) => toInstant(z, wall) === instant).sort((a, b) => a - b);
}

/** A closed range with all wall times whose `toInstant` is within [from, to]; at a change it is an hour wider. */
export function wallsBetween(z: Zone, from: Instant, to: Instant): [first: Wall, last: Wall] {
  const near = (instant: Instant) => {
    const shown = toWall(z, instant);
    if (onlyOffset(z, shown) !== undefined) return [shown];
    return offsetsNear(z, instant).map(({ offset }) => instant + offset);
  };
  return [Math.min(...near(from)), Math.max(...near(to))];
}

/** False when a wall time lies in a gap or comes twice. */
export function isRegular(z: Zone, wall: Wall): boolean {
  if (onlyOffset(z, wall) !== undefined) return true;
  const instants = offsetsNear(z, wall)
    .filter(({ offset }) => offsetAt(z, wall - offset) === offset)
    .map(({ offset }) => wall - offset);
  return new Set(instants).size === 1;
}

/** The offset of a wall time further than WIDEST from both ends of its segment, so that no other is possible; else undefined. */
function onlyOffset(z: Zone, wall: Wall): number | undefined {
  const offset = offsetAt(z, wall);
  return z === hitZone && wall - WIDEST >= hitFrom && wall + WIDEST < hitUntil ? offset : undefined;
}

interface NearOffset {
  offset: number;
  /** The instant at which it came into force. */
  since: Instant;
}

/** The offsets that may belong to a wall time, in the order they were in force. */
function offsetsNear(z: Zone, wall: Wall): [NearOffset, ...NearOffset[]] {
  const [low, high] = [wall - WIDEST, wall + WIDEST];
  const inTable = low >= 0 && high < TABLE_END;
  const first = { offset: offsetAt(z, low), since: low };
  if (!inTable) return [first, { offset: offsetAt(z, high), since: high }];
  const near: [NearOffset, ...NearOffset[]] = [first];
  for (let i = segmentAt(z.transitions, low); (z.transitions[i] ?? TABLE_END) <= high; i++) {
    near.push({ offset: z.offsets[i + 1] as number, since: z.transitions[i] as Instant });
  }
  return near;
}
