import { decodedId, identOf } from '../opportunity/identity.ts';
import type { Schedule } from '../opportunity/records.ts';
import { sha256 } from '../platform/hash.ts';
import type { Instant } from '../time/instant.ts';

/** UIDs (feed rule 15) depend on identity alone, however an id is percent-encoded, so that they never change. They are ASCII. */

/** The UID of a master: of a series, one of its Schedules, and the part of the rule. */
export function masterUid(series: string, schedule: NamedSchedule, part: string): string {
  return uid(`schedule\n${decodedId(series)}\n${nameOf(schedule)}\n${part}`);
}

/** The UID of a generated occurrence that is an event of its own, by its original start. */
export function occurrenceUid(series: string, schedule: NamedSchedule, start: Instant): string {
  return uid(`occurrence\n${decodedId(series)}\n${nameOf(schedule)}\n${start}`);
}

type NamedSchedule = Pick<Schedule, 'index' | 'id'>;

/** The name of a Schedule: its `@id`, else its position. */
function nameOf({ index, id }: NamedSchedule): string {
  return id === undefined ? String(index) : `@id ${identOf(id)}`;
}

/** The UID of an explicit session that is an event of its own, by `Session.id`. */
export function sessionUid(session: string): string {
  return uid(`session\n${decodedId(session)}`);
}

export function uid(identity: string): string {
  // 160 bits are enough for all that will ever be published, and the line stays short.
  return `${sha256(identity).slice(0, 40)}@openactive-ical`;
}
