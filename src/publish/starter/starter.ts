import { activityList, facilityTypes } from '../../vocabulary/shipped.ts';
import type { PublishCode } from '../codes.ts';
import { addressParts } from '../map/address.ts';
import { conceptNamed } from './named.ts';
import { EXAMPLE, NO_STREET } from './placeholders.ts';
import type { FoundTitle, Survey } from './survey.ts';
import { titlePatterns } from './titles.ts';

/** A first mapping file, made of the contents of calendars. */

/** The mapping as JSON, and the outcome for each title in words. */
export interface Starter {
  mapping: object;
  titles: StarterTitle[];
}

export interface StarterTitle {
  title: string;
  events: number;
  /** An activity of the list; undefined: the title is not published. */
  activity: string | undefined;
  /** Why it is not published. */
  why: string | undefined;
}

/** Most titles of one kind, and most places, because each place is compared with each LOCATION. */
const MOST = 5_000;
const MOST_PLACES = 100;

/**
 * Activities by the words that name them in titles and categories, the places found, and a line for each kind of title that is
 * not published yet. A fact that calendars lack has a `$comment` that begins with "To decide", which is a finding until it is
 * removed.
 */
export function starterMapping(surveys: readonly Survey[]): Starter {
  const titles = merged(surveys.flatMap((one) => one.titles));
  const namedTitles = titles.map((found) => ({
    found,
    named: found.why === undefined ? activityOf(found) : undefined,
  }));
  const zones = new Set(surveys.map(({ zone }) => zone));
  const [zone] = zones;
  const [places, hours] = [placeLines(surveys), calendarLines(surveys)];
  const name = surveys.find((one) => one.name !== undefined)?.name ?? nameOfFile(surveys[0]?.source ?? 'Club');
  const mapping = {
    $comment:
      'To decide: replace each address that begins with https://example.org/; "base" is an address of your own that ids begin with, and need not answer. The keys are explained in docs/mapping.md.' +
      categoriesOf(surveys),
    base: `${EXAMPLE}open-data/`,
    url: EXAMPLE,
    organizer: {
      $comment: 'To decide: who organises the sessions?',
      name: name.slice(0, 300),
      id: `${EXAMPLE}#organizer`,
      url: EXAMPLE,
    },
    ...(zone !== undefined && zones.size === 1 && { zone }),
    ...(surveys.some(({ lacks }) => lacks.price) && {
      offers: [{ $comment: 'To decide: what does it cost where a calendar says nothing? 0 is free.', price: 0 }],
    }),
    ...(surveys.some(({ lacks }) => lacks.place) && { place: usualPlace(places[0]?.place, name) }),
    activities: activityLines(namedTitles),
    events: eventLines(namedTitles),
    places,
    ...(hours.length > 0 && { calendars: hours }),
  };
  return { mapping, titles: namedTitles.map(({ found, named }) => outcomeOf(found, named?.label)) };
}

const MOST_CATEGORIES = 50;

/** CATEGORIES of sessions, those found most often first. */
function categoriesOf(surveys: readonly Survey[]): string {
  const counts = new Map<string, number>();
  for (const [label, events] of surveys.flatMap((one) => one.categories))
    counts.set(label, (counts.get(label) ?? 0) + events);
  const shown = [...counts].sort(([, a], [, b]) => b - a).slice(0, MOST_CATEGORIES);
  if (shown.length === 0) return '';
  return ` Categories found: ${shown.map(([label, events]) => `${label.slice(0, 60)} (${events})`).join(', ')}.`;
}

interface StarterName {
  label: string;
  words: string;
  /** The activity, as the mapping file names it. */
  activity: string | { label: string; id: string };
}

interface NamedTitle {
  found: FoundTitle;
  named: StarterName | undefined;
}

function activityOf({ title, categories }: FoundTitle): StarterName | undefined {
  const list = activityList();
  for (const text of [title, ...categories]) {
    const found = conceptNamed(text, list);
    if (found === undefined) continue;
    const { id, prefLabel: label } = found.concept;
    const isAlone = list.labelled(label).length === 1;
    return { label, words: found.words, activity: isAlone ? label : { label, id } };
  }
  return undefined;
}

/** The longest words first: `walking football` before `walking`. */
function activityLines(namedTitles: readonly NamedTitle[]): object[] {
  const groups = [
    ...Map.groupBy(
      namedTitles.filter(({ named }) => named),
      ({ named }) => named?.label,
    ),
  ];
  return groups
    .map(([, own]) => ({
      $comment: commentOf(own),
      words: [...new Set(own.map(({ named }) => named?.words as string))].slice(0, MOST),
      activity: own[0]?.named?.activity,
      longest: Math.max(...own.map(({ named }) => (named?.words ?? '').length)),
    }))
    .sort((a, b) => b.longest - a.longest)
    .map(({ longest: _, ...line }) => line);
}

const QUESTIONS: Partial<Record<PublishCode | 'no-activity', string>> = {
  'no-activity':
    'No activity of the list of OpenActive is named: what is it? Give it a line of "activities", and take its title out of this one',
  'event-all-day': 'They have no times: take out what is a session, and give it a line with "as": "session"',
  'event-closed': 'Something is closed: with "as": "cancellation" they cancel the sessions they cover',
  'event-called-private': 'The title says private',
};

/** Lines of titles that are not published, one for each reason. A title that others are published under has none. */
function eventLines(namedTitles: readonly NamedTitle[]): object[] {
  const published = new Set(namedTitles.filter(({ named }) => named).map(({ found }) => found.title.toLowerCase()));
  const left = namedTitles.filter(({ named, found }) => !named && !published.has(found.title.toLowerCase()));
  return [...Map.groupBy(left, ({ found }) => found.why ?? 'no-activity')].flatMap(([why, own]) => {
    const question = QUESTIONS[why];
    if (question === undefined) return [];
    const mine = new Set(own);
    const others = namedTitles.filter((one) => !mine.has(one)).map(({ found }) => found.title);
    const titles = own.map(({ found }) => found.title);
    const title = titlePatterns(titles, others);
    return { $comment: `To decide: ${question}. ${commentOf(own)}`, title: title.slice(0, MOST), as: 'nothing' };
  });
}

const SHOWN = 5;

function commentOf(own: readonly NamedTitle[]): string {
  const events = own.reduce((sum, { found }) => sum + found.events, 0);
  const shown = own.slice(0, SHOWN).map(({ found }) => `${found.title.slice(0, 60)} (${found.events})`);
  const more = own.length > SHOWN ? ` and ${own.length - SHOWN} more titles` : '';
  return `${events} ${events === 1 ? 'event' : 'events'}: ${shown.join(', ')}${more}`;
}

function placeLines(surveys: readonly Survey[]): { $comment: string; location: string; place: object }[] {
  const places = surveys.flatMap(({ places }) => places);
  const all = Map.groupBy(places, ({ location }) => location);
  return [...all]
    .map(([location, own]) => ({
      location,
      events: own.reduce((sum, { events }) => sum + events, 0),
      geo: own.find(({ geo }) => geo)?.geo,
    }))
    .sort((a, b) => b.events - a.events)
    .slice(0, MOST_PLACES)
    .map(({ location, events, geo }) => ({
      $comment: `${events} ${events === 1 ? 'event' : 'events'}`,
      location: location.length > 200 ? `${location.slice(0, 200).trim()}*` : location,
      place: { ...addressParts(location), ...geo },
    }));
}

function usualPlace(first: object | undefined, name: string): object {
  const $comment = 'To decide: where are the sessions that name no place?';
  return first === undefined ? { $comment, name: name.slice(0, 300), street: NO_STREET } : { $comment, ...first };
}

function calendarLines(surveys: readonly Survey[]): object[] {
  return surveys.flatMap(({ source, facilities: [label] }) => {
    if (label === undefined) return [];
    const found = conceptNamed(label, facilityTypes());
    return {
      $comment: `To decide: what is open here${found ? ', and is the type right' : ''}?`,
      source: (source.includes('://') ? source : source.replace(/^.*[/\\]/s, '')).slice(-300),
      facility: { type: found?.concept.prefLabel ?? 'Sports Hall' },
    };
  });
}

/** The titles of all calendars, the most frequent first. */
function merged(titles: readonly FoundTitle[]): FoundTitle[] {
  const groups = Map.groupBy(titles, ({ title, why }) => `${why ?? ''} ${title.toLowerCase()}`);
  return [...groups.values()]
    .map((own) => ({
      ...(own[0] as FoundTitle),
      events: own.reduce((sum, { events }) => sum + events, 0),
      categories: [...new Set(own.flatMap(({ categories }) => categories))],
    }))
    .sort((a, b) => b.events - a.events);
}

function outcomeOf({ title, events, why }: FoundTitle, activity: string | undefined): StarterTitle {
  const reason = activity === undefined ? (REASONS[why ?? 'no-activity'] ?? 'not published by default') : undefined;
  return { title, events, activity, why: reason };
}

const REASONS: Partial<Record<PublishCode | 'no-activity', string>> = {
  'no-activity': 'names no activity of the list',
  'event-all-day': 'has no times',
  'event-closed': 'says that something is closed',
  'event-called-private': 'says that it is private',
  'calendar-of-program': 'is in a calendar of birthdays or holidays',
};

/** `club` of `/calendars/club.ics`. */
function nameOfFile(source: string): string {
  return (
    source
      .replace(/[?#].*$/s, '')
      .replace(/^.*[/\\]/s, '')
      .replace(/\.ics$/i, '') || 'Club'
  );
}
