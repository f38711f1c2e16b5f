import type { FindingRule } from './rule.ts';

const PAGING = 'RPDE 1.0, Paging';
const ORDER = 'RPDE 1.0, Ordering strategies';
const CACHING = 'Scaling feeds, Caching';

/** What is found about where pages lead: seen by who follows them. */
export const PAGING_CODES = {
  'next-page-not-current-page': {
    severity: 'error',
    rule: PAGING,
    text: () =>
      'Let "next" of a page with items lead to the page after them; it names the page itself, so reading stops here.',
  },
  'next-cycle': {
    severity: 'error',
    rule: PAGING,
    text: () => 'Let "next" lead on from the last item; it leads back to an earlier page, so reading stops here.',
  },
  'next-invalid': {
    severity: 'error',
    rule: PAGING,
    text: ({ value }) => `Make "next" an absolute http(s) address; found ${value}.`,
  },
  'next-relative': {
    severity: 'warning',
    rule: PAGING,
    text: ({ value }) => `Make "next" an absolute address; found ${value}.`,
  },
  'next-scheme-changed': {
    severity: 'warning',
    rule: PAGING,
    text: ({ value }) => `Write "next" with the scheme (https or http) of the page itself; found ${value}.`,
  },
  'next-other-origin': {
    severity: 'error',
    rule: PAGING,
    text: ({ value }) => `Let "next" stay on the server of the feed; ${value} was not followed.`,
  },
  'next-not-encoded': {
    severity: 'warning',
    rule: PAGING,
    text: ({ value }) => `Percent-encode what is no part of an address in "next"; found ${value}.`,
  },
  'next-path-changed': {
    severity: 'warning',
    rule: `${PAGING}: all pages of a feed have one base address`,
    text: ({ value, used }) => `Let "next" keep the address of the feed, ${used}; found ${value}.`,
  },
  'next-not-increasing': {
    severity: 'error',
    rule: ORDER,
    text: ({ property, value }) =>
      `Let "${property}" in "next" increase from page to page; ${value} is not after where this page begins, so items are missed or come again.`,
  },
  'next-order-changed': {
    severity: 'error',
    rule: ORDER,
    text: ({ had, has }) =>
      `Keep one order for the whole feed: this page was asked by "${had}", its "next" goes by "${has}".`,
  },
  'next-not-of-last-item': {
    severity: 'warning',
    rule: `${ORDER}: next is made of the last item`,
    text: ({ id, modified }) =>
      `Make "next" of the last item of the page (id ${id}, modified ${modified}), or items between are missed.`,
  },
  'after-id-missing': {
    severity: 'error',
    rule: ORDER,
    text: () => 'Give "next" an "afterId" beside its "afterTimestamp": of items with one time some would be missed.',
  },
  'after-id-misspelled': {
    severity: 'error',
    rule: ORDER,
    text: ({ value }) => `Name the parameter "afterId" in "next"; found "${value}".`,
  },
  'after-timestamp-not-integer': {
    severity: 'error',
    rule: `${ORDER}: afterTimestamp and modified are the same values`,
    text: ({ value }) => `Make "afterTimestamp" in "next" an integer as "modified" is; found ${value}.`,
  },
  'after-change-number-invalid': {
    severity: 'error',
    rule: ORDER,
    text: ({ value }) => `Make "afterChangeNumber" in "next" an integer; found ${value}.`,
  },
  'change-number-not-modified': {
    severity: 'error',
    rule: ORDER,
    text: () => 'Make "modified" the integer change number that "afterChangeNumber" counts.',
  },
  'content-type-unexpected': {
    severity: 'warning',
    rule: 'RPDE 1.0, HTTP: Content-Type is application/json',
    text: ({ value }) => `Send the page with the Content-Type application/json; found ${value}.`,
  },
  'charset-not-utf-8': {
    severity: 'warning',
    rule: 'RFC 8259, section 8.1',
    text: ({ value }) => `Send the page in UTF-8, which needs no "charset" in its Content-Type; found ${value}.`,
  },
  'cache-too-short': {
    severity: 'info',
    rule: CACHING,
    text: ({ value }) =>
      `Send "Cache-Control: public, max-age=3600" with all pages but the last, which change no more; found ${value}.`,
  },
  'cache-too-long': {
    severity: 'info',
    rule: CACHING,
    text: ({ value }) =>
      `Send "Cache-Control: public, max-age=8" with the last page, where news comes; found ${value}.`,
  },
  'empty-page-not-last': {
    severity: 'info',
    rule: PAGING,
    text: () => 'Leave out pages without items: only the last page is empty, and its "next" is its own address.',
  },
  'empty-pages-in-a-row': {
    severity: 'error',
    rule: PAGING,
    text: ({ count }) =>
      `Leave out pages without items: after ${count} of them in a row reading stopped, and goes on there at the next visit.`,
  },
  'page-not-fetched': {
    severity: 'error',
    rule: 'RPDE 1.0, HTTP: pages are answered with status 200',
    text: ({ reason }) => `Answer every address of the feed with its page and status 200: ${reason}.`,
  },
  'page-unreadable': {
    severity: 'error',
    rule: 'RPDE 1.0, Response grammar',
    text: ({ reason }) => `Answer every address of the feed with a page in JSON: ${reason}.`,
  },
  'deleted-items-missing': {
    severity: 'info',
    rule: 'RPDE 1.0, Deleted items stay in the feed for at least 7 days',
    text: () =>
      'Make sure that what is taken away comes as an item with the state "deleted": there is none in this feed.',
  },
  'pages-small': {
    severity: 'info',
    rule: 'Scaling feeds, Page size',
    text: ({ count, most }) => `Put ${most} items on each page but the last: ${count} pages have fewer.`,
  },
} as const satisfies Record<string, FindingRule>;
