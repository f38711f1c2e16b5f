import type { FindingRule } from './rule.ts';

const IDS = 'Modelling Opportunity Data 2.0: @id';

/** What is found where several publishers speak of one thing (semantics 1). */
export const PUBLISHER_CODES = {
  'claimed-by-another-publisher': {
    severity: 'warning',
    rule: IDS,
    text: ({ kind, id }) =>
      `Give the ${kind} an "@id" of your own: ${id} is another publisher's, and what is published of it here shows nothing.`,
  },
  'series-of-another-publisher': {
    severity: 'warning',
    rule: IDS,
    text: ({ id }) =>
      `Name a series of your own as "superEvent": ${id} is another publisher's, and what is part of it here shows nothing.`,
  },
  'facility-of-another-publisher': {
    severity: 'warning',
    rule: IDS,
    text: ({ id }) =>
      `Name a facility of your own as "facilityUse": ${id} is another publisher's, and its slots here show nothing.`,
  },
} as const satisfies Record<string, FindingRule>;
