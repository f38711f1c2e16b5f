import type { RecordKind, SeriesType } from '../../opportunity/records.ts';

/** Types of series whose sessions are published within them. A series that becomes one, or is one no longer, touches its sessions. */
export const HOLDERS = ['Event', 'HeadlineEvent', 'CourseInstance'] as const satisfies readonly SeriesType[];

export const isHolder = (type: SeriesType): boolean => (HOLDERS as readonly SeriesType[]).includes(type);

/** A record that was written or withdrawn, or whose EventSeries or Place was, or whose holder came or went. */
export interface ChangedRecord {
  /** Orders the last touch of each record; it grows with every one. */
  seq: number;
  kind: RecordKind;
  ident: string;
  /** The row of what it hangs on, or hung on. */
  parent: number | undefined;
}

/** What has changed since a watch was begun; everything there was then counts as changed once. */
export interface RecordWatch {
  /** Another one for every time that watching was begun anew: numbers of one say nothing in another. */
  readonly name: string;
  /** The records whose last touch is after a `seq`, ascending. */
  since(after: number, limit: number): Promise<ChangedRecord[]>;
  close(): Promise<void>;
}
