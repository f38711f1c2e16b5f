import { dateOfDay, dayOfDate } from '../time/days.ts';
import type { LocalDate } from '../time/instant.ts';
import { META, type Reader, type Writer } from './contract/index.ts';

/**
 * Finds the rows of the last week without a column for their time. Rows get ascending ids, and each day the store notes the
 * next ones.
 */

interface FirstIds {
  day: LocalDate;
  record: number;
  feed: number;
}

/** Days for which a row counts as new. */
const NEW_DAYS = 7;

async function notedIds(read: Pick<Reader, 'meta'>): Promise<FirstIds[]> {
  return JSON.parse((await read.meta(META.firstIds)) ?? '[]') as FirstIds[];
}

/** Notes the next ids for `day`, the new stored day. Later noted days came from a wrong clock, and are dropped. */
export async function noteFirstIds(tx: Writer, day: LocalDate): Promise<void> {
  const noted = (await notedIds(tx)).filter((one) => one.day < day);
  const [record = 0] = await tx.newRecordIds(1);
  const feed = Math.max(0, ...(await tx.feeds()).map(({ id }) => id)) + 1;
  const old = noted.filter((one) => one.day <= weekBefore(day));
  const kept = noted.filter((one) => one.day > weekBefore(day));
  await tx.setMeta(META.firstIds, JSON.stringify([...old.slice(-1), ...kept, { day, record, feed }]));
}

/**
 * The first ids of the last seven days. Undefined: the store is younger.
 *
 * @example const first = await newSince(read, '2026-11-24'); // { day: '2026-11-17', record: 5120, feed: 9 }
 */
export async function newSince(read: Pick<Reader, 'meta'>, day: LocalDate): Promise<FirstIds | undefined> {
  return (await notedIds(read)).findLast((one) => one.day <= weekBefore(day));
}

function weekBefore(day: LocalDate): LocalDate {
  return dateOfDay(dayOfDate(day) - NEW_DAYS);
}
