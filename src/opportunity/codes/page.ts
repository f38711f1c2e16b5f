import type { FindingRule } from './rule.ts';

const RPDE = 'RPDE 1.0, Response grammar';

/** What is found about RPDE pages and the envelopes of their items. */
export const PAGE_CODES = {
  'byte-order-mark': {
    severity: 'info',
    rule: 'RFC 8259, section 8.1',
    text: () => 'Send the page without a byte order mark before its first character.',
  },
  'next-missing': {
    severity: 'error',
    rule: RPDE,
    text: () => 'Give the page a "next" with the absolute address of the page after it; on the last page, its own.',
  },
  'license-missing': {
    severity: 'warning',
    rule: RPDE,
    text: () => 'Give the page a "license" with the address of the licence the data is under.',
  },
  'item-not-an-object': {
    severity: 'error',
    rule: RPDE,
    text: ({ value }) => `Make each item an object with state, kind, id, modified and data; found ${value}.`,
  },
  'item-without-id': {
    severity: 'error',
    rule: RPDE,
    text: () => 'Give the item an "id": without one it can be neither updated nor deleted.',
  },
  'item-id-too-long': {
    severity: 'error',
    rule: RPDE,
    text: ({ id, most }) => `Shorten the item's "id" to ${most} characters or fewer; found ${id}.`,
  },
  'item-state-invalid': {
    severity: 'error',
    rule: RPDE,
    text: ({ value }) => `Set the item's "state" to "updated" or "deleted"; found ${value}. The item was left out.`,
  },
  'item-state-missing': {
    severity: 'error',
    rule: RPDE,
    text: () => 'Give the item its "state"; it has data and was read as "updated".',
  },
  'item-state-spelling': {
    severity: 'warning',
    rule: RPDE,
    text: ({ value }) => `Write the item's "state" as "updated" or "deleted", in small letters; found "${value}".`,
  },
  'item-without-kind': { severity: 'warning', rule: RPDE, text: () => 'Give the item its "kind".' },
  'item-without-data': {
    severity: 'error',
    rule: RPDE,
    text: ({ value }) => `Give the updated item its "data" as an object; found ${value}.`,
  },
  'modified-as-text': {
    severity: 'warning',
    rule: `${RPDE}: integer values MUST be represented as integers, not strings`,
    text: () => 'Write the integer in "modified" without quotation marks.',
  },
  'modified-missing': {
    severity: 'error',
    rule: RPDE,
    text: () => 'Give the item a "modified": without it an older copy cannot be told from a newer one.',
  },
  'deleted-with-data': {
    severity: 'warning',
    rule: `${RPDE}: deleted items MUST NOT include data`,
    text: () => 'Leave "data" out of the deleted item.',
  },
} as const satisfies Record<string, FindingRule>;
