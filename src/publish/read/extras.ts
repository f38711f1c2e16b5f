import { textsOf } from '../../ical/content.ts';
import type { ContentLine } from '../../ical/content-line.ts';
import { lineOf, linesOf, type ReadComponent, textIn } from '../../ical/read.ts';
import { toLine, toLines } from '../../opportunity/item/text.ts';
import { MAX_LINE, MAX_TEXT } from '../../opportunity/limits.ts';
import { MAX_CATEGORIES, MAX_IMAGES, MAX_LOCATION } from '../limits.ts';
import { type Context, placeOf } from './context.ts';
import type { Price } from './model.ts';

/** Pictures of an event, and its price, which exports of booking systems have. */

const PICTURE = /\.(?:avif|gif|jpe?g|png|svg|webp)$/i;

/** IMAGE (RFC 7986 5.10), and ATTACH of a picture, where it has an address. */
export function imagesOf(component: ReadComponent): string[] {
  const images = linesOf(component, 'IMAGE').map(({ value }) => value);
  const attached = linesOf(component, 'ATTACH').filter(isPicture);
  const addresses = [...images, ...attached.map(({ value }) => value)].map((value) => value.trim());
  return [...new Set(addresses.filter(isWebAddress))];
}

/** A finding for each text or list that is cut, and for properties without a use, with their number. */
export function reportLosses(component: ReadComponent, context: Context, uid: string): void {
  const cuts: [name: string, isCut: boolean, most: number, unit: string][] = [
    ['SUMMARY', toLine(textIn(component, 'SUMMARY') ?? '').cut ?? false, MAX_LINE, 'characters'],
    ...['DESCRIPTION', 'CONTACT'].map((name): [string, boolean, number, string] => [
      name,
      toLines(textIn(component, name) ?? '').cut ?? false,
      MAX_TEXT,
      'characters',
    ]),
    ['LOCATION', (textIn(component, 'LOCATION') ?? '').length > MAX_LOCATION, MAX_LOCATION, 'characters'],
    ['CATEGORIES', categoriesOf(component).length > MAX_CATEGORIES, MAX_CATEGORIES, 'labels'],
    ['IMAGE', imagesOf(component).length > MAX_IMAGES, MAX_IMAGES, 'pictures'],
  ];
  for (const [name, isCut, most, unit] of cuts)
    if (isCut) context.report('value-cut', uid, placeIn(component, name), { name, most, unit });
  for (const [name, lines] of [
    ['ATTACH', linesOf(component, 'ATTACH').filter((line) => !isPicture(line) || !isWebAddress(line.value.trim()))],
    ['COMMENT', linesOf(component, 'COMMENT')],
  ] as const)
    if (lines[0]) context.report('property-not-read', uid, placeOf(lines[0]), { name, count: lines.length });
}

/** The line of a property, or of the event where another property has the value. */
function placeIn(component: ReadComponent, name: string): string {
  return placeOf(lineOf(component, name) ?? { line: component.line, name });
}

export function categoriesOf(component: ReadComponent): string[] {
  return linesOf(component, 'CATEGORIES').flatMap(({ value }) => textsOf(value));
}

function isPicture({ params, value }: ContentLine): boolean {
  const type = params.get('FMTTYPE');
  return type === undefined ? PICTURE.test(value.trim().replace(/[?#].*$/s, '')) : /^image\//i.test(type);
}

/** Whether a text is an address that people can open. */
export function isWebAddress(text: string): boolean {
  return text.length <= 2048 && /^https?:\/\//i.test(text) && URL.canParse(text);
}

const PRICES = ['X-COST', 'X-PRICE', 'X-EVENT-COST', 'X-TICKET-PRICE', 'COST', 'PRICE'];

/** The price of an event, in a property that iCalendar does not have; one that is no single amount is a finding. */
export function statedPrice(component: ReadComponent, context: Context, item: string): Price | undefined {
  const name = PRICES.find((one) => textIn(component, one) !== undefined);
  const text = name === undefined ? undefined : textIn(component, name);
  const isFree = textIn(component, 'X-COST-TYPE')?.toLowerCase() === 'free';
  if (text === undefined && !isFree) return undefined;
  const price = text === undefined ? { amount: 0 } : amountIn(text);
  if (price === undefined) {
    const line = lineOf(component, name as string) ?? component;
    context.report('price-unreadable', item, placeOf(line), { value: (text as string).slice(0, 60) });
    return undefined;
  }
  const url = textIn(component, 'X-TICKETS-URL');
  return { ...price, ...(url !== undefined && isWebAddress(url) && { url }) };
}

const SYMBOLS: Record<string, string> = { '£': 'GBP', '€': 'EUR' };
const AMOUNT = /^(£|€|[A-Z]{3})?\s?(\d{1,6}(?:[.,]\d{1,2})?)\s?(£|€|[A-Z]{3})?$/;

/** `£5`, `4.50`, `5,00 EUR`, `free`. A dollar is that of many countries. */
function amountIn(text: string): Price | undefined {
  if (/^(?:free|gratis|kostenlos|no charge)$/i.test(text)) return { amount: 0 };
  const [, before, digits, after] = AMOUNT.exec(text) ?? [];
  if (digits === undefined || (before !== undefined && after !== undefined)) return undefined;
  const unit = before ?? after;
  const amount = Number(digits.replace(',', '.'));
  if (unit === undefined) return { amount };
  const currency = SYMBOLS[unit] ?? CURRENCIES.find((one) => one === unit);
  return currency === undefined ? undefined : { amount, currency };
}

const CURRENCIES = Intl.supportedValuesOf('currency');
