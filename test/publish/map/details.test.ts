import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/opportunity/item/json.ts';
import { offerJson } from '../../../src/publish/map/json.ts';
import { parseMapping } from '../../../src/publish/map/mapping.ts';
import { checked, failures } from '../feed/judges.ts';
import { calendarOf, codesOf, eventOf, publish } from '../published.ts';

/** What sessions have besides time, place and activity. */

const START = ['DTSTART;TZID=Europe/London:20270104T180000', 'DTEND;TZID=Europe/London:20270104T190000'];
const WEEKLY = [...START, 'RRULE:FREQ=WEEKLY'];

/** Whatever the model requires besides. */
const REQUIRED = {
  base: 'https://club.example/',
  url: 'https://club.example/',
  organizer: { name: 'Club', id: 'https://club.example/#us', url: 'https://club.example/' },
  activity: 'Running',
  place: { name: 'Track', street: 'Canterbury Road', latitude: 51.281, longitude: 1.079 },
  offers: [{ price: 0 }],
};

function published(text: string, mapping: object = {}) {
  return publish(text, parseMapping(JSON.stringify({ ...REQUIRED, ...mapping }), 'm.json'));
}

function seriesOf(mapping: object, ...lines: string[]): JsonObject {
  const { published: feeds } = published(
    calendarOf(eventOf('UID:1', 'SUMMARY:Evening run', ...WEEKLY, ...lines)),
    mapping,
  );
  return feeds['session-series'][0]?.data as JsonObject;
}

const SUPPORT = 'https://openactive.io/accessibility-support';
const EVERYTHING = {
  leader: ['Ann', { name: 'Jo', id: 'https://club.example/#jo' }],
  ageRange: { min: 16, max: 99 },
  genderRestriction: 'FemaleOnly',
  level: 'Beginner',
  maximumAttendeeCapacity: 20,
  accessibilitySupport: [
    'Visual impairment',
    { label: 'Quiet room', id: 'https://club.example/#quiet', scheme: 'https://club.example/' },
  ],
  accessibilityInformation: 'Step-free.',
  image: ['https://club.example/run.jpg', 'https://club.example/track.jpg'],
};

describe('leader, ages, level, … of the mapping file', () => {
  test.each<[string, object]>([
    ['of the file', EVERYTHING],
    ['of a calendar', { leader: 'Nobody', calendars: [{ source: 'club.ics', ...EVERYTHING }] }],
    ['of a line with words', { level: 'Advanced', events: [{ words: 'run', ...EVERYTHING }] }],
    ['of a line with a category', { events: [{ category: 'juniors', ...EVERYTHING }] }],
  ])('%s are those of the series, and the validator finds no failure', async (_name, mapping) => {
    const data = seriesOf(mapping, 'CATEGORIES:Juniors');
    expect(data).toMatchObject({
      leader: [
        { '@type': 'Person', name: 'Ann' },
        { '@type': 'Person', name: 'Jo', '@id': 'https://club.example/#jo' },
      ],
      ageRange: { '@type': 'QuantitativeValue', minValue: 16, maxValue: 99 },
      genderRestriction: 'https://openactive.io/FemaleOnly',
      level: ['Beginner'],
      maximumAttendeeCapacity: 20,
      accessibilitySupport: [
        { '@type': 'Concept', prefLabel: 'Visual impairment', inScheme: SUPPORT },
        { '@type': 'Concept', prefLabel: 'Quiet room', '@id': 'https://club.example/#quiet' },
      ],
      accessibilityInformation: 'Step-free.',
      image: [
        { '@type': 'ImageObject', url: 'https://club.example/run.jpg' },
        { '@type': 'ImageObject', url: 'https://club.example/track.jpg' },
      ],
    });
    expect(await failures(data)).toEqual([]);
    const warned = checked(data).filter(({ severity }) => severity !== 'info');
    expect(warned.map(({ code, path }) => `${code} ${path}`)).toEqual([
      'concept-not-in-list $.accessibilitySupport[1]',
    ]);
  });

  test('of each key the first line that fits and has it', () => {
    const events = [
      { words: 'evening', leader: 'Ann' },
      { words: 'run', leader: 'Jo', level: 'Advanced', url: 'https://club.example/run' },
      { words: 'yoga', level: 'Beginner' },
    ];
    expect(seriesOf({ events })).toMatchObject({
      leader: [{ name: 'Ann' }],
      level: ['Advanced'],
      url: 'https://club.example/run',
    });
  });

  test('a line without "as" decides nothing', () => {
    const text = calendarOf(eventOf('UID:1', 'SUMMARY:Track closed', ...WEEKLY));
    const { published: feeds, findings } = published(text, { events: [{ words: 'track', leader: 'Jo' }] });
    expect(feeds['session-series']).toEqual([]);
    expect(findings.map(({ code }) => code)).toContain('event-closed');
  });

  test('accessibility support that the list does not have is a finding', () => {
    const mapping = { events: [{ words: 'run', accessibilitySupport: ['Visual impairment', 'Flying'] }] };
    const { findings } = published(calendarOf(eventOf('UID:1', ...WEEKLY)), mapping);
    const unknown = findings.filter(({ code }) => code === 'mapping-concept-unknown');
    expect(unknown.map(({ path }) => path)).toEqual(['$.events[0].accessibilitySupport[1]']);
  });

  test('a session says only what it has otherwise', () => {
    const override = (...lines: string[]) =>
      eventOf(
        'UID:1',
        'RECURRENCE-ID;TZID=Europe/London:20270111T180000',
        'DTSTART;TZID=Europe/London:20270111T180000',
        'DTEND;TZID=Europe/London:20270111T190000',
        ...lines,
      );
    const session = (...lines: string[]) => {
      const text = calendarOf(eventOf('UID:1', 'SUMMARY:Evening run', ...WEEKLY), override(...lines));
      const mapping = {
        leader: 'Ann',
        level: 'Advanced',
        events: [{ words: 'ladies', genderRestriction: 'FemaleOnly' }],
      };
      return published(text, mapping).published['scheduled-sessions'][0]?.data;
    };
    const ladies = session('SUMMARY:Ladies run', 'X-COST:3');
    expect(ladies).toMatchObject({
      name: 'Ladies run',
      genderRestriction: 'https://openactive.io/FemaleOnly',
      offers: [{ '@id': expect.stringMatching(/scheduled-sessions.*#\/offers\/0$/), price: 3 }],
    });
    expect(Object.keys(ladies ?? {})).not.toContain('leader');
    expect(session('SUMMARY:Evening run', 'X-COST:3')).toMatchObject({ offers: [{ price: 3 }] });
    expect(session('SUMMARY:Evening run')).toBeUndefined();
  });
});

describe('the address in LOCATION', () => {
  const HALL = 'LOCATION:Town Hall\\, 1 High St\\, canterbury ct1 1aa\\, UK';
  const place = { name: 'Track', street: 'Road', locality: 'Canterbury', region: 'Kent' };
  const PARTS = {
    '@type': 'PostalAddress',
    streetAddress: '1 High St',
    addressLocality: 'canterbury',
    addressRegion: 'Kent',
    postalCode: 'CT1 1AA',
    addressCountry: 'GB',
  };

  test.each<[string, object]>([
    ['place', { place }],
    ['place of a calendar', { calendars: [{ source: 'other', place }] }],
    ['line of places', { places: [{ location: 'Track', place }] }],
  ])('has its parts where a %s says the county of the town', async (_name, mapping) => {
    const data = seriesOf(mapping, HALL);
    expect(data.location).toMatchObject({ name: 'Town Hall', address: PARTS });
    expect(await failures(data)).toEqual([]);
  });

  test('is a text where the county is not known, or it is none of Britain', () => {
    expect(seriesOf({}, HALL).location).toMatchObject({ address: 'Town Hall, 1 High St, canterbury ct1 1aa, UK' });
    const abroad = seriesOf({ place }, 'LOCATION:Halle\\, Hauptstr. 1\\, 10115 Canterbury');
    expect(abroad.location).toMatchObject({ address: 'Halle, Hauptstr. 1, 10115 Canterbury' });
  });
});

describe('what the event says itself', () => {
  test.each<[string, object, string[], object]>([
    ['a picture', {}, ['IMAGE;VALUE=URI:https://a.example/i'], { image: [{ url: 'https://a.example/i' }] }],
    [
      'an attached picture',
      {},
      ['ATTACH:https://a.example/i.PNG?x=1'],
      { image: [{ url: 'https://a.example/i.PNG?x=1' }] },
    ],
    [
      'one by its type',
      {},
      ['ATTACH;FMTTYPE=image/png:https://a.example/i'],
      { image: [{ url: 'https://a.example/i' }] },
    ],
    [
      'before that of the calendar',
      EVERYTHING,
      ['IMAGE:https://a.example/i'],
      { image: [{ url: 'https://a.example/i' }] },
    ],
    [
      'after that of a line',
      { events: [{ words: 'run', image: 'https://a.example/line' }] },
      ['IMAGE:https://a.example/i'],
      { image: [{ url: 'https://a.example/line' }] },
    ],
    ['a page', {}, ['URL:HTTP://Club.example/A b'], { url: 'http://club.example/A%20b' }],
    ['a level', {}, ['CATEGORIES:Beginners,Fun'], { level: ['Beginner'], category: ['Beginners', 'Fun'] }],
    [
      'an activity',
      {},
      ['CATEGORIES:Fun,yoga'],
      { activity: [{ prefLabel: 'Yoga', inScheme: 'https://openactive.io/activity-list' }] },
    ],
    [
      'an activity after that of a line',
      { activities: [{ words: 'yoga', activity: 'Pilates' }] },
      ['CATEGORIES:yoga'],
      { activity: [{ prefLabel: 'Pilates' }] },
    ],
    [
      'coordinates',
      {},
      ['LOCATION:Hall', 'GEO:51.25;1.125'],
      { location: { geo: { latitude: 51.25, longitude: 1.125 } } },
    ],
    [
      'coordinates as Apple writes them',
      {},
      ['LOCATION:Hall', 'X-APPLE-STRUCTURED-LOCATION;VALUE=URI;X-TITLE=Hall:geo:51.25,1.125'],
      { location: { geo: { latitude: 51.25, longitude: 1.125 } } },
    ],
    [
      'whom to ask, where that is included',
      { include: ['organizers'] },
      ['CONTACT:Jo\\, at the desk'],
      { description: 'Contact: Jo, at the desk' },
    ],
  ])('%s', (_name, mapping, lines, expected) => {
    expect(seriesOf(mapping, ...lines)).toMatchObject(expected);
  });

  test.each<[string, string, object]>([
    ['a number', 'X-COST:5', { price: 5, priceCurrency: 'GBP' }],
    ['pounds', 'X-PRICE:£4.50', { price: 4.5, priceCurrency: 'GBP' }],
    ['euros', 'COST:5\\,00 €', { price: 5, priceCurrency: 'EUR' }],
    ['a code', 'PRICE:CHF 12', { price: 12, priceCurrency: 'CHF' }],
    ['nothing', 'X-COST:Free', { price: 0 }],
    ['nothing, by type', 'X-COST-TYPE;VALUE=TEXT:free', { price: 0 }],
  ])('a price: %s', async (_name, line, expected) => {
    const data = seriesOf({ offers: [{ price: 9 }] }, line, 'X-TICKETS-URL:https://a.example/pay');
    expect(data.offers).toEqual([
      { '@type': 'Offer', '@id': `${data['@id'] as string}#/offers/0`, url: 'https://a.example/pay', ...expected },
    ]);
    expect(await failures(data)).toEqual([]);
  });

  test('a number alone is in the currency of the other prices', () => {
    const data = seriesOf({ offers: [{ price: 9, currency: 'EUR' }] }, 'X-COST:5');
    expect(data.offers).toMatchObject([{ price: 5, priceCurrency: 'EUR' }]);
  });

  test.each(['£5 or £3', '$5', '5 XXY', '£5 GBP', 'ask at the desk'])(
    'a price of %s is left out with a finding',
    (price) => {
      const text = calendarOf(eventOf('UID:1', ...WEEKLY, `X-COST:${price}`));
      const result = published(text);
      expect(codesOf(result)).toContain('price-unreadable');
      expect(result.published['session-series'][0]?.data.offers).toMatchObject([{ price: 0 }]);
    },
  );

  test.each([
    ['a file in the calendar', 'ATTACH;ENCODING=BASE64;VALUE=BINARY;FMTTYPE=image/png:AAAA'],
    ['a document', 'ATTACH:https://a.example/minutes.pdf'],
    ['a picture of a document', 'ATTACH;FMTTYPE=application/pdf:https://a.example/a.png'],
    ['a picture with a key', 'IMAGE;VALUE=URI:https://a.example/i.png?token=abc'],
    ['a program', 'IMAGE;VALUE=URI:javascript:alert(1)'],
  ])('%s is no image', (_name, line) => {
    expect(seriesOf({}, line)).not.toHaveProperty('image');
  });

  test.each([
    ['CONTACT:coach@club.example', 'emails'],
    ['CONTACT:Sue Jones', 'organizers'],
  ])('%s is left out with a finding', (line) => {
    const result = published(calendarOf(eventOf('UID:1', ...WEEKLY, line)));
    const left = result.findings.filter(({ code }) => code === 'personal-left-out');
    expect(left.map(({ path }) => path)).toEqual([expect.stringMatching(/CONTACT$/)]);
    expect(JSON.stringify(result.published)).not.toMatch(/coach@|Sue/);
  });

  test('but not the contact that the mapping file has', () => {
    const organizer = { ...REQUIRED.organizer, email: 'hello@club.example' };
    expect(seriesOf({ organizer }, 'CONTACT:hello@club.example')).toMatchObject({
      description: 'Contact: hello@club.example',
    });
  });
});

test('a currency that could not be read is not published', () => {
  expect(offerJson({ price: 5, currency: '' })).toEqual({ '@type': 'Offer', price: 5 });
});
