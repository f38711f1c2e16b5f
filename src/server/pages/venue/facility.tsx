import type { FacilityTimes, FreeTime, VenuePage } from '../../../library/index.ts';
import { type Day, dayOfDate } from '../../../time/days.ts';
import type { Instant } from '../../../time/instant.ts';
import { freshFor } from '../../calendars/conditions.ts';
import { safeLink } from '../../links.ts';
import type { Page } from '../frame/document.tsx';
import type { Markup } from '../frame/markup.tsx';
import { OnPaper, SubscribeButton, type Subscription } from '../frame/sheet.tsx';
import type { Site } from '../frame/site.ts';
import { offerToBook } from '../offers.ts';
import { NameLink } from '../parts.tsx';
import { DayAndTimes, DayName } from '../times.tsx';
import { addressWords, dateWords, dayName, priceWords } from '../wording.ts';
import { FREE_DAYS, type FreeDay, freeDays, freeWords, offersShown, pricesDiffer } from './free.ts';
import { Chips } from './head.tsx';
import { HoursButton, HoursCard, StateLine } from './hours-card.tsx';
import { dayPath, FreeTable, FreeTiles, firstFree, LeftOut, NoTimes, Slots } from './slots.tsx';
import { placeJsonLd } from './structured.ts';

/** `/facilities/{key}`: a facility with its free times and opening hours. */

interface FacilityParts {
  venue: VenuePage;
  facility: FacilityTimes;
  today: Day;
  now: Instant;
  /** The day of `?day`, unchecked: `2026-12-01`. */
  asked: string | undefined;
}

/** Days of the table: the first seven, or the next seven where the chosen day is one of them. */
const TABLE_DAYS = 7;
const NAMELESS = 'A facility without a name';

/** The page of a facility. */
export function facilityPage(parts: FacilityParts, site: Site): Page {
  const { venue, facility } = parts;
  const path = `/facilities/${venue.key}`;
  const calendars = [
    ...(venue.hours ? ['hours' as const] : []),
    ...(facility.times.length > 0 ? ['freebusy' as const] : []),
  ];
  return {
    title: [venue.name || NAMELESS, venue.placeName].filter((text) => text).join(' at '),
    description: ['Free times and opening hours', priceWords(offersShown(facility)), venue.address]
      .filter((text) => text)
      .join('. '),
    body: <FacilityBody parts={parts} site={site} />,
    publishers: venue.publisher ? [venue.publisher] : [],
    path,
    current: 'places',
    style: ['tables', 'lanes', 'grid', 'tiles', 'slots', 'paper', 'print'],
    subscriptions: subscriptionsOf(parts, site, path),
    calendars: calendars.map((part) => site.links.calendar('facilities', venue.key, part)),
    jsonLd: placeJsonLd(venue, site.links.base + path),
    freshFor: freshFor(venue.hours),
    ...(parts.asked !== undefined && { isHidden: true }),
  };
}

function subscriptionsOf({ venue, facility }: FacilityParts, site: Site, path: string): Subscription[] {
  const name = venue.name || NAMELESS;
  const page = site.links.base + path;
  const address = (part: 'freebusy' | 'hours') => site.links.calendar('facilities', venue.key, part);
  const free: Subscription = {
    id: 'sub',
    title: 'Subscribe to free times',
    says: 'Free and taken times as free/busy, which Outlook and calendar servers read. Apple and Google show nothing of it.',
    address: address('freebusy'),
    name: `${name}: free times`,
    page,
  };
  const hours: Subscription = {
    id: 'subh',
    title: 'Subscribe to the opening hours',
    says: 'Open hours as entries that do not block your time.',
    address: address('hours'),
    name: `${name}: opening hours`,
    page,
  };
  return [...(facility.times.length > 0 ? [free] : []), ...(venue.hours ? [hours] : [])];
}

function FacilityBody({ parts, site }: { parts: FacilityParts; site: Site }): Markup {
  const { venue, facility, now, today } = parts;
  const { hours, zone } = venue;
  const days = freeDays(facility, zone, { first: today, count: FREE_DAYS, now });
  const chosen = chosenDay(days, parts.asked);
  return (
    <div class={hours === undefined ? '' : 'two wk'}>
      <div class="stack">
        <FacilityHead parts={parts} site={site} />
        {!facility.publishesTimes ? <NoTimes url={facility.url ?? venue.url} /> : null}
        {facility.publishesTimes && chosen === undefined ? (
          <p>No times are open for booking in the next {FREE_DAYS} days.</p>
        ) : null}
        <LeftOut facility={facility} zone={zone} today={today} />
        {chosen === undefined ? null : <Free parts={parts} site={site} days={days} chosen={chosen} />}
      </div>
      {hours === undefined ? null : (
        <HoursCard hours={hours} zone={zone} action={facility.times.length === 0 ? null : <HoursButton />} />
      )}
      <OnPaper address={`${site.links.base}/facilities/${venue.key}`} />
    </div>
  );
}

function chosenDay(days: readonly FreeDay[], asked: string | undefined): FreeDay | undefined {
  const day = asked !== undefined && /^\d{4}-\d\d-\d\d$/.test(asked) ? dayOfDate(asked) : undefined;
  return days.find((one) => one.day === day && one.times.length > 0) ?? firstFree(days);
}

function FacilityHead({ parts, site }: { parts: FacilityParts; site: Site }): Markup {
  const { venue, facility, now } = parts;
  const { name, placeKey, placeName, hours, zone, address, description } = venue;
  const next = facility.times.find(({ start, free }) => start >= now && free > 0);
  const price = priceWords(offersShown(facility));
  const button = facility.times.length > 0 ? 'sub' : hours === undefined ? undefined : 'subh';
  return (
    <>
      <h1>
        <bdi>{name || NAMELESS}</bdi>
      </h1>
      {placeKey === undefined ? null : (
        <p>
          at <NameLink href={site.links.path(`/places/${placeKey}`)} name={placeName || 'the place around it'} />
        </p>
      )}
      {next === undefined ? null : <NextFree next={next} zone={zone} home={site.zone} now={now} />}
      {next !== undefined || hours === undefined ? null : <StateLine hours={hours} zone={zone} home={site.zone} />}
      {address === undefined ? null : <p dir="auto">{addressWords(address, zone, site.zone)}</p>}
      <p class="soft">{price === undefined ? 'Price not given' : `Price: ${price}`}</p>
      <Chips venue={venue} />
      {button === undefined ? null : (
        <p class="noprint sub">
          <SubscribeButton id={button} big>
            {button === 'sub' ? 'Subscribe to free times' : 'Subscribe to opening hours'}
          </SubscribeButton>
        </p>
      )}
      {description === undefined ? null : (
        <p class="about" dir="auto">
          {description}
        </p>
      )}
    </>
  );
}

function NextFree({ next, ...clocks }: { next: FreeTime; zone: string; home: string; now: Instant }): Markup {
  return (
    <p class="state">
      <span>
        <b>Next free:</b> <DayAndTimes span={next} {...clocks} />
        {next.of === 1 ? null : `, ${freeWords(next)}`}
      </span>
    </p>
  );
}

interface FreeOptions {
  parts: FacilityParts;
  site: Site;
  days: readonly FreeDay[];
  chosen: FreeDay;
}

function Free({ parts, site, days, chosen }: FreeOptions): Markup {
  const { venue, facility, today } = parts;
  const at = chosen.day - today < TABLE_DAYS ? 0 : TABLE_DAYS;
  return (
    <section class="stack" aria-labelledby="free">
      <h2 id="free">Free times</h2>
      <FreeTiles
        days={days}
        chosen={chosen.day}
        today={today}
        label="Days"
        hrefOf={(day) => dayPath(site, venue.key, day, today)}
      />
      <h3>
        <DayName name={dayName(chosen.day, today)} date={dateWords(chosen.day, today)} />
      </h3>
      <Slots
        times={chosen.times}
        zone={venue.zone}
        priced={pricesDiffer(facility)}
        hrefOf={({ offers }) => safeLink(offerToBook(offers)?.url) ?? safeLink(facility.url ?? venue.url)}
      />
      <h3>Seven days</h3>
      <FreeTable days={days.slice(at, at + TABLE_DAYS)} zone={venue.zone} today={today} />
    </section>
  );
}
