import { keysOf } from '../../join/keys.ts';
import { OWN, type RankedRecord } from '../../opportunity/clean.ts';
import { placeToFind } from '../../opportunity/effective.ts';
import { identOf } from '../../opportunity/identity.ts';
import type { Page } from '../../opportunity/page/page.ts';
import { defined, type OpportunityRecord, type RecordKind, type Session } from '../../opportunity/records.ts';
import { hasOwnDetails, ownPrice } from '../../search/session-document.ts';
import type { Bundled } from '../../store/bundles.ts';
import type { ItemKey, Owner, RecordWrite } from '../../store/index.ts';
import { packedBody } from '../../store/sql/body-text.ts';
import { documentOfItself, type HashedDocument } from '../searched.ts';

/**
 * A page with all that can be derived from it without the store, so that a thread can make it ahead of the transaction
 * (page-reader.ts).
 */
export interface PreparedPage<Raw = string | Bundled> extends Pick<Page, 'next' | 'license' | 'findings'> {
  /** The number of items on the page, all copies counted. */
  count: number;
  /** The newest copy of each item; before one without usable data, the last good copy. */
  items: PreparedItem<Raw>[];
}

export interface PreparedItem<Raw = string | Bundled> extends ItemKey {
  modified: string;
  /** The hash of the raw data; undefined: deleted. */
  hash: string | undefined;
  raw: Raw | undefined;
  /** Records and findings; made on the first access, where the page was prepared in place. */
  readonly content: ItemContent;
}

export interface ItemContent {
  records: PreparedRecord[];
  findings: number;
  /** The findings as JSON text; undefined: none. */
  findingsText: string | undefined;
}

/** The kind of a record's parent, by its own kind; a Place has none. */
export const PARENT_KIND: Readonly<Record<RecordKind, RecordKind>> = {
  session: 'series',
  series: 'series',
  facility: 'place',
  slot: 'facility',
  place: 'place',
};

export interface PreparedRecord
  extends Readonly<Pick<RecordWrite, 'kind' | 'ident' | 'rank' | 'start' | 'end' | 'zone' | 'cancelled' | 'packed'>> {
  /** Identity of its parent (`PARENT_KIND`). */
  readonly parent: string | undefined;
  /** Identities of the Place that it inherits its location from, and of the Place whose calendar shows it. */
  readonly place: string | undefined;
  readonly venue: string | undefined;
  /** A session that has a series of its own while its `parent` is absent. */
  readonly ownSeries?: true;
  /** A session that is searched by itself, and its lowest own price (search/session-document.ts). */
  readonly own?: true;
  readonly price?: number;
  /** Keys besides the identity (join/keys.ts); undefined: none. */
  readonly keys: readonly string[] | undefined;
  /** The record of `packed`, where it need not be unpacked. */
  readonly record?: OpportunityRecord;
  /** The search document of a series that is an item of its own (`documentOfItself`), made on the page thread. */
  readonly document?: HashedDocument;
}

export function prepareRecord({ record, rank }: RankedRecord): PreparedRecord {
  const timed = record.kind === 'session' || record.kind === 'slot';
  const keys = keysOf(record);
  const ident = identOf(record.id);
  return {
    kind: record.kind,
    ident,
    rank,
    start: timed ? record.start : undefined,
    end: timed ? (record.end ?? record.start) : undefined,
    zone: timed ? record.stated && (record.stated.zone ?? '') : undefined,
    cancelled: (record.kind === 'session' || record.kind === 'series') && record.status === 'EventCancelled',
    packed: packedBody(JSON.stringify(record), ident),
    parent: parentOf(record),
    place: referredPlace(record),
    venue: venueOf(record),
    keys: keys.length === 0 ? undefined : keys,
    record,
    ...(record.kind === 'session' && searchedOf(record)),
    ...(record.kind === 'series' && rank === OWN && { document: documentOfItself(record) }),
  };
}

function searchedOf(session: Session): Pick<PreparedRecord, 'ownSeries' | 'own' | 'price'> {
  return {
    ...(session.ownSeries && { ownSeries: true }),
    ...(hasOwnDetails(session) && { own: true }),
    ...defined({ price: ownPrice(session) }),
  };
}

const identIf = (id: string | undefined): string | undefined => (id === undefined ? undefined : identOf(id));

function parentOf(record: OpportunityRecord): string | undefined {
  if (record.kind === 'session') return identIf(record.series);
  if (record.kind === 'series') return identIf(record.parent);
  if (record.kind === 'facility') return identIf(record.place);
  return record.kind === 'slot' ? identIf(record.facility) : undefined;
}

function referredPlace(record: OpportunityRecord): string | undefined {
  if (record.kind !== 'series' && record.kind !== 'session') return undefined;
  return identIf(placeToFind(record));
}

function venueOf(record: OpportunityRecord): string | undefined {
  if (record.kind === 'series' || record.kind === 'session') return identIf(record.details.location?.id);
  return record.kind === 'facility' ? identIf(record.place) : undefined;
}

/** The present records of one item; none: it was deleted. */
export interface Change extends Omit<Owner, 'rank'> {
  /** Whether the item had a row before: it may own records that it claims no more. */
  known: boolean;
  /** Whether the item is unchanged. */
  same?: boolean;
  records: readonly PreparedRecord[];
}
