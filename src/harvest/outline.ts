import { nameOf } from '../calendar/header.ts';
import { sessionLimit } from '../calendar/size.ts';
import type { Series } from '../opportunity/records.ts';

/**
 * What a series is listed by and planned with, of itself: where it takes details from nobody else, a new one need not be
 * read from its text again.
 */
export interface Outline {
  type: Series['type'];
  /** Rules make occurrences of it. */
  scheduled: boolean;
  /** How many of its sessions are looked at. */
  limit: number;
  /** Of its calendar. */
  name: string;
  /** Lower-case search text. */
  search: string;
}

export function outlineOf(series: Series): Outline {
  return {
    type: series.type,
    scheduled: series.schedules.some((schedule) => schedule.expandable),
    limit: sessionLimit(series),
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
