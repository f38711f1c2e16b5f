import { amountText, summaryOf } from '../../calendar/wording/wording.ts';
import { counted, grouped, type OccurrenceItem } from '../../library/index.ts';
import type { Details, Offer } from '../../opportunity/records.ts';
import { type PriceRange, shownPrices } from '../../search/document.ts';
import { civilOf, DAY_MS, type Day, MONTHS, WEEKDAYS, weekdayOf } from '../../time/days.ts';
import { lastDay } from '../../time/evening.ts';
import type { Instant } from '../../time/instant.ts';
import { timeText } from '../../time/iso-text.ts';
import { toWall, zoneOrUtc } from '../../time/zone.ts';
import { remembered } from '../../vocabulary/remembered.ts';

/**
 * Days, times, prices, distances, ages and numbers as pages write them. Every function takes hostile values and gives plain
 * text; escaping is the template's work. Components with `<time>` are in `times.tsx`.
 */

/** A moment on the clocks of a zone; UTC where no zone has this name. */
interface LocalMoment {
  day: Day;
  /** `18:00` */
  time: string;
}

/** Day and time of an instant in a zone. */
export function localMoment(zone: string, at: Instant): LocalMoment {
  const wall = toWall(zoneOrUtc(zone), at);
  const day = Math.floor(wall / DAY_MS);
  const minutes = Math.floor((wall - day * DAY_MS) / 60_000);
  return { day, time: timeText(minutes * 60) };
}

/** The local day of a start. The start of a whole day is midnight in UTC. */
export function localDay({ start, allDay }: { start: Instant; allDay?: true | undefined }, zone: string): Day {
  return allDay ? Math.floor(start / DAY_MS) : localMoment(zone, start).day;
}

const LIST = new Intl.ListFormat('en-GB');

/** `Mondays, Tuesdays and Fridays` */
export function listWords(words: Iterable<string>): string {
  return LIST.format(words);
}

/** `lastDay` by the name of a zone: the last local day of a span. */
export function lastLocalDay(span: Parameters<typeof lastDay>[0], zone: string): Day {
  return lastDay(span, zoneOrUtc(zone));
}

/** The name of a session or series, else its activities. */
export function nameWords(name: string | undefined, activity: readonly string[] = []): string {
  return summaryOf({ ...(name && { name }), activity: [...activity] }, 'Without a name');
}

/** The name of an occurrence, else of its series. */
export function occurrenceName({
  name,
  series,
  activity,
}: Pick<OccurrenceItem, 'name' | 'series' | 'activity'>): string {
  const names = activity.map((one) => one.name);
  return nameWords(name || series.name, names);
}

/** `Sat` */
export function weekdayName(day: Day): string {
  return WEEKDAYS[weekdayOf(day)].slice(0, 3);
}

/** `Tue 24 Nov`, with the year where it is not that of `today`. */
export function dateWords(day: Day, today: Day): string {
  const { year, month, date } = civilOf(day);
  const ofYear = year === civilOf(today).year ? '' : ` ${year}`;
  return `${weekdayName(day)} ${date} ${MONTHS[month - 1]?.slice(0, 3)}${ofYear}`;
}

/** `Today`, `Tomorrow`, else the date. */
export function dayName(day: Day, today: Day): string {
  if (day === today) return 'Today';
  return day === today + 1 ? 'Tomorrow' : dateWords(day, today);
}

/** The end of a span in words: midnight belongs to the day before, as people count it. */
export function endMoment(zone: string, at: Instant): LocalMoment {
  const moment = localMoment(zone, at);
  return moment.time === '00:00' ? { day: moment.day - 1, time: 'midnight' } : moment;
}

/** `dayName` by the clocks of `zone`. While the date there is not that of `home`, no day is `Today` or `Tomorrow`. */
export function dayNameIn(day: Day, { zone, home, now }: { zone: string; home: string; now: Instant }): string {
  const [there, here] = [localMoment(zone, now).day, localMoment(home, now).day];
  return there === here ? dayName(day, there) : dateWords(day, there);
}

/** The first day of an entry that is listed under a later day: `Sat`, or its date after a week; undefined on the first day. */
export function sinceWords(began: Day, shown: Day): string | undefined {
  if (began >= shown) return undefined;
  return shown - began < 7 ? weekdayName(began) : dateWords(began, shown);
}

/** `Sat 12 to Sun 13 Dec`; `last` is counted in. */
export function daysWords(first: Day, last: Day, today: Day): string {
  if (last <= first) return dateWords(first, today);
  const [from, to] = [civilOf(first), civilOf(last)];
  if (from.month !== to.month || from.year !== to.year)
    return `${dateWords(first, today)} to ${dateWords(last, today)}`;
  return `${weekdayName(first)} ${from.date} to ${dateWords(last, today)}`;
}

const COUNTRY = /, (?:GB|GBR|UK|United Kingdom|Great Britain|IE|IRL|Ireland)$/i;

/** An address, without its country where the zone is the operator's. */
export function addressWords(address: string, zone: string, home: string): string {
  return zone === home ? address.replace(COUNTRY, '') : address;
}

/** `New York`, of `America/New_York`. */
export function cityOf(zone: string): string {
  return (zone.split('/').at(-1) ?? zone).replaceAll('_', ' ');
}

/** The most offers whose range is shown; of more, only the cheapest is. */
const FEW_OFFERS = 3;

/** `Free`, `£6.50`, `£2.50 to £5.00`, `from £8.00`, `Free to £8.00`; undefined where no offer has a price. */
export function priceWords(offers: readonly Pick<Offer, 'price' | 'currency'>[]): string | undefined {
  return rangeWords(shownPrices(offers), offers.filter(({ price }) => price !== undefined).length);
}

/** Ranges of prices, one for each currency: `€5.00 or £4.00`, `Free to €5.00 or £4.00`. `offers`: their number. */
export function rangeWords(ranges: readonly PriceRange[], offers: number): string | undefined {
  const [only, ...others] = ranges;
  if (only === undefined) return undefined;
  if (others.length === 0) return rangeText(only, offers);
  const named = ranges.map((range) => ({ ...range, currency: range.currency ?? UNKNOWN_CURRENCY }));
  if (ranges.some(({ min }) => min > 0)) return EITHER.format(named.map((range) => rangeText(range, offers)));
  return `Free to ${EITHER.format(named.map(({ max, currency }) => priceText(max, currency)))}`;
}

/** The currency of a price that names none beside several: the amount is shown bare (semantics 2.6). */
const UNKNOWN_CURRENCY = '';

const EITHER = new Intl.ListFormat('en-GB', { type: 'disjunction' });

function rangeText({ min, max, currency }: PriceRange, offers: number): string {
  const from = priceText(min, currency);
  if (min === max) return from;
  return offers > FEW_OFFERS && min > 0 ? `from ${from}` : `${from} to ${priceText(max, currency)}`;
}

/** `Free`, `£6.50` */
export function priceText(price: number, currency: string | undefined): string {
  return price === 0 ? 'Free' : amountWords(price, currency);
}

/** Number formats by currency. Few are kept: each takes kilobytes, and any three letters may be a currency. */
const formatOf = remembered((currency) => new Intl.NumberFormat('en-GB', { style: 'currency', currency }), 50);

/** `£6.50`, also without a currency; `€6.50`, `CHF 6.50`; `6.50` or `6` where the currency is unknown and so empty. */
export function amountWords(amount: number, currency = 'GBP'): string {
  if (!/^[A-Za-z]{3}$/.test(currency)) return `${amountText(amount)} ${currency}`.trimEnd();
  return formatOf(currency.toUpperCase()).format(amount);
}

/** `under 100 m`, `0.4 km`, `12 km` */
export function distanceWords(km: number): string {
  if (km < 0.1) return 'under 100 m';
  return km < 9.95 ? `${km.toFixed(1)} km` : `${Math.round(km)} km`;
}

/** `1,204`; `5,000+` where counting ended there. */
export function countWords(count: number, isLeast = false): string {
  return `${grouped(count)}${isLeast ? '+' : ''}`;
}

/** From this lowest age on the words are `Over 60`; below it they are `16 and over`. */
const OLDER = 50;
/** Below this highest age the words are `Under 5`; from it on they are `Up to 18`. */
const CHILDREN = 18;

/** `Over 60`, `11 to 16`, `Under 5`, `16 and over`; undefined where all ages may come. */
export function agesWords(range: Details['ageRange']): string | undefined {
  const { min = 0, max } = range ?? {};
  if (max === undefined) return min === 0 ? undefined : min >= OLDER ? `Over ${min}` : `${min} and over`;
  if (min > 0) return min === max ? `${min}` : `${min} to ${max}`;
  return max < CHILDREN ? `Under ${max + 1}` : `Up to ${max}`;
}

/** `with Priya`, `with Priya and Tom`, `with Priya and 2 others`; undefined without a leader. */
export function leaderWords(leader: readonly string[] = []): string | undefined {
  const [first, ...others] = new Set(leader);
  if (first === undefined) return undefined;
  return `with\u00a0${listWords([first, ...(others.length > 1 ? [`${others.length} others`] : others)])}`;
}

/** `5 places left`, `Full` */
export function placesLeftWords(left: number): string {
  return left <= 0 ? 'Full' : `${counted(left, 'place')} left`;
}

/** `tel:+441392123456`, without the `(0)` of a national call; undefined where the text is no number. */
export function telAddress(telephone: string | undefined): string | undefined {
  const digits = telephone?.replaceAll(/\(0\)|[\s().-]/g, '') ?? '';
  return /^\+?\d{3,20}$/.test(digits) ? `tel:${digits}` : undefined;
}
