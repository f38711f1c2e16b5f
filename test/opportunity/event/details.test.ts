import { describe, expect, test } from 'vitest';
import { parseJson } from '../../../src/opportunity/item/json.ts';
import { webAddress } from '../../../src/opportunity/item/values.ts';
import { type Details, inherit, type Session } from '../../../src/opportunity/records.ts';
import { seriesWith, sessionWith, through } from '../reader.ts';

function details(data: Record<string, unknown>) {
  const { series, codes } = through(seriesWith(data));
  const rest = { ...series[0]?.details };
  delete rest.name;
  return { details: rest, codes };
}

const FIVE = { level: ['Beginner'], offers: [{ price: 5 }] };

describe('one property, several spellings', () => {
  test.each([
    [
      'activity as Concepts',
      { activity: [{ '@type': 'Concept', prefLabel: 'Yoga' }, { prefLabel: 'Pilates' }] },
      { activity: ['Yoga', 'Pilates'] },
    ],
    ['activity as texts', { activity: ['Yoga', 'Yoga', ''] }, { activity: ['Yoga'] }],
    ['activity as one text', { activity: 'Yoga' }, { activity: ['Yoga'] }],
    ['a Concept’s address says nothing', { activity: ['https://openactive.io/activity-list#5e78'] }, {}],
    ['a Concept without a label', { activity: [{ '@type': 'Concept', '@id': 'https://x.org' }] }, {}],
    ['category', { category: ['Group Exercise', { prefLabel: 'Water' }] }, { category: ['Group Exercise', 'Water'] }],
    ['category of nothing', { category: [''] }, {}],
    ['level', { level: ['Beginner'] }, { level: ['Beginner'] }],
    ['level as an object', { level: { '@type': 'Concept', prefLabel: 'Beginner' } }, { level: ['Beginner'] }],
    ['beta:level', { 'beta:level': 'intermediate' }, { level: ['intermediate'] }],
    [
      'organizer',
      {
        organizer: {
          '@type': 'Organization ',
          '@id': 'https://x.org/o',
          name: 'Club',
          url: 'https://x.org',
          email: 'a@x.org',
          telephone: '1',
        },
      },
      { organizer: { id: 'https://x.org/o', name: 'Club', url: 'https://x.org', email: 'a@x.org', telephone: '1' } },
    ],
    [
      'a Person organizes',
      { organizer: { '@type': 'Person', givenName: 'Ann', familyName: 'Lee' } },
      { organizer: { name: 'Ann Lee' } },
    ],
    ['organizer as text', { organizer: 'Club' }, { organizer: { name: 'Club' } }],
    ['organizer of nothing', { organizer: { '@type': 'Organization' } }, {}],
    [
      'leader',
      { leader: [{ '@type': 'Person', familyName: 'Smith', givenName: 'Nicole' }, { name: 'Bo' }, 'Cy'] },
      { leader: ['Nicole Smith', 'Bo', 'Cy'] },
    ],
    ['a text that nobody sees', { meetingPoint: '\u200b\u00ad\u200d', description: '\u2060' }, {}],
    ['leader of nothing', { leader: { '@type': 'Person', name: null, email: null } }, {}],
    ['image', { image: [{ '@type': 'ImageObject', url: 'https://x.org/a.png' }] }, { image: 'https://x.org/a.png' }],
    [
      'the first of several images',
      { image: [{ url: 'https://x.org/a.png' }, { url: 'https://x.org/b.png' }] },
      { image: 'https://x.org/a.png' },
    ],
    ['image as text', { image: 'https://x.org/a.png' }, { image: 'https://x.org/a.png' }],
    ['image without an address', { image: { '@type': 'ImageObject' } }, {}],
    ['ages', { ageRange: { '@type': 'QuantitativeValue', minValue: 16 } }, { ageRange: { min: 16 } }],
    ['both ages', { ageRange: { minValue: 11, maxValue: '15' } }, { ageRange: { min: 11, max: 15 } }],
    ['age as text', { ageRange: '18' }, { ageRange: { min: 18 } }],
    ['ages as text', { ageRange: '11-16' }, { ageRange: { min: 11, max: 16 } }],
    ['age and up', { ageRange: '18+' }, { ageRange: { min: 18 } }],
    ['women', { genderRestriction: 'https://openactive.io/FemaleOnly' }, { gender: 'FemaleOnly' }],
    ['women, in a word', { genderRestriction: 'female' }, { gender: 'FemaleOnly' }],
    ['men, in an array', { genderRestriction: ['oa:MaleOnly'] }, { gender: 'MaleOnly' }],
    ['everybody', { genderRestriction: 'https://openactive.io/NoRestriction' }, {}],
    ['everybody, in a word', { genderRestriction: 'mixed' }, {}],
    ['attendance', { eventAttendanceMode: 'https://schema.org/OnlineEventAttendanceMode' }, { attendance: 'online' }],
    ['attendance beside nothing', { eventAttendanceMode: [null, `${MODE}Online`] }, { attendance: 'online' }],
    ['attendance, spelled otherwise', { eventAttendanceMode: 'http://schema.org/mixed' }, { attendance: 'mixed' }],
    ['capacity', { maximumAttendeeCapacity: '16' }, { maximumAttendeeCapacity: 16 }],
    [
      'words',
      { meetingPoint: ' At the\n gate', schedulingNote: 'Term time', attendeeInstructions: 'Bring\r\nwater' },
      { meetingPoint: 'At the gate', schedulingNote: 'Term time', attendeeInstructions: 'Bring\nwater' },
    ],
    ['description', { description: 'a\r\n\r\n\r\nb' }, { description: 'a\n\nb' }],
    ['description with its language', { description: { '@value': 'a', '@language': 'en' } }, { description: 'a' }],
    ['values as objects', { level: [{ '@value': 'Beginner' }], offers: [{ price: { '@value': 5 } }] }, FIVE],
    [
      'beta:formattedDescription when there is no other',
      { 'beta:formattedDescription': '<p>a</p><p>b</p>' },
      { description: 'a\n\nb' },
    ],
    [
      'description before beta:formattedDescription',
      { description: 'plain', 'beta:formattedDescription': '<p>a</p>' },
      { description: 'plain' },
    ],
    [
      'offers',
      { offers: [{ '@type': 'Offer', name: 'Adult', price: 5.5, priceCurrency: 'GBP', url: 'https://x.org/buy' }] },
      { offers: [{ name: 'Adult', price: 5.5, currency: 'GBP', url: 'https://x.org/buy' }] },
    ],
    ['one offer', { offers: { price: 0 } }, { offers: [{ price: 0 }] }],
    [
      'currency in small letters',
      { offers: [{ price: 1, priceCurrency: 'gbp' }] },
      { offers: [{ price: 1, currency: 'GBP' }] },
    ],
    ['free without offers', { isAccessibleForFree: true }, { offers: [{ price: 0 }] }],
    ['free with offers', { isAccessibleForFree: true, offers: [{ name: 'Free' }] }, { offers: [{ name: 'Free' }] }],
    [
      'empty values',
      { description: '', activity: [], organizer: null, offers: [null], ageRange: {}, image: null, leader: [] },
      {},
    ],
  ])('%s', (_name, data, expected) => {
    expect(details(data)).toEqual({ details: expected, codes: [] });
  });
});

const CLUB = { organizer: { name: 'Club' } };
const MODE = 'https://schema.org/';
const ID = { id: 'https://x.org/o' };
const EMPTY = { '@type': 'Person', name: '' };
const MAIL = { organizer: { email: 'a@x.org' } };
const LED = { leader: ['Bo'] };
const IN_TWO = [
  { '@value': 'Drws', '@language': 'cy' },
  { '@value': 'Door', '@language': 'en' },
];

describe('a value that cannot be used is a finding', () => {
  test.each([
    ['HTML in a description', { description: '<p>a</p>' }, { description: 'a' }, 'html-in-text'],
    ['a control character', { description: 'a\u0000b' }, { description: 'ab' }, 'control-characters'],
    ['an object as text', { description: { text: 'a' } }, {}, 'value-not-text'],
    ['several texts', { meetingPoint: ['a', 'b'] }, { meetingPoint: 'a' }, 'several-values'],
    [
      'texts by language',
      { meetingPoint: { cy: 'Drws', 'en-GB': 'Door' } },
      { meetingPoint: 'Door' },
      'several-languages',
    ],
    ['a text in Welsh and in English', { meetingPoint: IN_TWO }, { meetingPoint: 'Door' }, 'several-languages'],
    ['a text in Welsh alone', { meetingPoint: { cy: 'Drws' } }, { meetingPoint: 'Drws' }, 'several-languages'],
    ['an empty English text', { meetingPoint: { en: ' ', cy: 'Drws' } }, { meetingPoint: 'Drws' }, 'several-languages'],
    ['a text in Welsh in an array', { meetingPoint: { cy: ['Drws'] } }, { meetingPoint: 'Drws' }, 'several-languages'],
    [
      'an empty array in English',
      { meetingPoint: { en: [], cy: ['Drws'] } },
      { meetingPoint: 'Drws' },
      'several-languages',
    ],
    ['an object whose names are no languages', { meetingPoint: { id: 'a', url: 'b' } }, {}, 'value-not-text'],
    ['an organizer by address', { organizer: 'https://x.org/o' }, { organizer: ID }, 'value-of-wrong-type'],
    ['an organizer that is only named', { organizer: { '@id': ID.id } }, { organizer: ID }, 'value-of-wrong-type'],
    ['an organizer without a name', { organizer: { ...EMPTY, email: 'a@x.org' } }, MAIL, 'value-of-wrong-type'],
    ['a programme by address', { programme: 'https://x.org/p' }, {}, 'value-of-wrong-type'],
    ['a leader by address', { leader: 'https://x.org/people/1' }, {}, 'value-of-wrong-type'],
    ['a leader that is only named', { leader: [{ '@id': 'https://x.org/1' }, 'Bo'] }, LED, 'value-of-wrong-type'],
    ['a leader without a name', { leader: { ...EMPTY, url: 'https://x.org/1' } }, {}, 'value-of-wrong-type'],
    ['a number for a person', { leader: 77, organizer: { name: 'Club' } }, CLUB, 'value-of-wrong-type'],
    ['a number for an organization', { organizer: 77 }, {}, 'value-of-wrong-type'],
    ['numbers for concepts', { activity: [77, 'Yoga'] }, { activity: ['Yoga'] }, 'value-of-wrong-type'],
    ['an array in an array', { category: [['Water']] }, {}, 'value-of-wrong-type'],
    ['free, in a text', { isAccessibleForFree: 'true' }, { offers: [{ price: 0 }] }, 'value-of-wrong-type'],
    ['free, and who knows', { isAccessibleForFree: 'yes' }, {}, 'value-of-wrong-type'],
    [
      'a currency that cannot be read',
      { offers: [{ price: 5, priceCurrency: '£' }] },
      { offers: [{ price: 5, currency: '' }] },
      'currency-unknown',
    ],
    ['a fraction of people', { maximumAttendeeCapacity: 9.5 }, { maximumAttendeeCapacity: 9 }, 'number-invalid'],
    ['ages the wrong way round', { ageRange: { minValue: 2, maxValue: 0 } }, {}, 'age-range-invalid'],
    ['ages below 0', { ageRange: { minValue: -1, maxValue: -1 } }, {}, 'age-range-invalid'],
    ['an age past 150', { ageRange: { minValue: 0, maxValue: 999 } }, { ageRange: { min: 0 } }, 'age-range-invalid'],
    ['an age below 0 as a number', { ageRange: -1 }, {}, 'age-range-invalid'],
    ['ages in months', { ageRange: { minValue: 6, maxValue: 18, unitCode: 'MON' } }, {}, 'age-range-in-months'],
    ['ages in words', { ageRange: 'adults' }, {}, 'age-range-invalid'],
    ['an unknown gender', { genderRestriction: 'ladies who lunch' }, {}, 'gender-unknown'],
    ['an unknown attendance', { eventAttendanceMode: 'https://schema.org/HybridMode' }, {}, 'attendance-mode-unknown'],
    [
      'several attendance modes',
      { eventAttendanceMode: [`${MODE}OnlineEventAttendanceMode`, `${MODE}OfflineEventAttendanceMode`] },
      { attendance: 'mixed' },
      'attendance-mode-unknown',
    ],
    [
      'an attendance mode beside an unknown one',
      { eventAttendanceMode: [`${MODE}OnlineEventAttendanceMode`, `${MODE}HybridMode`] },
      { attendance: 'online' },
      'several-values',
    ],
    ['a capacity that is none', { maximumAttendeeCapacity: -5 }, {}, 'number-invalid'],
    ['a capacity in words', { maximumAttendeeCapacity: '>4' }, {}, 'number-invalid'],
    ['a price as text', { offers: [{ price: '5.00' }] }, { offers: [{ price: 5 }] }, 'price-as-text'],
    [
      'free, and not without money',
      { isAccessibleForFree: true, offers: [{ price: 5 }] },
      { offers: [{ price: 5 }] },
      'free-with-price',
    ],
    ['an offer in words', { offers: ['£5', ''] }, {}, 'offer-not-an-object'],
    ['a price in words', { offers: [{ name: 'x', price: 'a fiver' }] }, { offers: [{ name: 'x' }] }, 'price-invalid'],
    ['a negative price', { offers: [{ name: 'x', price: -1 }] }, { offers: [{ name: 'x' }] }, 'price-invalid'],
    ['a script as an address', { image: 'javascript:alert(1)' }, {}, 'url-invalid'],
    ['activities', { activities: ['Yoga'] }, { activity: ['Yoga'] }, 'property-misnamed'],
    ['offer', { offer: { price: 1 } }, { offers: [{ price: 1 }] }, 'property-misnamed'],
    [
      'a hundred activities',
      { activity: Array.from({ length: 100 }, (_, i) => `a${i}`) },
      { activity: Array.from({ length: 20 }, (_, i) => `a${i}`) },
      'capped',
    ],
  ])('%s', (_name, data, expected, code) => {
    expect(details(data)).toEqual({ details: expected, codes: [code] });
  });

  test('10 MB of description are cut', () => {
    const found = details({ description: 'word '.repeat(2_000_000) });
    expect([found.details.description?.length, found.codes]).toEqual([8000, ['text-too-long']]);
  });

  test('integers past 2^53 are text where text is meant', () => {
    const { value } = parseJson(
      '{"name":12345678901234567890,"organizer":{"name":"Club","telephone":12345678901234567890}}',
    );
    const { series } = through(seriesWith(value as Record<string, unknown>));
    expect(series[0]?.details).toMatchObject({
      name: '12345678901234567890',
      organizer: { telephone: '12345678901234567890' },
    });
  });
});

describe('a price in a text', () => {
  test.each<[price: string | string[], offer: object, currency?: string]>([
    ['£5.50', { price: 5.5, currency: 'GBP' }],
    ['5,50', { price: 5.5 }],
    ['€ 7,5', { price: 7.5, currency: 'EUR' }],
    ['1,250', { price: 1250 }],
    ['£1,250.00', { price: 1250, currency: 'GBP' }],
    ['12 gbp', { price: 12, currency: 'GBP' }],
    [['£5'], { price: 5, currency: 'GBP' }],
    ['£5', { price: 5, currency: 'EUR' }, 'EUR'],
    ['Free', { price: 0, currency: 'GBP' }, 'GBP'],
  ])('%s', (price, offer, priceCurrency) => {
    expect(details({ offers: [{ price, priceCurrency }] })).toEqual({
      details: { offers: [offer] },
      codes: ['price-as-text'],
    });
  });

  test.each(['5.5.5', '1,25,0', '£5 or £7', '£-5', '1.250,00', 'from 5'])('%s is none', (price) => {
    expect(details({ offers: [{ name: 'x', price }] })).toEqual({
      details: { offers: [{ name: 'x' }] },
      codes: ['price-invalid'],
    });
  });
});

describe('addresses on the net', () => {
  test.each([
    ['https://x.org', 'https://x.org'],
    [' https://x.org/a?b=c&d=%20#e ', 'https://x.org/a?b=c&d=%20#e'],
    ['HTTP://X.org/A', 'HTTP://X.org/A'],
    ['https://x.org/a b', 'https://x.org/a%20b'],
    ['https://x.org/é', 'https://x.org/%C3%A9'],
    ['https://x.org/"><script>', 'https://x.org/%22%3E%3Cscript%3E'],
    ['https://müller.example/', 'https://xn--mller-kva.example/'],
    ['https://x.org:8080/', 'https://x.org:8080/'],
  ])('%s', (text, expected) => {
    expect(webAddress(text)).toBe(expected);
  });

  test.each([
    '',
    'x.org',
    '//x.org',
    'ftp://x.org',
    'javascript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'https://',
    'https:x.org',
    'https://bank.example@x.org/',
    `https://x.org/${'a'.repeat(3000)}`,
    'https://x.org:99999999/',
  ])('%s is none', (text) => {
    expect(webAddress(text)).toBeUndefined();
  });

  test('line ends cannot come in', () => {
    expect(webAddress('https://x.org/\r\nBEGIN:VALARM')).not.toMatch(/[\r\n]/);
  });
});

test('of several texts of one language the first is read', () => {
  expect(details({ meetingPoint: { cy: ['Drws', 'Porth'] } })).toEqual({
    details: { meetingPoint: 'Drws' },
    codes: ['several-languages', 'several-values'],
  });
});

test('a spelling that is noted once hides no object of which nothing is read', () => {
  const level = [{ type: 'Concept', label: 'Easy' }];
  const organizer = { type: 'Organization', id: ['https://x.org/o'] };
  for (const stated of [{ level }, { level, organizer }, { organizer, level }])
    expect(details(stated).codes).toContain('value-unused');
});

describe('objects of which nothing is read are findings', () => {
  test.each<[property: string, value: object]>([
    ['activity', { '@type': 'Concept', name: '', notation: 'yoga' }],
    ['category', { en: ['Water'] }],
    ['level', [{ '@type': 'Concept', inScheme: 'https://x.org/levels' }]],
    ['offers', { '@type': 'AggregateOffer', lowPrice: 5, highPrice: 9 }],
    ['offers', [{ '@type': 'Offer', priceSpecification: { price: 5 } }]],
    ['ageRange', { '@type': 'QuantitativeValue', value: 18 }],
    ['location', { '@type': 'Place', streetAddress: '1 High St' }],
    ['beta:virtualLocation', { '@type': 'VirtualLocation', identifier: 'zoom' }],
    ['accessibilitySupport', [{ label: 'Hoist' }]],
  ])('%s: %j', (property, value) => {
    expect(details({ [property]: value })).toEqual({ details: {}, codes: ['value-unused'] });
  });

  test.each<[property: string, value: object, expected: object]>([
    ['activity', { '@type': 'Concept', '@id': 'https://x.org/1', prefLabel: null }, {}],
    ['location', { '@type': 'VirtualLocation', name: 'Zoom' }, { virtualLocation: { name: 'Zoom' } }],
    ['location', { '@type': 'Place', name: 'Court 1', containedInPlace: {} }, { room: 'Court 1' }],
    ['offers', [{ '@type': 'Offer', price: null }], {}],
  ])('%s: %j is not', (property, value, expected) => {
    expect(details({ [property]: value })).toEqual({ details: expected, codes: [] });
  });
});

test('concepts that are only named by address have the label that their list has for it', () => {
  const conceptLabel = (id: string) => (id === 'https://lists.example/a#1' ? 'Yoga' : undefined);
  const activity = [
    'https://lists.example/a#1',
    { '@type': 'Concept', '@id': 'https://lists.example/a#1', prefLabel: 'Hatha' },
    { id: 'https://lists.example/a#1' },
    { '@id': 'https://lists.example/a#2' },
    'https://lists.example/a#2',
  ];
  const { series } = through(seriesWith({ activity }), { conceptLabel });
  expect(series[0]?.details.activity).toEqual(['Yoga', 'Hatha']);
});

describe('inheritance', () => {
  test('the child’s value wins, offers go only where they may', () => {
    const parent = { name: 'a', level: ['x'], offers: [{ price: 1 }] };
    expect(inherit(parent, { name: 'b' }, true)).toEqual({ name: 'b', level: ['x'], offers: [{ price: 1 }] });
    expect(inherit(parent, { name: 'b' }, false)).toEqual({ name: 'b', level: ['x'] });
    expect(inherit(parent, { offers: [{ price: 2 }] }, false)).toEqual({
      name: 'a',
      level: ['x'],
      offers: [{ price: 2 }],
    });
  });

  const hall = { id: 'https://x.org/p/1', name: 'Hall' };
  const usual = { location: hall, room: 'Studio 2', meetingPoint: 'Reception' };
  test.each<[what: string, child: Details, room?: string]>([
    ['nothing of a place', { name: 'b' }, 'Studio 2'],
    ['the same place', { location: { id: 'https://X.org/p/1/' } }, 'Studio 2'],
    ['the same place without its @id', { location: { id: 'stand-in', name: 'Hall', address: '1 St' } }, 'Studio 2'],
    ['another place', { location: { id: 'https://x.org/p/2', name: 'Park' } }],
    ['another place that is only named', { location: { id: 'https://x.org/p/2' } }],
    ['another place with a room', { location: { name: 'Park' }, room: 'Pitch 1' }, 'Pitch 1'],
    ['that it is online', { attendance: 'online' }],
  ])('the room of the usual place is of a child that states %s', (_, child, room) => {
    const { meetingPoint, ...own } = inherit(usual, child, true);
    expect(own.room).toBe(room);
    expect(meetingPoint).toBe(room === 'Studio 2' ? 'Reception' : undefined);
  });

  test('what a child does not say of the same place is that of the parent', () => {
    const whole = { ...hall, address: '1 St', latitude: 51.5, longitude: -0.1 };
    const of = (location: NonNullable<Details['location']>) =>
      inherit({ location: whole }, { location }, true).location;
    expect(of({ id: 'https://X.org/p/1/', name: 'Hall 2' })).toEqual({
      ...whole,
      id: 'https://X.org/p/1/',
      name: 'Hall 2',
    });
    expect(of({ id: 'https://x.org/p/2', name: 'Park' })).toEqual({ id: 'https://x.org/p/2', name: 'Park' });
    expect(of({ name: 'Park' })).toEqual({ name: 'Park' });
  });

  test('a session for everybody is not for women alone, whatever its series says', () => {
    const own = { genderRestriction: 'https://openactive.io/NoRestriction' };
    const { series, sessions } = through(
      sessionWith({ ...own, superEvent: seriesWith({ genderRestriction: 'https://openactive.io/FemaleOnly' }) }),
    );
    const [{ details }] = sessions as [Session];
    expect(inherit(series[0]?.details, details, true).gender).toBe('NoRestriction');
    const above = { '@type': 'EventSeries', '@id': 'https://x.org/all', name: 'All', genderRestriction: 'FemaleOnly' };
    expect(through(seriesWith({ ...own, superEvent: above })).series[0]?.details.gender).toBe('NoRestriction');
  });

  test('the room is inherited where the parent states no place', () => {
    expect(inherit({ room: 'Studio 2' }, { location: hall }, true)).toEqual({ room: 'Studio 2', location: hall });
  });
});
