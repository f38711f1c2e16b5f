import { nearest } from '../../../nearest.ts';
import type { Details, Place, RecordKind } from '../../../opportunity/records.ts';
import { conceptKey, foldedKey } from '../../../search/document.ts';
import { type Filters, LEVELS, type NamesFilter } from '../../../search/filters.ts';
import type { FilterProblem } from '../../../search/query.ts';
import { termsOf } from '../../../search/terms.ts';
import { understand } from '../../../search/words.ts';
import { effectiveSeries, type KeyList, type Reader, recordOf, type TermGroup } from '../../../store/index.ts';
import { accessibilitySupport, activityList, facilityTypes } from '../../../vocabulary/shipped.ts';
import { isKey } from '../../head.ts';
import { hasGroup, isFound } from './matching.ts';
import { knownPlace } from './places.ts';
import { wordGroups } from './word-groups.ts';

/** Values of the address that neither a vocabulary nor the data has. */

/** The keys of a level: `Beginner` and `Beginners` are one. */
export function levelKeys(level: string): string[] {
  const key = foldedKey(level);
  return [key, key.endsWith('s') ? key.slice(0, -1) : `${key}s`];
}

/** The keys of accessibility support; `any` has the keys of all. */
export function supportKeys(text: string): string[] {
  const vocabulary = accessibilitySupport();
  return text === 'any' ? vocabulary.concepts.map(({ id }) => id) : [conceptKey(text, vocabulary)];
}

/** The key of an activity or of a type of facility. */
export function activityKey(text: string): string {
  return conceptKey(text, activityList(), facilityTypes());
}

/** The problems of unknown names. `filters`: those of the address, as filters of words are never a problem. */
export async function unknownValues(read: Reader, kind: RecordKind, filters: Filters): Promise<FilterProblem[]> {
  const found = (Object.keys(PROBLEMS) as NamesFilter[]).flatMap((name) =>
    (filters[name] ?? []).map((value) => PROBLEMS[name](read, kind, value)),
  );
  return (await Promise.all(found)).filter((one) => one !== undefined);
}

type MaybeProblem = Promise<FilterProblem | undefined>;

const PROBLEMS: Readonly<Record<NamesFilter, (read: Reader, kind: RecordKind, value: string) => MaybeProblem>> = {
  activity: activityProblem,
  level: levelProblem,
  accessible: supportProblem,
  place: placeProblem,
  series: seriesProblem,
  organizer: organizerProblem,
};

async function activityProblem(read: Reader, kind: RecordKind, value: string): MaybeProblem {
  const key = activityKey(value);
  const isConcept = [activityList(), facilityTypes()].some((vocabulary) => vocabulary.byId(key) !== undefined);
  if (isConcept || (await has(read, kind, 'activities', [key]))) return undefined;
  const meant = activityList().nearest(value)?.prefLabel;
  return notBorne('activity', value, 'an activity of the activity list, or one in the data', meant);
}

async function levelProblem(read: Reader, kind: RecordKind, value: string): MaybeProblem {
  const keys = levelKeys(value);
  if (LEVELS.some((level) => keys.includes(foldedKey(level))) || (await has(read, kind, 'levels', keys)))
    return undefined;
  return notBorne('level', value, `${LEVELS.join(', ')}, or a level in the data`, nearest(value, LEVELS));
}

async function supportProblem(read: Reader, kind: RecordKind, value: string): MaybeProblem {
  const keys = supportKeys(value);
  const vocabulary = accessibilitySupport();
  const isConcept = value === 'any' || keys.some((key) => vocabulary.byId(key) !== undefined);
  if (isConcept || (await has(read, kind, 'accessibility', keys))) return undefined;
  const labels = vocabulary.concepts.map(({ prefLabel }) => prefLabel);
  // `wheelchair` is a word for support, and `hearing` the beginning of its name.
  const { accessible: [understood] = [] } = understand(value, { today: '1970-01-01' }).filters;
  const begun = labels.find((label) => label.toLowerCase().startsWith(value.toLowerCase()));
  const meant = vocabulary.nearest(value)?.prefLabel ?? understood ?? begun;
  return notBorne('accessible', value, ['any', ...labels].join(', '), meant);
}

async function placeProblem(read: Reader, _kind: RecordKind, value: string): MaybeProblem {
  if (await isKeyOf(read, 'place', value)) return undefined;
  const keys = [foldedKey(value)];
  if ((await has(read, 'place', 'places', keys)) || (await has(read, 'series', 'places', keys))) return undefined;
  const problem = notBorne(
    'place',
    value,
    'the key or the name of a place in the data',
    await likeNamed(read, 'place', value),
  );
  const isAround = (await knownPlace(read, value))?.position !== undefined;
  return isAround ? { ...problem, instead: { name: 'near', value } } : problem;
}

async function seriesProblem(read: Reader, kind: RecordKind, value: string): MaybeProblem {
  if ((await isKeyOf(read, kind, value)) || (await has(read, kind, 'names', [foldedKey(value)]))) return undefined;
  return notBorne('series', value, 'the key or the name of a series in the data', await likeNamed(read, kind, value));
}

async function organizerProblem(read: Reader, kind: RecordKind, value: string): MaybeProblem {
  if (await has(read, kind, 'organizers', [foldedKey(value)])) return undefined;
  return notBorne(
    'organizer',
    value,
    'the id or the name of an organiser in the data',
    await organizerLike(read, value),
  );
}

function notBorne(
  name: FilterProblem['name'],
  value: string,
  allowed: string,
  meant: string | undefined,
): FilterProblem {
  return { name, value, allowed, ...(meant !== undefined && { nearest: meant }) };
}

async function has(read: Reader, kind: RecordKind, list: KeyList, keys: readonly string[]): Promise<boolean> {
  return isFound(read, { kind, keys: { [list]: keys } });
}

/** Whether a key is of a record of a kind, a withdrawn one too. */
async function isKeyOf(read: Reader, kind: RecordKind, key: string): Promise<boolean> {
  return isKey(key) && (await read.calendarByKey(key))?.kind === kind;
}

/** The most words of a name for which a similar one is looked for. */
const MOST_WORDS = 8;

/** The most records whose names are compared. */
const MOST_LIKE = 20;

/** The name of a record that has these words, with one typing error forgiven in each. */
async function likeNamed(read: Reader, kind: RecordKind, text: string): Promise<string | undefined> {
  return nameWith(await namedBy(read, kind, text), read, kind, ({ name }) => name);
}

async function organizerLike(read: Reader, text: string): Promise<string | undefined> {
  return nameWith(await namedBy(read, 'series', text), read, 'series', ({ organizer }) => organizer?.name);
}

/** The first such name that has all words itself: records are found by their other names too. */
async function nameWith(
  words: TermGroup[],
  read: Reader,
  kind: RecordKind,
  nameOf: (named: Pick<Details, 'name' | 'organizer'>) => string | undefined,
): Promise<string | undefined> {
  for (const { record } of await read.search({ kind, words }, MOST_LIKE)) {
    const row = await read.recordById(record);
    const name =
      row && nameOf(kind === 'series' ? (await effectiveSeries(read, row)).details : (recordOf(row) as Place));
    const terms = termsOf(name ?? '');
    if (words.every((group) => hasGroup([terms], group))) return name;
  }
  return undefined;
}

/** The words of a text as groups to be looked for in names; a text without words becomes a group that nothing has. */
async function namedBy(read: Reader, kind: RecordKind, text: string): Promise<TermGroup[]> {
  const some = foldedKey(text).split(' ').slice(0, MOST_WORDS).join(' ');
  const { wanted } = await wordGroups(read, kind, some, false);
  return wanted.length === 0 ? [{ any: [['']] }] : wanted.map((group) => ({ ...group, within: 'names' }));
}
