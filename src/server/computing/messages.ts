import type { StoreTrouble } from '../../errors.ts';
import type { CalendarName, Epoch, LibraryOptions } from '../../library/index.ts';
import type { StoreOptions } from '../../store/index.ts';
import type { Instant } from '../../time/instant.ts';
import type { EntrySource } from '../calendars/entry.ts';
import type { Rendered } from '../calendars/renderer.ts';
import type { Log } from '../operations/log.ts';
import type { CalendarCounts } from '../operations/meters.ts';

/** What a thread needs to open the library by itself; goes over as it is. */
export interface ThreadLibrary {
  store: StoreOptions;
  options: Omit<LibraryOptions, 'now' | 'facts'>;
  epoch: Epoch;
}

export interface PlainRequest {
  method: string;
  url: string;
  headers: [string, string][];
}

/** `now`: the clock of who asks; alone it asks for nothing. */
export type Question = { now: Instant; calendar?: CalendarName; request?: PlainRequest };

/** Classes and functions do not survive the way between threads. */
export interface Answer {
  rendered?: Rendered | undefined;
  failure?: { cause: PlainError; sound: EntrySource | undefined };
  response?: { status: number; headers: [string, string][]; body: ArrayBuffer };
  /** What nobody foresaw. */
  fault?: PlainError;
  /** What is the matter with the store, as far as this thread has met it. */
  trouble?: { message: string; trouble: StoreTrouble };
  counted: CalendarCounts;
  logged: Logged[];
}

/** An error, as far as the log shows it. */
export interface PlainError {
  message: string;
  stack: string | undefined;
}

export interface Logged {
  level: keyof Log;
  facts: object;
  message: string;
}
