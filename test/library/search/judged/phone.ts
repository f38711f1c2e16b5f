import type { OccurrenceItem } from '../../../../src/library/search/types.ts';
import type { Town } from '../town.ts';
import { everything, rightBy } from './judge.ts';

/** Questions as people type them on a phone. What is right is said by fields of the data, and by nothing of the search. */

/** The question, filters of right answers, what their name, activity or category says, and what else is so of them. */
export type Asked = readonly [
  question: string,
  filters: string,
  meant: RegExp,
  more?: (item: OccurrenceItem) => boolean,
];

export const SWIM = /swim|aqua|early bird lanes|splash tots/i;
export const YOGA = /yoga|vinyasa/i;

type Check = (item: OccurrenceItem) => boolean;

const kindOf = ({ name, series, details: { activity = [], category = [] } }: OccurrenceItem): string =>
  [name, series.name, ...activity, ...category].join(' | ');

export const by =
  (name: RegExp): Check =>
  ({ organizer }) =>
    name.test(organizer?.name ?? '');
export const at =
  (name: RegExp): Check =>
  ({ place, details }) =>
    name.test(`${place?.name} ${details.location?.name}`);
export const leader =
  (name: RegExp): Check =>
  ({ details }) =>
    name.test((details.leader ?? []).join());
export const not =
  (kind: RegExp): Check =>
  (item) =>
    !kind.test(kindOf(item));
export const notFor =
  (gender: 'FemaleOnly' | 'MaleOnly'): Check =>
  ({ details }) =>
    details.gender !== gender;
export const adult: Check = ({ age }) => (age?.max ?? 99) > 18;
export const offline: Check = ({ details }) => details.attendance !== 'online';
export const minutes =
  (max: number, min = 0): Check =>
  ({ start, end }) =>
    end - start <= max * 60_000 && end - start >= min * 60_000;

/** Questions whose first occurrence is none of the right ones, and those that find something where nothing is right. */
export async function wrongOf({ library }: Town, asked: readonly Asked[]): Promise<string[]> {
  const all = await everything(library, '2026-12-22');
  const wrong: string[] = [];
  for (const [question, filters, meant, more = () => true] of asked) {
    const right = rightBy(all, filters, meant).filter(more);
    const [first] = (await library.search.occurrences({ q: question }, { limit: 1 })).items;
    const isRight = right.some(({ series, start }) => series.key === first?.series.key && start === first.start);
    if (!isRight && !(right.length === 0 && first === undefined)) wrong.push(question);
  }
  return wrong;
}
