import { Explanation } from '../calendar/explain/explain.ts';
import type { Item, ItemOf } from '../calendar/explain/explained.ts';
import { statedZone } from '../calendar/header.ts';
import type { ComposeOptions } from '../calendar/series/compose.ts';
import { Trace } from '../calendar/series/trace.ts';
import { type When, whenOf } from '../calendar/wording/when-words.ts';
import { summaryOf } from '../calendar/wording/wording.ts';
import { LIMITS } from '../limits.ts';
import { identOf } from '../opportunity/identity.ts';
import { defined, type Series } from '../opportunity/records.ts';
import type { Verdict } from '../recurrence/explain.ts';
import { type Reader, type RecordBody, type StoredSession, sessionsOf, shownFeedOf } from '../store/index.ts';
import type { ExplainQuery, SeriesExplanation } from './library.ts';
import { composedSeries } from './reads.ts';

/** The explanation of a live series, made by the functions that make its calendar, from the same rows. */
export async function explainStored(
  read: Reader,
  record: RecordBody,
  optionsOf: (series: Series) => ComposeOptions,
  { window, after, limit }: ExplainQuery,
): Promise<Omit<SeriesExplanation, 'head'>> {
  const trace = new Trace();
  const { series, sessions, calendar } = await composedSeries(read, record, optionsOf, { trace });
  const { zone } = optionsOf(series);
  const most = LIMITS.explainedSessions;
  const known = await sessionsOf(read, record.id, { limit: most, around: window.from });
  const all = [...new Map([...sessions, ...known].map((one) => [one.row.id, one])).values()];
  const input = { series, sessions: all.map(({ session }) => session), trace, written: calendar.events, zone };
  const explanation = new Explanation(input, window.from, window.to);
  const shown = explanation.verdicts.slice(after, after + limit);
  const itemOf = await itemsOf(read, record, all, shown);
  return {
    id: series.id,
    ...defined({ name: summaryOf(series.details, '') || undefined }),
    zone: statedZone(series) ?? zone,
    schedules: explanation.schedules(),
    when: whenByPath(series),
    rows: shown.map((verdict) => explanation.row(verdict, itemOf)),
    total: explanation.verdicts.length,
    events: calendar.events.length,
    ...(known.length === most && { sessions: most }),
  };
}

function whenByPath({ schedules }: Series): Record<string, When> {
  const found: Record<string, When> = {};
  for (const schedule of schedules) {
    const when = whenOf(schedule);
    if (when !== undefined) found[`$.eventSchedule[${schedule.index}]`] = when;
  }
  return found;
}

/** The items behind some rows, which are read one by one, because a page has few rows. */
async function itemsOf(
  read: Reader,
  record: RecordBody,
  stored: readonly StoredSession[],
  verdicts: readonly Verdict[],
): Promise<ItemOf> {
  const rows = new Map(stored.map(({ row, session }) => [session.id, row.id]));
  const items = new Map<string, Item>();
  for (const id of new Set(verdicts.flatMap(({ session }) => session?.id ?? []))) {
    const row = rows.get(id);
    const item = await itemOf(read, row === undefined ? undefined : await read.recordById(row));
    if (item !== undefined) items.set(identOf(id), item);
  }
  const ofSeries = await itemOf(read, record);
  return (kind, id) => (kind === 'series' ? ofSeries : items.get(identOf(id)));
}

async function itemOf(read: Reader, record: RecordBody | undefined): Promise<Item | undefined> {
  const owner = record?.owner;
  return owner && { feed: await shownFeedOf(read, owner.feed), kind: owner.kind, id: owner.rpdeId };
}
