import { type FindingRule, order, under, utf8 } from './rule.ts';

const rpde = under('RPDE 1.0, Response grammar');

/** Findings about RPDE pages and the envelopes of their items. */
export const PAGE_CODES = {
  'byte-order-mark': utf8.info('Send the page without a byte order mark before its first character.'),
  'characters-lost': utf8.error(
    ({ count }) =>
      `Send the page in UTF-8: ${count === 1 ? 'one character' : `${count} characters`} of it could not be read, and U+FFFD stands in their place.`,
  ),
  'next-missing': rpde.error(
    'Give the page a "next" with the absolute address of the page after it; on the last page, its own.',
  ),
  'license-missing': rpde.warning('Give the page a "license" with the address of the licence the data is under.'),
  'item-not-an-object': rpde.error('Make each item an object with state, kind, id, modified and data; found {value}.'),
  'item-without-id': rpde.error('Give the item an "id": without one it can be neither updated nor deleted.'),
  'item-id-too-long': rpde.error(`Shorten the item's "id" to {most} characters or fewer; found {id}.`),
  'item-state-invalid': rpde.error(
    `Set the item's "state" to "updated" or "deleted"; found {value}. The item was left out.`,
  ),
  'item-state-missing': rpde.error('Give the item its "state"; it has data and was read as "updated".'),
  'item-state-spelling': rpde.warning(
    `Write the item's "state" as "updated" or "deleted", in small letters; found "{value}".`,
  ),
  'item-without-kind': rpde.warning('Give the item its "kind".'),
  'item-without-data': rpde.error('Give the updated item its "data" as an object; found {value}.'),
  'item-lost-its-data': rpde.error(
    'Send the item with usable "data" again, or with "state": "deleted". Its last usable copy is shown until then.',
  ),
  'modified-as-text': rpde.warning(
    'Write the integer in "modified" without quotation marks.',
    'integer values MUST be represented as integers, not strings',
  ),
  'modified-missing': rpde.error(
    'Give the item a "modified": without it an older copy cannot be told from a newer one.',
  ),
  'item-repeated': rpde.error(
    ({ count }) =>
      `List each item once, where it changed last: ${count === 1 ? 'it is' : `${count} items are`} on this page twice.`,
    'two items must not share an id',
  ),
  'item-id-shared': rpde.warning(
    'Give items of different kinds different "id"s: a {kind} and a {other} share this one.',
    'two items must not share an id',
  ),
  'items-not-in-order': order.warning(
    'Sort items by "modified", then "id": this one ({modified}) comes after one of {before}, so updates can be missed.',
  ),
  'items-older-than-stored': order.warning(
    ({ count, than }) =>
      `Continue "modified" beyond ${than}, or begin a feed with another address: ${count === 1 ? 'one item was' : `${count} items were`} left out, as older than the copies here.`,
    'modified increases with every change',
  ),
  'modified-form-changes': order.warning(
    'Write every "modified" of the feed in one form, best as integers: {modified} and {before} cannot be compared.',
  ),
  'kind-unofficial': under('OpenActive data model 2.x, RPDE kinds').info(
    'Use a "kind" that the data model lists, such as SessionSeries or FacilityUse/Slot; found "{value}".',
  ),
  'modified-not-integer': rpde.info(
    'Make "modified" an integer that grows with each change; found "{value}".',
    'modified should be an integer where possible',
  ),
  'license-not-url': rpde.warning('Make "license" the address of the licence; found "{value}".'),
  'deleted-with-data': rpde.warning('Leave "data" out of the deleted item.', 'deleted items MUST NOT include data'),
} satisfies Record<string, FindingRule>;
