import { type FindingRule, order, under, utf8 } from './rule.ts';

const paging = under('RPDE 1.0, Paging');
const caching = under('Scaling feeds, Caching');

/** Findings about the order of pages and their `next`, made while pages are followed. */
export const PAGING_CODES = {
  'next-page-not-current-page': paging.error(
    'Let "next" of a page with items lead to the page after them; it names the page itself, so reading stops here.',
  ),
  'next-cycle': paging.error(
    'Let "next" lead on from the last item; it leads back to an earlier page, so reading stops here.',
  ),
  'next-invalid': paging.error('Make "next" an absolute http(s) address; found {value}.'),
  'next-relative': paging.warning('Make "next" an absolute address; found {value}.'),
  'next-scheme-changed': paging.warning(
    'Write "next" with the scheme (https or http) of the page itself; found {value}.',
  ),
  'next-other-origin': paging.error('Let "next" stay on the server of the feed; {value} was not followed.'),
  'next-not-encoded': paging.warning(
    'Percent-encode what is no part of an address in "next", such as # as %23; found {value}.',
  ),
  'next-path-changed': paging.warning(
    'Let "next" keep the address of the feed, {used}; found {value}.',
    'all pages of a feed have one base address',
  ),
  'next-not-increasing': order.error(
    'Let "{property}" in "next" increase from page to page; {value} is not after where this page begins, so items are missed or come again.',
  ),
  'next-order-changed': order.error(
    'Keep one order for the whole feed: this page was asked by "{had}", its "next" goes by "{has}".',
  ),
  'next-not-of-last-item': order.warning(
    'Make "next" of the last item of the page (id {id}, modified {modified}), or items between are missed.',
    'next is made of the last item',
  ),
  'after-id-missing': order.error(
    'Give "next" an "afterId" beside its "afterTimestamp": of items with one time some would be missed.',
  ),
  'after-id-misspelled': order.error('Name the parameter "afterId" in "next"; found "{value}".'),
  'after-timestamp-not-integer': order.error(
    'Make "afterTimestamp" in "next" an integer as "modified" is; found {value}.',
    'afterTimestamp and modified are the same values',
  ),
  'after-change-number-invalid': order.error('Make "afterChangeNumber" in "next" an integer; found {value}.'),
  'change-number-not-modified': order.error(
    'Make "modified" the integer change number that "afterChangeNumber" counts.',
  ),
  'content-type-unexpected': under('RPDE 1.0, HTTP: Content-Type is application/json').warning(
    'Send the page with the Content-Type application/json; found {value}.',
  ),
  'charset-not-utf-8': utf8.warning(
    'Send the page in UTF-8, which needs no "charset" in its Content-Type; found {value}.',
  ),
  'cache-too-short': caching.info(
    'Send "Cache-Control: public, max-age=3600" with all pages but the last, which change no more; found {value}.',
  ),
  'cache-too-long': caching.info(
    'Send "Cache-Control: public, max-age=8" with the last page, where news comes; found {value}.',
  ),
  'empty-page-not-last': paging.info(
    'Leave out pages without items: only the last page is empty, and its "next" is its own address.',
  ),
  'empty-pages-in-a-row': paging.error(
    'Leave out pages without items: after {count} of them in a row reading stopped, and goes on there at the next visit.',
  ),
  'page-not-fetched': under('RPDE 1.0, HTTP: pages are answered with status 200').error(
    'Answer every address of the feed with its page and status 200: {reason}.',
  ),
  'page-unreadable': under('RPDE 1.0, Response grammar').error(
    'Answer every address of the feed with a page in JSON: {reason}.',
  ),
  'deleted-items-missing': under('RPDE 1.0, Deleted items stay in the feed for at least 7 days').info(
    'Make sure that what is taken away comes as an item with the state "deleted": there is none in this feed.',
  ),
  'pages-small': under('Scaling feeds, Page size').info(
    'Put {most} items on each page but the last: {count} pages have fewer.',
  ),
} satisfies Record<string, FindingRule>;
