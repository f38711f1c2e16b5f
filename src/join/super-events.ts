import { identOf } from '../opportunity/identity.ts';
import type { Series, Session } from '../opportunity/records.ts';
import { finder, sourcesOf } from '../recurrence/replacements.ts';
import { keysOf, subEventKey } from './keys.ts';

/**
 * Finds the series of sessions that name none (semantics 2): one that names the session in its `subEvent`, else one whose
 * Schedule generates its `@id`. The first by identity wins, so that nothing depends on the order of arrival. Pure.
 */

/**
 * The most series that are compared for one key, the first by identity. Ids of a template that more series share do not
 * distinguish them; without a bound each of its sessions would be compared with all of them.
 */
export const MOST_CANDIDATES = 20;

/** `of`: the result for its sessions. `series`: as `effectiveSeries` returns it. `publisher`: the key of its publisher. */
export interface CandidateSeries<T> {
  of: T;
  series: Series;
  publisher: string;
}

interface Candidate<T> {
  of: T;
  ident: string;
  series: Series;
  generates: ((session: Session) => boolean) | undefined;
}

/** The series that takes a session of a publisher; undefined: the session names its own, or none takes it. */
export type SuperEvents<T> = (session: Session, publisher: string) => T | undefined;

/** Series by publisher and key, to find those of sessions. A session joins only series of its own publisher. */
export function superEvents<T>(all: readonly CandidateSeries<T>[]): SuperEvents<T> {
  const byKey = new Map<string, Candidate<T>[]>();
  const keyed = all.flatMap(({ of, series, publisher }) => {
    const candidate = { of, series, ident: identOf(series.id), generates: undefined };
    return keysOf(series).map((key) => ({ key: `${publisher} ${key}`, candidate }));
  });
  for (const [key, same] of Map.groupBy(keyed, ({ key }) => key)) {
    const candidates = same.map(({ candidate }) => candidate).sort((a, b) => (a.ident < b.ident ? -1 : 1));
    byKey.set(key, candidates.slice(0, MOST_CANDIDATES));
  }
  return (session, publisher) => {
    if (byKey.size === 0) return undefined;
    const named = subEventKey(identOf(session.id));
    for (const key of keysOf(session)) {
      const candidates = byKey.get(`${publisher} ${key}`) ?? [];
      const candidate = key === named ? candidates[0] : candidates.find((one) => generates(one, session));
      if (candidate !== undefined) return candidate.of;
    }
    return undefined;
  };
}

function generates<T>(candidate: Candidate<T>, session: Session): boolean {
  candidate.generates ??= generator(candidate.series);
  return candidate.generates(session);
}

/** Makes a function that decides whether a Schedule of the series generates the `@id` of a session. */
function generator(series: Series): (session: Session) => boolean {
  const templated = sourcesOf(series).filter(({ read }) => read !== undefined);
  if (templated.length === 0) return () => false;
  const find = finder(templated);
  return (session) => find(session)?.how === 'id';
}
