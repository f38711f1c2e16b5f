import type { Random } from '../../generate/random.ts';
import { instantOf } from '../../oracle/days.ts';
import { calendarOf, eventOf, rowOf } from '../published.ts';

/** A calendar that somebody edits at random, and the rows it stands for: nothing of the program under test. */

const DAY = 86_400_000;
const MINUTE = 60_000;
const ZONE = 'Europe/London';

interface Override {
  /** The wall time that the instance had when it was changed. */
  id: number;
  kind: 'moved' | 'cancelled';
  start: number;
}

interface Event {
  uid: string;
  name: string;
  kind: 'weekly' | 'list' | 'single';
  /** Wall time of each start; of a weekly event the first. */
  starts: number[];
  minutes: number;
  except: Set<number>;
  overrides: Override[];
  /** Last day of a weekly event. */
  until?: number;
  cancelled: boolean;
}

export class ClubCalendar {
  readonly #random: Random;
  #events: Event[] = [];
  #made = 0;

  constructor(random: Random) {
    this.#random = random;
  }

  /** A few changes, as of a sitting. */
  edit(now: number): void {
    for (let count = this.#random.int(0, 3); count >= 0; count--) {
      const event = this.#events.length === 0 ? undefined : this.#random.pick(this.#events);
      if (event === undefined || this.#events.length < 4 || this.#random.chance(0.15)) this.#add(now);
      else this.#change(event, now);
    }
  }

  #add(now: number): void {
    const random = this.#random;
    const kind = random.pick(['weekly', 'weekly', 'list', 'single', 'single'] as const);
    const day = Math.floor(now / DAY) + random.int(-5, 30);
    const time = random.pick([7, 10, 18, 19]) * 60 * MINUTE;
    const count = kind === 'list' ? random.int(2, 6) : 1;
    const starts = Array.from({ length: count }, (_, i) => (day + i * 9) * DAY + time);
    const name = `Event ${++this.#made}`;
    const event: Event = {
      uid: `e${this.#made}@club`,
      name,
      kind,
      starts,
      minutes: random.pick([60, 90]),
      except: new Set(),
      overrides: [],
      cancelled: false,
    };
    this.#events.push(event);
    if (this.#events.length > 12) this.#events.shift();
  }

  #change(event: Event, now: number): void {
    const random = this.#random;
    const change = random.pick([
      'remove',
      'rename',
      'time',
      'time',
      'day',
      'one',
      'one',
      'one',
      'undo',
      'length',
      'cancel',
    ] as const);
    if (change === 'remove') this.#events = this.#events.filter((one) => one !== event);
    else if (change === 'rename') event.name = `${event.name}*`.slice(0, 20);
    else if (change === 'time') {
      const by = random.pick([-60, -30, 30, 60]) * MINUTE;
      const time = ((event.starts[0] as number) % DAY) + by;
      if (time >= 5 * 60 * MINUTE && time <= 22 * 60 * MINUTE) shift(event, by);
    } else if (change === 'length') event.minutes = random.pick([45, 60, 90]);
    else if (change === 'cancel') event.cancelled = event.kind === 'single' && !event.cancelled;
    else if (change === 'undo') event.overrides.pop();
    else if (change === 'day') {
      if (event.kind === 'single') shift(event, random.int(-3, 6) * DAY);
      else if (event.kind === 'list')
        event.starts = [...event.starts.slice(1), (event.starts.at(-1) as number) + random.int(1, 9) * DAY];
      else event.until = Math.floor(now / DAY) + random.int(20, 100);
    } else if (event.kind === 'weekly') this.#changeOne(event, now);
  }

  #changeOne(event: Event, now: number): void {
    const random = this.#random;
    const coming = walls(event, now - 20 * DAY, now + 60 * DAY).filter(
      (wall) => !event.except.has(wall) && !event.overrides.some(({ id }) => id === wall),
    );
    if (coming.length === 0) return;
    const id = random.pick(coming);
    const kind = random.pick(['moved', 'cancelled', 'except'] as const);
    if (kind === 'except') event.except.add(id);
    else
      event.overrides.push({
        id,
        kind,
        start: kind === 'moved' ? id + random.pick([-1, 1, 2]) * DAY + random.int(0, 2) * 60 * MINUTE : id,
      });
  }

  /** UIDs of single events. */
  singles(): string[] {
    return this.#events.filter(({ kind }) => kind === 'single').map(({ uid }) => uid);
  }

  text(): string {
    return calendarOf(...this.#events.flatMap(components));
  }

  /**
   * `start end status name`, sorted. `undecided`: days on which a date that was cancelled under an earlier rule may or may not
   * be on, depending on what was published before.
   */
  rows(from: number, to: number): { rows: string[]; undecided: { day: string; name: string }[] } {
    const undecided: { day: string; name: string }[] = [];
    const rows = this.#events.flatMap((event) => rowsOfEvent(event, from, to, undecided));
    return { rows: rows.sort(), undecided };
  }
}

function shift(event: Event, by: number): void {
  event.starts = event.starts.map((start) => start + by);
}

/** Starts of a weekly event, without its exceptions. */
function walls(event: Event, from: number, to: number): number[] {
  const found: number[] = [];
  const last = event.until === undefined ? to : Math.min(to, (event.until + 1) * DAY - 1);
  for (let wall = event.starts[0] as number; wall <= last; wall += 7 * DAY) if (wall >= from) found.push(wall);
  return found;
}

function rowsOfEvent(event: Event, from: number, to: number, undecided: { day: string; name: string }[]): string[] {
  const { name, minutes, kind, cancelled } = event;
  const row = (wall: number, status: string): string[] => {
    const start = instantOf(ZONE, wall);
    const end = start + minutes * MINUTE;
    return start < to && end > from ? [rowOf(start, end, status, name)] : [];
  };
  if (kind !== 'weekly') return event.starts.flatMap((wall) => row(wall, cancelled ? 'CANCELLED' : 'CONFIRMED'));
  const given = new Set(walls(event, Number.NEGATIVE_INFINITY, to + 7 * DAY).filter((wall) => !event.except.has(wall)));
  const isGiven = new Set(walls(event, Number.NEGATIVE_INFINITY, to + 7 * DAY));
  const days = new Set<number>();
  for (const { id, start, kind: change } of event.overrides) {
    given.delete(id);
    if (isGiven.has(id)) continue;
    if (change === 'cancelled') undecided.push({ day: new Date(id).toISOString().slice(0, 10), name });
    // Rule 8: who has that session has no other one on its days.
    else for (const wall of [id, start]) days.add(Math.floor(wall / DAY));
  }
  const plain = [...given].filter((wall) => !days.has(Math.floor(wall / DAY)));
  return [
    ...plain.flatMap((wall) => row(wall, 'CONFIRMED')),
    ...event.overrides.flatMap(({ kind: change, start }) =>
      row(start, change === 'cancelled' ? 'CANCELLED' : 'CONFIRMED'),
    ),
  ];
}

function components(event: Event): string[] {
  const { uid, name, starts, minutes, except, overrides, until, kind, cancelled } = event;
  const at = (property: string, wall: number) => `${property};TZID=${ZONE}:${text(wall)}`;
  const own = [`UID:${uid}`, `SUMMARY:${name}`, `DURATION:PT${minutes}M`];
  const end = until === undefined ? '' : `;UNTIL=${text(until * DAY + 22.9 * 60 * MINUTE)}Z`;
  const master = [
    ...own,
    at('DTSTART', starts[0] as number),
    ...(kind === 'weekly' ? [`RRULE:FREQ=WEEKLY${end}`] : starts.slice(1).map((wall) => at('RDATE', wall))),
    ...[...except].map((wall) => at('EXDATE', wall)),
    ...(cancelled ? ['STATUS:CANCELLED'] : []),
  ];
  const changed = overrides.map(({ id, start, kind: change }) => [
    ...own,
    at('RECURRENCE-ID', id),
    at('DTSTART', start),
    ...(change === 'cancelled' ? ['STATUS:CANCELLED'] : []),
  ]);
  return [master, ...changed].map((lines) => eventOf(...lines));
}

function text(wall: number): string {
  return new Date(wall).toISOString().slice(0, 19).replaceAll(/[-:]/g, '');
}
