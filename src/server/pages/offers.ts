import type { Offer } from '../../opportunity/records.ts';
import { safeLink } from '../links.ts';
import { amountWords } from './wording.ts';

/** Which offer is shown first, and which one a link leads to. */

const ADULT = /\b(?:adult|standard|full|general|non[- ]?member)/i;

/** Offers, with those for adults and those without a name first. */
export function adultFirst(offers: readonly Offer[]): Offer[] {
  const rank = ({ name }: Offer) => (name === undefined || ADULT.test(name) ? 0 : 1);
  return offers.toSorted((a, b) => rank(a) - rank(b));
}

/** The first offer with a safe address. */
export function offerToBook(offers: readonly Offer[]): Offer | undefined {
  return adultFirst(offers).find(({ url }) => safeLink(url) !== undefined);
}

/** `Book`, `Book, £6.50`, `Book, free` */
export function bookWords({ price, currency }: Offer): string {
  if (price === undefined) return 'Book';
  return `Book, ${price === 0 ? 'free' : amountWords(price, currency)}`;
}
