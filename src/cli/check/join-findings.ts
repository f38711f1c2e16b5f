/** Findings on a whole input, when items are joined and calendars planned. */

import { planSeries } from '../../calendar/series/plan.ts';
import type { Joined } from '../../join/join.ts';
import { assumesZone } from '../../opportunity/effective.ts';
import { type Finding, shown, ZONE_ASSUMED } from '../../opportunity/findings.ts';
import { identOf } from '../../opportunity/identity.ts';
import type { Facility, OpportunityRecord, Series, Session, Slot } from '../../opportunity/records.ts';
import { findingOf, type PlaceOf } from './finding-places.ts';
import { type ForeignClaims, NO_FOREIGN_CLAIMS } from './publishers.ts';

/** Findings of planning: rules without occurrences or that calendars cannot have, useless exceptions, odd sessions. */
export function* joinFindings({ series }: Joined, placeOf: PlaceOf, zone: string): Generator<Finding> {
  for (const one of series) {
    for (const finding of planSeries(one.series, one.sessions, { zone }).findings) {
      yield findingOf(finding, one.series, placeOf);
    }
  }
}

/** Findings on sessions without series, slots without facility, events without place, and times without a zone. */
export function waitingFindings(
  { series, orphans, places, facilities, slots }: Joined,
  placeOf: PlaceOf,
  foreign: ForeignClaims = NO_FOREIGN_CLAIMS,
): Finding[] {
  const known = new Set(facilities.map(({ id }) => identOf(id)));
  const isAlone = ({ facility }: Slot): boolean => facility === undefined || !known.has(identOf(facility));
  const assumed = new Set(slots.filter(({ zone }) => zone === '').map(({ facility }) => identOf(facility ?? '')));
  const alone = slots.filter((slot) => isAlone(slot) && !foreign.has(slot));
  const waitingHere = orphans.filter((session) => !foreign.has(session));
  // A Place of another publisher is described, and has a finding of its own.
  const described = [...places.map(({ id }) => id), ...foreign.findings.map(({ object = '' }) => object)];
  const located = [...series.flatMap((one) => [one.series, ...one.sessions]), ...orphans, ...facilities];
  return [
    ...facilities.filter(({ id }) => assumed.has(identOf(id))).map((one) => findingOf(ZONE_ASSUMED, one, placeOf)),
    ...zonesAssumed([...series, ...orphans.map((one) => ({ series: one, sessions: [one] }))], placeOf),
    ...waiting('series-not-here', waitingHere, ({ series: id }) => id, placeOf),
    ...waiting('facility-not-here', alone, ({ facility }) => facility, placeOf),
    ...waiting('place-not-here', located, placeNotIn(new Set(described.map(identOf))), placeOf),
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

/** The id of a location that is a Place without a description. */
function placeNotIn(described: ReadonlySet<string>): (record: Series | Session | Facility) => string | undefined {
  return ({ details: { location } }) =>
    location?.id === undefined || described.has(identOf(location.id)) ? undefined : location.id;
}

/** One finding for each named and absent record; records that name none have a finding from the reader. */
function waiting<R extends OpportunityRecord>(
  code: 'series-not-here' | 'facility-not-here' | 'place-not-here',
  records: readonly R[],
  named: (record: R) => string | undefined,
  placeOf: PlaceOf,
): Finding[] {
  // Spellings of one id count as one, and the finding has the first of them.
  const groups = Map.groupBy(records, (record) => {
    const id = named(record);
    return id === undefined ? undefined : identOf(id);
  });
  return [...groups].flatMap(([ident, waiting]) => {
    if (ident === undefined) return [];
    const first = waiting[0] as R;
    const facts = { id: shown(named(first), 200), count: waiting.length };
    return findingOf({ code, path: '$', facts }, first, placeOf);
  });
}
