import { hash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { toObject } from '../../calendar/components.ts';
import type { CalendarEvent } from '../../calendar/objects.ts';
import { writeBytes } from '../../ical/write.ts';
import { compareText } from '../../opportunity/ids.ts';
import { sha256 } from '../../platform/hash.ts';
import type { StoredCalendar } from '../library.ts';
import type { ObjectMember } from './types.ts';

/** The members of a calendar, and the hash that names a state of them. */

/** The octets of a calendar object resource: VEVENTs as the whole calendar has them, with the VTIMEZONEs that they need. */
export function objectBytes({ events, revision }: Pick<ObjectMember, 'events' | 'revision'>): Uint8Array<ArrayBuffer> {
  return writeBytes(toObject(events, revision));
}

/** Members that are written in one turn of the event loop, in some milliseconds. */
const AT_ONCE = 100;

export async function membersOf({
  calendar,
  revision,
}: Pick<StoredCalendar, 'calendar' | 'revision'>): Promise<{ members: ObjectMember[]; omitted: number }> {
  const members: ObjectMember[] = [];
  let omitted = 0;
  let turn = 0;
  for (const [uid, events] of Map.groupBy(calendar.events, (event) => event.uid)) {
    turn += 1;
    if (turn % AT_ONCE === 0) await setImmediate();
    const member = memberOf(uid, masterFirst(events), revision(uid));
    if (member === undefined) omitted += 1;
    else members.push(member);
  }
  return { members: members.sort((a, b) => compareText(a.name, b.name)), omitted };
}

/** The member of a UID; undefined: its events cannot be written. The other members are served all the same. */
function memberOf(
  uid: string,
  events: readonly CalendarEvent[],
  revision: ObjectMember['revision'],
): ObjectMember | undefined {
  try {
    const etag = hash('sha256', objectBytes({ events, revision }), 'base64url').slice(0, 22);
    return { name: memberName(uid), uid, etag, revision, events };
  } catch {
    return undefined;
  }
}

function masterFirst(events: readonly CalendarEvent[]): readonly CalendarEvent[] {
  if (events[0]?.recurrenceId === undefined) return events;
  return events.toSorted((a, b) => Number(a.recurrenceId !== undefined) - Number(b.recurrenceId !== undefined));
}

const OWN = /^([0-9a-f]{40})@openactive-ical$/;

function memberName(uid: string): string {
  const digits = OWN.exec(uid)?.[1] ?? sha256(uid).slice(0, 40);
  return `${digits}.ics`;
}

/** A hash of names and ETags: equal members are the same state in every process. */
export function stateOfMembers(members: readonly Pick<ObjectMember, 'name' | 'etag'>[]): string {
  return sha256(members.map(({ name, etag }) => `${name} ${etag}\n`).join('')).slice(0, 32);
}
