import { defined } from '../../../opportunity/records.ts';
import { foldedKey } from '../../../search/document.ts';
import { FILTER_NAMES, type FilterName, type Filters, type FilterValues } from '../../../search/filters.ts';
import type { SearchQuery } from '../../../store/index.ts';
import { activityKey, levelKeys, supportKeys } from './unknown.ts';

/** Each filter as a part of a `SearchQuery`. */

/**
 * Where a filter acts whose value alone makes no part of a query. `words`, `rows` and `position`: in `resolve`, which reads the
 * index first. `times`: in `LocalTimes`, for each occurrence. `window`: in `StoredSearch`.
 */
type AskedElsewhere = 'words' | 'rows' | 'position' | 'times' | 'window';

const ASKED: {
  readonly [N in keyof FilterValues]: ((value: FilterValues[N]) => Partial<SearchQuery>) | AskedElsewhere;
} = {
  q: 'words',
  activity: (names) => ({ keys: { activities: names.map(activityKey) } }),
  place: 'rows',
  series: 'rows',
  organizer: (names) => ({ keys: { organizers: names.map(foldedKey) } }),
  near: 'position',
  within: 'position',
  day: 'times',
  after: 'times',
  before: 'times',
  from: 'times',
  to: 'times',
  age: (age) => ({ age: defined(age) as NonNullable<SearchQuery['age']> }),
  level: (names) => ({ keys: { levels: names.flatMap(levelKeys) } }),
  gender: (gender) => (gender === 'NoRestriction' ? { notGender: 'either' } : { gender }),
  free: () => ({ keys: { offers: ['free'] } }),
  maxPrice: (maxPrice) => ({ maxPrice }),
  online: (online) => ({ online }),
  accessible: (names) => ({ keys: { accessibility: names.flatMap(supportKeys) } }),
  cancelled: 'window',
};

/** The part of a query that follows from the values of filters alone. */
export function queryOfValues(filters: Filters): Partial<SearchQuery> {
  const parts = FILTER_NAMES.map((name) => queryOfValue(name, filters));
  const keys = Object.assign({}, ...parts.map((part) => part.keys));
  return { ...Object.assign({}, ...parts), ...(Object.keys(keys).length > 0 && { keys }) };
}

function queryOfValue<N extends FilterName>(name: N, filters: Filters): Partial<SearchQuery> {
  const [value, asked] = [filters[name] as FilterValues[N] | undefined, ASKED[name]];
  return value === undefined || typeof asked === 'string' ? {} : asked(value);
}
