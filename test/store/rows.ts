import type { Details } from '../../src/opportunity/records.ts';
import { currentVocabularies, searchDocument } from '../../src/search/document.ts';
import type { RecordWrite } from '../../src/store/contract/records.ts';
import { IN_SESSIONS } from '../../src/store/contract/stored-hash.ts';
import { documentRow } from '../../src/store/document-row.ts';
import type { CalendarWrite, DocumentRow } from '../../src/store/index.ts';
import { packedBody } from '../../src/store/sql/body-text.ts';

/** Rows that tests of stores write. */

export function record(ident: string, over: Partial<RecordWrite> = {}): RecordWrite {
  return {
    id: undefined,
    kind: 'session',
    ident,
    parent: undefined,
    place: undefined,
    venue: undefined,
    item: 1,
    rank: 2,
    publisherId: 1,
    start: undefined,
    end: undefined,
    cancelled: false,
    packed: packedBody(`{"id":"${ident}"}`, ident),
    ...over,
  };
}

export function calendar(recordId: number, over: Partial<CalendarWrite> = {}): CalendarWrite {
  return {
    record: recordId,
    part: '',
    kind: 'series',
    key: `key${recordId}`,
    state: 'live',
    revision: 0,
    changed: 1000,
    name: `Name ${recordId}`,
    search: 'hash',
    header: 'h',
    events: IN_SESSIONS,
    tail: undefined,
    deletedAt: undefined,
    movedTo: undefined,
    sessions: 0,
    rolling: false,
    findings: undefined,
    ...over,
  };
}

export function documentOf(details: Details, zone?: string): DocumentRow {
  return documentRow(searchDocument(details, undefined, currentVocabularies(), zone));
}
