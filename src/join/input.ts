import { type CleanOptions, cleanItem, OWN } from '../opportunity/clean.ts';
import { type Finding, finish, isSlotLeftOut, type RawFinding, shown } from '../opportunity/findings.ts';
import { isObject, type Json, type JsonObject, toJson } from '../opportunity/item/json.ts';
import { single } from '../opportunity/item/reading.ts';
import { idText } from '../opportunity/item/values.ts';
import { bareName } from '../opportunity/item/vocabulary.ts';
import { isSameItem, latest } from '../opportunity/page/copies.ts';
import {
  itemName,
  PageError,
  pageOf,
  parseText,
  type RpdeItem,
  readItem,
  replacedCharacters,
} from '../opportunity/page/page.ts';
import { sha256 } from '../platform/hash.ts';
import type { Claim } from './join.ts';

export interface Input {
  records: Claim[];
  findings: Finding[];
  /** Items and objects seen. */
  items: number;
  /** Licences of the pages that series came on, by `Series.id`. */
  licenses: Map<string, string>;
}

/** The items and findings of the input. */
interface Batch {
  items: RpdeItem[];
  /** How findings name an item that came without an envelope. */
  names: Map<RpdeItem, string>;
  /** The licence of the page that an item came on. */
  licenses: Map<RpdeItem, string>;
  findings: { item: string; finding: RawFinding }[];
  seen: number;
  wide: boolean;
}

/**
 * Reads the input of `convert`, `expand`, `hours` and `check`: an RPDE page, an array of pages, items or objects, or one
 * object, in any mix and order. Throws `PageError` if nothing can be read. `clean`: a cleaner that adds findings of its own.
 *
 * @example
 * ```ts
 * const { records, findings } = readInput(text, { zone: 'Europe/London', feed: 'https://example.org/feed' });
 * ```
 */
export function readInput(text: string, options: CleanOptions, clean: typeof cleanItem = cleanItem): Input {
  const { value, wide } = parseText(text);
  if (typeof value !== 'object' || value === null) {
    throw new PageError('not-a-page', `${shown(value, 20)} where an RPDE page, items or objects were expected.`);
  }
  const batch: Batch = {
    items: [],
    names: new Map(),
    licenses: new Map(),
    findings: replacedCharacters(text),
    seen: 0,
    wide,
  };
  collect(batch, value);
  const input: Input = { records: [], findings: [], items: batch.seen, licenses: new Map() };
  for (const { item, finding } of batch.findings) input.findings.push(finish(finding, options.feed, item));
  addLatest(input, batch, options, clean);
  return { ...input, findings: slotsTogether(input.findings) };
}

/** Merges the findings of Slots that are not harvested into one, with their number and the first item. */
function slotsTogether(findings: Finding[]): Finding[] {
  const [first, ...more] = findings.filter(isSlotLeftOut);
  if (first === undefined || more.length === 0) return findings;
  const raw: RawFinding = { code: first.code, path: first.path, facts: { count: more.length + 1 } };
  return [...findings.filter((one) => !isSlotLeftOut(one)), finish(raw, first.feed, first.item)];
}

/** Adds the newest copy of each item; a good copy before an empty one stays, with the findings of the empty one (semantics 1.6). */
function addLatest(input: Input, batch: Batch, options: CleanOptions, clean: typeof cleanItem): void {
  const isGood = (item: RpdeItem) =>
    item.state === 'deleted' || clean(item, options).records.some(({ rank }) => rank === OWN);
  const newest = latest(batch.items, isGood);
  for (const [index, item] of newest.entries()) {
    if (item.state === 'deleted') continue;
    const [before, after] = [newest[index - 1], newest[index + 1]];
    if (before?.state === 'updated' && isSameItem(before, item)) continue;
    const empty = after !== undefined && isSameItem(after, item) ? after : undefined;
    addItem(input, item, batch, options, empty === undefined ? clean : withFindingsOf(empty, clean));
  }
}

function withFindingsOf(empty: RpdeItem, clean: typeof cleanItem): typeof cleanItem {
  return (item, options) => ({
    records: clean(item, options).records,
    findings: [{ code: 'item-lost-its-data', path: '$' }, ...clean(empty, options).findings],
  });
}

function addItem(input: Input, item: RpdeItem, batch: Batch, options: CleanOptions, clean: typeof cleanItem): void {
  const { records, findings } = clean(item, options);
  const { modified, kind, id: rpdeId } = item;
  const license = batch.licenses.get(item);
  for (const { record, rank } of records) {
    input.records.push({ record, rank, publisher: 0, modified, feed: options.feed, kind, rpdeId });
    const isOwn = rank === OWN || !input.licenses.has(record.id);
    if (license !== undefined && record.kind === 'series' && isOwn) input.licenses.set(record.id, license);
  }
  const name = batch.names.get(item) ?? itemName(item);
  const object = records.find(({ rank }) => rank === OWN)?.record.id;
  for (const finding of findings) input.findings.push(finish(finding, options.feed, name, object));
}

/** Collects pages, items and objects, without recursion: arrays may be nested to any depth. */
function collect(batch: Batch, root: Json): void {
  const todo: Json[] = [root];
  for (let next = todo.pop(); next !== undefined; next = todo.pop()) {
    if (Array.isArray(next)) for (let i = next.length - 1; i >= 0; i -= 1) todo.push(next[i] as Json);
    else if (isObject(next) && Array.isArray(next.items)) collectPage(batch, next);
    else collectOne(batch, next);
  }
}

function collectPage(batch: Batch, value: JsonObject): void {
  const page = pageOf(value, batch.wide);
  batch.seen += (value.items as Json[]).length;
  batch.findings.push(...page.findings);
  for (const item of page.items) {
    batch.items.push(item);
    if (page.license !== undefined) batch.licenses.set(item, page.license);
  }
}

function collectOne(batch: Batch, value: Json): void {
  const position = `[${batch.seen}]`;
  batch.seen += 1;
  if (!isObject(value)) {
    batch.findings.push({
      item: position,
      finding: { code: 'item-not-an-object', path: '$', facts: { value: shown(value, 40) } },
    });
    return;
  }
  if (!isObject(value.data) && typeof value.state !== 'string') {
    addObject(batch, value, position);
    return;
  }
  const read = readItem(value, batch.wide);
  if (read.item !== undefined) {
    batch.items.push(read.item);
    if (read.item.state === 'deleted')
      batch.findings.push(...read.findings.map((finding) => ({ item: position, finding })));
    return;
  }
  batch.findings.push({ item: position, finding: read.refused });
  // An envelope without an id is refused in a feed; here its data counts as an object.
  if (isObject(value.data) && value.state !== 'deleted') addObject(batch, value.data, position);
}

/** Adds an object without an envelope. The id of its item is its digest, so that nothing depends on its position. */
function addObject(batch: Batch, data: JsonObject, position: string): void {
  const type = data['@type'] ?? data.type;
  const kind = typeof type === 'string' ? bareName(type) : '';
  const id = sha256(toJson(data, batch.wide)).slice(0, 20);
  const item: RpdeItem = { state: 'updated', kind, id, modified: '', data, ...(batch.wide && { wide: true }) };
  batch.names.set(item, idText(single(data['@id'] ?? data.id)) ?? (kind === '' ? position : `${kind} ${position}`));
  batch.items.push(item);
}
