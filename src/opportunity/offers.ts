import { shown } from './findings.ts';
import { isObject, type Json } from './item/json.ts';
import { at, first, isEmpty, many, note, noteOnce, noteProperty, type Part, partAt } from './item/reading.ts';
import { lineOf, objectReader, toNumber, urlOf } from './item/values.ts';
import { bareName } from './item/vocabulary.ts';
import { MAX_LIST } from './limits.ts';
import type { Offer } from './properties.ts';

/** The prices of an object: `offers`, and `isAccessibleForFree` where there are none. */

export function offersOf(part: Part, property: string): Offer[] | undefined {
  if (property === 'isAccessibleForFree') return isFree(part) ? [{ price: 0 }] : undefined;
  const offers = many(part, property, MAX_LIST)
    .map((value, index) => offerFrom(part, property, value, index))
    .filter((offer) => offer !== undefined);
  const costs = offers.length > 0 && offers.every(({ price = 0 }) => price > 0);
  if (costs && part.from.isAccessibleForFree === true) note(at(part, 'isAccessibleForFree'), 'free-with-price');
  return offers.length === 0 ? undefined : offers;
}

/** Whether `isAccessibleForFree` is true, or the text `true`. */
function isFree(part: Part): boolean {
  const value = first(part, 'isAccessibleForFree');
  if (value !== undefined && typeof value !== 'boolean') {
    const facts = { expected: 'true or false', value: shown(value) };
    noteProperty(part, 'isAccessibleForFree', 'value-of-wrong-type', facts);
  }
  return value === true || (typeof value === 'string' && bareName(value).toLowerCase() === 'true');
}

/** An offer of an object; a text, which may have any form, is noted and not read. */
function offerFrom(part: Part, property: string, value: Json, index: number): Offer | undefined {
  if (isObject(value)) return offerOf(partAt(part, value, property, index));
  if (!isEmpty(value)) note(at(part, property, index), 'offer-not-an-object', { value: shown(value) });
  return undefined;
}

const offerOf = objectReader<Offer>({
  name: lineOf,
  price: priceOf,
  currency: (part) => {
    const word = lineOf(part, 'priceCurrency') ?? moneyOf(first(part, 'price'))?.currency;
    const currency = currencyOf(word);
    if (currency === '') note(at(part, 'priceCurrency'), 'currency-unknown', { value: shown(word) });
    return currency === '' && isEmpty(part.from.price) ? undefined : currency;
  },
  url: urlOf,
});

/** The code of a currency; empty: one is stated that cannot be read (semantics 2.6). */
function currencyOf(word: string | undefined): string | undefined {
  if (word === undefined || /^[A-Z]{3}$/.test(word)) return word;
  const name = bareName(word);
  return /^[A-Za-z]{3}$/.test(name) ? name.toUpperCase() : '';
}

/** The amount of a price, and the currency where its text names one: `£5.50`. Undefined: it is no price. */
export function priceIn(value: Json | undefined): { amount: number; currency?: string | undefined } | undefined {
  const amount = value === undefined ? undefined : toNumber(value);
  return amount === undefined ? moneyOf(value) : { amount };
}

function priceOf(part: Part): number | undefined {
  if (isEmpty(part.from.price)) return undefined;
  const value = first(part, 'price') as Json;
  const price = priceIn(value)?.amount;
  if (price === undefined || price < 0 || price > 1_000_000) {
    note(at(part, 'price'), 'price-invalid', { value: shown(value) });
    return undefined;
  }
  if (typeof value === 'string') noteOnce(at(part, 'price'), 'price-as-text', { value: shown(value) });
  return price;
}

/** An amount as people write it, with the currency where it names one: `£5.50`, `5,50`, `1,250.00 EUR`. */
function moneyOf(value: Json | undefined): { amount: number; currency?: string | undefined } | undefined {
  const match = typeof value === 'string' && value.length <= 40 ? MONEY.exec(value.trim()) : null;
  if (match === null) return value === 'Free' || value === 'free' ? { amount: 0 } : undefined;
  const [, before, whole = '', decimals = '0', after] = match;
  const sign = (before ?? after)?.toUpperCase();
  return { amount: Number(`${whole.replaceAll(',', '')}.${decimals}`), currency: sign && (SIGNED[sign] ?? sign) };
}

const MONEY = /^(?:(£|€|GBP|EUR)\s?)?(\d{1,3}(?:,\d{3})+|\d{1,7})(?:[.,](\d\d?))?(?:\s?(£|€|GBP|EUR))?$/i;
const SIGNED: Readonly<Record<string, string>> = { '£': 'GBP', '€': 'EUR' };
