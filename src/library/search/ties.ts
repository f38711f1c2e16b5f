import { compareText } from '../../opportunity/ids.ts';
import type { Series, Session } from '../../opportunity/records.ts';
import { templateFiller } from '../../recurrence/templates.ts';
import { type FoundOccurrence, type Reader, recordOf } from '../../store/index.ts';

/** What orders occurrences that start together. */

/** By id, or those of a series beside each other. */
export type Order = 'id' | 'series';

export type Tied = [found: FoundOccurrence, tie: string];

/** What an occurrence is called. */
interface Names {
  /** `@id`, where one is stated. */
  id?: string;
  /** `Session.id` of an explicit one, stated or standing in. */
  session?: string;
  /** `Series.id`. */
  series: string;
}

/** Ids come first, those without one before all; then what keeps the order the same. */
export function tieOf(
  { series, session = 0, schedule = 0 }: FoundOccurrence,
  names: Names,
  order: Order = 'id',
): string {
  if (order === 'series') return String(series);
  // No id has a line break, and none has what comes before it.
  const name = names.id === undefined ? `\n${names.session ?? names.series}` : names.id;
  return `${name}\n${series} ${session} ${schedule}`;
}

/** Ties in their order, by the texts of records alone: nothing else is read of records on other pages. */
export async function tiesOf(read: Reader, found: readonly FoundOccurrence[], order: Order = 'id'): Promise<Tied[]> {
  const nameOf = order === 'series' ? () => ({ series: '' }) : await namesIn(read, found);
  const tied = found.map((one): Tied => [one, tieOf(one, nameOf(one), order)]);
  return tied.sort(([, a], [, b]) => compareText(a, b));
}

async function namesIn(read: Reader, found: readonly FoundOccurrence[]): Promise<(one: FoundOccurrence) => Names> {
  const bodies = await read.bodies([...new Set(found.map(({ series, session }) => session ?? series))]);
  const records = new Map([...bodies].map(([row, body]) => [row, recordOf({ body })]));
  return ({ series, session, schedule, start, end = start }) => {
    if (session !== undefined) {
      const { id, idStated } = (records.get(session) ?? {}) as Partial<Session>;
      return { series: '', ...(id !== undefined && (idStated ? { id } : { session: id })) };
    }
    const { id = '', schedules = [] } = (records.get(series) ?? {}) as Partial<Series>;
    const template = schedules.find(({ index }) => index === schedule)?.idTemplate;
    return { series: id, ...(template !== undefined && { id: templateFiller(template)(start, end) }) };
  };
}

/** In pieces of at least this size, cut between different ties. */
export function piecesOf(tied: readonly Tied[], size: number): FoundOccurrence[][] {
  const pieces: FoundOccurrence[][] = [];
  for (const [at, [one, tie]] of tied.entries()) {
    const last = pieces.at(-1);
    if (last === undefined || (last.length >= size && tied[at - 1]?.[1] !== tie)) pieces.push([one]);
    else last.push(one);
  }
  return pieces;
}
