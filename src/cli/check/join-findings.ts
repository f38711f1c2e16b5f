/** What is odd about a whole input: what only shows when items are joined and calendars are planned. */

import { planSeries } from '../../calendar/series/plan.ts';
import type { Joined } from '../../join/join.ts';
import { assumesZone } from '../../opportunity/effective.ts';
import { type Finding, shown, ZONE_ASSUMED } from '../../opportunity/findings.ts';
import { identOf } from '../../opportunity/identity.ts';
import type { Series, Session, Slot } from '../../opportunity/records.ts';
import { findingOf, type PlaceOf } from './finding-places.ts';
import { type ForeignClaims, NO_FOREIGN_CLAIMS } from './publishers.ts';

/** Rules that never come to anything or that calendars cannot repeat, exceptions of nothing, sessions beside a Schedule. */
export function* joinFindings({ series }: Joined, placeOf: PlaceOf, zone: string): Generator<Finding> {
  for (const one of series) {
    for (const finding of planSeries(one.series, one.sessions, { zone }).findings) {
      yield findingOf(finding, one.series, placeOf);
    }
  }
}

/** Sessions without their series, slots without their facility; times whose zone nothing says. */
export function waitingFindings(
  { series, orphans, facilities, slots }: Joined,
  placeOf: PlaceOf,
  foreign: ForeignClaims = NO_FOREIGN_CLAIMS,
): Finding[] {
  const known = new Set(facilities.map(({ id }) => identOf(id)));
  const isAlone = ({ facility }: Slot): boolean => facility === undefined || !known.has(identOf(facility));
  const assumed = new Set(slots.filter(({ zone }) => zone === '').map(({ facility }) => identOf(facility ?? '')));
  const alone = slots.filter((slot) => isAlone(slot) && !foreign.has(slot));
  const waitingHere = orphans.filter((session) => !foreign.has(session));
  const sessions = Map.groupBy(waitingHere, (session) => session.series);
  return [
    ...facilities.filter(({ id }) => assumed.has(identOf(id))).map((one) => findingOf(ZONE_ASSUMED, one, placeOf)),
    ...zonesAssumed([...series, ...orphans.map((one) => ({ series: one, sessions: [one] }))], placeOf),
    ...waiting('series-not-here', sessions, placeOf),
    ...waiting(
      'facility-not-here',
      Map.groupBy(alone, (slot) => slot.facility),
      placeOf,
    ),
  ];
}

/** One finding for each series, and for each session without one. */
function zonesAssumed(
  all: readonly { series: Series | Session; sessions: readonly Session[] }[],
  placeOf: PlaceOf,
): Finding[] {
  const assumed = all.filter(
    ({ series, sessions }) =>
      sessions.some(({ zone }) => zone === '') || (series.kind === 'series' && assumesZone(series)),
  );
  return assumed.map(({ series }) => findingOf(ZONE_ASSUMED, series, placeOf));
}

/** One finding for each thing that is named and not there; those that name nothing have theirs from the reader. */
function waiting(
  code: 'series-not-here' | 'facility-not-here',
  groups: ReadonlyMap<string | undefined, readonly (Session | Slot)[]>,
  placeOf: PlaceOf,
): Finding[] {
  return [...groups].flatMap(([id, waiting]) => {
    if (id === undefined) return [];
    const facts = { id: shown(id, 200), count: waiting.length };
    const first = waiting[0] as Session | Slot;
    return findingOf({ code, path: '$', facts }, first, placeOf);
  });
}
