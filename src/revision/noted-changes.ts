import { isDeepStrictEqual } from 'node:util';
import { summed } from '../calendar/changes/changed-dates.ts';
import type { Change } from '../calendar/changes/changes.ts';
import { changesOf } from '../calendar/changes/series-changes.ts';
import type { Series, Session } from '../opportunity/records.ts';
import {
  type ChangeWrite,
  effectiveSeries,
  type RecordBody,
  recordOf,
  storedSessions,
  type Writer,
  type ZonedSession,
} from '../store/index.ts';
import type { Instant } from '../time/instant.ts';
import type { RevisionContext } from './context.ts';
import type { Affected } from './records/changed-records.ts';
import type { Written } from './records/record-write.ts';
import type { ChangedCalendar, ShownSubject } from './series-calendars.ts';

/**
 * Notes changes of dates for people, in the transaction that revises a calendar: of calendars that were live before, and of
 * sessions that changed. It notes none of a feed that was never read to its end, and none where no record changed.
 */
export class Notes {
  readonly #tx: Writer;
  readonly #context: RevisionContext;
  readonly #affected: Affected;
  readonly #isKnown = new Map<string, Promise<boolean>>();
  readonly #writes: ChangeWrite[] = [];

  constructor(tx: Writer, context: RevisionContext, affected: Affected) {
    this.#tx = tx;
    this.#context = context;
    this.#affected = affected;
  }

  /** Notes the changes of a revised calendar. */
  async take(subject: ShownSubject, revised: ChangedCalendar): Promise<void> {
    const { row, calendar } = subject;
    if (this.#context.silent || calendar === undefined) return;
    const { revision, changed: at } = 'full' in revised ? revised.full : revised.touch;
    if (revision === calendar.revision || !(await this.#knows(row.owner?.feed))) return;
    const changes = await this.#changes(subject, 'full' in revised ? revised.full.state : 'live');
    if (changes.length === 0) return;
    const text = JSON.stringify(summed(changes));
    for (const venue of await this.#venues(row)) this.#writes.push({ series: row.id, venue, at, text });
  }

  /** The places of a series now and before: the row of a withdrawn series has none any more. */
  async #venues(row: RecordBody): Promise<(number | undefined)[]> {
    const before = this.#affected.series.has(row.id) ? (await this.#tx.before.recordById(row.id))?.venue : undefined;
    const venues = [...new Set([row.venue, before])].filter((venue) => venue !== undefined);
    return venues.length === 0 ? [undefined] : venues;
  }

  async save(): Promise<void> {
    if (this.#writes.length > 0) await this.#tx.saveChanges(this.#writes);
  }

  /** Whether the feed was read to its end before; true without a feed. */
  #knows(feed: string | undefined): Promise<boolean> {
    if (feed === undefined) return Promise.resolve(true);
    let known = this.#isKnown.get(feed);
    if (known === undefined) {
      known = this.#tx.feedState(feed).then((state) => state?.lastSuccess !== undefined);
      this.#isKnown.set(feed, known);
    }
    return known;
  }

  async #changes(subject: ShownSubject, state: string): Promise<readonly Change[]> {
    const { calendar } = subject;
    const isBack = calendar?.state === 'deleted' && state === 'live';
    if (isBack) return [{ what: 'reinstated' }];
    if (calendar?.state !== 'live') return [];
    if (state !== 'live') return subject.row.owner === undefined && state === 'deleted' ? [{ what: 'withdrawn' }] : [];
    return this.#dates(subject);
  }

  async #dates({ row, calendar, shown }: ShownSubject): Promise<readonly Change[]> {
    const { written, left } = await this.#sessions(row.id);
    const isNewOnly = left.length === 0 && written.every(({ before }) => !isOf(row.id, before));
    const isSame = !this.#affected.series.has(row.id);
    if (isNewOnly && isSame && shown === undefined && isOn(row, written))
      return addedDates(written, calendar?.name ?? '', this.#context.now);
    const now = shown?.series ?? (await effectiveSeries(this.#tx, row));
    const was = isSame ? now : await this.#seriesBefore(row.id);
    if (was === undefined) return [];
    const zoned = mayChangeZone(was, now) ? await this.#zoned(row.id) : [];
    const sessionsNow = await storedSessions(this.#tx, row.id, [...written, ...zoned]);
    const rows = [...left, ...zoned, ...written.flatMap(({ before }) => (isOf(row.id, before) ? [before] : []))];
    const sessionsWas = await storedSessions(this.#tx.before, row.id, rows);
    const ofNow = sessionsNow.map(({ session }) => session);
    const ofWas = sessionsWas.map(({ session }) => session);
    return changesOf({ series: was, sessions: ofWas }, { series: now, sessions: ofNow }, this.#context);
  }

  /** Sessions of the series that were written, and rows of those that left it. */
  async #sessions(series: number): Promise<{ written: Written[]; left: readonly RecordBody[] }> {
    const ids = this.#affected.sessions.get(series) ?? new Set();
    const changed = this.#affected.records.sessions(series, ids).filter(({ same }) => !same);
    const unknown = new Set<string>();
    for (const feed of new Set(changed.map(({ owner }) => owner.feed)))
      if (!(await this.#knows(feed))) unknown.add(feed);
    const written = unknown.size === 0 ? changed : changed.filter(({ owner }) => !unknown.has(owner.feed));
    return { written, left: this.#affected.departed.get(series) ?? [] };
  }

  /** Other sessions of the series, whose times name no zone. */
  async #zoned(series: number): Promise<ZonedSession[]> {
    const ids = this.#affected.sessions.get(series);
    return (await this.#tx.zonedSessions([series])).filter(({ id }) => !ids?.has(id));
  }

  async #seriesBefore(id: number): Promise<Series | undefined> {
    const row = await this.#tx.before.recordById(id);
    return row && effectiveSeries(this.#tx.before, row);
  }
}

/** Whether times without a zone may get another zone. */
function mayChangeZone(was: Series, now: Series): boolean {
  if (was === now) return false;
  const hints = ({ details, schedules }: Series) => [details.location, schedules];
  return !isDeepStrictEqual(hints(was), hints(now));
}

const isOf = (series: number, row: RecordBody | undefined): row is RecordBody =>
  row !== undefined && row.parent === series && row.body !== '';

/** Whether the series is neither cancelled nor postponed, and no written session is postponed. */
function isOn(row: RecordBody, written: readonly Written[]): boolean {
  return (
    !/EventCancelled|EventPostponed/.test(row.body) && written.every(({ body }) => !body.includes('EventPostponed'))
  );
}

/** The session's own name and all-day flag; a session without details of its own is not parsed. */
function ownOf(written: Written, name: string): Pick<Change, 'allDay' | 'name'> {
  const { body } = written;
  if (body.includes('"details":{}') && !body.includes('"allDay":true')) return {};
  const { allDay, details } = recordOf(written) as Session;
  const isNamed = details.name !== undefined && details.name !== name;
  return { ...(allDay && { allDay }), ...(isNamed && { name: details.name as string }) };
}

/** Fast path for sessions that are all new: their series need not be read. */
function addedDates(written: readonly Written[], name: string, now: Instant): readonly Change[] {
  const changes = written.flatMap((one): Change[] => {
    const { start, end, cancelled } = one;
    if (cancelled || start === undefined || start < now) return [];
    return [{ what: 'added', start, ...(end !== undefined && end !== start && { end }), ...ownOf(one, name) }];
  });
  return changes.toSorted((a, b) => (a.start ?? 0) - (b.start ?? 0));
}
