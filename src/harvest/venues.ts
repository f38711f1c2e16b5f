import { hash } from 'node:crypto';
import { keyOf } from '../opportunity/identity.ts';
import type { Facility, Instant, OpeningHours, Place } from '../opportunity/records.ts';
import type { CalendarPart, CalendarRow, CalendarTouch, CalendarWrite, RecordBody, Writer } from '../store/contract.ts';
import { type Next, nextRevision } from './revision.ts';
import type { SettleContext } from './settle.ts';

/**
 * Places and facilities have two histories: that of their opening hours (part ''), and that of what is on at a place
 * ('sessions') or can be booked at a facility ('slots').
 */

/** Gives every place and facility whose hours, or whose name or address, changed a new revision. Returns their keys. */
export async function settleVenues(tx: Writer, ids: readonly number[], context: SettleContext): Promise<string[]> {
  const rows = await tx.recordsById(ids);
  const writes: CalendarWrite[] = [];
  for (const row of rows) {
    if (row?.kind !== 'place' && row?.kind !== 'facility') continue;
    const parts = await tx.calendarParts(row.id);
    const calendar = parts.find(({ part }) => part === '');
    const next = revisionOf(parts, '', context.now);
    if (row.owner === undefined) {
      if (calendar !== undefined && calendar.state !== 'gone') writes.push(gone(calendar, next));
      continue;
    }
    const write = await venueWrite(tx, row, calendar, next, context);
    if (write.header !== calendar?.header || calendar.state !== 'live') writes.push(write);
  }
  await tx.saveCalendars(writes);
  return writes.map((write) => write.key);
}

function gone({ seq: _, ...row }: CalendarRow, next: Next): CalendarWrite {
  return { ...row, ...next, state: 'gone', rolling: false };
}

async function venueWrite(
  tx: Writer,
  row: RecordBody,
  calendar: CalendarRow | undefined,
  next: Next,
  context: SettleContext,
): Promise<CalendarWrite> {
  const record = JSON.parse(row.body) as Place | Facility;
  const around = record.kind === 'facility' && row.parent !== undefined ? (await tx.recordById(row.parent))?.body : undefined;
  const { name = '', address } = record.kind === 'place' ? record : facilityNames(record);
  const rolling = record.hours.length > 0 || (record.kind === 'place' && record.specialHours.length > 0);
  return {
    record: row.id,
    part: '',
    kind: row.kind,
    key: calendar?.key ?? keyOf(row.kind, row.ident),
    state: 'live',
    ...next,
    name,
    search: [name, address].filter(Boolean).join('\n').toLowerCase(),
    header: shown(record, around, context.compose.today),
    events: undefined,
    tail: undefined,
    deletedAt: undefined,
    sessions: 0,
    rolling,
    findings: undefined,
  };
}

function facilityNames({ details: { name, location } }: Facility): { name?: string; address?: string } {
  return { ...(name && { name }), ...(location?.name && { address: location.name }) };
}

/** Hash of all that a venue's calendars show. They are written for whole years around the stored day. */
function shown(record: Place | Facility, around: string | undefined, today: string): string {
  const special = record.kind === 'place' ? record.specialHours : [];
  const said = { ...record, hours: sorted(record.hours), specialHours: sorted(special), around, year: today.slice(0, 4) };
  return hash('sha1', JSON.stringify(said), 'base64');
}

/** Neither their order nor their place in the item is shown. */
function sorted(hours: readonly OpeningHours[]): string[] {
  return hours.map(({ path: _, ...rest }) => JSON.stringify(rest)).sort();
}

/** What is on at these places, or can be booked at these facilities, changed. Returns their keys. */
export async function touchVenues(tx: Writer, ids: readonly number[], part: CalendarPart, context: SettleContext): Promise<string[]> {
  const writes: CalendarWrite[] = [];
  const touches: CalendarTouch[] = [];
  const keys: string[] = [];
  for (const record of ids) {
    const parts = await tx.calendarParts(record);
    const [main] = parts;
    if (main === undefined) continue;
    keys.push(main.key);
    const revision = revisionOf(parts, part, context.now);
    if (parts.some((row) => row.part === part)) touches.push({ record, part, ...revision, sessions: 0 });
    else {
      const { seq: _, ...row } = main;
      writes.push({ ...row, part, ...revision, name: '', search: '', header: '', rolling: false });
    }
  }
  await tx.saveCalendars(writes);
  await tx.touchCalendars(touches);
  return keys;
}

/** The parts are served together too: their times are a second apart, as those of one calendar are. */
function revisionOf(parts: readonly CalendarRow[], part: CalendarPart, now: Instant): Next {
  const own = parts.find((row) => row.part === part);
  const latest = parts.reduce<CalendarRow | undefined>((a, b) => (a !== undefined && a.changed > b.changed ? a : b), undefined);
  return { revision: own === undefined ? 0 : own.revision + 1, changed: nextRevision(latest, now).changed };
}
