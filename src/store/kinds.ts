/** Kinds of records, in the order of their numbers in a database. */
export const RECORD_KINDS = ['series', 'session', 'place', 'facility', 'slot'] as const;
export type RecordKind = (typeof RECORD_KINDS)[number];
