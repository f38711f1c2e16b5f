import { scheduleWords } from '../../calendar/wording/schedule-words.ts';
import { readInput } from '../../join/input.ts';
import { join } from '../../join/join.ts';
import { SEVERITIES, type Severity } from '../../opportunity/findings.ts';
import { isObject, type Json, type JsonObject } from '../../opportunity/item/json.ts';
import { occurrences } from '../../recurrence/overlay.ts';
import { DAY_MS, dateOfDay } from '../../time/days.ts';
import { type Instant, utcText } from '../../time/instant.ts';
import type { PublishCode, PublishFinding } from '../codes.ts';
import type { CalendarText, Published } from '../contract.ts';
import { AHEAD_MS } from '../limits.ts';
import { parseMapping } from '../map/mapping.ts';
import { publishCalendars } from '../publish-calendars.ts';
import { starterMapping } from '../starter/starter.ts';
import { surveyOf } from '../starter/survey.ts';
import { type TrialAnswers, withAnswers } from './answers.ts';

/** The objects that a calendar would be published as by its mapping of `publish --init`, in few enough words for a page. */
export interface Trial {
  /** The name of the calendar. */
  name?: string;
  /** The first series that are published. */
  series: TrialSeries[];
  facilities: { name: string; hours: number }[];
  counts: { series: number; sessions: number; facilities: number };
  /** Titles that would be sessions if their activity were known, by how many events have them. */
  undecided: TrialTitle[];
  /** Titles that are not published. */
  left: (TrialTitle & { why: string })[];
  /** Number of titles that are not listed. */
  more: number;
  /** Number of events whose CLASS is not PUBLIC. */
  private: number;
  findings: TrialFinding[];
  mapping: string;
}

interface TrialTitle {
  title: string;
  events: number;
}

interface TrialSeries {
  name: string;
  /** Each Schedule in words. */
  when: string[];
  /** Number of its sessions that are published besides. */
  sessions: number;
  /** The next date, generated ones included: an instant in ISO 8601, or a day. */
  next?: string;
  activity?: string;
  place?: string;
  /** In units of `currency` (ISO 4217). */
  price?: { amount: number; currency?: string };
}

interface TrialFinding {
  code: string;
  severity: Severity;
  /** The sentence of the first finding. */
  message: string;
  count: number;
}

/** Most entries of a list on a page, and most characters of a title. */
const SHOWN = 100;
const LONGEST = 200;

/** Reads, maps and publishes a calendar, and keeps nothing. Pure; never throws. */
export function trialOf(input: CalendarText, answers: TrialAnswers, now: Instant): Trial {
  const survey = surveyOf(input, now);
  const { mapping: starter, titles } = starterMapping([survey]);
  const left = titles.flatMap(({ title, events, why }) => (why === undefined ? [] : { title, events, why }));
  const sessionTitles = new Set(survey.titles.filter(({ why }) => why === undefined).map(({ title }) => title));
  const { unnamed = [], out = [] } = Object.groupBy(left, ({ title }) =>
    sessionTitles.has(title) ? 'unnamed' : 'out',
  );
  const asked = new Set(unnamed.map(({ title }) => title));
  const mapping = withAnswers(starter as JsonObject, answers, asked);
  const named = new Set(answers.activities?.map(({ title }) => title));
  const undecided = unnamed.filter(({ title }) => !named.has(title));
  const text = JSON.stringify(decided(mapping, answers));
  const { published, findings } = publishCalendars([input], parseMapping(text, 'mapping.json'), [], now);
  const series = published['session-series'];
  const facilities = published['facility-uses'];
  const sessions = Map.groupBy(published['scheduled-sessions'], ({ data }) => wordsOf(data.superEvent) ?? '');
  return {
    ...(survey.name !== undefined && { name: survey.name }),
    series: series.slice(0, SHOWN).map(({ data }) => seriesOf(data, sessions.get(wordsOf(data['@id']) ?? ''), now)),
    facilities: facilities.slice(0, SHOWN).map(({ data }) => ({
      name: wordsOf(data.name) ?? '',
      hours: Array.isArray(data.hoursAvailable) ? data.hoursAvailable.length : 0,
    })),
    counts: {
      series: series.length,
      sessions: published['scheduled-sessions'].length,
      facilities: facilities.length,
    },
    undecided: undecided.slice(0, SHOWN).map(({ title, events }) => ({ title: title.slice(0, LONGEST), events })),
    left: out.slice(0, SHOWN).map((one) => ({ ...one, title: one.title.slice(0, LONGEST) })),
    more: Math.max(0, undecided.length - SHOWN) + Math.max(0, out.length - SHOWN),
    private: survey.private,
    findings: grouped(findings.filter(({ code }) => !EXPLAINED.has(code))),
    mapping: `${JSON.stringify(mapping, undefined, 2)}\n`,
  };
}

/** The starter mapping without its example price and place, so that the trial shows what the calendar lacks. */
function decided({ offers, place: _, ...mapping }: JsonObject, { price }: TrialAnswers): JsonObject {
  return price === undefined || offers === undefined ? mapping : { ...mapping, offers };
}

/** Codes of findings that the page does not list: the list of titles has the same, or they concern the mapping file alone. */
const EXPLAINED: ReadonlySet<PublishCode> = new Set<PublishCode>([
  'event-left-out',
  'event-private',
  'event-called-private',
  'event-all-day',
  'event-closed',
  'calendar-of-program',
  'mapping-undecided',
]);

function seriesOf(data: JsonObject, sessions: Published['scheduled-sessions'] = [], now: Instant): TrialSeries {
  const [activity] = objectsOf(data.activity);
  const [location] = objectsOf(data.location);
  const [offer] = objectsOf(data.offers);
  const currency = wordsOf(offer?.priceCurrency);
  return {
    name: wordsOf(data.name) ?? '',
    sessions: sessions.length,
    ...timesFrom([data, ...sessions.map((session) => session.data)], now),
    ...withWords('activity', activity?.prefLabel),
    ...withWords('place', location?.name),
    ...(typeof offer?.price === 'number' && { price: { amount: offer.price, ...(currency && { currency }) } }),
  };
}

/** The times of a series as a reader of its feeds has them: occurrences of its Schedules, with sessions laid over. */
function timesFrom(objects: JsonObject[], now: Instant): Pick<TrialSeries, 'when' | 'next'> {
  const { records } = readInput(JSON.stringify(objects), { zone: 'Europe/London', feed: 'calendar' });
  const [joined] = join(records).series;
  if (joined === undefined) return { when: [] };
  const { series, sessions } = joined;
  const when = series.schedules.flatMap((schedule) => scheduleWords(schedule) ?? []);
  const to = Math.max(now + AHEAD_MS, ...sessions.map(({ start = now }) => start + 1));
  const first = occurrences(series, sessions, now, to).find(
    ({ start, status }) => start >= now && status !== 'EventCancelled',
  );
  if (first === undefined) return { when };
  return { when, next: first.allDay ? dateOfDay(Math.floor(first.start / DAY_MS)) : utcText(first.start) };
}

function grouped(findings: readonly PublishFinding[]): TrialFinding[] {
  const groups = [...Map.groupBy(findings, ({ code }) => code).values()];
  const found = groups.map((own) => {
    const [{ code, severity, message }] = own as [PublishFinding];
    return { code, severity, message, count: own.length };
  });
  return found.sort((a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity) || b.count - a.count);
}

function withWords<K extends string>(name: K, value: Json | undefined): { [N in K]?: string } {
  const words = wordsOf(value);
  return (words === undefined ? {} : { [name]: words }) as { [N in K]?: string };
}

function wordsOf(value: Json | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function objectsOf(value: Json | undefined): JsonObject[] {
  return (Array.isArray(value) ? value : [value]).filter((one) => one !== undefined && isObject(one));
}
