/** What is odd about a whole input: what only shows when items are joined and calendars are planned. */

import { planSeries } from '../calendar/series.ts';
import { type Finding, finish, type RawFinding, shown } from '../opportunity/findings.ts';
import { identOf } from '../opportunity/identity.ts';
import type { Joined } from '../opportunity/join.ts';
import type { Series, Session } from '../opportunity/records.ts';

/** Rules that never come to anything or that calendars cannot repeat, exceptions of nothing, what waits for another item. */
export function joinFindings(joined: Joined, feed: string, zone: string): Finding[] {
  const planned = joined.series.flatMap((one) =>
    planFindings(one.series, one.sessions, zone).map((finding) => finish(finding, feed, one.series.id)),
  );
  return [...planned, ...waitingFindings(joined, feed)];
}

/** Sessions without their series, slots without their facility. */
export function waitingFindings({ orphans, facilities, slots }: Joined, feed: string): Finding[] {
  const known = new Set(facilities.map(({ id }) => identOf(id)));
  const alone = slots.filter(({ facility }) => facility === undefined || !known.has(identOf(facility)));
  return [
    ...waiting(
      'series-not-here',
      Map.groupBy(orphans, (session) => session.series),
      feed,
    ),
    ...waiting(
      'facility-not-here',
      Map.groupBy(alone, (slot) => slot.facility),
      feed,
    ),
  ];
}

/** What the planner finds about a series: its calendar is made and thrown away. */
export function planFindings(series: Series, sessions: readonly Session[], zone: string): RawFinding[] {
  return planSeries(series, sessions, { zone }).findings;
}

/** One finding for each thing that is named and not there; those that name nothing have theirs from the door. */
function waiting(
  code: 'series-not-here' | 'facility-not-here',
  groups: ReadonlyMap<string | undefined, readonly { id: string }[]>,
  feed: string,
): Finding[] {
  return [...groups].flatMap(([id, waiting]) => {
    if (id === undefined) return [];
    const facts = { id: shown(id, 200), count: waiting.length };
    return finish({ code, path: '$', facts }, feed, (waiting[0] as { id: string }).id);
  });
}
