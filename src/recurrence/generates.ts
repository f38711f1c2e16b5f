import type { Series, Session } from '../opportunity/records.ts';
import { finder, sourcesOf } from './claim.ts';

/** Tells of a session whether a Schedule of the series generates its `@id`. */
export function generator(series: Series): (session: Session) => boolean {
  const templated = sourcesOf(series).filter(({ read }) => read !== undefined);
  if (templated.length === 0) return () => false;
  const find = finder(templated);
  return (session) => find(session)?.how === 'id';
}
