import type { FindingRule } from './rule.ts';

const PAGING = 'RPDE 1.0, Paging';

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
} as const satisfies Record<string, FindingRule>;
