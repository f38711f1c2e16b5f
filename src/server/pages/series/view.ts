import type { ChangeEntry, PageDate, SeriesDates, SeriesPage } from '../../../library/index.ts';
import { isOnline } from '../../../opportunity/whereabouts.ts';
import { type Day, dateOfDay } from '../../../time/days.ts';
import type { Instant } from '../../../time/instant.ts';
import { familyOfActivities } from '../../../vocabulary/families.ts';
import type { ShownImage } from '../../images/address.ts';
import type { Site } from '../frame/site.ts';
import { familyClass } from '../parts.tsx';
import { shownIn } from '../times.tsx';
import { localDay, localMoment, nameWords } from '../wording.ts';

/** The data of the page of a series, and what several of its parts compute from it. */

export interface SeriesView {
  series: SeriesPage;
  dates: SeriesDates;
  /** The newest first. */
  changes: readonly ChangeEntry[];
  site: Site;
  now: Instant;
  /** The requested first day, where it is not today. */
  from?: Instant | undefined;
  /** The image on our own origin; undefined: there is none, or images are not shown. */
  image?: ShownImage | undefined;
}

/** The state of a date: on, at a new time, postponed without a new date, cancelled (`gone`). */
export type DateStatus = 'on' | 'moved' | 'postponed' | 'gone';

/** The state of a date, by its `eventStatus` and its previous start. */
export function dateStatus({ status, was }: PageDate): DateStatus {
  if (status === 'EventCancelled') return 'gone';
  if (status === 'EventPostponed') return 'postponed';
  return was !== undefined || status === 'EventRescheduled' ? 'moved' : 'on';
}

/** Whether people can come to a date: it is on, as planned or at a new time. */
export function isOn(date: PageDate): boolean {
  const state = dateStatus(date);
  return state === 'on' || state === 'moved';
}

/** The next date that people can come to. */
export function nextOf({ dates }: SeriesDates): PageDate | undefined {
  return dates.find(isOn);
}

/** The name of a series, else its activities. */
export function seriesName({ series }: SeriesView): string {
  return nameWords(series.details.name, series.details.activity);
}

/** The CSS class of the family of the activities; empty where no activity has a family. */
export function seriesClass({ series }: SeriesView): string {
  const family = familyOfActivities(series.details.activity ?? []);
  return family === undefined ? '' : familyClass(family);
}

/** The zone in which times are shown, with its note: that of the place, or for an online series that of the operator. */
export function zoneFor(view: SeriesView, at: Instant): { zone: string; note?: string } {
  const { zone, homeZone } = view.dates;
  return shownIn(zone, homeZone, at, isOnline(view.series.details));
}

/** The local day a date is listed under. */
export function dayShown(view: SeriesView, { start, allDay }: Pick<PageDate, 'start' | 'allDay'>): Day {
  return localDay({ start, allDay }, zoneFor(view, start).zone);
}

/** The local day of `now`. */
export function todayOf(view: SeriesView): Day {
  return localMoment(zoneFor(view, view.now).zone, view.now).day;
}

/** The id of the first row of a day, which the month links to. */
export function rowId(day: Day): string {
  return `d-${dateOfDay(day)}`;
}

/** The path of the page below the base. */
export function pathOf({ series }: SeriesView): string {
  return `/series/${series.head.key}`;
}

/** Whether the calendar of a series is offered: not where no date is to come or all are cancelled, except behind `?from`. */
export function isOffered({ series, dates, from }: SeriesView): boolean {
  return series.hasCalendar && (from !== undefined || dates.dates.some((date) => dateStatus(date) !== 'gone'));
}
