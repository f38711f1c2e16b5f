import { dateOfDay, dayOfDate } from '../../time/days.ts';
import type { Instant, LocalDate } from '../../time/instant.ts';

/**
 * What a calendar showed, as hashes that the store keeps. A deferred hash stands for what has been shown since it was first
 * seen, until a change asks what that was (`revision/deferred-stamps.ts`). Only this file
 * knows the stored text: rows are decoded where they are read and encoded where they are written.
 */
export type StoredHash = { kind: 'none' } | Hash | Deferred;

/** '' where it is not shown. */
export interface Hash {
  kind: 'hash';
  hash: string;
}

/** `since`: the stored day it was first shown on. Words and bounds depend on that day. */
export interface Deferred {
  kind: 'deferred';
  since: LocalDate;
}

/** Stamps of all events of a calendar, as JSON of EventStamps; or the sessions carry their own. */
export type StoredEvents = { kind: 'sessions' } | { kind: 'stamps'; json: string } | Deferred;

/** uid → hash of what it showed, its SEQUENCE, and when that changed. */
export type EventStamps = Record<string, [hash: string, sequence: number, changed: Instant]>;

export const NO_HASH: StoredHash = { kind: 'none' };
export const HIDDEN: Hash = { kind: 'hash', hash: '' };
export const IN_SESSIONS: StoredEvents = { kind: 'sessions' };

export function deferred(since: LocalDate): Deferred {
  return { kind: 'deferred', since };
}

/** Whether a calendar showed what has this hash. */
export function isShown(stored: StoredHash): boolean {
  return stored.kind === 'deferred' || (stored.kind === 'hash' && stored.hash !== '');
}

/** Undefined: the calendar itself has no stamps of its events. */
export function stampsIn(events: StoredEvents | undefined): EventStamps | undefined {
  return events?.kind === 'stamps' ? JSON.parse(events.json) : undefined;
}

export function stampsOn(stamps: EventStamps): StoredEvents {
  return { kind: 'stamps', json: JSON.stringify(stamps) };
}

/** No hash and no JSON begins like that. */
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

/** A header is deferred without a day: it depends on none. */
export function encodeHeader(header: string | undefined): string {
  return header ?? MARKER;
}

export function decodeHeader(text: string): string | undefined {
  return text === MARKER ? undefined : text;
}

function deferredIn(text: string): Deferred {
  return deferred(dateOfDay(Number(text.slice(MARKER.length))));
}
