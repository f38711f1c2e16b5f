/** Types of feeds on dataset sites (`additionalType` of a DataDownload, or its `name`). */

import { bareName } from './item/vocabulary.ts';

export const FEED_TYPES = [
  'SessionSeries',
  'ScheduledSession',
  'Event',
  'EventSeries',
  'HeadlineEvent',
  'CourseInstance',
  'Course',
  'FacilityUse',
  'IndividualFacilityUse',
  'Place',
  'Slot',
  'OnDemandEvent',
] as const;

export type FeedType = (typeof FEED_TYPES)[number];

/** All types except Slots, which are three quarters of all items, and OnDemandEvents, which have no times. */
export const USUAL_FEED_TYPES: readonly FeedType[] = FEED_TYPES.filter(
  (type) => type !== 'Slot' && type !== 'OnDemandEvent',
);

const TYPES = new Map<string, FeedType>([
  ...FEED_TYPES.flatMap((type): [string, FeedType][] => [
    [type.toLowerCase(), type],
    [`${type.toLowerCase()}s`, type],
  ]),
  // Names of version 1 of the model, still on old sites.
  ['session', 'ScheduledSession'],
  ['sessions', 'ScheduledSession'],
  ['facilities', 'FacilityUse'],
]);

/** The type of a text in any spelling of sites: address, prefixed name, plural, words (`Facility Uses`), `FacilityUse.Slot`. */
export function parseFeedType(text: string): FeedType | undefined {
  const word = bareName(text)
    .toLowerCase()
    .replaceAll(/[^a-z]+/g, '');
  return /slots?$/.test(word) ? 'Slot' : TYPES.get(word);
}
