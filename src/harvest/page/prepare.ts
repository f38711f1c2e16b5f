import { hash } from 'node:crypto';
import { cleanWithHours } from '../../hours/findings.ts';
import { type CleanOptions, OWN } from '../../opportunity/clean.ts';
import { isSlotLeftOut, type RawFinding } from '../../opportunity/findings.ts';
import { latest } from '../../opportunity/page/copies.ts';
import { type Page, parseData, type RpdeItem, rawData } from '../../opportunity/page/page.ts';
import { SLOT_KIND } from '../../opportunity/page/rpde-item.ts';
import {
  type ItemContent,
  type PreparedItem,
  type PreparedPage,
  prepareRecord,
} from '../../revision/records/prepared.ts';
import type { ItemKey } from '../../store/index.ts';
import { conceptLabel } from '../../vocabulary/shipped.ts';

/** Prepares a page for the store. Pure; an item is cleaned when its content is first read: @throws BugError for an unknown zone */
export function preparePage({ items, ...page }: Page, options: CleanOptions): PreparedPage<string> {
  const { newest, prepare } = newestCopies(items, (item) => prepareItem(item, options, rawText));
  return { ...page, count: items.length, items: newest.map(prepare) };
}

/** The newest copy of each item, and a function that prepares one. Copies of one item are prepared to be compared. */
export function newestCopies<Raw extends string | Uint8Array>(
  items: readonly RpdeItem[],
  prepare: (item: RpdeItem) => PreparedItem<Raw>,
): { newest: readonly RpdeItem[]; prepare(item: RpdeItem): PreparedItem<Raw> } {
  const compared = new Map<RpdeItem, PreparedItem<Raw>>();
  const isGood = (item: RpdeItem) => {
    const one = compared.get(item) ?? prepare(item);
    compared.set(item, one);
    return one.hash === undefined || speaks(one.content);
  };
  return { newest: latest(items, isGood), prepare: (item) => compared.get(item) ?? prepare(item) };
}

/** Whether an item has a record of its own, and not only embedded ones. */
export function speaks({ records }: ItemContent): boolean {
  return records.some(({ rank }) => rank === OWN);
}

const rawText = (item: RpdeItem): string =>
  item.raw === undefined ? rawData(item) : Buffer.from(item.raw).toString('utf8');

const NOTHING: ItemContent = { records: [], findings: 0, findingsText: undefined };

/** Prepares one item, with its raw data as `rawOf` returns it. */
export function prepareItem<Raw extends string | Uint8Array>(
  item: RpdeItem,
  options: CleanOptions,
  rawOf: (item: RpdeItem) => Raw,
): PreparedItem<Raw> {
  if (item.state === 'deleted') return new Prepared<Raw>(item, undefined, NOTHING);
  return new Prepared(item, rawOf(item), () => clean(item, options));
}

/**
 * A prepared item that drops its data once its content is made. It is a class, because V8 gives each object literal with a
 * getter a hidden class of its own, which keeps what the getter refers to until a major collection.
 */
class Prepared<Raw extends string | Uint8Array> implements PreparedItem<Raw> {
  readonly kind: string;
  readonly rpdeId: string;
  readonly modified: string;
  readonly hash: string | undefined;
  readonly raw: Raw | undefined;
  #content: ItemContent | (() => ItemContent);

  constructor({ kind, id, modified }: RpdeItem, raw: Raw | undefined, content: ItemContent | (() => ItemContent)) {
    this.kind = kind;
    this.rpdeId = id;
    this.modified = modified;
    this.hash = raw === undefined ? undefined : hash('sha1', raw, 'base64');
    this.raw = raw;
    this.#content = content;
  }

  get content(): ItemContent {
    if (typeof this.#content === 'function') this.#content = this.#content();
    return this.#content;
  }
}

/** The content of an item, cleaned from its stored raw data. Pure. */
export function cleanRaw(
  { kind, rpdeId, modified }: ItemKey & { modified: string },
  raw: string,
  options: CleanOptions,
  ofEnvelope: RawFinding[] = [],
): ItemContent {
  const read = { ...parseData(raw), ...(ofEnvelope.length > 0 && { findings: ofEnvelope }) };
  return clean({ state: 'updated', kind, id: rpdeId, modified, ...read }, options);
}

/** The records and findings of an item. Pure. */
export function clean(item: RpdeItem, options: CleanOptions): ItemContent {
  const { records, findings: found } = cleanWithHours(item, { ...options, conceptLabel });
  // One finding of the feed counts the slots that it is read without (library/feeds.ts).
  const findings = item.kind.includes(SLOT_KIND) ? found.filter((one) => !isSlotLeftOut(one)) : found;
  return {
    records: records.map(prepareRecord),
    findings: findings.length,
    findingsText: findings.length > 0 ? JSON.stringify(findings) : undefined,
  };
}
