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

/** What has been found in the input so far. */
interface Heap {
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
 * Reads what `convert`, `expand`, `hours` and `check` are given: an RPDE page, an array of pages, items or objects, or one
 * object, in any mix and order. Throws `PageError` if nothing can be read. `clean` may find more than the reader itself does.
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
  const heap: Heap = {
    items: [],
    names: new Map(),
    licenses: new Map(),
    findings: replacedCharacters(text),
    seen: 0,
    wide,
  };
  collect(heap, value);
  const input: Input = { records: [], findings: [], items: heap.seen, licenses: new Map() };
  for (const { item, finding } of heap.findings) input.findings.push(finish(finding, options.feed, item));
  addLatest(input, heap, options, clean);
  return { ...input, findings: slotsTogether(input.findings) };
}

/** Slots that are not harvested are one finding, with their number; its item is the first of them. */
function slotsTogether(findings: Finding[]): Finding[] {
  const [first, ...more] = findings.filter(isSlotLeftOut);
  if (first === undefined || more.length === 0) return findings;
  const raw: RawFinding = { code: first.code, path: first.path, facts: { count: more.length + 1 } };
  return [...findings.filter((one) => !isSlotLeftOut(one)), finish(raw, first.feed, first.item)];
}

/** Adds the items that count. A good one that an empty copy follows goes on speaking, with the findings of that copy (semantics 1.6). */
function addLatest(input: Input, heap: Heap, options: CleanOptions, clean: typeof cleanItem): void {
  const isGood = (item: RpdeItem) =>
    item.state === 'deleted' || clean(item, options).records.some(({ rank }) => rank === OWN);
  const newest = latest(heap.items, isGood);
  for (const [index, item] of newest.entries()) {
    if (item.state === 'deleted') continue;
    const [before, after] = [newest[index - 1], newest[index + 1]];
    if (before?.state === 'updated' && isSameItem(before, item)) continue;
    const empty = after !== undefined && isSameItem(after, item) ? after : undefined;
    addItem(input, item, heap, options, empty === undefined ? clean : withFindingsOf(empty, clean));
  }
}

function withFindingsOf(empty: RpdeItem, clean: typeof cleanItem): typeof cleanItem {
  return (item, options) => ({
    records: clean(item, options).records,
    findings: [{ code: 'item-lost-its-data', path: '$' }, ...clean(empty, options).findings],
  });
}

function addItem(input: Input, item: RpdeItem, heap: Heap, options: CleanOptions, clean: typeof cleanItem): void {
  const { records, findings } = clean(item, options);
  const { modified, kind, id: rpdeId } = item;
  const license = heap.licenses.get(item);
  for (const { record, rank } of records) {
    input.records.push({ record, rank, publisher: 0, modified, feed: options.feed, kind, rpdeId });
    const isOwn = rank === OWN || !input.licenses.has(record.id);
    if (license !== undefined && record.kind === 'series' && isOwn) input.licenses.set(record.id, license);
  }
  const name = heap.names.get(item) ?? itemName(item);
  const own = records.find(({ rank }) => rank === OWN)?.record.id;
  for (const finding of findings) input.findings.push(finish(finding, options.feed, name, own));
}

/** Arrays within arrays are walked without recursion: they may be of any depth. */
function collect(heap: Heap, root: Json): void {
  const todo: Json[] = [root];
  for (let next = todo.pop(); next !== undefined; next = todo.pop()) {
    if (Array.isArray(next)) for (let i = next.length - 1; i >= 0; i -= 1) todo.push(next[i] as Json);
    else if (isObject(next) && Array.isArray(next.items)) collectPage(heap, next);
    else collectOne(heap, next);
  }
}

function collectPage(heap: Heap, value: JsonObject): void {
  const page = pageOf(value, heap.wide);
  heap.seen += (value.items as Json[]).length;
  heap.findings.push(...page.findings);
  for (const item of page.items) {
    heap.items.push(item);
    if (page.license !== undefined) heap.licenses.set(item, page.license);
  }
}

function collectOne(heap: Heap, value: Json): void {
  const position = `[${heap.seen}]`;
  heap.seen += 1;
  if (!isObject(value)) {
    heap.findings.push({
      item: position,
      finding: { code: 'item-not-an-object', path: '$', facts: { value: shown(value, 40) } },
    });
    return;
  }
  if (!isObject(value.data) && typeof value.state !== 'string') {
    addObject(heap, value, position);
    return;
  }
  const read = readItem(value, heap.wide);
  if (read.item !== undefined) {
    heap.items.push(read.item);
    if (read.item.state === 'deleted')
      heap.findings.push(...read.findings.map((finding) => ({ item: position, finding })));
    return;
  }
  heap.findings.push({ item: position, finding: read.refused });
  // Outside a feed nothing is updated or deleted: an envelope without an id still says what it holds.
  if (isObject(value.data) && value.state !== 'deleted') addObject(heap, value.data, position);
}

/** An object without an envelope: its own digest is its item's id, so that nothing depends on its position. */
function addObject(heap: Heap, data: JsonObject, position: string): void {
  const type = data['@type'] ?? data.type;
  const kind = typeof type === 'string' ? bareName(type) : '';
  const id = sha256(toJson(data, heap.wide)).slice(0, 20);
  const item: RpdeItem = { state: 'updated', kind, id, modified: '', data, ...(heap.wide && { wide: true }) };
  heap.names.set(item, idText(single(data['@id'] ?? data.id)) ?? (kind === '' ? position : `${kind} ${position}`));
  heap.items.push(item);
}
