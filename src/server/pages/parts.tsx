import { civilOf, type Day } from '../../time/days.ts';
import type { Instant } from '../../time/instant.ts';
import { FAMILIES, type Family } from '../../vocabulary/families.ts';
import { Icon, type IconName } from './frame/icons.tsx';
import type { Markup, Piece } from './frame/markup.tsx';
import { countWords, dateWords, localMoment, telAddress, weekdayName } from './wording.ts';

/** Small components that several pages have. */

/** `t1` to `t6`: the class that gives a family its colour. */
export function familyClass(family: Family): string {
  return `t${FAMILIES.indexOf(family) + 1}`;
}

/** A badge: what is out of the ordinary about a date, in a word or two. */
export function Flag({ kind, icon, words }: { kind?: 'bad' | 'new' | 'good'; icon?: IconName; words: Piece }): Markup {
  return (
    <span class={kind === undefined ? 'flag' : `flag ${kind}`}>
      {icon === undefined ? null : <Icon name={icon} />}
      {words}
    </span>
  );
}

/** The badge of a date at a new time. `was`: the time before, in words. */
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

/** A link whose text is a name from the data. */
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

/**
 * A text to be copied. The script of the frame shows its button, and reports the copy to screen readers. `what`: `address`.
 */
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
  /** Whether the day has more than `count`. */
  isMore?: boolean | undefined;
  /** The noun of the count, for screen readers. */
  unit: string;
  href: string;
  rel?: 'nofollow';
  isCurrent: boolean;
}

/** A day with its count. A day without any is no link, unless it is the current one or was not counted whole. */
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

/** The address of a point on OpenStreetMap. */
export function mapAddress(latitude: number, longitude: number): string {
  return `https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=17/${latitude}/${longitude}`;
}

/** A telephone number as a link; a text that is no number, as text. */
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
