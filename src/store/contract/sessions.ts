import type { Instant } from '../../time/instant.ts';
import type { RecordBody, RecordWrite } from './rows.ts';

/** What planning needs of a session. */
export type SessionRow = Pick<RecordBody, 'id' | 'place' | 'hash' | 'sequence' | 'changed' | 'body' | 'record'> &
  Pick<RecordWrite, 'start' | 'end' | 'cancelled'>;

/** A session as its row has it, without its text, which most plans do not ask for. */
export type BareSession = Omit<SessionRow, 'body'> & Partial<Pick<SessionRow, 'body'>>;

export interface SessionWindow {
  /** At most this many; those from `around` on first, then the latest before it, then those without a start. Absent: all. */
  limit?: number;
  /** Absent: from the first one on. */
  around?: Instant;
}

/** A generated occurrence (semantics 4.10). */
export interface OccurrenceRow {
  start: Instant;
  end: Instant;
  schedule: number;
  /** Row of the explicit session that replaces it. */
  session: number | undefined;
}

/** `instance`: what a session replaces that does not say when it starts or ends. */
export type Upcoming =
  | { source: 'generated'; row: OccurrenceRow }
  | { source: 'explicit'; body: string; instance?: Pick<OccurrenceRow, 'start' | 'end'> };
