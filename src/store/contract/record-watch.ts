import type { RecordKind, SeriesType } from '../../opportunity/records.ts';

/** Types of series that publish their sessions within themselves. A series that gets or loses such a type changes its sessions. */
export const HOLDERS = ['Event', 'HeadlineEvent', 'CourseInstance'] as const satisfies readonly SeriesType[];

export const isHolder = (type: SeriesType): boolean => (HOLDERS as readonly SeriesType[]).includes(type);

/** A changed record: it, its EventSeries or its Place was written or withdrawn, or its holder came or went. */
export interface ChangedRecord {
  /** The number of the record's last change; it grows with every change. */
  seq: number;
  kind: RecordKind;
  ident: string;
  /** The row of its present or former parent. */
  parent: number | undefined;
}

/** Records that changed since a watch began; at its beginning all count as changed. */
export interface RecordWatch {
  /** The name of the watch, new at each beginning: numbers of two watches cannot be compared. */
  readonly name: string;
  /** The records whose last change is after a `seq`, ascending. */
  since(after: number, limit: number): Promise<ChangedRecord[]>;
  close(): Promise<void>;
}
