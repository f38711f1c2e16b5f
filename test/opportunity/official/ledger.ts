/** Each rule of the two official validators: the codes under which `check` finds the same, or why it does not. */

import type { FindingCode } from '../../../src/opportunity/findings.ts';

export interface OfficialRule {
  /** Any of these, at the same place. */
  codes?: readonly FindingCode[];
  /** Why nothing, or not all of it, is found. */
  reason?: string;
  /** Types of their failures that the reason is about; absent: all that `codes` do not cover. */
  types?: readonly string[];
}

const BOOKING = 'a rule of the Open Booking API, which is not asked of open feeds';

/** Rules of @openactive/data-model-validator by their names. */
export const MODEL_RULES: Record<string, OfficialRule> = {
  ValidInputRule: {
    codes: ['item-not-an-object'],
    reason: 'arrays are read as lists of items; anything else stops the command with one line',
  },
  RpdeFeedRule: { reason: 'a notice: `check` judges feeds as such' },
  ValidModelTypeRule: { codes: ['object-without-type', 'type-missing', 'schedule-type-missing', 'property-unknown'] },
  RequiredFieldsRule: {
    codes: [
      ...(['property-missing', 'id-missing', 'name-missing', 'value-empty', 'location-of-online-event'] as const),
      ...(['schedule-start-time-missing', 'schedule-timezone-missing', 'scheduled-event-type-missing'] as const),
      ...(['hours-without-days', 'hours-time-missing', 'special-hours-without-times'] as const),
      ...(['session-without-start', 'slot-without-uses', 'slot-without-facility', 'property-unknown'] as const),
    ],
  },
  RequiredOptionalFieldsRule: { codes: ['property-of-several-missing', 'property-unknown'] },
  ShallNotIncludeFieldsRule: { codes: ['property-not-allowed'] },
  DeprecatedFieldsRule: { reason: 'a warning of theirs: what is deprecated still says what it said' },
  FieldsNotInModelRule: {
    codes: ['property-unknown', 'property-misnamed', 'property-not-allowed'],
    types: ['experimental_fields_not_checked', 'file_not_found'],
    reason:
      'what an extension (`beta:…`, `ext:…`) may be, and what is in it, is told by a remote context, which is not loaded',
  },
  FieldsCorrectTypeRule: {
    codes: [
      ...([
        'value-of-wrong-type',
        'value-misformatted',
        'value-empty',
        'value-not-in-list',
        'object-without-type',
      ] as const),
      ...([
        'single-value',
        'several-values',
        'date-invalid',
        'date-with-time',
        'duration-invalid',
        'time-invalid',
      ] as const),
      ...([
        'number-invalid',
        'offer-not-an-object',
        'price-invalid',
        'price-as-text',
        'url-invalid',
        'value-not-text',
        'type-spelling',
      ] as const),
      ...([
        'age-range-invalid',
        'geo-invalid',
        'location-as-text',
        'location-is-address',
        'by-day-unknown',
        'html-in-text',
      ] as const),
      ...(['reference-not-url', 'reference-unusable', 'schedule-count-invalid', 'schedule-not-an-object'] as const),
      ...(['hours-not-an-object', 'hours-day-unknown', 'template-unusable', 'timezone-unknown'] as const),
      ...(['schedule-frequency-invalid', 'datetime-without-zone', 'end-without-time', 'start-without-time'] as const),
    ],
  },
  RecommendedFieldsRule: { reason: 'a warning of theirs: what is recommended is left to the publisher' },
  NoEmptyValuesRule: { codes: ['value-empty', 'property-not-allowed', 'context-unexpected'] },
  ValueInOptionsRule: {
    codes: [
      ...([
        'value-not-in-list',
        'value-of-wrong-type',
        'vocabulary-spelling',
        'status-spelling',
        'status-unknown',
      ] as const),
      ...(['gender-unknown', 'attendance-mode-unknown', 'hours-day-unknown', 'single-value', 'value-empty'] as const),
      ...(['scheduled-event-type-unexpected', 'scheduled-event-type-missing', 'several-values'] as const),
    ],
  },
  ValueIsRequiredContentRule: { codes: ['type-spelling', 'unknown-type', 'object-without-type'] },
  PrecisionRule: { reason: 'a suggestion of theirs about decimal places' },
  NoPrefixOrNamespaceRule: { codes: ['unprefixed-keywords', 'type-spelling', 'vocabulary-spelling'] },
  ContextInRootNodeRule: { codes: ['context-missing', 'context-unexpected', 'context-nested'] },
  ValueConstraintRule: { codes: ['template-unusable', 'value-of-wrong-type', 'value-empty'] },
  MinValueInclusiveRule: {
    codes: ['value-too-small', 'number-invalid', 'schedule-count-invalid', 'property-not-allowed'],
  },
  IdRule: { codes: ['id-not-url', 'id-unusable', 'id-in-array', 'value-empty'] },
  IdReferencesRequiredRule: { reason: BOOKING },
  IdReferencesNotPermittedRule: { reason: BOOKING },
  DurationFormatRule: {
    codes: [
      ...(['value-misformatted', 'value-of-wrong-type', 'value-empty', 'duration-invalid', 'html-in-text'] as const),
      ...(['schedule-frequency-invalid', 'several-values', 'single-value'] as const),
    ],
  },
  DatetimeFormatRule: {
    codes: [
      ...(['value-misformatted', 'value-of-wrong-type', 'value-empty', 'date-invalid', 'date-with-time'] as const),
      ...(['datetime-without-zone', 'start-without-time', 'end-without-time', 'html-in-text'] as const),
    ],
  },
  TimeFormatRule: {
    codes: [
      ...(['value-misformatted', 'value-of-wrong-type', 'value-empty', 'time-invalid', 'html-in-text'] as const),
      ...(['time-without-leading-zero', 'time-with-zone'] as const),
    ],
  },
  DateFormatRule: {
    codes: [
      'value-misformatted',
      'value-of-wrong-type',
      'value-empty',
      'date-invalid',
      'date-with-time',
      'html-in-text',
    ],
  },
  CurrencyCodeFormatRule: { codes: ['currency-unknown', 'value-empty', 'value-of-wrong-type'] },
  CountryCodeFormatRule: { codes: ['country-code-invalid', 'value-empty', 'value-of-wrong-type'] },
  LatLongFormatRule: { codes: ['geo-invalid', 'value-of-wrong-type', 'value-empty'] },
  RruleFormatRule: { codes: ['by-day-unknown', 'by-day-comma', 'by-day-unusable', 'vocabulary-spelling'] },
  EndBeforeStartRule: { codes: ['end-before-start', 'schedule-ends-before-start'] },
  DatesMustHaveDurationRule: { codes: ['duration-missing', 'schedule-without-length'] },
  NoZeroDurationRule: { codes: ['duration-zero', 'duration-invalid', 'value-of-wrong-type', 'value-empty'] },
  MaxLessThenMinRule: { codes: ['age-range-invalid'] },
  AgeRangeMinOrMaxRule: { codes: ['range-without-bounds', 'age-range-invalid', 'value-of-wrong-type', 'value-empty'] },
  ActivityInActivityListRule: {
    codes: ['concept-not-in-list', 'concept-label-of-another'],
    types: [
      'activity_not_in_activity_list',
      'use_official_activity_list',
      'field_not_in_defined_values',
      'file_not_found',
    ],
    reason:
      'their lists are remote and not loaded in tests; ours ship with the program, and any spelling of an id, or a label alone, will do',
  },
  IsAccessibleForFreeRule: { reason: 'a warning of theirs: a price of 0 says it' },
  AddressTrailingCommaRule: { reason: 'a warning of theirs: such commas are taken off' },
  NoHtmlRule: { codes: ['html-in-text'] },
  ConceptIdInSchemeRule: { codes: ['property-missing'] },
  ConceptNoPropsIfInSchemeRule: { reason: 'a warning of theirs about what is said twice' },
  OpenactiveUrlsCorrectRule: { codes: ['context-unexpected', 'context-nested'] },
  ThumbnailHasNoThumbnailRule: { codes: ['thumbnail-of-thumbnail'] },
  AddressWarningRule: { codes: ['address-as-text'] },
  EventNoScheduleSubeventRule: { codes: ['event-with-schedule'] },
  SessionCourseHasSubeventOrScheduleRule: {
    codes: ['series-without-schedule', 'property-of-several-missing', 'series-without-time', 'value-empty'],
  },
  ScheduledSessionMustBeSubeventRule: { codes: ['session-without-series'] },
  SessionSeriesScheduleTypeRule: {
    codes: ['scheduled-event-type-unexpected', 'scheduled-event-type-missing', 'value-of-wrong-type', 'value-empty'],
  },
  CurrencyIfNonZeroPriceRule: { codes: ['currency-missing', 'property-unknown'] },
  IfNeedsBookingMustHaveValidOfferRule: { codes: ['booking-without-offer'] },
  AvailableChannelPrepaymentRule: { reason: BOOKING },
  AssumeNoGenderRestrictionRule: { reason: 'a note on what consumers assume' },
  AssumeAgeRangeRule: { reason: 'a note on what consumers assume' },
  AssumeEventStatusRule: { reason: 'a note on what consumers assume' },
  BookingRootTypeCorrectRule: { reason: BOOKING },
  BookingRootTypeErrorRule: { reason: BOOKING },
};

/** An item that is left out for these has no `modified` to compare. */
const UNREADABLE = ['item-not-an-object', 'item-without-id', 'item-state-invalid'] as const;
/** Nor is there an order in what is not followed. */
const NOT_FOLLOWED = ['next-order-changed', 'next-other-origin', 'next-invalid', 'next-missing'] as const;

/** Rules of @openactive/rpde-validator by their names. */
export const RPDE_RULES: Record<string, OfficialRule> = {
  AfterTimestampRule: {
    codes: [
      ...(['after-timestamp-not-integer', 'after-id-missing', 'after-id-misspelled', 'next-not-of-last-item'] as const),
      ...(['next-not-increasing', 'next-page-not-current-page', 'modified-as-text', 'modified-not-integer'] as const),
      ...(['modified-missing', ...UNREADABLE, ...NOT_FOLLOWED] as const),
    ],
    reason: 'ids that are not numbers are compared by no order but sameness: databases order them as they like',
  },
  AfterChangeNumberRule: {
    codes: [
      ...(['after-change-number-invalid', 'change-number-not-modified', 'next-not-increasing'] as const),
      ...(['next-page-not-current-page', 'modified-missing', ...UNREADABLE, ...NOT_FOLLOWED] as const),
    ],
    reason: 'a page without items has no `modified` that could be wrong; they fail it',
  },
  MinimumItemsRule: { codes: ['pages-small'] },
  DeletedItemsRule: { codes: ['deleted-items-missing'] },
  DuplicateItemsRule: {
    codes: ['item-repeated', 'item-id-shared', 'item-without-id', 'next-cycle'],
    reason: 'on one page; an item that changes while the feed is read, and pages from a cache, come twice by right',
  },
  NextPageValidRule: { codes: ['next-missing', 'next-invalid', 'next-relative', 'next-not-encoded'] },
  NextPageNotCurrentPageRule: { codes: ['next-page-not-current-page'] },
  NextUrlBasePathMatchCurrentPage: { codes: ['next-path-changed', 'next-scheme-changed', 'next-other-origin'] },
  RequiredPropertiesRule: { codes: ['next-missing', 'license-missing', 'page-unreadable'] },
  RequiredItemPropertiesRule: {
    codes: [
      ...([
        'item-state-missing',
        'item-state-invalid',
        'item-without-kind',
        'item-without-id',
        'modified-missing',
      ] as const),
      ...(['item-without-data', 'deleted-with-data', 'item-not-an-object'] as const),
    ],
  },
  RequiredPropertyValuesRule: {
    codes: [
      ...([
        'item-state-missing',
        'item-state-invalid',
        'item-state-spelling',
        'item-without-kind',
        'item-without-id',
        'item-without-data',
      ] as const),
      ...([
        'item-not-an-object',
        'license-missing',
        'license-not-url',
        'page-unreadable',
        'deleted-with-data',
      ] as const),
    ],
  },
  ItemDataPromptRule: { reason: 'a suggestion: `check` judges the data itself' },
  LastPageCheckRule: { reason: 'about their own way of finding the last page; `check` follows the feed to it' },
  NoLastPageItemsRule: {
    codes: ['next-page-not-current-page'],
    reason: 'they ask for an address that the feed never gave; `check` judges the last page that it is led to',
  },
  LastPageUrlIsSelfRule: { codes: ['empty-page-not-last'], reason: 'the same' },
  HttpStatusRule: { codes: ['page-not-fetched'] },
  HttpContentTypeRule: { codes: ['content-type-unexpected'] },
  HttpCacheHeaderRule: { codes: ['cache-too-short', 'cache-too-long'] },
  ValidJsonObjectRule: { codes: ['page-unreadable'] },
};
