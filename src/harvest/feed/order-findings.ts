/** Findings on the order of a feed (RPDE 1.0, "Ordering strategies"): the parameters of `next` against the page's own. Pure. */

import { type RawFinding, shown } from '../../opportunity/findings.ts';
import { compareModified } from '../../opportunity/page/page.ts';

/** The last item of a page, which `next` is made of. */
export interface LastItem {
  id: string;
  modified: string;
}

/**
 * `requestUrl`: the page's own address. `last`: undefined where the page has no items, or its last one could not be read.
 * `items`: all items of the page, to check that each `modified` is a number.
 */
export function orderFindings(
  next: URL,
  requestUrl: URL,
  last: LastItem | undefined,
  items: readonly { modified: string }[] = [],
): RawFinding[] {
  // Without parameters there is no order to compare: folders and other ways of paging.
  if (next.search === '') return [];
  const findings: RawFinding[] = [];
  const say = (code: RawFinding['code'], facts?: RawFinding['facts']) => {
    findings.push({ code, path: '$.next', ...(facts && { facts }) });
  };
  const timestamp = next.searchParams.get('afterTimestamp');
  const change = next.searchParams.get('afterChangeNumber');
  const had = timestamp === null ? 'afterTimestamp' : 'afterChangeNumber';
  const has = timestamp === null ? 'afterChangeNumber' : 'afterTimestamp';
  if ((timestamp ?? change) !== null && requestUrl.searchParams.has(had) && !requestUrl.searchParams.has(has)) {
    say('next-order-changed', { had, has });
  } else if (timestamp !== null) byTimestamp(next, requestUrl, timestamp, last, say);
  else if (change !== null) byChangeNumber(requestUrl, change, { last, items }, say);
  return findings;
}

type Say = (code: RawFinding['code'], facts?: RawFinding['facts']) => void;

const INTEGER = /^\d+$/;

function byTimestamp(next: URL, requestUrl: URL, timestamp: string, last: LastItem | undefined, say: Say): void {
  const id = idAfter(next, say);
  if (last !== undefined && INTEGER.test(last.modified) && !INTEGER.test(timestamp)) {
    say('after-timestamp-not-integer', { value: shown(timestamp, 40) });
  } else if (last !== undefined && id !== null && !isOfLast(last, timestamp, id)) {
    say('next-not-of-last-item', { id: shown(last.id, 80), modified: shown(last.modified, 40) });
  }
  const before = requestUrl.searchParams.get('afterTimestamp');
  if (before === null) return;
  const order = compareModified(timestamp, before);
  const idBefore = requestUrl.searchParams.get('afterId');
  if (order > 0 || (order === 0 && (id === null || idBefore === null || compareIds(id, idBefore) > 0))) return;
  say('next-not-increasing', { value: shown(`${timestamp} ${id ?? ''}`.trim(), 80), property: 'afterTimestamp' });
}

/** The value of `afterId`, also where its name is misspelled; null: there is none. */
function idAfter(next: URL, say: Say): string | null {
  const id = next.searchParams.get('afterId');
  if (id !== null) return id;
  for (const [name, value] of next.searchParams) {
    if (name.toLowerCase() !== 'afterid') continue;
    say('after-id-misspelled', { value: shown(name, 40) });
    return value;
  }
  say('after-id-missing');
  return null;
}

function isOfLast({ id, modified }: LastItem, timestamp: string, after: string): boolean {
  return after === id && (timestamp === modified || compareModified(timestamp, modified) === 0);
}

/** Compares integers as numbers. Databases order other ids as they like, so any different id counts as larger. */
function compareIds(a: string, b: string): number {
  if (a === b) return 0;
  return INTEGER.test(a) && INTEGER.test(b) ? compareModified(a, b) : 1;
}

function byChangeNumber(
  requestUrl: URL,
  change: string,
  { last, items }: { last: LastItem | undefined; items: readonly { modified: string }[] },
  say: Say,
): void {
  if (!INTEGER.test(change)) say('after-change-number-invalid', { value: shown(change, 40) });
  if (items.some(({ modified }) => !INTEGER.test(modified))) say('change-number-not-modified');
  else if (last !== undefined && last.modified !== change) {
    say('next-not-of-last-item', { id: shown(last.id, 80), modified: shown(last.modified, 40) });
  }
  const before = requestUrl.searchParams.get('afterChangeNumber');
  if (before === null || compareModified(change, before) > 0) return;
  say('next-not-increasing', { value: shown(change, 80), property: 'afterChangeNumber' });
}

const JSON_TYPE = /^application\/(?:json|vnd\.openactive\.(?:rpde|booking)\+json)(?:$|[\s;])/i;

const CHARSET = /;\s*charset\s*=\s*"?([^\s";]+)/i;

/** Findings of a Content-Type that does not fit an RPDE page. */
export function typeFindings(contentType: string): RawFinding[] {
  const findings: RawFinding[] = [];
  const charset = CHARSET.exec(contentType)?.[1] ?? 'utf-8';
  if (!/^utf-?8$/i.test(charset)) {
    findings.push({ code: 'charset-not-utf-8', path: '$', facts: { value: shown(charset, 40) } });
  }
  if (JSON_TYPE.test(contentType)) return findings;
  findings.push({ code: 'content-type-unexpected', path: '$', facts: { value: shown(contentType || 'none', 60) } });
  return findings;
}

/** Whether caches may keep a page as long as they should. */
export function cacheFindings(cacheControl: string | undefined, at: 'last' | 'before'): RawFinding[] {
  if (cachesWell(cacheControl ?? '', at)) return [];
  const facts = { value: shown(cacheControl ?? 'none', 60) };
  return [{ code: at === 'last' ? 'cache-too-long' : 'cache-too-short', path: '$', facts }];
}

/** "Scaling feeds" of the developer documentation: an hour at least, and 8 seconds at most for the last page. */
function cachesWell(cacheControl: string, at: 'last' | 'before'): boolean {
  const age = Number(/(?:^|[\s,])max-age=(\d{1,9})/i.exec(cacheControl)?.[1] ?? 0);
  if (!/(?:^|[\s,])public(?:$|[\s,])/i.test(cacheControl)) return false;
  return at === 'last' ? age <= 8 : age >= 3600;
}
