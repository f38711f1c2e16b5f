import type { Json, JsonObject } from '../../../opportunity/item/json.ts';
import { startFromId } from '../../../recurrence/templates.ts';
import { DAY_MS } from '../../../time/days.ts';
import type { Instant } from '../../../time/instant.ts';
import { timesJson } from '../json.ts';
import { type EventDates, hasInstance } from './instances.ts';
import type { Draft } from './overrides.ts';

/**
 * Sessions that are written date by date have their start in their `@id`. A session that moves keeps its published `@id`,
 * because people may have booked it.
 */

/** A session that was published before. */
interface Earlier {
  /** The start in its `@id`. */
  original: Instant;
  /** The start as text, for dates have no time. */
  start: string;
  end: Instant;
}

/** How far a single moved date may have moved, where an event has several dates. */
const NEAR_MS = 7 * DAY_MS;

/** The drafts with the ids of earlier sessions. `sessions`: those of the series that were published before. */
export function withKeptIds(
  drafts: readonly Draft[],
  dates: EventDates,
  sessions: readonly JsonObject[],
  template: string,
  now: Instant,
): Draft[] {
  const isGenerated = (original: Instant) => hasInstance({ ...dates, explicit: new Map() }, original);
  const earlier = sessions.flatMap((one) => earlierOf(one, template) ?? []).filter((one) => !isGenerated(one.original));
  if (earlier.length === 0) return [...drafts];
  const single = drafts.filter((draft) => !isGenerated(draft.original));
  const pairs = pairsOf(single, earlier, now);
  return drafts
    .map((draft) => ({ ...draft, original: pairs.get(draft)?.original ?? draft.original }))
    .sort((a, b) => a.original - b.original);
}

function earlierOf(session: JsonObject, template: string): Earlier | undefined {
  const original = startFromId(template, text(session['@id']));
  const start = text(session.startDate);
  const end = Date.parse(text(session.endDate ?? session.startDate));
  return original === undefined || start === '' ? undefined : { original, start, end };
}

/** Pairs sessions by `@id`, then by start. The others have moved, and are paired where only one pairing is possible. */
function pairsOf(drafts: readonly Draft[], earlier: readonly Earlier[], now: Instant): Map<Draft, Earlier> {
  const pairs = new Map<Draft, Earlier>();
  const free = new Set(earlier);
  const pair = (draft: Draft, one: Earlier | undefined) => {
    if (one === undefined || pairs.has(draft)) return;
    pairs.set(draft, one);
    free.delete(one);
  };
  const byId = new Map(earlier.map((one) => [one.original, one]));
  for (const draft of drafts) pair(draft, byId.get(draft.original));
  const byStart = new Map([...free].map((one) => [one.start, one]));
  for (const draft of drafts) {
    const one = byStart.get(startText(draft));
    if (one !== undefined && free.has(one)) pair(draft, one);
  }
  for (const [draft, one] of rescheduledPairs(
    drafts.filter((draft) => !pairs.has(draft)),
    free,
    drafts,
    earlier,
    now,
  ))
    pair(draft, one);
  return pairs;
}

function rescheduledPairs(
  fresh: readonly Draft[],
  free: ReadonlySet<Earlier>,
  drafts: readonly Draft[],
  earlier: readonly Earlier[],
  now: Instant,
): [Draft, Earlier][] {
  // A past session has not moved.
  const gone = [...free].filter(({ end }) => end > now);
  const [draft, one] = [fresh[0], gone[0]];
  if (draft === undefined || one === undefined) return [];
  if (drafts.length === 1 && earlier.length === 1) return [[draft, one]];
  const sameDay = Map.groupBy(gone, ({ start }) => start.slice(0, 10));
  const pairs = fresh.flatMap((each): [Draft, Earlier][] => {
    const found = sameDay.get(startText(each).slice(0, 10))?.shift();
    return found === undefined ? [] : [[each, found]];
  });
  const isNear = Math.abs(draft.start - Date.parse(one.start)) <= NEAR_MS;
  return pairs.length === 0 && fresh.length === 1 && gone.length === 1 && isNear ? [[draft, one]] : pairs;
}

function startText(draft: Draft): string {
  return text(timesJson(draft).startDate);
}

function text(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}
