import { type ByKind, type Details, type Offer, ROWS } from '../../opportunity/properties.ts';
import { inherit, type Series, type Session, shownCurrency } from '../../opportunity/records.ts';
import { isNearZero, isOnline } from '../../opportunity/whereabouts.ts';
import type { CalendarEvent } from '../objects.ts';
import { patternsOf } from './partial-schedules.ts';

/** The texts of events for people, out of records: plain, and in English like the vocabulary of OpenActive. */

/** The part of an event that does not depend on when it is. */
export type Wording = Pick<CalendarEvent, 'summary' | 'description' | 'location' | 'categories'>;

export interface WordingOptions {
  /** The credit of the publisher: the last line of every description. */
  attribution?: string | undefined;
  /** Show `remainingAttendeeCapacity`; it changes all day (semantics 6). */
  placesLeft?: boolean;
}

/** Wording of a series' masters and of its sessions. Sessions without details share the objects of the series. */
export interface Words {
  master: Wording;
  of(session: Session): Wording;
}

const made = new WeakMap<Series, { options: WordingOptions; words: Words }>();

/** The words of a series, memoised, because callers ask for its sessions one at a time. */
export function wordsOf(series: Series, options: WordingOptions): Words {
  const known = made.get(series);
  if (known !== undefined && sameOptions(known.options, options)) return known.words;
  const words = makeWords(series, options);
  made.set(series, { options, words });
  return words;
}

function sameOptions(a: WordingOptions, b: WordingOptions): boolean {
  return a.attribution === b.attribution && a.placesLeft === b.placesLeft;
}

function makeWords(series: Series, options: WordingOptions): Words {
  const timesAt = patternsOf(series);
  const { attribution } = options;
  const fixed = fixedOf(series.details, series.type);
  const isNamed = summaryOf(series.details, '') !== '';
  const made = new Map<string, { text: SharedText; wording: Wording }>();
  const shared = (times: readonly string[]) => {
    const key = times.join('\n');
    let entry = made.get(key);
    if (entry === undefined) {
      const text = textOf(series.details, times);
      entry = { text, wording: { ...fixed, ...description(text, { attribution, url: series.url }) } };
      made.set(key, entry);
    }
    return entry;
  };
  return {
    // Generated occurrences have the text of the series.
    master: shared([]).wording,
    of: (session) => {
      const { url = series.url, details, type, start } = session;
      const times = start === undefined ? [] : timesAt(start);
      const left = options.placesLeft === true ? session.remainingAttendeeCapacity : undefined;
      const last = { attribution, url, left };
      if (isNamed && isEmpty(details)) {
        const { text, wording } = shared(times);
        return url === series.url && left === undefined ? wording : { ...fixed, ...description(text, last) };
      }
      const effective = inherit(series.details, details, true);
      return { ...fixedOf(effective, type), ...description(textOf(effective, times), last) };
    },
  };
}

function isEmpty(details: Details): boolean {
  for (const _ in details) return false;
  return true;
}

/** The part of a wording that depends on nothing but the details. */
function fixedOf(details: Details, type: string): Wording {
  const location = locationOf(details);
  const categories = [...new Set([...(details.activity ?? []), ...(details.category ?? [])])];
  return {
    summary: summaryOf(details, type),
    ...(location !== undefined && { location }),
    ...(categories.length > 0 && { categories }),
  };
}

/** The name, else the activity, else the type in words (`Scheduled Session`). */
export function summaryOf({ name, activity }: Details, type: string): string {
  return (
    name ??
    (activity !== undefined && activity.length > 0 ? activity.join(', ') : type.replace(/(?<=[a-z])(?=[A-Z])/g, ' '))
  );
}

/** The part of a description that sessions share, and whether it ends in facts. */
interface SharedText {
  text: string;
  hasFacts: boolean;
  most: number | undefined;
}

function textOf(details: Details, usual: readonly string[]): SharedText {
  const lines = [...usual, ...factsOf(details)];
  const text = [details.description, lines.join('\n')].filter((part) => part).join('\n\n');
  return { text, hasFacts: lines.length > 0, most: details.maximumAttendeeCapacity };
}

interface LastLines {
  attribution: string | undefined;
  url: string | undefined;
  left?: number | undefined;
}

function description(
  { text, hasFacts, most }: SharedText,
  { attribution, url, left }: LastLines,
): Pick<Wording, 'description'> {
  let whole = text;
  let gap = hasFacts ? '\n' : '\n\n';
  const add = (line: string): void => {
    whole += whole === '' ? line : gap + line;
    gap = '\n';
  };
  if (left !== undefined) add(`Places left: ${most === undefined ? left : `${left} of ${most}`}`);
  if (url !== undefined) add(`Details: ${url}`);
  gap = '\n\n';
  if (attribution !== undefined) add(attribution);
  return whole === '' ? {} : { description: whole };
}

/** The people of a gender restriction in words. */
const FOR: Partial<Record<NonNullable<Details['gender']>, string>> = {
  FemaleOnly: 'women and girls',
  MaleOnly: 'men and boys',
};

/** The words of a value in a line of a description, by its kind; other kinds are texts or lists of them. Undefined: no line. */
const WORDS: Partial<ByKind<[details: Details], string | undefined>> = {
  organization: ({ name, telephone, email, url }) => name && listed([name, telephone, email, url]),
  brand: ({ name }) => name,
  ages,
  gender: (gender) => FOR[gender],
  attendance: (mode, { virtualLocation }) => (mode === 'offline' || virtualWords(virtualLocation) ? undefined : 'yes'),
  virtual: virtualWords,
  offers: prices,
};

const LABELLED = ROWS.filter(({ label }) => label !== undefined).map(({ name, label, kind }) => ({
  name,
  label,
  words: (WORDS[kind] ?? ((value) => listed([value].flat()))) as (
    value: unknown,
    details: Details,
  ) => string | undefined,
}));

/** `Level: Beginner`: the lines of a description that the properties with a label make. */
export function factsOf(details: Details): string[] {
  return LABELLED.flatMap(({ name, label, words }) => {
    const text = details[name] === undefined ? undefined : words(details[name], details);
    return text ? [`${label}: ${text}`] : [];
  });
}

function listed(parts: readonly unknown[]): string | undefined {
  return parts.filter((part) => part).join(', ') || undefined;
}

function virtualWords(virtual: Details['virtualLocation']): string | undefined {
  return listed([virtual?.name, virtual?.description, virtual?.url]);
}

const SIGNS: Record<string, string> = { GBP: '£', EUR: '€', USD: '$' };

/** `£5.50 (Adult), free (Under 5)`; offers without a price say nothing. */
function prices(offers: readonly Offer[]): string {
  const priced = offers.filter(({ price }) => price !== undefined);
  const usual = shownCurrency(offers);
  const shown = priced.map(({ name, price = 0, currency = usual }) => {
    const words = priceOf(price, currency);
    return name === undefined ? words : `${words} (${name})`;
  });
  return [...new Set(shown)].join(', ');
}

function priceOf(price: number, currency: string): string {
  if (price === 0) return 'free';
  const amount = amountText(price);
  const sign = SIGNS[currency];
  return sign === undefined ? `${amount} ${currency}`.trimEnd() : `${sign}${amount}`;
}

/** `5`, `7.50`; an amount that rounds to 0.00 is written in full, because it is not free. */
export function amountText(price: number): string {
  return Number.isInteger(price) || price < 0.005 ? String(price) : price.toFixed(2);
}

function ages({ min = 0, max }: NonNullable<Details['ageRange']>): string | undefined {
  if (max === undefined) return min > 0 ? `${min} and over` : undefined;
  if (min === max) return `${min}`;
  return min > 0 ? `${min}–${max}` : `up to ${max}`;
}

/** The LOCATION of an event. An online session has `Online`, or the name of its virtual place, instead of the series' place. */
export function locationOf(details: Details): CalendarEvent['location'] {
  const { location, virtualLocation } = details;
  if (isOnline(details)) return { title: oneLine(virtualLocation?.name) ?? 'Online' };
  const where = coordinatesOf(location);
  const title = oneLine(location?.name ?? location?.address) ?? (where && coordinateText(where));
  if (title === undefined) return undefined;
  const address = location?.name === undefined ? undefined : oneLine(location.address);
  return { title, ...(address !== undefined && address !== title && { address }), ...where };
}

type Coordinates = Record<'latitude' | 'longitude', number>;

/** Coordinates on the globe, without the 0, 0 of an empty form. */
function coordinatesOf({ latitude, longitude }: Details['location'] = {}): Coordinates | undefined {
  if (latitude === undefined || longitude === undefined) return undefined;
  if (Math.abs(latitude) > 90 || Math.abs(longitude) > 180) return undefined;
  return isNearZero({ latitude, longitude }) ? undefined : { latitude, longitude };
}

/** Coordinates to the metre: `52.03838, -0.78585`. */
function coordinateText({ latitude, longitude }: Coordinates): string {
  return `${Number(latitude.toFixed(5))}, ${Number(longitude.toFixed(5))}`;
}

/** LOCATION puts title and address on a line each, so neither may hold a line end (feed rule 26). */
function oneLine(text: string | undefined): string | undefined {
  const line = text?.replace(/[\r\n\u0085\u2028\u2029]+/g, ', ').trim();
  return line === '' ? undefined : line;
}
