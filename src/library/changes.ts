import { changeWords } from '../calendar/changes/change-words.ts';
import type { Change } from '../calendar/changes/changes.ts';
import { DAY_MS } from '../time/days.ts';
import type { Instant } from '../time/instant.ts';
import { type Zone, zone } from '../time/zone.ts';
import type { ChangeEntry } from './library.ts';

/** What changed lately, for pages and Atom feeds. */

/** `Moved: Tue 24 Nov 18:00 is now 19:00`, in the time of the place. `one`: another change of the same revision. */
export function entryWords(entry: ChangeEntry, one: Change = entry): string {
  return changeWords(one, (zone(entry.zone) ?? zone('UTC')) as Zone, entry.at);
}

/** The first changes of an entry that stands for many, in words. */
export function firstWords(entry: ChangeEntry): string[] {
  return (entry.first ?? []).map((one) => entryWords(entry, one));
}

/** Days for which changes are shown. */
export const CHANGE_DAYS = 90;

/** Whether an entry is not too old to be shown. */
export function isLate({ at }: Pick<ChangeEntry, 'at'>, now: Instant): boolean {
  return at > now - CHANGE_DAYS * DAY_MS;
}
