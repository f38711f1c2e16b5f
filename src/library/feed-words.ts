import { wallWords } from '../calendar/wording/wall-words.ts';
import { lossWords } from '../store/index.ts';
import { toWall, zone } from '../time/zone.ts';
import type { FeedHealth } from './library.ts';

/** `Failing: 3 passes in a row`, `Up to date` …; times are in the zone of this name. */
export function stateWords(feed: FeedHealth, zoneName = 'UTC'): string {
  switch (feed.state) {
    case 'new':
      return 'Not visited yet';
    case 'reading':
      return feed.resync === undefined ? 'Being read' : 'Being read again from the start';
    case 'ended':
      return feed.resync === undefined ? 'Up to date' : 'Read again from the start; what it no longer has goes soon';
    case 'failing':
      return feed.failures > 1 ? `Failing: ${grouped(feed.failures)} passes in a row` : 'Failing: the last pass';
    case 'stalled':
      return 'Stalled: the last visit did not get on, and was stopped; it is tried again';
    case 'gone':
      return 'Gone from its address (404 or 410); looked at once a day';
    case 'held':
      return 'Up to date, but for what waits to be confirmed';
    case 'paused':
      return `Paused by somebody since ${minuteWords(feed.paused ?? 0, zoneName)}`;
    case 'retired':
      return 'Not read any more: the settings do not name it';
  }
}

/** The deletions that wait to be confirmed, and what to do about them; undefined: none wait. */
export function heldBackWords({ held, id }: FeedHealth): string | undefined {
  if (held === undefined) return undefined;
  return `${heldWords(held)} would be gone by what the feed says now. They stay, and are served, until it is sent again as good or confirmed: openactive-ical feeds --confirm ${id}`;
}

/** `400 of 1,000 calendars and 12 of 90 sessions` */
export function heldWords(held: NonNullable<FeedHealth['held']>): string {
  return lossWords(held, held.of, grouped);
}

/** `Sat 21 Nov 2026 09:30 Europe/London` */
function minuteWords(at: number, zoneName: string): string {
  const z = zone(zoneName);
  return `${wallWords(z === undefined ? at : toWall(z, at))} ${z?.id ?? 'UTC'}`;
}

/** `3 min ago`, `in 2 h`, `5 days ago`; the largest unit that fits. */
export function agoWords(at: number | undefined, now: number): string {
  if (at === undefined) return 'never';
  const seconds = Math.round(Math.abs(now - at) / 1000);
  if (seconds < 1) return 'now';
  const [count, unit] = largest(seconds);
  return at <= now ? `${count} ${unit} ago` : `in ${count} ${unit}`;
}

/** The time until the next visit to a feed: `in 2 h`, `now`. */
export function dueWords(at: number | undefined, now: number): string {
  return at !== undefined && at <= now ? 'now' : agoWords(at, now).replace('never', 'not planned');
}

function largest(seconds: number): [count: number, unit: string] {
  if (seconds < 120) return [seconds, 's'];
  if (seconds < 7200) return [Math.round(seconds / 60), 'min'];
  if (seconds < 172_800) return [Math.round(seconds / 3600), 'h'];
  return [Math.round(seconds / 86_400), 'days'];
}

/** `670,000` */
export function grouped(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** `1,204 sessions`, `1 session` */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${grouped(count)} ${count === 1 ? one : many}`;
}
