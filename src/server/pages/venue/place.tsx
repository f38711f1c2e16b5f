import { thingPath } from '../../../dav/index.ts';
import {
  counted,
  distinctPublishers,
  type FacilitiesHere,
  type Timetable,
  type TimetableEntry,
  type VenuePage,
} from '../../../library/index.ts';
import type { Instant } from '../../../time/instant.ts';
import { freshFor } from '../../calendars/conditions.ts';
import { changesPath } from '../../changes/atom.ts';
import { EmbedLine } from '../embed/embed-line.tsx';
import type { Page } from '../frame/document.tsx';
import type { Markup } from '../frame/markup.tsx';
import { OnPaper, SubscribeButton, type Subscription } from '../frame/sheet.tsx';
import type { Site } from '../frame/site.ts';
import { addAddress } from '../frame/tray.tsx';
import { NameLink } from '../parts.tsx';
import { Times, ZoneNote } from '../times.tsx';
import { addressWords, dayNameIn, localDay, nameWords } from '../wording.ts';
import { Flags } from './flags.tsx';
import { Chips } from './head.tsx';
import { HoursButton, HoursCard, StateLine } from './hours-card.tsx';
import { FacilityCard } from './slots.tsx';
import { placeJsonLd } from './structured.ts';
import type { Week } from './timetable.ts';
import { TimetableSection } from './week.tsx';

/** `/places/{key}`: a place with its opening hours, timetable and facilities. */

/** The data of the page of a place. */
export interface PlaceParts {
  venue: VenuePage;
  timetable: Timetable;
  week: Week;
  facilities: FacilitiesHere;
  now: Instant;
}

/** The most sessions in the list above the timetable. */
const NEXT = 3;
const NAMELESS = 'A place without a name';

/** The page of a place. */
export function placePage(parts: PlaceParts, site: Site): Page {
  const { venue, week, timetable } = parts;
  const path = `/places/${venue.key}`;
  const publishers = [...(venue.publisher ? [venue.publisher] : []), ...timetable.publishers];
  const isThisWeek = week.first === week.today;
  return {
    title: `${venue.name || NAMELESS}: timetable and opening hours`,
    description: summary(parts),
    body: <PlaceBody parts={parts} site={site} path={path} />,
    publishers: distinctPublishers(publishers),
    path,
    current: 'places',
    style: ['tables', 'lanes', 'grid', 'tiles', 'slots', 'share', 'paper', 'print'],
    subscriptions: subscriptionsOf(parts, site, path),
    calendars: calendarParts(parts).map((part) => site.links.calendar('places', venue.key, part)),
    feeds: [site.links.base + changesPath('places', venue.key)],
    jsonLd: placeJsonLd(venue, site.links.base + path),
    freshFor: freshFor(venue.hours),
    ...(!isThisWeek && { isHidden: true }),
  };
}

/** Whether a session is to come at the place, or is in the week that is shown. */
function isOn({ venue, timetable }: PlaceParts): boolean {
  return venue.upcoming.length > 0 || timetable.entries.length > 0;
}

function calendarParts(parts: PlaceParts) {
  const [on, hours] = [isOn(parts), parts.venue.hours !== undefined];
  return [
    ...(on ? ['sessions' as const] : []),
    ...(hours ? ['hours' as const] : []),
    ...(on && hours ? ['all' as const] : []),
  ];
}

/** `12 sessions`, `more than 198 sessions` */
function sessionsWords({ timetable: { entries, until } }: PlaceParts): string {
  return `${until === undefined ? '' : 'more than '}${counted(entries.length, 'session')}`;
}

function summary(parts: PlaceParts): string {
  const { venue, timetable, week } = parts;
  const { hours, address } = venue;
  return [
    'Timetable and opening hours.',
    hours && (hours.open ? 'Open now.' : 'Closed now.'),
    timetable.entries.length > 0 &&
      `${week.first === week.today ? 'In the next seven days' : 'In the week'}: ${sessionsWords(parts)}.`,
    address && `${address}.`,
  ]
    .filter((text) => text)
    .join(' ');
}

function subscriptionsOf(parts: PlaceParts, site: Site, path: string): Subscription[] {
  const { venue } = parts;
  const { key } = venue;
  const name = venue.name || NAMELESS;
  const page = site.links.base + path;
  const on: Subscription = {
    id: 'sub',
    title: 'Subscribe to what’s on here',
    says: `Everything at ${name}: ${sessionsWords(parts)} in seven days. Only some of them? Add those to your list and subscribe to the list.`,
    address: site.links.calendar('places', key, 'sessions'),
    dav: site.links.base + thingPath({ kind: 'places', key }),
    name,
    page,
    add: { entry: `places/${key}`, href: addAddress(site, `places/${key}`) },
  };
  const hours: Subscription = {
    id: 'subh',
    title: 'Subscribe to the opening hours',
    says: 'Open and special hours as entries that do not block your time.',
    address: site.links.calendar('places', key, 'hours'),
    name: `${name}: opening hours`,
    page,
  };
  return [...(isOn(parts) ? [on] : []), ...(venue.hours ? [hours] : [])];
}

function PlaceBody({ parts, site, path }: { parts: PlaceParts; site: Site; path: string }): Markup {
  const { venue, timetable, week, facilities, now } = parts;
  const { hours, zone } = venue;
  return (
    <>
      <OnPaper address={site.links.base + path} />
      <div class={hours === undefined ? '' : 'two wk'}>
        <PlaceHead parts={parts} site={site} />
        {hours === undefined ? null : (
          <HoursCard hours={hours} zone={zone} action={isOn(parts) ? <HoursButton /> : null} />
        )}
      </div>
      {isOn(parts) ? (
        <TimetableSection site={site} timetable={timetable} week={week} zone={zone} now={now} path={path} />
      ) : null}
      {facilities.shown.length === 0 ? null : (
        <section class="part noprint" aria-labelledby="courts">
          <h2 id="courts">Courts, pitches and rooms</h2>
          <div class="fac">
            {facilities.shown.map((facility) => (
              <FacilityCard facility={facility} site={site} zone={zone} now={now} today={week.today} />
            ))}
          </div>
          {facilities.left > 0 ? (
            <p class="notes">
              <a href={site.links.path(`/search?kind=facilities&place=${venue.key}`)}>All {venue.facilities}</a>
            </p>
          ) : null}
        </section>
      )}
      {isOn(parts) ? <EmbedLine site={site} path={`/embed${path}`} name={venue.name || NAMELESS} /> : null}
    </>
  );
}

/** The most facilities on the page of a place; a link leads to all. */
export const MOST_FACILITIES = 12;

function PlaceHead({ parts, site }: { parts: PlaceParts; site: Site }): Markup {
  const { venue } = parts;
  const { name, hours, zone, address, description } = venue;
  const on = isOn(parts);
  return (
    <div class="stack">
      <h1>
        <bdi>{name || NAMELESS}</bdi>
      </h1>
      {hours === undefined ? null : <StateLine hours={hours} zone={zone} home={site.zone} />}
      {address === undefined ? null : <p dir="auto">{addressWords(address, zone, site.zone)}</p>}
      <Chips venue={venue} />
      {on || hours !== undefined ? (
        <p class="noprint sub">
          <SubscribeButton id={on ? 'sub' : 'subh'} big>
            {on ? 'Subscribe to what’s on' : 'Subscribe to opening hours'}
          </SubscribeButton>
        </p>
      ) : (
        <p>Nobody has published when this place is open, or what is on here.</p>
      )}
      {description === undefined ? null : (
        <p class="about" dir="auto">
          {description}
        </p>
      )}
      {venue.upcoming.some(({ status }) => status !== 'EventCancelled') ? <NextHere parts={parts} site={site} /> : null}
    </div>
  );
}

function NextHere({ parts: { venue, now }, site }: { parts: PlaceParts; site: Site }): Markup {
  const { upcoming, zone, key } = venue;
  const next = upcoming.filter(({ status }) => status !== 'EventCancelled').slice(0, NEXT);
  return (
    <div class="noprint">
      <h2 class="h3">
        Next here
        <ZoneNote zone={zone} home={site.zone} at={now} />
      </h2>
      <ul class="soon">
        {next.map((entry) => (
          <NextLine entry={entry} site={site} zone={zone} now={now} />
        ))}
      </ul>
      <p>
        <a href={site.links.path(`/search?place=${key}`)}>Search what is on here</a>
      </p>
    </div>
  );
}

interface NextOptions {
  entry: TimetableEntry;
  site: Site;
  zone: string;
  now: Instant;
}

/** One of the next sessions, today with its time alone. The heading names the zone. */
function NextLine({ entry, site, zone, now }: NextOptions): Markup {
  const { start, allDay } = entry;
  const name = dayNameIn(localDay(entry, zone), { zone, home: site.zone, now });
  return (
    <li>
      <b>
        {name === 'Today' ? null : `${name}, `}
        <span class="num">
          <Times span={{ start, ...(allDay && { allDay }) }} zone={zone} />
        </span>
      </b>
      <span>
        <NameLink href={site.links.path(`/series/${entry.seriesKey}`)} name={nameWords(entry.name)} />
        <Flags entry={entry} zone={zone} />
      </span>
    </li>
  );
}
