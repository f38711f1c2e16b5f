import { entryWords } from '../../../library/index.ts';
import { isOnline } from '../../../opportunity/whereabouts.ts';
import { Icon } from '../frame/icons.tsx';
import { linked, type Markup } from '../frame/markup.tsx';
import { mapAddress, NameLink, TelChip } from '../parts.tsx';
import { dateWords, listWords, localMoment, nameWords } from '../wording.ts';
import { dateStatus, dayShown, pathOf, type SeriesView, todayOf } from './view.ts';
import { leadLines } from './when.tsx';

/** The line of the place, and the parts below the dates: what changed, where, why these dates, and similar series. */

/** The place and its town below the name of a series, or `Online`. */
export function PlaceLine({ view }: { view: SeriesView }): Markup | null {
  const { details } = view.series;
  const { location } = details;
  const { place } = view.dates;
  const name = location?.name ?? place?.name ?? location?.address;
  if (isOnline(details)) return <p>Online</p>;
  if (name === undefined) return null;
  const town = place?.locality;
  return (
    <p>
      <PlaceName view={view} name={name} />
      {town === undefined || name.includes(town) ? null : [', ', <bdi>{town}</bdi>]}
    </p>
  );
}

/** The name of the place, with a link to its page here, else to the address that the publisher gives. */
function PlaceName({ view, name }: { view: SeriesView; name: string }): Markup {
  const { key } = view.dates.place ?? {};
  if (key === undefined) return linked(name, view.series.details.location?.url);
  return <NameLink href={view.site.links.path(`/places/${key}`)} name={name} />;
}

/** The newest changes of the series, with the Atom feed of all. */
export function ChangedLately({ view }: { view: SeriesView }): Markup | null {
  const { changes, site } = view;
  if (changes.length === 0) return null;
  return (
    <section class="part" aria-labelledby="changed">
      <div class="head">
        <h2 id="changed">Changed lately</h2>
        <a class="ico noprint" href={site.links.path(`/changes${pathOf(view)}.atom`)}>
          <Icon name="rss" />
          Follow changes
        </a>
      </div>
      <ul class="log">
        {changes.map((entry) => (
          <li>
            <bdi>{entryWords(entry)}</bdi>
            <small>{dateWords(localMoment(entry.zone, entry.at).day, todayOf(view))}</small>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The address of the place, with links to maps, its telephone and its timetable. */
export function Where({ view }: { view: SeriesView }): Markup | null {
  const { series, dates, site } = view;
  const { name, address, latitude, longitude } = series.details.location ?? {};
  const key = dates.place?.key;
  if (name === undefined && address === undefined && latitude === undefined) return null;
  const telephone = series.details.location?.telephone;
  return (
    <section class="part" aria-labelledby="where">
      <h2 id="where">Where</h2>
      <p dir="auto">{addressLine(view) || 'Only its position on the map is known.'}</p>
      <p class="chips gap">
        <MapLink latitude={latitude} longitude={longitude} words={address ?? name} />
        <TelChip telephone={telephone} />
        {key === undefined ? null : (
          <a class="chip" href={site.links.path(`/places/${key}`)}>
            Everything at this place
          </a>
        )}
      </p>
    </section>
  );
}

/** Name and address; the country only where it is another than the operator's. */
function addressLine({ series, dates }: SeriesView): string {
  const { name, address } = series.details.location ?? {};
  const { street, locality, region, postalCode, country } = dates.place ?? {};
  const abroad = dates.zone === dates.homeZone ? undefined : country;
  const parts = street === undefined ? [address] : [street, locality, region, postalCode, abroad];
  return [...new Set([name, ...parts].filter((part) => part !== undefined && part !== ''))].join(', ');
}

interface MapProps {
  latitude: number | undefined;
  longitude: number | undefined;
  words: string | undefined;
}

/** A link to OpenStreetMap; on Apple and Android the script of the frame leads it to the device's maps instead. */
function MapLink({ latitude, longitude, words }: MapProps): Markup | null {
  const isPoint = latitude !== undefined && longitude !== undefined;
  if (!isPoint && words === undefined) return null;
  const href = isPoint
    ? mapAddress(latitude, longitude)
    : `https://www.openstreetmap.org/search?query=${encodeURIComponent((words ?? '').toWellFormed())}`;
  return (
    <a class="chip" href={href} data-geo={isPoint ? `${latitude},${longitude}` : undefined} rel="noopener nofollow">
      <Icon name="pin" />
      Open in maps
    </a>
  );
}

/** Where the dates come from, in one paragraph; the page behind its link explains each date. */
export function Why({ view }: { view: SeriesView }): Markup {
  const { dates, site, series } = view;
  return (
    <section class="part" aria-labelledby="why">
      <h2 id="why">{dates.dates.length === 0 ? 'Why no dates?' : 'Why these dates?'}</h2>
      <p class="about">
        {series.hasCalendar && dates.times.length > 0 ? (
          <>
            The organiser says: <bdi>{leadLines(view).join('; ')}</bdi>.{' '}
          </>
        ) : (
          <>{withoutRules(view)} </>
        )}
        {differences(view)}
        <a class="noprint" href={site.links.path(`${pathOf(view)}/explain`)} rel="nofollow">
          Step by step
        </a>
      </p>
    </section>
  );
}

function withoutRules({ series, dates }: SeriesView): string {
  if (!series.hasCalendar) return 'The organiser says what is usual, and publishes no date of it.';
  return dates.dates.length === 0
    ? 'The organiser has published no date that is still to come.'
    : 'The organiser publishes each date by itself, without a rule.';
}

/** `Of the next 50 dates one has a new time and two are cancelled.` */
function differences(view: SeriesView): string {
  const { dates } = view.dates;
  const count = (state: string) => dates.filter((date) => dateStatus(date) === state).length;
  const parts = [
    [count('moved'), 'has a new time', 'have a new time'],
    [count('gone'), 'is cancelled', 'are cancelled'],
    [count('postponed'), 'is postponed', 'are postponed'],
  ] as const;
  const words = parts
    .filter(([many]) => many > 0)
    .map(([many, one, more]) => (dates.length === 1 ? one : `${many === 1 ? 'one' : many} ${many === 1 ? one : more}`));
  if (words.length === 0) return '';
  return dates.length === 1 ? `The next date ${words[0]}. ` : `Of the next ${dates.length} dates ${listWords(words)}. `;
}

/** Series of the same activity that have dates, where this series has none. */
export function Similar({ view }: { view: SeriesView }): Markup | null {
  const { similar } = view.dates;
  if (similar.length === 0) return null;
  return (
    <section class="part" aria-labelledby="similar">
      <h2 id="similar">Similar, with dates</h2>
      <ul class="log">
        {similar.map(({ key, name, place, next, nextAllDay, zone }) => {
          const day = dayShown(
            { ...view, dates: { ...view.dates, zone } },
            { start: next, ...(nextAllDay && { allDay: true }) },
          );
          return (
            <li>
              <span>
                <NameLink href={view.site.links.path(`/series/${key}`)} name={nameWords(name)} />
                {place === undefined ? null : [', ', <bdi>{place}</bdi>]}
              </span>
              <small>
                {dateWords(day, todayOf(view))}
                {nextAllDay ? null : `, ${localMoment(zone, next).time}`}
              </small>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
