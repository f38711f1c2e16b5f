import { type RawFinding, shown } from '../findings.ts';
import { webAddress } from '../item/values.ts';
import { compareModified, haveOneForm, INTEGER } from './modified.ts';
import { itemName, type Page, type PageFinding, type RpdeItem } from './rpde-item.ts';

/** The kinds that the data model lists for open feeds (OpenActive data models 2.x, `rpde/FeedItem`), and Course. */
const KINDS: ReadonlySet<string> = new Set(
  `SessionSeries ScheduledSession ScheduledSession.SessionSeries SessionSeries.ScheduledSession FacilityUse
  IndividualFacilityUse FacilityUse/Slot IndividualFacilityUse/Slot Course CourseInstance HeadlineEvent Event
  EventSeries OnDemandEvent Order Place`.split(/\s+/),
);

/** Adds findings about the items of a page together, each code once. One step for each item. */
export function addItemsFindings(page: Page): void {
  addRepeated(page);
  addOrder(page);
  if (page.license !== undefined && webAddress(page.license) === undefined) {
    page.findings.push(pageFinding('license-not-url', '', { value: shown(page.license, 60) }, '$.license'));
  }
}

/** Findings about advice of RPDE and the data model, on which nothing depends: for `check` alone. */
export function advice({ items }: Pick<Page, 'items'>): PageFinding[] {
  const findings: PageFinding[] = [];
  const kind = items.find((item) => item.kind !== '' && !KINDS.has(item.kind))?.kind;
  if (kind !== undefined) findings.push(pageFinding('kind-unofficial', '', { value: shown(kind, 60) }));
  const odd = items.find(({ modified }) => modified !== '' && !INTEGER.test(modified));
  if (odd !== undefined) findings.push(pageFinding('modified-not-integer', '', { value: shown(odd.modified, 60) }));
  return findings;
}

function pageFinding(code: RawFinding['code'], item: string, facts: RawFinding['facts'], path = '$'): PageFinding {
  return { item, finding: { code, path, ...(facts && { facts }) } };
}

function addRepeated(page: Page): void {
  const kinds = new Map<string, string>();
  let first: RpdeItem | undefined;
  let count = 0;
  let shared: RpdeItem | undefined;
  for (const item of page.items) {
    const kind = kinds.get(item.id);
    if (kind === undefined) kinds.set(item.id, item.kind);
    else if (kind === item.kind) {
      first ??= item;
      count += 1;
    } else shared ??= item;
  }
  if (first !== undefined) page.findings.push(pageFinding('item-repeated', itemName(first), { count }));
  if (shared === undefined) return;
  const facts = { kind: shown(shared.kind, 60), other: shown(kinds.get(shared.id), 60) };
  page.findings.push(pageFinding('item-id-shared', itemName(shared), facts));
}

/** Adds the first item whose `modified` is below that of the item before it, and the first in another form. */
function addOrder(page: Page): void {
  const found = new Set<string>();
  let before = '';
  for (const item of page.items) {
    const { modified } = item;
    const wrong = orderProblem(before, modified);
    if (wrong !== undefined && !found.has(wrong)) {
      found.add(wrong);
      const facts = { modified: shown(modified, 40), before: shown(before, 40) };
      page.findings.push(pageFinding(wrong, itemName(item), facts));
    }
    if (modified !== '') before = modified;
  }
}

/** The problem of two values in a row. Fast path: integers of one length, as nearly all have, compare as texts. */
function orderProblem(before: string, modified: string): 'items-not-in-order' | 'modified-form-changes' | undefined {
  if (modified === '' || before === '' || before === modified) return undefined;
  if (isWhole(before) && isWhole(modified)) {
    const isBelow = before.length === modified.length ? modified < before : compareModified(modified, before) < 0;
    return isBelow ? 'items-not-in-order' : undefined;
  }
  // Times in several spellings (offsets, fractions) have an order of their own.
  return haveOneForm(before, modified) ? undefined : 'modified-form-changes';
}

const isWhole = (modified: string): boolean => /^\d*$/.test(modified);
