import { compareText } from '../../opportunity/ids.ts';
import type { Series, Session } from '../../opportunity/records.ts';
import { templateFiller } from '../../recurrence/templates.ts';
import { type FoundOccurrence, type Reader, recordOf } from '../../store/index.ts';

/** The order of occurrences with the same start. */

/** `id`: by `@id`. `series`: by series. */
export type Order = 'id' | 'series';

/** An occurrence with the key by which it is ordered. */
export type Tied = [found: FoundOccurrence, tie: string];

/** The ids of an occurrence. */
interface Names {
  /** `@id`, where one is stated. */
  id?: string;
  /** `Session.id` of an explicit session, stated or a stand-in id. */
  session?: string;
  /** `Series.id`. */
  series: string;
}

/** The key of an occurrence: occurrences without `@id` sort first, then by `@id`. Rows at its end make the order total. */
export function tieOf(
  { series, session = 0, schedule = 0 }: FoundOccurrence,
  names: Names,
  order: Order = 'id',
): string {
  if (order === 'series') return String(series);
  // No id has a line break, or a character that sorts before it.
  const name = names.id === undefined ? `\n${names.session ?? names.series}` : names.id;
  return `${name}\n${series} ${session} ${schedule}`;
}

/** Occurrences with their keys, sorted. Only stored texts are read, because most of these records are on other pages. */
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

/** Sorted occurrences in pieces of at least `size`, cut only between different keys. */
export function piecesOf(tied: readonly Tied[], size: number): FoundOccurrence[][] {
  const pieces: FoundOccurrence[][] = [];
  for (const [at, [one, tie]] of tied.entries()) {
    const last = pieces.at(-1);
    if (last === undefined || (last.length >= size && tied[at - 1]?.[1] !== tie)) pieces.push([one]);
    else last.push(one);
  }
  return pieces;
}
