import { hash } from 'node:crypto';
import { keyOf } from '../opportunity/identity.ts';
import type { Facility, Instant, OpeningHours, Place } from '../opportunity/records.ts';
import type { CalendarPart, CalendarRow, CalendarWrite, RecordBody, Writer } from '../store/contract.ts';
import { nextRevision } from './revision.ts';
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
    const calendar = await tx.calendarOf(row.id);
    if (row.owner === undefined) {
      if (calendar !== undefined && calendar.state !== 'gone') writes.push(await gone(tx, calendar, context.now));
      continue;
    }
    const write = await venueWrite(tx, row, calendar, context);
    if (write.header !== calendar?.header || calendar.state !== 'live') writes.push(write);
  }
  await tx.saveCalendars(writes);
  return writes.map((write) => write.key);
}

async function gone(tx: Writer, calendar: CalendarRow, now: Instant): Promise<CalendarWrite> {
  const { seq: _, ...row } = calendar;
  return { ...row, ...(await venueRevision(tx, row.record, '', now)), state: 'gone', rolling: false };
}

async function venueWrite(tx: Writer, row: RecordBody, calendar: CalendarRow | undefined, context: SettleContext): Promise<CalendarWrite> {
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
    ...(await venueRevision(tx, row.id, '', context.now)),
    name,
    search: [name, address].filter(Boolean).join('\n').toLowerCase(),
    header: shown(record, around, context.compose.today),
    events: undefined,
    tail: undefined,
    deletedAt: undefined,
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
  for (const record of ids) {
    const main = await tx.calendarOf(record);
    if (main === undefined) continue;
    const { seq: _, ...row } = main;
    const revision = await venueRevision(tx, record, part, context.now);
    writes.push({ ...row, part, ...revision, name: '', search: '', header: '', rolling: false });
  }
  await tx.saveCalendars(writes);
  return writes.map((write) => write.key);
}

/** The parts are served together too: their times are a second apart, as those of one calendar are. */
async function venueRevision(tx: Writer, record: number, part: CalendarPart, now: Instant): Promise<{ revision: number; changed: Instant }> {
  const parts: CalendarPart[] = ['', 'sessions', 'slots'];
  const rows = (await Promise.all(parts.map((one) => tx.calendarOf(record, one)))).filter((row) => row !== undefined);
  const own = rows.find((row) => row.part === part);
  const latest = rows.reduce<CalendarRow | undefined>((a, b) => (a !== undefined && a.changed > b.changed ? a : b), undefined);
  const { changed } = nextRevision(latest, now);
  return { revision: own === undefined ? 0 : own.revision + 1, changed };
}
