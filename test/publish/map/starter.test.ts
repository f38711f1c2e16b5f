import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { parseMapping } from '../../../src/publish/map/mapping.ts';
import { publishCalendars } from '../../../src/publish/publish-calendars.ts';
import { conceptNamed } from '../../../src/publish/starter/named.ts';
import { starterMapping } from '../../../src/publish/starter/starter.ts';
import { surveyOf } from '../../../src/publish/starter/survey.ts';
import { titlePatterns } from '../../../src/publish/starter/titles.ts';
import { activityList } from '../../../src/vocabulary/shipped.ts';
import { Random } from '../../generate/random.ts';
import { failures } from '../feed/judges.ts';
import { calendarOf, eventOf, NOW, objectsOf } from '../published.ts';
import { randomEvent } from '../random-event.ts';

/** `publish --init`: a mapping made from calendars, with which they are published. */

interface Line {
  $comment?: string;
  words?: string[];
  title?: string[];
  activity?: unknown;
  as?: string;
  location?: string;
  place?: object;
}
interface Made {
  $comment: string;
  activities: Line[];
  events: Line[];
  places: Line[];
  place?: object;
  offers?: object[];
  organizer: { name: string };
  calendars?: object[];
}

const made = (...texts: string[]) =>
  starterMapping(texts.map((text, index) => surveyOf({ source: `folder/club-${index}.ics`, text }, NOW)))
    .mapping as Made;

function publishedWith(mapping: object, ...texts: string[]) {
  const inputs = texts.map((text, index) => ({ source: `folder/club-${index}.ics`, text }));
  return publishCalendars(inputs, parseMapping(JSON.stringify(mapping), 'm.json'), [], NOW);
}

let count = 0;
const event = (summary: string, ...lines: string[]) =>
  eventOf(`UID:${count++}`, `SUMMARY:${summary}`, 'DTSTART:20270104T180000Z', 'DTEND:20270104T190000Z', ...lines);

describe('the concept that a title names', () => {
  test.each<[string, string | undefined, string?]>([
    ['Evening yoga', 'Yoga', 'yoga'],
    ['YOGA, gentle', 'Yoga', 'yoga'],
    ['Keep-fit over 60s', 'Group Exercise', 'keep-fit'],
    ['Walking football', 'Walking Football', 'walking football'],
    ['Swim for all', 'Swimming', 'swim'],
    ['Brunch', undefined],
    ['Open House', undefined],
    ['House', 'House', 'house'],
    ['Boxing Day lunch', undefined],
    ['Boxing, day 2', 'Boxing', 'boxing'],
    ['Charity event', undefined],
    ['Box office', undefined],
    ['Saturday runs', 'Running', 'runs'],
    ['Spin', 'Spinning', 'spin'],
    ['Darts, then tea', 'Darts', 'darts'],
    ['', undefined],
    ['🥾', undefined],
  ])('%j: %s', (title, label, words) => {
    const found = conceptNamed(title, activityList());
    expect([found?.concept.prefLabel, found?.words]).toEqual([label, words]);
  });
});

describe('the starter mapping', () => {
  test('has the activities that titles and categories name, with how often, the longest words first', () => {
    const mapping = made(
      calendarOf(event('Yoga'), event('Yoga'), event('Gentle yoga'), event('Club night', 'CATEGORIES:Fun,Running')),
      calendarOf(event('Walking group'), event('Walking football')),
    );
    expect(mapping.activities).toEqual([
      { $comment: '1 event: Walking football (1)', words: ['walking football'], activity: 'Walking Football' },
      { $comment: '1 event: Club night (1)', words: ['running'], activity: 'Running' },
      { $comment: '1 event: Walking group (1)', words: ['walking'], activity: 'Walking' },
      { $comment: '3 events: Yoga (2), Gentle yoga (1)', words: ['yoga'], activity: 'Yoga' },
    ]);
  });

  test('leaves out what names no activity, what has no times and what is closed, and asks', () => {
    const text = calendarOf(
      event('Brunch'),
      event('Running'),
      event('Brunch run'),
      event('Track closed'),
      eventOf('UID:d', 'SUMMARY:Open day', 'DTSTART;VALUE=DATE:20270104'),
    );
    const mapping = made(text);
    expect(mapping.events.map(({ title, as }) => [title, as])).toEqual([
      [['Brunch'], 'nothing'],
      [['Track closed'], 'nothing'],
      [['Open day'], 'nothing'],
    ]);
    for (const { $comment } of mapping.events) expect($comment).toMatch(/^To decide: .* 1 event: /);
    const { published, findings } = publishedWith(mapping, text);
    expect(published['session-series'].map(({ data }) => data.name).sort()).toEqual(['Brunch run', 'Running']);
    expect(findings.filter(({ code }) => code === 'mapping-undecided').map(({ path }) => path)).toEqual([
      '$',
      '$.organizer',
      '$.place',
      '$.events[0]',
      '$.events[1]',
      '$.events[2]',
      '$.offers[0]',
    ]);
  });

  test('has places with the parts of their addresses, and the usual one where an event has none', () => {
    const hall = 'LOCATION:Town Hall\\, 1 High St\\, Canterbury CT1 1AA\\, UK';
    const mapping = made(calendarOf(event('Yoga', hall, 'GEO:51.25;1.125'), event('Yoga', hall), event('Yoga')));
    const place = {
      name: 'Town Hall',
      street: '1 High St',
      locality: 'Canterbury',
      postalCode: 'CT1 1AA',
      country: 'GB',
      latitude: 51.25,
      longitude: 1.125,
    };
    const location = 'Town Hall, 1 High St, Canterbury CT1 1AA, UK';
    expect(mapping.places).toEqual([{ $comment: '2 events', location, place }]);
    expect(mapping.place).toMatchObject(place);
  });

  test('says which categories there are', () => {
    const { $comment } = made(
      calendarOf(event('Yoga', 'CATEGORIES:Fun'), event('Yoga', 'CATEGORIES:Juniors,Fun')),
      calendarOf(event('Yoga', 'CATEGORIES:Juniors,Fun')),
    );
    expect($comment).toMatch(/ Categories found: Fun \(3\), Juniors \(2\)\.$/);
  });

  test('asks for a price only where a calendar says none', () => {
    expect(made(calendarOf(event('Yoga', 'X-COST:5'))).offers).toBeUndefined();
    expect(made(calendarOf(event('Yoga', 'X-COST:5'), event('Yoga'))).offers).toHaveLength(1);
  });

  test('is called as the calendar, else as its file', () => {
    expect(made(calendarOf('X-WR-CALNAME:Harriers', event('Yoga'))).organizer.name).toBe('Harriers');
    expect(made(calendarOf(event('Yoga'))).organizer.name).toBe('club-0');
  });

  test('says nothing of private events', () => {
    const mapping = made(calendarOf(event('Yoga'), event('Dentist yoga', 'CLASS:PRIVATE', 'LOCATION:Surgery')));
    expect(JSON.stringify(mapping)).not.toMatch(/Dentist|Surgery/);
  });
});

describe('titles that differ in numbers alone', () => {
  test.each<[string, string[], string[], string[]]>([
    ['are one line', ['Booking 1', 'Talk', 'booking 22', 'Booking #3 (x)'], [], ['booking*', 'Talk']],
    ['unless they are few', ['Booking 1', 'Booking 2'], [], ['Booking 1', 'Booking 2']],
    [
      'or another title begins so',
      ['Court 1', 'Court 2', 'Court 3'],
      ['Court tennis'],
      ['Court 1', 'Court 2', 'Court 3'],
    ],
    ['or begin with the number', ['1 a', '2 a', '3 a'], [], ['1 a', '2 a', '3 a']],
    ['or have none', ['Talk', 'talk', 'Talk'], [], ['Talk', 'talk']],
  ])('%s', (_name, titles, others, expected) => {
    expect(titlePatterns(titles, others)).toEqual(expected);
  });

  test('are left out by it, and the others are not', () => {
    const text = calendarOf(...[1, 2, 3, 4].map((n) => event(`Hire ${n}`)), event('Yoga 1'), event('Yoga 2'));
    const { published, findings } = publishedWith(made(text), text);
    expect(published['session-series'].map(({ data }) => data.name).sort()).toEqual(['Yoga 1', 'Yoga 2']);
    expect(findings.filter(({ severity }) => severity === 'error')).toEqual([]);
  });
});

describe('published with it, calendars have no error', () => {
  const folder = fileURLToPath(new URL('../../../fixtures/calendars/', import.meta.url));
  const shipped = readdirSync(folder).filter((name) => name.endsWith('.ics'));
  const HOURS = calendarOf(
    'X-WR-CALNAME:Pool',
    eventOf(
      'UID:h',
      'SUMMARY:Open: Tennis court',
      'TRANSP:TRANSPARENT',
      'DTSTART:20270104T090000Z',
      'DTEND:20270104T170000Z',
      'RRULE:FREQ=WEEKLY',
    ),
  );

  test.each<[string, string[]]>([
    ['those that are shipped', shipped.map((name) => readFileSync(`${folder}${name}`, 'utf8'))],
    ['opening hours', [HOURS]],
    ['an event with nothing but a start', [calendarOf(eventOf('UID:1', 'DTSTART:20270104T180000Z'))]],
    ['a place that is a link', [calendarOf(event('Yoga', 'LOCATION:https://zoom.us/j/1'))]],
    [
      'endless titles',
      [calendarOf(event(`Yoga ${'x'.repeat(400)}`), event('x'.repeat(400), `LOCATION:${'y'.repeat(900)}`))],
    ],
    [
      'odd titles',
      [calendarOf(event('*'), event('🥾'), event('(a|b) [c] \\\\d+ $'), event('yo*ga'), event('50% off'))],
    ],
    [
      'instances without their series',
      [
        calendarOf(
          event('Yoga', 'RECURRENCE-ID:20270104T180000Z'),
          eventOf('UID:o', 'SUMMARY:Yoga', 'RECURRENCE-ID:20270104T180000Z', 'DTSTART:20270104T180000Z'),
          eventOf('UID:o', 'SUMMARY:Night', 'RECURRENCE-ID:20270111T180000Z', 'DTSTART:20270111T190000Z'),
        ),
      ],
    ],
    ['hyphens', [calendarOf(event('5-a-side at 20-20'), event('Drop-in (x) / y', 'LOCATION:Hall | 24-es terem'))]],
    ['titles that say they are cancelled', [calendarOf(event('Choir is cancelled'), event('CANCELLED: Yoga'))]],
    ['nothing', [calendarOf()]],
  ])('%s', async (_name, texts) => {
    const { published, findings } = publishedWith(made(...texts), ...texts);
    expect(findings.filter(({ severity }) => severity === 'error')).toEqual([]);
    for (const data of objectsOf(published).slice(0, 10)) expect(await failures(data)).toEqual([]);
  });

  test('of random events', () => {
    for (let seed = 0; seed < 40; seed++) {
      const random = new Random(seed);
      const { lines, overrides } = randomEvent(random, seed);
      const title = random.pick(['Yoga', 'Brunch', 'Keep fit', 'Walking football', 'Night']);
      const text = calendarOf(eventOf(...lines, `CATEGORIES:${title}`), ...overrides.map((one) => eventOf(...one)));
      const { findings } = publishedWith(made(text), text);
      expect(
        findings.filter(({ severity, feed }) => severity === 'error' && feed === 'mapping'),
        text,
      ).toEqual([]);
    }
  });
});
