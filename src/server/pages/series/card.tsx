import { thingPath } from '../../../dav/index.ts';
import { safeLink } from '../../links.ts';
import { Icon } from '../frame/icons.tsx';
import type { Markup } from '../frame/markup.tsx';
import { SubscribeButton, type Subscription } from '../frame/sheet.tsx';
import { addAddress } from '../frame/tray.tsx';
import { bookWords, offerToBook } from '../offers.ts';
import { dateWords, placesLeftWords } from '../wording.ts';
import { dayShown, isOffered, nextOf, pathOf, type SeriesView, seriesClass, seriesName, todayOf } from './view.ts';
import { NextTimes, nearDate } from './when.tsx';

/**
 * The next date, and what people can do: subscribe, book, add the series to their list. Where `isOffered` is false, book
 * alone.
 */
export function Card({ view }: { view: SeriesView }): Markup {
  const { site } = view;
  const entry = pathOf(view).slice(1);
  return (
    <aside class={`card stick next ${seriesClass(view)}`} aria-label="Next date and subscribe">
      <NextDate view={view} />
      <p class="do">
        {isOffered(view) ? <SubscribeButton id="sub" big /> : null}
        <BookLink view={view} />
        {isOffered(view) ? (
          <a class="btn line full" href={addAddress(site, entry)} data-add={entry} rel="nofollow">
            <Icon name="plus" class="plus" />
            <Icon name="tick" class="tick" />
            <span>
              Add <span class="vh">{seriesName(view)} </span>to my list
            </span>
          </a>
        ) : null}
      </p>
      {isOffered(view) ? (
        <p class="noprint">
          <small>Subscribe once: new times and cancellations arrive by themselves.</small>
        </p>
      ) : null}
    </aside>
  );
}

/** The most places left that are shown in bold. */
const FEW = 5;

function NextDate({ view }: { view: SeriesView }): Markup {
  const { dates, now, series } = view;
  const next = nextOf(dates);
  if (next === undefined) return <NoNext view={view} />;
  const { placesLeft } = next;
  const near = nearDate(view, next);
  const left = placesLeft === undefined ? undefined : placesLeftWords(placesLeft);
  return (
    <>
      <p class="soft">{next.start <= now && !next.allDay ? 'On now' : 'Next'}</p>
      <p class="big">
        <NextTimes view={view} date={next} />
      </p>
      {near === undefined && left === undefined ? null : (
        <p class="noprint">
          {near}
          {near !== undefined && left !== undefined ? ' · ' : null}
          {left === undefined ? null : (placesLeft ?? 0) <= FEW ? <b>{left}</b> : left}
        </p>
      )}
      {series.status === 'EventPostponed' ? <p>Postponed: no new date yet.</p> : null}
    </>
  );
}

function NoNext({ view }: { view: SeriesView }): Markup {
  const { dates, series, from } = view;
  if (dates.dates.length > 0) {
    const isGone = dates.dates.every(({ status }) => status === 'EventCancelled');
    return <p class="big">{isGone ? 'All dates are cancelled' : 'Postponed, without a new date'}</p>;
  }
  if (!series.hasCalendar) return <p class="big">Its dates are not published</p>;
  if (from !== undefined) return <p class="big">No later dates are known</p>;
  return (
    <>
      <p class="big">No dates are known</p>
      {dates.last === undefined ? null : <p>It was last on {dateWords(dayShown(view, dates.last), todayOf(view))}.</p>}
    </>
  );
}

/** A link to the address of an offer, else to that of the next date, else to that of the series. */
function BookLink({ view }: { view: SeriesView }): Markup | null {
  const { series, dates } = view;
  const offer = offerToBook(series.details.offers ?? []);
  const own = safeLink(nextOf(dates)?.url) ?? safeLink(series.url);
  const href = safeLink(offer?.url) ?? own;
  if (href === undefined) return null;
  const isPast = series.hasCalendar && dates.dates.length === 0;
  return (
    <a class="btn line full" href={href} rel="noopener nofollow">
      {offer === undefined || isPast ? 'The organiser’s page' : bookWords(offer)} <Icon name="out" />
    </a>
  );
}

/** The content of the Subscribe sheet; undefined where the calendar is not offered. */
export function subscriptionOf(view: SeriesView): Subscription | undefined {
  if (!isOffered(view)) return undefined;
  const { dates, site, series } = view;
  const name = seriesName(view);
  const last = dates.dates.at(-1);
  const more =
    dates.next !== undefined || dates.times.some(({ ends, date }) => ends === undefined && date === undefined);
  const until =
    last === undefined || more ? 'Every date' : `Every date to ${dateWords(dayShown(view, last), todayOf(view))}`;
  const entry = pathOf(view).slice(1);
  return {
    id: 'sub',
    title: `Subscribe to ${name}`,
    says: `${until}, and more as they are published. Cancelled dates stay, and say that they are cancelled.`,
    address: site.links.calendar('series', series.head.key),
    dav: site.links.base + thingPath({ kind: 'series', key: series.head.key }),
    name,
    page: site.links.base + pathOf(view),
    add: { entry, href: addAddress(site, entry) },
  };
}
