import { type RawFinding, shown } from '../opportunity/findings.ts';
import { isObject, type JsonObject } from '../opportunity/item/json.ts';
import { pathTo, single } from '../opportunity/item/reading.ts';
import { priceIn } from '../opportunity/offers.ts';
import { lengthOf, parseDuration } from '../time/iso-text.ts';
import type { ModelType } from './model.ts';

/** Rules that join several properties of one object, by its type. */
export function partFindings(object: JsonObject, { name }: ModelType, path: string): RawFinding[] {
  const findings: RawFinding[] = [];
  const say = (code: RawFinding['code'], property: string, facts: RawFinding['facts'] = {}) =>
    findings.push({ code, path: property === '' ? path : pathTo(path, property), facts });
  if (name === 'Offer') offer(object, say);
  if (name === 'PostalAddress') country(object, say);
  if (name === 'QuantitativeValue') range(object, path, say);
  if (name === 'ImageObject') thumbnail(object, say);
  if (object.isAccessibleWithoutBooking === false && !canBeBooked(object)) say('booking-without-offer', '');
  const { duration } = object;
  if (duration === undefined && TIMED.has(name) && isStated(object.startDate) && isStated(object.endDate)) {
    say('duration-missing', 'duration');
  }
  const parts = typeof duration === 'string' ? parseDuration(duration) : undefined;
  if (parts !== undefined && lengthOf(parts) === 0 && parts.months + parts.years === 0) {
    say('duration-zero', 'duration', { property: 'duration' });
  }
  return findings;
}

const TIMED = new Set(
  'Event SessionSeries ScheduledSession HeadlineEvent CourseInstance EventSeries Slot Schedule PartialSchedule'.split(
    ' ',
  ),
);

function isStated(value: unknown): boolean {
  return value !== undefined && value !== null;
}

type Say = (code: RawFinding['code'], property: string, facts?: RawFinding['facts']) => void;

function offer({ price, priceCurrency }: JsonObject, say: Say): void {
  if (priceCurrency === undefined) {
    const { amount, currency } = priceIn(price) ?? {};
    if (price !== undefined && amount !== 0 && currency === undefined)
      say('currency-missing', '', { price: shown(price) });
  } else if (typeof priceCurrency !== 'string' || !currencies().has(priceCurrency)) {
    say('currency-unknown', 'priceCurrency', { value: shown(priceCurrency) });
  }
}

let known: ReadonlySet<string> | undefined;

/** Codes of ISO 4217 that are in use, by this runtime. */
function currencies(): ReadonlySet<string> {
  known ??= new Set(Intl.supportedValuesOf('currency'));
  return known;
}

/** `UK` is no code of ISO 3166, and the commonest mistake. */
function country({ addressCountry }: JsonObject, say: Say): void {
  if (addressCountry === undefined || isCountry(addressCountry)) return;
  say('country-code-invalid', 'addressCountry', { value: shown(addressCountry) });
}

const NO_COUNTRIES = new Set('UK EU EZ UN XK ZZ AC CP CQ DG EA IC QO TA XA XB'.split(' '));
const names = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' });

function isCountry(value: unknown): boolean {
  return (
    typeof value === 'string' && /^[A-Z]{2}$/.test(value) && !NO_COUNTRIES.has(value) && names.of(value) !== undefined
  );
}

function range({ minValue, maxValue }: JsonObject, path: string, say: Say): void {
  const property = /([^.[\]']+)'?\]?$/.exec(path)?.[1] ?? '';
  if (minValue === undefined && maxValue === undefined) say('range-without-bounds', '', { property });
  else if (typeof minValue === 'number' && typeof maxValue === 'number' && minValue > maxValue) {
    say('age-range-invalid', '', { value: `${minValue} to ${maxValue}` });
  }
}

function thumbnail({ thumbnail: inner }: JsonObject, say: Say): void {
  const all = Array.isArray(inner) ? inner : [inner];
  if (all.some((one) => isObject(one) && one.thumbnail !== undefined)) say('thumbnail-of-thumbnail', 'thumbnail');
}

function canBeBooked({ offers }: JsonObject): boolean {
  const all = Array.isArray(offers) ? offers : [];
  return all.some((one) => isObject(one) && (typeof single(one['@id']) === 'string' || typeof one.url === 'string'));
}
