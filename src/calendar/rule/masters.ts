import type { TimedSession } from '../../opportunity/records.ts';
import type { Rule } from '../../recurrence/types.ts';
import { civilOf, DAY_MS, type Day, dayOf } from '../../time/days.ts';
import { toWall, type Wall, type Zone } from '../../time/zone.ts';
import type { Master } from './fit.ts';
import { type IrregularDay, irregularDays, regularityOf } from './irregular.ts';
import type { EventCode } from './reasons.ts';
import { untilOf } from './rrule.ts';
import { daysBetween, nextDay, previousDay, withoutEnd } from './steps.ts';

/**
 * A master, cut into what can be written as one event with a rule, its exceptions and overrides, and what cannot. Every
 * reader in the field understands the result alike (decision 11), and Outlook's store can hold it: at most one instance a
 * day, none past its neighbours (feed rule 14).
 */

export interface Instances {
  zone: Zone;
  length: number;
  excluded: readonly Day[];
  /** Explicit sessions by the day of the instance that they replace. */
  sessions: ReadonlyMap<Day, TimedSession>;
  /** Whether a session is not shown any more, so that its instance is excluded. */
  isOver(session: TimedSession): boolean;
  /** The first day of instances that need a rule of their own. */
  split?: Day | undefined;
}

/** A stretch of a master: one VEVENT with its overrides. */
export interface Run {
  part: string;
  rule: Rule;
  first: Day;
  last: Day | undefined;
  /** Between first and last, ascending. */
  excluded: Day[];
  overrides: { day: Day; session: TimedSession }[];
  /** Why it is not the whole rule of the schedule; empty where it is. */
  because: readonly EventCode[];
}

export interface Cut {
  runs: Run[];
  singles: Day[];
  detached: Detached[];
}

/** A session that cannot be an override, and why. */
export interface Detached {
  session: TimedSession;
  because: EventCode;
}

interface Placed extends Pick<Run, 'overrides'> {
  misplaced: (Detached & { day: Day })[];
}

/** Cuts a master into runs with exceptions and overrides, single instances, and sessions that stand alone. */
export function cutMaster(master: Master, of: Instances): Cut {
  const cutter = new Cutter(master.rule, of);
  for (const [from, to] of cutter.stretches()) cutter.runs(master, from, to);
  return cutter.cut;
}

/** `out`: the instance is excluded. `break`: a clock change makes its time ambiguous. Otherwise the session that replaces it. */
type Special = 'out' | 'break' | TimedSession;

class Cutter {
  readonly cut: Cut = { runs: [], singles: [], detached: [] };
  readonly #rule: Rule;
  readonly #endless: Rule;
  readonly #of: Instances;
  readonly #specials = new Map<Day, Special>();

  constructor(rule: Rule, of: Instances) {
    this.#rule = rule;
    this.#endless = withoutEnd(rule);
    this.#of = of;
    const hasInstance = instanceTest(rule);
    for (const day of of.excluded) if (hasInstance(day)) this.#specials.set(day, 'out');
    for (const [day, session] of of.sessions) if (hasInstance(day)) this.#addSession(day, session);
    for (const one of irregularDays(rule, of.zone, of.length)) {
      this.#addIrregular(one);
      if (one.kind === 'gap' && (rule.unit === 'month' || rule.unit === 'year')) this.#addMonth(one.day);
    }
  }

  #addSession(day: Day, session: TimedSession): void {
    if (this.#of.isOver(session)) this.#specials.set(day, 'out');
    else if (session.allDay) this.#detach(day, session, 'whole-days');
    else if (isRegularSession(this.#of.zone, session)) this.#specials.set(day, session);
    else this.#detach(day, session, 'clock-change');
  }

  #detach(day: Day, session: TimedSession, because: EventCode): void {
    this.#specials.set(day, 'out');
    this.cut.detached.push({ session, because });
  }

  /**
   * An EXDATE in an ambiguous hour is ambiguous itself, so the rule stops before such an instance and goes on after it. The
   * rule stops at a gap without an instance too. Some readers step from day to day, and stay an hour late once they have met an
   * hour that does not exist (sabre/vobject).
   */
  #addIrregular({ day, kind, occurs }: IrregularDay): void {
    const special = this.#specials.get(day);
    if (special === undefined && occurs) this.cut.singles.push(day);
    else if (special !== undefined && special !== 'out' && special !== 'break')
      this.cut.detached.push({ session: special, because: 'clock-change' });
    this.#specials.set(day, kind === 'span' ? 'out' : 'break');
  }

  /** Some readers find the nth weekday by way of other days of the month, and come back an hour late (libical). */
  #addMonth(gap: Day): void {
    const { year, month } = civilOf(gap);
    for (const day of daysBetween(this.#rule, dayOf(year, month, 1), dayOf(year, month + 1, 0))) {
      if (day !== gap) this.#addIrregular({ day, kind: 'gap', occurs: true });
    }
  }

  /** The closed ranges between breaks. */
  *stretches(): Generator<[from: Day, to: Day | undefined]> {
    let from = this.#rule.firstDay;
    for (const day of [...this.#specials.keys()]
      .filter((one) => this.#specials.get(one) === 'break')
      .sort((a, b) => a - b)) {
      if (day > from) yield [from, day - 1];
      from = day + 1;
    }
    if (this.#rule.lastDay === undefined || from <= this.#rule.lastDay) yield [from, this.#rule.lastDay];
  }

  /** One run, or two where the stretch has instances on both sides of the split. */
  runs(master: Master, from: Day, to: Day | undefined): void {
    const { split } = this.#of;
    const isWithin = split !== undefined && split > from && split <= (to ?? split);
    if (isWithin && this.#run(master, from, split - 1)) this.#run(master, split, to);
    else this.#run(master, from, to);
  }

  #run({ part, because: split }: Master, from: Day, to: Day | undefined): boolean {
    const first = this.#firstKept(from, to);
    if (first === undefined) return false;
    const { last, inside, overrides } = this.#endOfRun(first, to);
    const excluded = inside.filter((day) => this.#specials.get(day) === 'out');
    const isWhole = from === this.#rule.firstDay && to === this.#rule.lastDay;
    const because = isWhole ? split : [...split, 'clock-change' as const];
    const name = from === this.#rule.firstDay ? part : `${part}~${from}`;
    this.cut.runs.push({ part: name, rule: this.#rule, first, last, excluded, overrides, because });
    return true;
  }

  /** The end of a run with its overrides, once those that cannot stay are detached: without them it may end earlier. */
  #endOfRun(first: Day, to: Day | undefined): Pick<Run, 'last' | 'overrides'> & { inside: Day[] } {
    for (;;) {
      const last = to === undefined ? undefined : this.#lastKept(first, to);
      const inside = this.#insideOf(first, last);
      const { overrides, misplaced } = this.#placed(inside, first, last);
      if (misplaced.length === 0) return { last, inside, overrides };
      for (const { day, session, because } of misplaced) this.#detach(day, session, because);
    }
  }

  /**
   * The first instance that is neither excluded nor replaced. Old readers do not see an override of a first instance
   * (sabre/vobject 2), so its session stands alone and the rule begins later.
   */
  #firstKept(from: Day, to: Day | undefined): Day | undefined {
    for (let day = nextDay(this.#rule, from); day !== undefined; day = nextDay(this.#rule, day + 1)) {
      if (to !== undefined && day > to) return undefined;
      const special = this.#specials.get(day);
      if (special === undefined) return day;
      if (special !== 'out' && special !== 'break') this.#detach(day, special, 'first-instance');
    }
    return undefined;
  }

  #lastKept(first: Day, to: Day): Day {
    let day = previousDay(this.#rule, to) ?? first;
    while (day > first && this.#specials.get(day) === 'out') day = previousDay(this.#rule, day - 1) ?? first;
    return day;
  }

  #insideOf(first: Day, last: Day | undefined): Day[] {
    const days = [...this.#specials.keys()].filter((day) => day > first && (last === undefined || day <= last));
    return days.sort((a, b) => a - b);
  }

  /** The overrides that can stay, and those that cannot. */
  #placed(inside: readonly Day[], first: Day, last: Day | undefined): Placed {
    const overrides: Run['overrides'] = [];
    const misplaced: Placed['misplaced'] = [];
    const time = this.#rule.time * 1000;
    let before: Wall = first * DAY_MS + time;
    // With COUNT, old readers lose count over overrides (sabre/vobject 2).
    const isCounted = last !== undefined && untilOf(this.#of.zone, before, last * DAY_MS + time) === undefined;
    for (const day of inside) {
      const session = this.#specials.get(day);
      if (session === undefined || session === 'out' || session === 'break') continue;
      if (!isCounted && this.#fits(day, session, before)) {
        overrides.push({ day, session });
        before = toWall(this.#of.zone, session.start);
      } else misplaced.push({ day, session, because: isCounted ? 'counted-rule' : 'past-neighbour' });
    }
    return { overrides, misplaced };
  }

  /**
   * Whether a moved session stays between its neighbours, on days of its own (feed rule 14). After the last instance the
   * next one is where the rule would go on: old readers follow it until they have met the override (sabre/vobject 2).
   */
  #fits(day: Day, session: TimedSession, placedBefore: Wall): boolean {
    const { zone: z, length } = this.#of;
    const time = this.#rule.time * 1000;
    const start = toWall(z, session.start);
    const previous = (previousDay(this.#rule, day - 1) ?? day - 1) * DAY_MS + time;
    const next = nextDay(this.#endless, day + 1);
    const clearBefore = start >= previous + length && dayOfWall(start) > dayOfWall(Math.max(previous, placedBefore));
    const clearAfter =
      next === undefined || (start + sessionLength(session) <= next * DAY_MS + time && dayOfWall(start) < next);
    return clearBefore && clearAfter;
  }
}

/** Tests whether a day has an instance of a rule. Every exception is tested, so days are listed once. */
function instanceTest(rule: Rule): (day: Day) => boolean {
  const known = new Map<number, Set<Day>>();
  // Blocks of a thousand days, because exceptions and sessions come in runs.
  return (day) => {
    const block = Math.floor(day / 1000);
    let days = known.get(block);
    if (days === undefined) {
      days = new Set(daysBetween(rule, block * 1000, block * 1000 + 999));
      known.set(block, days);
    }
    return days.has(day);
  };
}

/** Whether all readers take the wall time of a session alike. */
function isRegularSession(z: Zone, session: TimedSession): boolean {
  return regularityOf(z, toWall(z, session.start), sessionLength(session)) === 'regular';
}

/** Milliseconds; 0 without a stated end. */
export function sessionLength({ start, end }: TimedSession): number {
  return Math.max(0, (end ?? start) - start);
}

function dayOfWall(wall: Wall): Day {
  return Math.floor(wall / DAY_MS);
}
