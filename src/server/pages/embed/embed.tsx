import type { TimetableEntry } from '../../../library/index.ts';
import { type Day, dateOfDay } from '../../../time/days.ts';
import type { Instant } from '../../../time/instant.ts';
import { Icon } from '../frame/icons.tsx';
import { type Markup, separated } from '../frame/markup.tsx';
import type { Site } from '../frame/site.ts';
import { familyClass } from '../parts.tsx';
import { Times } from '../times.tsx';
import { Flags, isOff, noteWords } from '../venue/flags.tsx';
import { dateWords, dayName, lastLocalDay, localDay, localMoment, nameWords, sinceWords } from '../wording.ts';

/** The timetable in an embed: days in as many columns as fit. */
interface EmbedList {
  site: Site;
  name: string;
  /** The address that opens the Subscribe sheet; undefined where there is no calendar. */
  subscribe: string | undefined;
  entries: readonly EmbedEntry[];
  now: Instant;
  /** The start of the first entry that is left out, and the page of a day. */
  rest?: { from: Instant; page: (date: string) => string } | undefined;
  /** Whether all entries are dates of one series, whose name is `name`. */
  isSeries?: true;
}

/** An entry. `zone`: of its times; `note`: names that zone where its clocks are not the operator's; `where`: its place. */
export type EmbedEntry = Pick<
  TimetableEntry,
  | 'seriesKey'
  | 'name'
  | 'start'
  | 'end'
  | 'allDay'
  | 'status'
  | 'previousStart'
  | 'placesLeft'
  | 'family'
  | 'room'
  | 'leader'
  | 'ages'
> & { zone: string; note?: string; where?: string };

/** The body of an embed: name, Subscribe, and entries by day. */
export function EmbedBody(list: EmbedList): Markup {
  const { site, name, subscribe, entries, now, isSeries } = list;
  const today = localMoment(site.zone, now).day;
  const days = entriesByDay(entries, now);
  return (
    <>
      <div class="head">
        <h1>
          <bdi>{name}</bdi>
        </h1>
        {subscribe === undefined ? null : (
          <a class="btn" href={subscribe} target="_top">
            <Icon name="cal" />
            Subscribe
          </a>
        )}
      </div>
      {entries.length === 0 ? <p>Nothing is on in the next days.</p> : null}
      {isSeries ? (
        <ol class="ecols">
          {days.flatMap(([day, own]) =>
            own.map((entry) => <Line list={list} entry={entry} day={day} name={dayWords(day, today)} />),
          )}
        </ol>
      ) : (
        <div class="ecols">
          {days.map(([day, own]) => (
            <DayColumn list={list} day={day} today={today} entries={own} />
          ))}
        </div>
      )}
    </>
  );
}

/** The most days on which one entry is listed. */
const MOST_SHOWN_DAYS = 14;

/** Entries on each day that they are on, from today on. */
function entriesByDay(entries: readonly EmbedEntry[], now: Instant): [Day, EmbedEntry[]][] {
  const days = new Map<Day, EmbedEntry[]>();
  for (const entry of entries) {
    const { zone } = entry;
    const today = localMoment(zone, now).day;
    const first = Math.max(today, localDay(entry, zone));
    const last = Math.min(Math.max(first, lastLocalDay(entry, zone)), Math.max(first, today + MOST_SHOWN_DAYS - 1));
    for (let day = first; day <= last; day += 1) days.set(day, [...(days.get(day) ?? []), entry]);
  }
  return [...days].sort(([a], [b]) => a - b);
}

interface ColumnOptions {
  list: EmbedList;
  day: Day;
  today: Day;
  entries: readonly EmbedEntry[];
}

/** `Today, Sat 21 Nov` */
function dayWords(day: Day, today: Day): string {
  const [name, date] = [dayName(day, today), dateWords(day, today)];
  return name === date ? date : `${name}, ${date}`;
}

function DayColumn({ list, day, today, entries }: ColumnOptions): Markup {
  return (
    <section>
      <h2>{dayWords(day, today)}</h2>
      <ol>
        {entries.map((entry) => (
          <Line list={list} entry={entry} day={day} name={nameWords(entry.name)} />
        ))}
      </ol>
      <RestOfDay list={list} day={day} today={today} />
    </section>
  );
}

/** A link to the rest of a day that is cut. */
function RestOfDay({ list: { rest, site }, day, today }: Omit<ColumnOptions, 'entries'>): Markup | null {
  if (rest === undefined || localMoment(site.zone, rest.from).day !== day) return null;
  return (
    <p>
      <a href={rest.page(dateOfDay(day))} target="_top">
        More on {dateWords(day, today)}
      </a>
    </p>
  );
}

/** `name`: the text of the link. That is the name of the session, or its day where all entries are of one series. */
type LineOptions = Pick<ColumnOptions, 'list' | 'day'> & { entry: EmbedEntry; name: string };

function Line({ list: { site, name: series, isSeries }, entry, day, name }: LineOptions): Markup {
  const { zone, note } = entry;
  const about = [entry.where, noteWords(entry)].filter((text) => text !== undefined && text !== '');
  const since = entry.allDay ? undefined : sinceWords(localDay(entry, zone), day);
  return (
    <li class={`e${entry.family ? ` ${familyClass(entry.family)}` : ''}${isOff(entry) ? ' off' : ''}`}>
      <span class="when">
        {since === undefined ? null : `${since} `}
        <Times span={entry} zone={zone} />
      </span>
      <span class="what">
        <a href={site.links.path(`/series/${entry.seriesKey}`)} target="_top">
          {isSeries ? name : <bdi>{name}</bdi>}
        </a>{' '}
        {isSeries && nameWords(entry.name) !== series ? (
          <small>
            <bdi>{nameWords(entry.name)}</bdi>
          </small>
        ) : null}
        <Flags entry={entry} zone={zone} />
        {about.length === 0 ? null : (
          <small>
            {' '}
            {separated(about, ' · ', (text) => (
              <bdi>{text}</bdi>
            ))}
          </small>
        )}
        {note === undefined || entry.allDay ? null : <small> {note}</small>}
      </span>
    </li>
  );
}
