import { identOf, keyOf } from '../opportunity/identity.ts';
import type { Series } from '../opportunity/records.ts';
import { nameOf } from './header.ts';
import { sessionLimit } from './size.ts';
import { mayChangeByItself } from './wording/patterns.ts';

/**
 * What a series is listed by and planned with, of itself: where it takes details from nobody else, a new one need not be
 * read from its text again.
 */
export interface Outline {
  type: Series['type'];
  /** Rules make occurrences of it, or it is an event beside its parts: its sessions depend on one another. */
  scheduled: boolean;
  /** The words for its dates may differ from day to day. */
  hasDates: boolean;
  limit: number;
  /** Something of it is cancelled: which sessions are shown is yet to be found out. */
  mayBeOff: boolean;
  /** Of its calendar, unless that had one before. */
  key: string;
  name: string;
  search: string;
}

/** `text`: what the series says, as it is stored. */
export function outlineOf(series: Series, text: string): Outline {
  return {
    type: series.type,
    scheduled: series.type === 'HeadlineEvent' || series.schedules.some((schedule) => schedule.expandable),
    hasDates: mayChangeByItself(series.schedules),
    limit: sessionLimit(series),
    mayBeOff: text.includes('EventCancelled'),
    key: keyOf('series', identOf(series.id)),
    name: nameOf(series),
    search: searchText(series),
  };
}

function searchText({ details }: Series): string {
  const { name, activity = [], organizer, location } = details;
  return [name, ...activity, location?.name, location?.address, organizer?.name]
    .filter(Boolean)
    .join('\n')
    .toLowerCase();
}
