/** Rules of the official validators that fail and that `check` does not find, each with the reason. */

export interface LedgerEntry {
  /** Name of the official rule and, where only part of it is meant, of its test. */
  rule: string;
  type?: string;
  reason: string;
}

export const LEDGER: readonly LedgerEntry[] = [
  {
    rule: 'ActivityInActivityListRule',
    reason:
      'the list of activities is remote and moves; calendars show the name that the publisher gives. `check` asks no other server than the feed’s',
  },
  {
    rule: 'FieldsNotInModelRule',
    type: 'experimental_fields_not_checked',
    reason: 'what an extension (`beta:…`, `ext:…`) may be is told by a remote context; extensions are left alone',
  },
  {
    rule: 'FieldsNotInModelRule',
    type: 'file_not_found',
    reason: 'the same: a context that cannot be loaded',
  },
  {
    rule: 'AvailableChannelForPrepaymentRule',
    reason: 'a rule of the Open Booking API alone',
  },
  { rule: 'BookingRootTypeCorrectRule', reason: 'a rule of the Open Booking API alone' },
  { rule: 'BookingRootTypeErrorRule', reason: 'a rule of the Open Booking API alone' },
  { rule: 'IdReferencesRequiredRule', reason: 'asked of bookings, not of open feeds' },
  { rule: 'IdReferencesNotPermittedRule', reason: 'asked of bookings, not of open feeds' },
  {
    rule: 'DiscussionUrlShouldPointToRecognisedDiscussionBoardRule',
    reason: 'a rule of dataset sites, which are no feeds',
  },
  {
    rule: 'ValidInputRule',
    reason: 'arrays and bare values: `check` reads arrays of items, and anything else stops with one line',
  },
];
