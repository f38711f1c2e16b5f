import { isWritable } from '../../../search/query.ts';
import { EmbedLine } from '../embed/embed-line.tsx';
import type { Page } from '../frame/document.tsx';
import type { Markup } from '../frame/markup.tsx';
import { OnPaper } from '../frame/sheet.tsx';
import { NameLink } from '../parts.tsx';
import { dateWords } from '../wording.ts';
import { ChangedLately, PlaceLine, Similar, Where, Why } from './around.tsx';
import { Card, subscriptionOf } from './card.tsx';
import { DatesPart } from './dates.tsx';
import { About, Facts } from './facts.tsx';
import { eventJsonLd, hasPlace } from './json-ld.ts';
import { Picture, pictureAddress } from './picture.tsx';
import { dayShown, nextOf, pathOf, type SeriesView, seriesClass, seriesName, todayOf } from './view.ts';
import { Lead, leadLines } from './when.tsx';

/** The page of a series, of the parts in this folder: card, picture, facts, dates, changes, place. */
export function seriesPage(view: SeriesView): Page {
  const { series, site, from } = view;
  const subscription = subscriptionOf(view);
  return {
    title: titleOf(view),
    description: describe(view),
    body: <SeriesBody view={view} />,
    publishers: series.publisher === undefined ? [] : [series.publisher],
    path: pathOf(view),
    current: 'search',
    style: ['tables', 'plate', 'facts', 'month', 'share', 'paper'],
    subscriptions: subscription === undefined ? [] : [subscription],
    calendars: subscription === undefined ? [] : [subscription.address],
    feeds: [`${site.links.base}/changes${pathOf(view)}.atom`],
    image: pictureAddress(view),
    jsonLd: from === undefined && hasPlace(view) ? eventJsonLd(view) : undefined,
    isHidden: from !== undefined,
  };
}

function titleOf(view: SeriesView): string {
  const place = view.series.details.location?.name;
  const name = seriesName(view);
  return place === undefined || name.includes(place) ? name : `${name}, ${place}`;
}

/** `Yoga: every Monday, 07:00–08:00, at Old Mill, Wexcombe. Next: Wed 25 Nov.` */
function describe(view: SeriesView): string {
  const { series, dates } = view;
  const { activity, location } = series.details;
  const [line] = leadLines(view);
  const what = activity?.[0] ?? seriesName(view);
  const place = [location?.name, dates.place?.locality].filter((part) => part).join(', ');
  const next = nextOf(dates);
  const when = next === undefined ? '' : ` Next: ${dateWords(dayShown(view, next), todayOf(view))}.`;
  return `${what}${line === undefined ? '' : `: ${line}`}${place === '' ? '' : `, at ${place}`}.${when}`;
}

function SeriesBody({ view }: { view: SeriesView }): Markup {
  const { dates, from, series, site } = view;
  const hasDates = dates.dates.length > 0 || from !== undefined;
  return (
    <>
      <Crumbs view={view} />
      <OnPaper address={site.links.base + pathOf(view)} />
      <div class="two">
        <div class={seriesClass(view)}>
          <h1>
            <bdi>{seriesName(view)}</bdi>
          </h1>
          <Standing view={view} />
          <Lead view={view} />
          <PlaceLine view={view} />
        </div>
        <Card view={view} />
        <div class={seriesClass(view)}>
          <Picture view={view} />
          <Facts view={view} />
          <About view={view} />
          {hasDates ? <DatesPart view={view} /> : <Similar view={view} />}
          <ChangedLately view={view} />
          <Where view={view} />
          <Why view={view} />
          {dates.dates.length > 0 && series.hasCalendar ? (
            <EmbedLine site={site} path={`/embed${pathOf(view)}`} name={seriesName(view)} />
          ) : null}
        </div>
      </div>
    </>
  );
}

function Crumbs({ view }: { view: SeriesView }): Markup {
  const { site, series } = view;
  const [activity] = series.details.activity ?? [];
  return (
    <nav class="noprint" aria-label="Breadcrumb">
      <ol class="crumbs">
        <li>
          <a href={site.links.path('/search')}>What’s on</a>
        </li>
        {activity === undefined || !isWritable({ activity: [activity] }) ? null : (
          <li>
            <NameLink
              href={site.links.path(`/search?activity=${encodeURIComponent(activity.toWellFormed())}`)}
              name={activity}
            />
          </li>
        )}
      </ol>
    </nav>
  );
}

/** Whether the whole series is withdrawn, cancelled or postponed. */
function Standing({ view: { series } }: { view: SeriesView }): Markup | null {
  if (series.head.state !== 'live')
    return (
      <p>
        <span class="flag bad">Withdrawn</span> The publisher has withdrawn this. Its calendar shows what was planned as
        cancelled, and will end soon.
      </p>
    );
  if (series.status === 'EventCancelled')
    return (
      <p>
        <span class="flag bad">Cancelled</span> The organiser has cancelled all of it.
      </p>
    );
  if (series.status !== 'EventPostponed') return null;
  return (
    <p>
      <span class="flag new">Postponed</span> No new dates are known yet.
    </p>
  );
}
