import type { FacilityTimes, FreeTime } from '../../../library/index.ts';
import { type Day, dateOfDay } from '../../../time/days.ts';
import { type Instant, momentText } from '../../../time/instant.ts';
import { safeLink } from '../../links.ts';
import { Icon } from '../frame/icons.tsx';
import type { Markup } from '../frame/markup.tsx';
import type { Site } from '../frame/site.ts';
import { DayTile, DayTiles, NameLink } from '../parts.tsx';
import { DayName } from '../times.tsx';
import { dateWords, localMoment, priceWords, weekdayName } from '../wording.ts';
import { type FreeDay, freeDays, freeTable, freeWords, offersShown, pricesDiffer } from './free.ts';

/** The times of facilities: as chips of one day, as tiles of days, as a table of a week. */

interface SlotOptions {
  site: Site;
  zone: string;
  now: Instant;
  today: Day;
}

interface SlotsOptions {
  times: readonly FreeTime[];
  zone: string;
  /** Whether each free time is shown with its price. */
  priced: boolean;
  /** Where a free time leads; undefined: nowhere. */
  hrefOf(time: FreeTime): string | undefined;
}

/** The times of one day as chips. */
export function Slots({ times, zone, priced, hrefOf }: SlotsOptions): Markup {
  return (
    <ul class="slots">
      {times.map((time) => {
        const isFree = time.free > 0;
        const href = isFree ? hrefOf(time) : undefined;
        const price = isFree && priced ? priceWords(time.offers) : undefined;
        const inside = (
          <>
            <time datetime={momentText(time.start, false)}>{localMoment(zone, time.start).time}</time>{' '}
            <small>{[freeWords(time), price].filter((words) => words !== undefined).join(', ')}</small>
          </>
        );
        return (
          <li>
            {href === undefined ? (
              <span class={isFree ? undefined : 'taken'}>{inside}</span>
            ) : (
              <a href={href} rel="nofollow">
                {inside}
              </a>
            )}
          </li>
        );
      })}
    </ul>
  );
}

/** Days as tiles, each with the number of its free times. `hrefOf`: the page of a day. */
export function FreeTiles({
  days,
  chosen,
  today,
  label,
  hrefOf,
}: {
  days: readonly FreeDay[];
  chosen: Day;
  today: Day;
  label: string;
  hrefOf: (day: Day) => string;
}): Markup {
  return (
    <DayTiles label={label}>
      {days.map(({ day, free }) => (
        <DayTile
          day={day}
          today={today}
          count={free}
          unit="free"
          href={hrefOf(day)}
          rel="nofollow"
          isCurrent={day === chosen && free > 0}
        />
      ))}
    </DayTiles>
  );
}

/** The day that is shown first: the first with something free, else the first with any time. */
export function firstFree(days: readonly FreeDay[]): FreeDay | undefined {
  return days.find(({ free }) => free > 0) ?? days.find(({ times }) => times.length > 0);
}

/** The path of a facility's page with this day chosen. */
export function dayPath(site: Site, key: string, day: Day, today: Day): string {
  return site.links.path(`/facilities/${key}${day === today ? '' : `?day=${dateOfDay(day)}`}`);
}

/** One facility on the page of its place: a week of days, and the times of the first with something free. */
export function FacilityCard({ facility, ...options }: SlotOptions & { facility: FacilityTimes }): Markup {
  const { site, zone, now, today } = options;
  const { key, publishesTimes } = facility;
  const name = facility.name || 'Without a name';
  const days = freeDays(facility, zone, { first: today, count: 7, now });
  const shown = firstFree(days);
  return (
    <article class="card stack">
      <div class="head">
        <h3>
          <NameLink href={site.links.path(`/facilities/${key}`)} name={name} />
        </h3>
        <small>{priceWords(offersShown(facility)) ?? 'Price not given'}</small>
      </div>
      {!publishesTimes ? <NoTimes url={facility.url} /> : null}
      {publishesTimes && shown === undefined ? (
        <p class="soft">No times are open for booking in the next seven days.</p>
      ) : null}
      {shown === undefined ? null : (
        <>
          <FreeTiles
            days={days}
            chosen={shown.day}
            today={today}
            label={`${name}, days`}
            hrefOf={(day) => dayPath(site, key, day, today)}
          />
          {shown.day === today ? null : <p class="soft">{dateWords(shown.day, today)}</p>}
          <Slots
            times={shown.times}
            zone={zone}
            priced={pricesDiffer(facility)}
            hrefOf={() => dayPath(site, key, shown.day, today)}
          />
        </>
      )}
      <LeftOut facility={facility} zone={zone} today={today} />
    </article>
  );
}

/** A line with the day from which on times are not listed. */
export function LeftOut({
  facility: { until },
  zone,
  today,
}: Pick<SlotOptions, 'zone' | 'today'> & { facility: FacilityTimes }): Markup | null {
  if (until === undefined) return null;
  return <p class="soft">Times from {dateWords(localMoment(zone, until).day, today)} on are not listed here.</p>;
}

/** A line for a facility that publishes no times, with a link to its organiser. */
export function NoTimes({ url }: { url: string | undefined }): Markup {
  const href = safeLink(url);
  return (
    <>
      <p class="soft">No free times are published: ring or book with the organiser.</p>
      {href === undefined ? null : (
        <p>
          <a class="btn line" href={href} rel="nofollow">
            Organiser’s page
            <Icon name="out" />
          </a>
        </p>
      )}
    </>
  );
}

/** The week of one facility: days across, times down. */
export function FreeTable({ days, zone, today }: { days: readonly FreeDay[]; zone: string; today: Day }): Markup {
  return (
    <section class="free" tabindex={0} aria-label="Free times of the week">
      <table>
        <caption class="vh">Free times of seven days</caption>
        <thead>
          <tr>
            <td />
            {days.map(({ day }) => (
              <th scope="col">
                <DayName name={day === today ? 'Today' : shortDate(day)} date={shortDate(day)} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {freeTable(days, zone).map(({ time, cells }) => (
            <tr>
              <th scope="row">{time}</th>
              {cells.map((cell) => (
                <td>{cell === undefined ? null : <FreeCell time={cell} />}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** `Sat 21` */
function shortDate(day: Day): string {
  return `${weekdayName(day)} ${Number(dateOfDay(day).slice(8))}`;
}

/** `2 of 4`, `taken` */
function FreeCell({ time }: { time: FreeTime }): Markup {
  if (time.free <= 0) return <span class="taken">taken</span>;
  return <b>{freeWords(time).replace(/^(\d+ of \d+) free$/, '$1')}</b>;
}
