/** Decides where a page of an RPDE feed leads (RPDE 1.0, "Paging"; with the checks of rpde-validator). Pure. */

import { publicText } from '../../errors.ts';
import { LIMITS } from '../../limits.ts';
import { type RawFinding, shown } from '../../opportunity/findings.ts';
import { decodedId } from '../../opportunity/ids.ts';
import type { Page } from '../../opportunity/page/page.ts';
import { type LastItem, orderFindings } from './order-findings.ts';

interface Step {
  /** The address to request next; the page's own at the end of the feed, and where `next` cannot be followed. */
  next: string;
  end: boolean;
  stuck?: string;
  findings: RawFinding[];
}

/** The parts of a page that decide where it leads: `next`, and its items, read or prepared. */
interface Leading extends Pick<Page, 'next'> {
  items: readonly (LastItem | { rpdeId: string; modified: string })[];
  /** An item that could not be read may be the last one. */
  findings?: readonly { raw?: string }[];
}

/** The address of the request, that of the response (after redirects), and the origins that the operator named. */
interface PageAddresses {
  requestUrl: string;
  responseUrl: string;
  named: ReadonlySet<string>;
}

/**
 * The last page has no items AND its `next` is the page itself; an empty page with another `next` is not the end.
 * Reading stops at a page with items that names itself, and at one whose `next` may not be followed.
 */
export function stepAfter(page: Leading, addresses: PageAddresses): Step {
  const own = addresses.requestUrl;
  if (page.next === undefined) return { next: own, end: false, stuck: 'the page has no "next"', findings: [] };
  const findings: RawFinding[] = [];
  const found = resolved(page.next, addresses, findings);
  if (typeof found === 'string') return { next: own, end: false, stuck: found, findings };
  if (!samePage(found, addresses)) {
    findings.push(...orderFindings(found, new URL(addresses.requestUrl), lastOf(page), page.items));
    if (isEmpty(page)) findings.push({ code: 'empty-page-not-last', path: '$.next' });
    return { next: found.href, end: false, findings };
  }
  if (isEmpty(page)) return { next: own, end: true, findings };
  findings.push({ code: 'next-page-not-current-page', path: '$.next' });
  return { next: own, end: false, stuck: 'a page with items names itself as "next"', findings };
}

/** The address of `next` as it will be requested, or the reason why it will not. */
function resolved(
  next: string,
  { requestUrl, responseUrl, named }: PageAddresses,
  findings: RawFinding[],
): URL | string {
  // Each "next" of a feed with a key in its address has that key too: it is not shown.
  const value = shown(publicText(next));
  const url = URL.parse(next, responseUrl);
  // An address that is too long is never requested: stored as the cursor, it would end the feed for good.
  const isTooLong = url !== null && url.href.length > LIMITS.urlChars;
  if (url === null || !/^https?:$/.test(url.protocol) || isTooLong) {
    findings.push({ code: 'next-invalid', path: '$.next', facts: { value } });
    return isTooLong ? `"next" has more than ${LIMITS.urlChars} characters` : '"next" is not an address';
  }
  if (URL.parse(next) === null) findings.push({ code: 'next-relative', path: '$.next', facts: { value } });
  url.hash = '';
  url.username = '';
  url.password = '';
  const homes = [new URL(requestUrl), new URL(responseUrl)];
  if (NOT_ENCODED.test(next)) findings.push({ code: 'next-not-encoded', path: '$.next', facts: { value } });
  const here = homes.filter((home) => home.origin === url.origin);
  if (here.length > 0) {
    if (!here.some((home) => home.pathname === url.pathname)) {
      const facts = { value: shown(url.pathname), used: shown((here[0] as URL).pathname) };
      findings.push({ code: 'next-path-changed', path: '$.next', facts });
    }
    return url;
  }
  const flipped = homes.find((home) => sameButScheme(home, url));
  if (flipped !== undefined) {
    findings.push({ code: 'next-scheme-changed', path: '$.next', facts: { value } });
    // Never down from https: proxies that end TLS make such links, and this page came from the https address.
    if (flipped.protocol === 'https:') url.protocol = 'https:';
    return url;
  }
  if (named.has(url.origin)) return url;
  findings.push({ code: 'next-other-origin', path: '$.next', facts: { value } });
  return `"next" leads to another server (${url.host})`;
}

/** Characters that RFC 3986 allows nowhere in an address, without `|`, which does no harm. `#` and its fragment are never sent. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are among what must be encoded
const NOT_ENCODED = /[\u0000-\u0020"#<>\\^`{}]|[^\u0000-\u007f]/;

/** Whether a page has no items; items that could not be read count. */
export function isEmpty({ items, findings = [] }: Pick<Leading, 'items' | 'findings'>): boolean {
  return items.length === 0 && !findings.some(({ raw }) => raw !== undefined);
}

function lastOf({ items, findings = [] }: Leading): LastItem | undefined {
  const last = items.at(-1);
  if (last === undefined || findings.some(({ raw }) => raw !== undefined)) return undefined;
  return 'rpdeId' in last ? { id: last.rpdeId, modified: last.modified } : last;
}

function sameButScheme(a: URL, b: URL): boolean {
  return a.hostname === b.hostname && a.port === '' && b.port === '';
}

/** Whether `next` is the page itself, whatever its scheme and percent-encoding: servers write one address in several ways. */
function samePage(next: URL, { requestUrl, responseUrl }: PageAddresses): boolean {
  const name = canonical(next);
  return name === canonical(new URL(requestUrl)) || name === canonical(new URL(responseUrl));
}

function canonical(url: URL): string {
  return decodedId(`${url.host}${url.pathname}${url.search}`);
}
