/**
 * The sample feeds that come with the program. Their pages hold placeholders for dates, so that their events are always
 * in the present week, also while a server runs past the end of a week.
 *
 * | placeholder | becomes |
 * |---|---|
 * | `{{Mon+0}}` | the date of this week's Monday; `{{Sat-2}}`: of the Saturday two weeks before this week's |
 * | `{{Tue+1T18:30}}` | the UTC instant of that wall-clock time in the samples' zone, `YYYY-MM-DDThh:mm:ssZ` |
 * | `"{{modified+3}}"`, quotes too | a number that is larger every week, plus 3 |
 */

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BugError } from '../../errors.ts';
import { DAY_MS, WEEKDAYS, weekdayOf } from '../../time/days.ts';
import { utcDate, utcText } from '../../time/instant.ts';
import { dayAt, toInstant, type Wall, type Zone, zone } from '../../time/zone.ts';
import type { FeedMeta } from '../ingest/contract.ts';
import { folderSource } from './folder-source.ts';
import type { FeedSource } from './source.ts';

/** Every sample is set in one zone: a week begins at its midnight before Monday. */
export const SAMPLES_ZONE = 'Europe/London';

export interface SampleFeed {
  source: FeedSource;
  meta: FeedMeta;
  slots?: boolean;
}

/** A line of `feeds.json`. */
interface SampleLine extends FeedMeta {
  folder: string;
  slots?: boolean;
}

/**
 * The feeds of a folder of samples, as its `feeds.json` lists them.
 * @throws BugError when the installed package has no samples
 */
export async function sampleFeeds(folder: string, now: () => number): Promise<SampleFeed[]> {
  const home = zone(SAMPLES_ZONE) as Zone;
  let listed: SampleLine[];
  try {
    listed = JSON.parse(await readFile(join(folder, 'feeds.json'), 'utf8'));
  } catch (cause) {
    throw new BugError(`the sample feeds cannot be read from ${folder}`, { cause });
  }
  return listed.map(({ folder: name, slots = false, ...meta }) => ({
    meta,
    slots,
    source: folderSource({
      path: join(folder, name),
      url: `sample:${name}`,
      prepare: (text) => inWeekOf(text, now(), home),
      edition: () => String(mondayOf(now(), home)),
    }),
  }));
}

const PLACEHOLDER =
  /"\{\{modified\+(\d{1,9})\}\}"|\{\{(Mon|Tue|Wed|Thu|Fri|Sat|Sun)([+-]\d{1,3})(?:T(\d\d):(\d\d))?\}\}/g;

/** A text with its placeholders filled in, as of the week of an instant. */
export function inWeekOf(text: string, now: number, home: Zone): string {
  const monday = mondayOf(now, home);
  return text.replace(
    PLACEHOLDER,
    (_whole, step?: string, day?: string, weeks?: string, hour?: string, minute?: string) => {
      if (step !== undefined) return String(Math.round(monday / (7 * DAY_MS)) * 100_000 + Number(step));
      const wall = monday + (WEEKDAYS.findIndex((name) => name.startsWith(day as string)) + 7 * Number(weeks)) * DAY_MS;
      if (hour === undefined) return utcDate(wall);
      const instant = toInstant(home, wall + (Number(hour) * 60 + Number(minute)) * 60_000);
      return utcText(instant);
    },
  );
}

/** Midnight, on the wall, of the Monday that begins the week. */
function mondayOf(now: number, home: Zone): Wall {
  const day = dayAt(home, now);
  return (day - weekdayOf(day)) * DAY_MS;
}
