import {
  counted,
  type DayCount,
  type OccurrenceItem,
  type PopularActivity,
  type Publisher,
} from '../../../library/index.ts';
import { isWritable } from '../../../search/query.ts';
import { type Day, dateOfDay, dayOfDate, weekdayOf, weekendFrom } from '../../../time/days.ts';
import { Hero, SearchForm } from '../frame/band.tsx';
import type { Page } from '../frame/document.tsx';
import { Icon } from '../frame/icons.tsx';
import type { Markup } from '../frame/markup.tsx';
import type { Site } from '../frame/site.ts';
import { NameLink } from '../parts.tsx';
import { OpenOrNext, type ShownVenue } from '../venue/open-or-next.tsx';
import { countWords, dateWords, daysWords } from '../wording.ts';
import { searchPath } from './asked.ts';
import { dayOfItem, NearDay, RowList } from './rows.tsx';
import { Tiles } from './tiles.tsx';

/** `/`: what is still to come today, tomorrow and at the weekend, and places with their state. */

/** The data of the first page. */
export interface HomeData {
  today: Day;
  now: number;
  days: readonly DayCount[];
  /** The next occurrences of today. */
  next: readonly OccurrenceItem[];
  tomorrow: readonly OccurrenceItem[];
  weekend: readonly OccurrenceItem[];
  /** The number of occurrences of the whole weekend, as a search counts them. */
  weekendCount?: number | undefined;
  popular: readonly PopularActivity[];
  places: readonly ShownVenue[];
  placeCount: number | undefined;
  publishers: readonly Publisher[];
}

/** The current or the next weekend, `to` excluded. `count`: its occurrences, in words; undefined where there are none. */
interface WeekendView {
  from: Day;
  to: Day;
  path: string;
  count: string | undefined;
}

function weekendOf({ weekendCount, days, today }: HomeData): WeekendView {
  const [from, to] = weekendFrom(today);
  const { count, isLeast } =
    weekendCount === undefined ? countOf(days, from, to) : { count: weekendCount, isLeast: undefined };
  const path = searchPath({ from: dateOfDay(from), to: dateOfDay(to) });
  return { from, to, path, count: count === 0 ? undefined : countWords(count, isLeast) };
}

/** The first page. */
export function homePage(data: HomeData, site: Site): Page {
  const { days, today, publishers } = data;
  const weekend = weekendOf(data);
  return {
    title: site.name,
    description:
      'Classes, courts, pools and events near you. Find one, see when it is on, and have it in your own calendar.',
    hero: (
      <Hero>
        <h1>What’s on near you, in your own calendar</h1>
        <SearchForm site={site} />
        <CommonSearches data={data} weekend={weekend} site={site} />
      </Hero>
    ),
    body: (
      <div class="two">
        <div>
          <Tiles
            days={days}
            today={today}
            chosen={dateOfDay(today)}
            address={(date) => site.links.path(searchPath({ from: date }))}
          />
          <Today data={data} site={site} />
          <Weekend data={data} weekend={weekend} site={site} />
        </div>
        <div class="stack side">
          <Places data={data} site={site} />
          <Steps site={site} />
        </div>
      </div>
    ),
    publishers,
    path: '/',
    style: ['tiles', 'rows', 'home'],
    freshFor: 60,
    jsonLd: { '@context': 'https://schema.org', '@type': 'WebSite', name: site.name, url: `${site.links.base}/` },
  };
}

/** The most rows of today, and of tomorrow. */
export const FIRST_ROWS = 6;

const EVENING = 17 * 3600;

interface WeekendOptions {
  data: HomeData;
  weekend: WeekendView;
  site: Site;
}

/** Links to common searches, and to the activities with most occurrences. */
function CommonSearches({ data, weekend, site }: WeekendOptions): Markup {
  const popular = data.popular.filter(({ name }) => isWritable({ activity: [name] }));
  const searches: [words: string, path: string, count?: string | undefined][] = [
    ['This weekend', weekend.path, weekend.count],
    ['Evenings', searchPath({ after: EVENING })],
    ['Free', searchPath({ free: true })],
    ...popular.map(({ name, count: on, isLeast }): [string, string, string] => [
      name,
      searchPath({ activity: [name] }),
      countWords(on, isLeast),
    ]),
    ['Under 5s', searchPath({ age: { min: 0, max: 4 } })],
  ];
  return (
    <ul class="chips scroll" aria-label="Common searches">
      {searches.map(([words, path, on]) => (
        <li>
          <a class="chip" href={site.links.path(path)}>
            <bdi>{words}</bdi>
            {on === undefined ? null : <small>{on}</small>}
          </a>
        </li>
      ))}
    </ul>
  );
}

const FRIDAY = 4;

/** The number of occurrences from one day to another, which is excluded. */
function countOf(days: readonly DayCount[], from: Day, to: Day): Pick<DayCount, 'count' | 'isLeast'> {
  const within = days.filter(({ date }) => dayOfDate(date) >= from && dayOfDate(date) < to);
  const count = within.reduce((sum, one) => sum + one.count, 0);
  return { count, ...(within.some(({ isLeast }) => isLeast) && { isLeast: true as const }) };
}

function Today({ data, site }: { data: HomeData; site: Site }): Markup {
  const { next, tomorrow, today } = data;
  const weekday = weekdayOf(today);
  // On a Friday tomorrow is part of the weekend, which has a section of its own.
  const hasRoom = weekday === FRIDAY ? next.length === 0 : weekday > FRIDAY || next.length < FIRST_ROWS;
  if (next.length + tomorrow.length === 0) {
    return (
      <section class="day1">
        <h2>Nothing is on today or tomorrow</h2>
        <p>
          <a href={site.links.path('/search')}>See what comes after that</a>
        </p>
      </section>
    );
  }
  return (
    <>
      {next.length === 0 ? (
        <p class="day1 noprint">Nothing more today.</p>
      ) : (
        <DaySection data={data} site={site} day={today} items={next} />
      )}
      {tomorrow.length > 0 && hasRoom ? <DaySection data={data} site={site} day={today + 1} items={tomorrow} /> : null}
    </>
  );
}

interface DaySectionOptions {
  data: HomeData;
  site: Site;
  day: Day;
  items: readonly OccurrenceItem[];
}

function DaySection({ data, site, day, items }: DaySectionOptions): Markup {
  const { today, days, now } = data;
  const { count, isLeast } = countOf(days, day, day + 1);
  const isToday = day === today;
  const isOn = items.some(({ start }) => start <= now);
  return (
    <section class="day1">
      <div class="head">
        <h2>
          <NearDay
            name={isToday ? (isOn ? 'Now and later today' : 'Still to come today') : 'Tomorrow'}
            date={dateWords(day, today)}
          />
        </h2>
        <a class="noprint" href={site.links.path(searchPath({ from: dateOfDay(day) }))}>
          All {count > items.length ? `${countWords(count, isLeast)} ` : ''}
          {isToday ? 'today' : 'tomorrow'}
        </a>
      </div>
      <RowList site={site} items={items} />
    </section>
  );
}

/** The coming weekend. On Saturday and Sunday the sections of today and tomorrow have it. */
function Weekend({ data, weekend: { from, to, path, count }, site }: WeekendOptions): Markup | null {
  const { next, today } = data;
  // On a Friday with nothing left the section above shows tomorrow.
  const first = next.length === 0 && weekdayOf(today) === FRIDAY ? today + 2 : today;
  const items = data.weekend.filter((item) => dayOfItem(item, site.zone) >= first);
  if (items.length === 0 || weekdayOf(today) > FRIDAY) return null;
  return (
    <section class="part">
      <div class="head">
        <h2>
          <NearDay name="This weekend" date={daysWords(from, to - 1, today)} />
        </h2>
        <a class="noprint" href={site.links.path(path)}>
          All {count}
          <span class="vh"> at the weekend</span>
        </a>
      </div>
      <RowList site={site} items={items} days />
    </section>
  );
}

function Places({ data, site }: { data: HomeData; site: Site }): Markup | null {
  const { places, placeCount, now } = data;
  if (places.length === 0) return null;
  return (
    <section class="card">
      <h2>Places</h2>
      <ul class="places">
        {places.map((venue) => (
          <li>
            <NameLink href={site.links.path(`/places/${venue.row.key}`)} name={venue.row.name || 'Without a name'} />
            <OpenOrNext venue={venue} home={site.zone} now={now} />
          </li>
        ))}
      </ul>
      <p class="noprint">
        <a href={site.links.path('/search?kind=places')}>
          All {placeCount === undefined ? 'places' : counted(placeCount, 'place')}
        </a>
      </p>
    </section>
  );
}

function Steps({ site }: { site: Site }): Markup {
  return (
    <section class="card noprint">
      <h2>One calendar for all</h2>
      <ol class="steps">
        <li>
          Tap <Icon name="plus" /> beside what you like.
        </li>
        <li>
          Open <a href={site.links.path('/my')}>My list</a> and subscribe once.
        </li>
        <li>New times and cancellations reach your phone by themselves.</li>
      </ol>
    </section>
  );
}
