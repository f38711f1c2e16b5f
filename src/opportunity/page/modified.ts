import { parseMoment } from '../../time/iso-text.ts';

/** Digits, with a sign or without. */
export const INTEGER = /^-?\d+$/;

const NUMBER = /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i;

/** The forms of `modified`, in the order for claims on one record: feeds that change their form change to numbers. */
const FORMS = ['missing', 'other', 'date', 'number'] as const;

/** A value of `modified` by its form. Dates are read to compare their spellings alone; none is compared with a clock. */
interface Value {
  form: (typeof FORMS)[number];
  /** Numbers and bigints compare exactly with each other. */
  value: bigint | number | string;
}

/**
 * Orders two values of `modified`: an empty one, then texts by code unit, then dates by value, then numbers by value.
 * The order is total, because copies arrive in any order. Negative, 0 or positive.
 *
 * @example
 * ```ts
 * const oldestFirst = parsePage(text).items.sort((a, b) => compareModified(a.modified, b.modified));
 * ```
 */
export function compareModified(a: string, b: string): number {
  if (a === b) return 0;
  const [one, other] = [modifiedValue(a), modifiedValue(b)];
  return FORMS.indexOf(one.form) - FORMS.indexOf(other.form) || compareValues(one, other);
}

/**
 * Orders a copy of an item against an earlier one in its feed, by their `modified` (semantics 1.2). Two numbers and two dates
 * are compared. Otherwise the later copy is newer, because a feed appends its changes.
 */
export function compareArrived(later: string, earlier: string): number {
  if (later === earlier) return 0;
  const [one, other] = [modifiedValue(later), modifiedValue(earlier)];
  const isComparable = one.form === other.form && (one.form === 'number' || one.form === 'date');
  return isComparable ? compareValues(one, other) : 1;
}

/** Whether two values of `modified` are both numbers, both dates, or both something else. */
export function haveOneForm(a: string, b: string): boolean {
  return modifiedValue(a).form === modifiedValue(b).form;
}

function compareValues({ value: a }: Value, { value: b }: Value): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function modifiedValue(text: string): Value {
  if (INTEGER.test(text)) return { form: 'number', value: BigInt(text) };
  if (text === '') return { form: 'missing', value: '' };
  if (NUMBER.test(text)) return { form: 'number', value: Number(text) };
  const moment = parseMoment(text);
  if (moment === undefined || moment.kind === 'far') return { form: 'other', value: text };
  const ms = moment.kind === 'instant' ? moment.instant : moment.wall;
  const fraction = /[.,](\d+)/.exec(text)?.[1] ?? '';
  return { form: 'date', value: BigInt(ms) * 1_000_000n + BigInt(fraction.padEnd(9, '0')) };
}
