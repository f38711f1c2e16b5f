import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { Revision } from '../../calendar/objects.ts';
import { sha256 } from '../../platform/hash.ts';
import type { KeptListRow, Reader, Store } from '../../store/index.ts';
import { DAY_MS } from '../../time/days.ts';
import type { Instant } from '../../time/instant.ts';
import { type ChosenList, nonDefaultOptions, thingsIn, thingText } from './list.ts';

/**
 * Stored lists. The address of a list is random and stays, and the edit key lets its owner change the list. No person is
 * stored: a list has a name, its things, and the day of its last request.
 */
export interface KeptLists {
  make(list: ChosenList): Promise<{ token: string; editKey: string }>;
  /** Changes a list where `mayChange` accepts the stored one, in the same transaction. */
  change(token: string, editKey: string, list: ChosenList, mayChange?: MayChange): Promise<ListOutcome>;
  /** Notes a request for the calendar of a list, once a day and in the background. */
  touch(token: string): void;
}

type MayChange = (now: ChosenList, changed: Instant) => boolean;
type ListOutcome = 'changed' | 'forbidden' | 'unknown' | 'unmet';

/** How long a list is kept after its last request: more than a year, for clubs that meet in summer alone. */
const KEPT_MS = 400 * DAY_MS;
/** How long a list is kept without any request: a program that subscribes makes one at once. */
const UNASKED_MS = 2 * DAY_MS;
/** Most expired lists that are deleted with each new list. */
const DROPPED_AT_ONCE = 100;
/** Most lists whose request of today a process remembers. */
const MOST_ASKED = 100_000;
const KEPT = /^k[\w-]{22}$/;

/** Whether a token has the form of a stored list's. */
export function isKept(token: string): boolean {
  return KEPT.test(token);
}

interface KeptContent {
  list: ChosenList;
  /** The revision of `prefix` and `cancelled`, which are part of each event (feed rule 16). */
  events?: Revision;
}

export function keptContent({ content }: Pick<KeptListRow, 'content'>): KeptContent {
  const { things, events, ...rest } = JSON.parse(content) as Omit<ChosenList, 'things'> & {
    things: string[];
    events?: Revision;
  };
  return { list: { ...rest, things: thingsIn(things) ?? [] }, ...(events && { events }) };
}

function contentText({ list, events }: KeptContent): string {
  const things = list.things.map(thingText);
  return JSON.stringify({ things, ...nonDefaultOptions(list), ...(events && { events }) });
}

/** The content with another list, changed at `changed`. */
function changedContent({ list: before, events }: KeptContent, list: ChosenList, changed: Instant): KeptContent {
  const isShownAlike = before.prefix === list.prefix && before.cancelled === list.cancelled;
  if (isShownAlike) return { list, ...(events && { events }) };
  return { list, events: { sequence: (events?.sequence ?? 0) + 1, modified: changed } };
}

/** 128 random bits, which cannot be guessed. */
const newToken = (): string => `k${randomBytes(16).toString('base64url')}`;
const newEditKey = (): string => randomBytes(16).toString('base64url');
const hashOf = (editKey: string): string => sha256(`edit key\n${editKey}`);

/** Whether a key is the edit key of the list stored under a token. */
export async function isEditKey(read: Reader, token: string, key: string): Promise<boolean> {
  const row = await read.keptList(token);
  return row !== undefined && isKeyOf(row, key);
}

/** Compares in constant time, which does not show how much of the key is right. */
function isKeyOf({ editHash }: KeptListRow, key: string): boolean {
  const hash = hashOf(key);
  return editHash.length === hash.length && timingSafeEqual(Buffer.from(editHash), Buffer.from(hash));
}

/** Lists in a store that this process writes. `changed` is called with the token of each changed list. */
export function storedLists(store: Store, clock: () => Instant, onChanged: (token: string) => void): KeptLists {
  let askedDay = 0;
  const asked = new Set<string>();

  async function make(list: ChosenList): Promise<{ token: string; editKey: string }> {
    const [token, editKey, now] = [newToken(), newEditKey(), clock()];
    // The time of the last request is set back, so that the list expires after `UNASKED_MS`.
    const asked = now - KEPT_MS + UNASKED_MS;
    const row = { token, editHash: hashOf(editKey), content: contentText({ list }), revision: 0, changed: now, asked };
    await store.write(async (tx) => {
      await tx.dropKeptLists(now - KEPT_MS, DROPPED_AT_ONCE);
      await tx.saveKeptList(row);
    });
    return { token, editKey };
  }

  async function change(token: string, editKey: string, list: ChosenList, mayChange?: MayChange): Promise<ListOutcome> {
    const outcome = await store.write(async (tx): Promise<ListOutcome> => {
      const row = await tx.keptList(token);
      if (row === undefined) return 'unknown';
      if (!isKeyOf(row, editKey)) return 'forbidden';
      const known = keptContent(row);
      if (mayChange?.(known.list, row.changed) === false) return 'unmet';
      const [asked, revision] = [clock(), row.revision + 1];
      // Two revisions lie a second apart (semantics 6.1).
      const changed = Math.max(asked, row.changed + 1000);
      const content = contentText(changedContent(known, list, changed));
      if (content !== row.content) await tx.saveKeptList({ ...row, content, revision, changed, asked });
      return 'changed';
    });
    if (outcome === 'changed') onChanged(token);
    return outcome;
  }

  function touch(token: string): void {
    if (!isKept(token)) return;
    const now = clock();
    const day = Math.floor(now / DAY_MS);
    if (day !== askedDay || asked.size >= MOST_ASKED) asked.clear();
    askedDay = day;
    if (asked.has(token)) return;
    asked.add(token);
    // A failure is noted as a trouble of the store, and the next request tries again.
    void note(token, now).catch(() => asked.delete(token));
  }

  async function note(token: string, now: Instant): Promise<void> {
    const row = await store.read.keptList(token);
    if (row === undefined || now - row.asked < DAY_MS / 2) return;
    await store.write((tx) => tx.askedForKeptList(token, now));
  }

  return { make, change, touch };
}
