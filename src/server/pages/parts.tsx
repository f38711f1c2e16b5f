import { civilOf, type Day } from '../../time/days.ts';
import type { Instant } from '../../time/instant.ts';
import { FAMILIES, type Family } from '../../vocabulary/families.ts';
import { Icon, type IconName } from './frame/icons.tsx';
import type { Markup, Piece } from './frame/markup.tsx';
import { countWords, dateWords, localMoment, telAddress, weekdayName } from './wording.ts';

/** Small parts that several pages have. */

/** `t1` to `t6`: the class that gives a family its colour. */
export function familyClass(family: Family): string {
  return `t${FAMILIES.indexOf(family) + 1}`;
}

/** What is out of the ordinary about a date, in a word or two. */
export function Flag({ kind, icon, words }: { kind?: 'bad' | 'new' | 'good'; icon?: IconName; words: Piece }): Markup {
  return (
    <span class={kind === undefined ? 'flag' : `flag ${kind}`}>
      {icon === undefined ? null : <Icon name={icon} />}
      {words}
    </span>
  );
}

/** `was`: the time before, in words. */
export function NewTime({ was }: { was: string }): Markup {
  const words = (
    <>
      New time<span class="vh">, was </span> <s>{was}</s>
    </>
  );
  return <Flag kind="new" icon="clock" words={words} />;
}

/** The time before: `07:00`, or `Tue 24 Nov, 07:00` where the day is another. */
export function wasWords(was: Instant, start: Instant, zone: string): string {
  const [before, now] = [localMoment(zone, was), localMoment(zone, start)];
  return before.day === now.day ? before.time : `${dateWords(before.day, now.day)}, ${before.time}`;
}

/** A link by a name that a publisher gave. */
export function NameLink({ href, name }: { href: string; name: string }): Markup {
  return (
    <a href={href}>
      <bdi>{name}</bdi>
    </a>
  );
}

/** A link among others of which one is chosen. */
export function ChoiceChip({ href, isOn, children }: { href: string; isOn: boolean; children?: Piece }): Markup {
  return (
    <a class={isOn ? 'chip on' : 'chip'} href={href} aria-current={isOn ? 'true' : undefined}>
      {children}
    </a>
  );
}

/** A text to be copied; the script shows the button, and says beside it that the text was copied. `what`: `address`. */
export function CopyField({ id, value, what }: { id: string; value: string; what: string }): Markup {
  return (
    <p class="copy">
      <input id={id} readonly value={value} />
      <button class="btn line" type="button" data-copy="" hidden>
        <Icon name="copy" />
        <span>Copy</span>
        <span class="vh"> the {what}</span>
      </button>
      <span class="vh" role="status" />
    </p>
  );
}

/** The first row of a table. */
export function ColumnHeads({ names }: { names: readonly string[] }): Markup {
  return (
    <thead>
      <tr>
        {names.map((name) => (
          <th scope="col">{name}</th>
        ))}
      </tr>
    </thead>
  );
}

/** Days as tiles, each a `DayTile`. */
export function DayTiles({ label, children }: { label: string; children?: Piece }): Markup {
  return (
    <nav class="noprint" aria-label={label}>
      <ul class="scroll days">{children}</ul>
    </nav>
  );
}

interface DayTileOptions {
  day: Day;
  today: Day;
  count: number;
  /** Whether there are more than are counted. */
  isMore?: boolean | undefined;
  /** What is counted, for those who hear it. */
  unit: string;
  href: string;
  rel?: 'nofollow';
  isCurrent: boolean;
}

/** Weekday, date, how many. A day without any is no link, unless it is the current one or was not counted. */
export function DayTile({ day, today, count, isMore = false, unit, href, rel, isCurrent }: DayTileOptions): Markup {
  const words = (
    <>
      {day === today ? 'Today' : weekdayName(day)} <b>{civilOf(day).date}</b>{' '}
    </>
  );
  return (
    <li>
      {count === 0 && !isCurrent && !isMore ? (
        <span class="d">
          {words}
          <small>none</small>
        </span>
      ) : (
        <a href={href} rel={rel} aria-current={isCurrent ? 'date' : undefined}>
          {words}
          <small>
            {count > 0 ? countWords(count, isMore) : isMore ? 'show' : 'none'}
            {count === 0 ? null : <span class="vh"> {unit}</span>}
          </small>
        </a>
      )}
    </li>
  );
}

/** On OpenStreetMap; the script makes it the map application of the device. */
export function mapAddress(latitude: number, longitude: number): string {
  return `https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=17/${latitude}/${longitude}`;
}

/** A telephone number as a link; a text that is none stands as it is. */
export function TelChip({ telephone }: { telephone: string | undefined }): Markup | null {
  if (telephone === undefined) return null;
  const href = telAddress(telephone);
  if (href === undefined) return <bdi>{telephone}</bdi>;
  return (
    <a class="chip num" href={href}>
      <Icon name="call" />
      <bdi>{telephone}</bdi>
    </a>
  );
}
