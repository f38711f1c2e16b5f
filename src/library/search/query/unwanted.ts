import type { RecordKind } from '../../../opportunity/records.ts';
import type { Filters } from '../../../search/filters.ts';
import { queryTerms } from '../../../search/terms.ts';
import { ADULT } from '../../../search/values/context.ts';
import type { Understood, UnderstoodText } from '../../../search/words.ts';
import type { Reader, SearchQuery, TermGroup } from '../../../store/index.ts';
import { activityList } from '../../../vocabulary/shipped.ts';
import { isFound } from './matching.ts';
import { groupOf } from './term-groups.ts';

/** What is not wanted, as what is asked for instead. */

/** Names that are not wanted, as terms that stand one after the other: `walking` of `football not walking`. */
export function unwantedIn(understood: Understood | undefined): readonly (readonly string[])[] {
  return (understood?.understood ?? []).flatMap(({ unwanted }) =>
    unwanted === undefined ? [] : unwantedNames(unwanted),
  );
}

function unwantedNames(unwanted: string): readonly (readonly string[])[] {
  const terms = queryTerms(unwanted, activityList());
  const firm = terms.filter(({ optional }) => !optional);
  const meant = firm.length > 0 ? firm : terms;
  const areNames = meant.length === 1 || meant.every(({ concept }) => concept !== undefined);
  return areNames ? meant.flatMap((one) => groupOf(one).any) : [meant.flatMap(({ terms: own }) => own)];
}

/** Words without the unwanted names that nothing is called by: the index leaves out no leader, and no place. */
export async function withKnownUnwanted(read: Reader, kind: RecordKind, understood: Understood): Promise<Understood> {
  const parts: UnderstoodText[] = [];
  for (const part of understood.understood) {
    const { unwanted, ...others } = part;
    const names = unwanted === undefined ? [] : unwantedNames(unwanted);
    const isKnown =
      names.length === 0 || (await isFound(read, { kind, words: [{ any: names, phrase: true, within: 'kind' }] }));
    parts.push(isKnown ? part : others);
  }
  return { ...understood, understood: parts };
}

/** Groups that nothing fulfils which is called by one of some names. */
export function withoutUnwanted(groups: readonly TermGroup[], unwanted: TermGroup['any']): TermGroup[] {
  if (unwanted.length === 0) return [...groups];
  const [first = ANYTHING, ...others] = groups;
  return [{ ...first, not: [...(first.not ?? []), ...unwanted] }, ...others];
}

/** Every document has it. */
const ANYTHING: TermGroup = { any: [[]] };

/** The opposite of unwanted filters: adults for `for kids`, from noon on for `in the morning`. Undefined: no filter says it. */
export function oppositeOf({ age, after, before, ...others }: Filters): Filters | undefined {
  if (Object.keys(others).length > 0) return undefined;
  const opposites: Filters[] = [
    ...(age?.max !== undefined && age.max < ADULT ? [{ age: { min: ADULT } }] : []),
    ...(after === undefined && before !== undefined ? [{ after: before }] : []),
    ...(before === undefined && after !== undefined ? [{ before: after }] : []),
  ];
  return opposites.length === 1 ? opposites[0] : undefined;
}

type OppositeQuery = Pick<SearchQuery, 'notGender' | 'online'>;

/** The opposite of filters that only the index can be asked for: not for women alone, not online. Undefined: it has none. */
export function oppositeQueryOf({ gender, online, ...others }: Filters = {}): OppositeQuery | undefined {
  if (Object.keys(others).length > 0) return undefined;
  if (gender !== undefined && gender !== 'NoRestriction') return { notGender: gender };
  return online ? { online: false } : undefined;
}

/** The same of all that words do not want. */
export function oppositeQueryIn(understood: Understood | undefined): OppositeQuery {
  return Object.assign({}, ...(understood?.understood ?? []).map(({ except }) => oppositeQueryOf(except)));
}
