import { dateOfDay, dayOfDate } from '../time/days.ts';
import type { LocalDate } from '../time/instant.ts';
import { META, type Reader, type Writer } from './contract/index.ts';

/**
 * Which rows are new: rows get ascending ids, and each day the store notes which come next. A row that was not there a week ago
 * has an id of that day or of a later one, and needs no column that says when it came.
 */

interface FirstIds {
  day: LocalDate;
  record: number;
  feed: number;
}

/** Days for which something is new. */
const NEW_DAYS = 7;

async function notedIds(read: Pick<Reader, 'meta'>): Promise<FirstIds[]> {
  return JSON.parse((await read.meta(META.firstIds)) ?? '[]') as FirstIds[];
}

/** Notes the ids that come next; `day` has just become the stored day. Days after it were those of a clock that was wrong. */
export async function noteFirstIds(tx: Writer, day: LocalDate): Promise<void> {
  const noted = (await notedIds(tx)).filter((one) => one.day < day);
  const [record = 0] = await tx.newRecordIds(1);
  const feed = Math.max(0, ...(await tx.feeds()).map(({ id }) => id)) + 1;
  const old = noted.filter((one) => one.day <= weekBefore(day));
  const kept = noted.filter((one) => one.day > weekBefore(day));
  await tx.setMeta(META.firstIds, JSON.stringify([...old.slice(-1), ...kept, { day, record, feed }]));
}

/**
 * Rows with these ids and later ones came within the last seven days. Undefined: nobody knows, as the store is younger.
 *
 * @example const first = await newSince(read, '2026-11-24'); // { day: '2026-11-17', record: 5120, feed: 9 }
 */
export async function newSince(read: Pick<Reader, 'meta'>, day: LocalDate): Promise<FirstIds | undefined> {
  return (await notedIds(read)).findLast((one) => one.day <= weekBefore(day));
}

function weekBefore(day: LocalDate): LocalDate {
  return dateOfDay(dayOfDate(day) - NEW_DAYS);
}
