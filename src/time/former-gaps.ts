import { perObject } from '../bounded-map.ts';
import { civilOf, DAY_MS } from './days.ts';
import { join, onsetIn, ruleAt, type YearlyRule } from './transition-rule.ts';
import { TABLE_END, type Wall, type Zone } from './zone.ts';

/**
 * Hours that the clocks skip by zone data of some years ago, which some readers have, though the law has changed since. VTIMEZONE
 * does not help. Libical steps from instance to instance by the rules of its ICU, whatever the calendar says. After an hour that
 * does not exist it stays an hour late (Debian 12 has rules of 2022: summer time in Asunción, in Mexico City).
 */
interface FormerGap {
  from: Wall;
  /** Excluded. */
  to: Wall;
}

/** The first year whose changes of law some programs in use do not know. */
const SINCE_YEAR = 2020;

/** The last whole year of the zone table. */
const LAST_YEAR = civilOf(Math.floor(TABLE_END / DAY_MS) - 1).year;

/** Yearly gaps as they would go on, had the rules not ended; ascending. None in zones whose rules go on. */
export const formerGaps = perObject((z: Zone): readonly FormerGap[] =>
  endedRules(z)
    .flatMap(goneOn)
    .sort((a, b) => a.from - b.from),
);

/** A rule with the year of its last onset. */
interface Ended {
  rule: YearlyRule;
  last: number;
}

/** Rules by which the clocks went forward in at least two years in a row, and then no more. */
function endedRules(z: Zone): Ended[] {
  const open: Ended[] = [];
  const forward = z.transitions.flatMap((_, index) => {
    const rule = ruleAt(z, index);
    return rule.after > rule.before ? [rule] : [];
  });
  for (const rule of forward) {
    const at = open.findIndex((one) => one.last === rule.year - 1 && joined(rule, one) !== undefined);
    if (at < 0) open.push({ rule, last: rule.year });
    else open[at] = { rule: joined(rule, open[at] as Ended) as YearlyRule, last: rule.year };
  }
  return open.filter(
    (one) => one.last >= SINCE_YEAR && one.last < LAST_YEAR && one.rule.year < one.last && !goesOn(one, forward),
  );
}

/** Whether the clocks went forward near that day a year later too, by a rule without an nth weekday (Jerusalem, Santiago). */
function goesOn({ rule, last }: Ended, forward: readonly YearlyRule[]): boolean {
  const expected = onsetIn(last + 1, rule);
  return forward.some((one) => {
    const days = Math.abs(onsetIn(one.year, one) - expected) / DAY_MS;
    return one.year === last + 1 && days >= 1 && days <= 14;
  });
}

/** The rule since its first year, with one more onset at its end. */
function joined(later: YearlyRule, { rule, last }: Ended): YearlyRule | undefined {
  const whole = join(later, { ...rule, year: last });
  return whole === undefined ? undefined : { ...whole, year: rule.year };
}

function goneOn({ rule, last }: Ended): FormerGap[] {
  return Array.from({ length: LAST_YEAR - last }, (_, n) => {
    const from = onsetIn(last + 1 + n, rule);
    return { from, to: from + rule.after - rule.before };
  });
}
