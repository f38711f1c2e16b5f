import type { FindingRule } from './rule.ts';

const RPDE = 'RPDE 1.0, Response grammar';

/** What is found about RPDE pages and the envelopes of their items. */
export const PAGE_CODES = {
  'byte-order-mark': {
    severity: 'info',
    rule: 'RFC 8259, section 8.1',
    text: () => 'Send the page without a byte order mark before its first character.',
  },
  'characters-lost': {
    severity: 'error',
    rule: 'RFC 8259, section 8.1',
    text: ({ count }) =>
      `Send the page in UTF-8: ${count === 1 ? 'one character' : `${count} characters`} of it could not be read, and U+FFFD stands in their place.`,
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
  'item-lost-its-data': {
    severity: 'error',
    rule: RPDE,
    text: () =>
      'Send the item with usable "data" again, or with "state": "deleted". Its last usable copy is shown until then.',
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
  'item-repeated': {
    severity: 'error',
    rule: `${RPDE}: two items must not share an id`,
    text: ({ count }) =>
      `List each item once, where it changed last: ${count === 1 ? 'it is' : `${count} items are`} on this page twice.`,
  },
  'item-id-shared': {
    severity: 'warning',
    rule: `${RPDE}: two items must not share an id`,
    text: ({ kind, other }) =>
      `Give items of different kinds different "id"s: a ${kind} and a ${other} share this one.`,
  },
  'items-not-in-order': {
    severity: 'warning',
    rule: 'RPDE 1.0, Ordering strategies',
    text: ({ modified, before }) =>
      `Sort items by "modified", then "id": this one (${modified}) comes after one of ${before}, so updates can be missed.`,
  },
  'kind-unofficial': {
    severity: 'info',
    rule: 'OpenActive data model 2.x, RPDE kinds',
    text: ({ value }) =>
      `Use a "kind" that the data model lists, such as SessionSeries or FacilityUse/Slot; found "${value}".`,
  },
  'modified-not-integer': {
    severity: 'info',
    rule: `${RPDE}: modified should be an integer where possible`,
    text: ({ value }) => `Make "modified" an integer that grows with each change; found "${value}".`,
  },
  'license-not-url': {
    severity: 'warning',
    rule: RPDE,
    text: ({ value }) => `Make "license" the address of the licence; found "${value}".`,
  },
  'deleted-with-data': {
    severity: 'warning',
    rule: `${RPDE}: deleted items MUST NOT include data`,
    text: () => 'Leave "data" out of the deleted item.',
  },
} as const satisfies Record<string, FindingRule>;
