import { dateOfDay, dayOfDate } from '../../time/days.ts';
import type { Instant, LocalDate } from '../../time/instant.ts';

/**
 * Hashes of shown events and headers, as the store has them. A deferred hash stands for an event that is unchanged since it
 * was first shown; it is made when a change needs it (`revision/deferred-stamps.ts`). Only this file knows the stored text:
 * rows are decoded where they are read and encoded where they are written.
 */
export type StoredHash = { kind: 'none' } | Hash | Deferred;

/** The hash of an event; '' where the session is not shown. */
export interface Hash {
  kind: 'hash';
  hash: string;
}

/** `since`: the stored day on which the event was first shown: its words and bounds depend on that day. */
export interface Deferred {
  kind: 'deferred';
  since: LocalDate;
}

/** The stamps of a calendar's events: in the rows of its sessions, as JSON of EventStamps, or deferred. */
export type StoredEvents = { kind: 'sessions' } | { kind: 'stamps'; json: string } | Deferred;

/** Stamps by UID: the hash of the event, its SEQUENCE, and when it last changed. */
export type EventStamps = Record<string, [hash: string, sequence: number, changed: Instant]>;

export const NO_HASH: StoredHash = { kind: 'none' };
export const HIDDEN: Hash = { kind: 'hash', hash: '' };
export const IN_SESSIONS: StoredEvents = { kind: 'sessions' };

export function deferred(since: LocalDate): Deferred {
  return { kind: 'deferred', since };
}

/** Whether the hash is that of a shown event. */
export function isShown(stored: StoredHash): boolean {
  return stored.kind === 'deferred' || (stored.kind === 'hash' && stored.hash !== '');
}

/** The stamps in the row of a calendar; undefined: it has none. */
export function stampsIn(events: StoredEvents | undefined): EventStamps | undefined {
  return events?.kind === 'stamps' ? JSON.parse(events.json) : undefined;
}

export function stampsOn(stamps: EventStamps): StoredEvents {
  return { kind: 'stamps', json: JSON.stringify(stamps) };
}

/** The first character of a deferred hash: no hash and no JSON begins with it. */
const MARKER = '?';

export function encodeHash(stored: StoredHash): string | null {
  if (stored.kind === 'deferred') return `${MARKER}${dayOfDate(stored.since)}`;
  return stored.kind === 'hash' ? stored.hash : null;
}

export function decodeHash(text: string | undefined): StoredHash {
  if (text === undefined) return NO_HASH;
  if (text.startsWith(MARKER)) return deferredIn(text);
  return text === '' ? HIDDEN : { kind: 'hash', hash: text };
}

export function encodeEvents(events: StoredEvents): string | null {
  if (events.kind === 'stamps') return events.json;
  return events.kind === 'deferred' ? encodeHash(events) : null;
}

export function decodeEvents(text: string | undefined): StoredEvents {
  if (text === undefined) return IN_SESSIONS;
  return text.startsWith(MARKER) ? deferredIn(text) : { kind: 'stamps', json: text };
}

/** The stored text of a header; a deferred one needs no day, as a header does not depend on it. */
export function encodeHeader(header: string | undefined): string {
  return header ?? MARKER;
}

export function decodeHeader(text: string): string | undefined {
  return text === MARKER ? undefined : text;
}

function deferredIn(text: string): Deferred {
  return deferred(dateOfDay(Number(text.slice(MARKER.length))));
}
