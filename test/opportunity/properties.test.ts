import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { ownWords } from '../../src/calendar/wording/status-words.ts';
import { factsOf } from '../../src/calendar/wording/wording.ts';
import { hasUnread } from '../../src/opportunity/event/session.ts';
import type { JsonObject } from '../../src/opportunity/item/json.ts';
import { type Details, PROPERTIES, ROWS, type Row } from '../../src/opportunity/properties.ts';
import { inherit } from '../../src/opportunity/records.ts';
import { seriesObject } from '../../src/publish/feed/record-object.ts';
import { SCHEMAS } from '../../src/server/api/openapi-schemas.ts';
import { markupText } from '../../src/server/pages/frame/markup.tsx';
import { Facts } from '../../src/server/pages/series/facts.tsx';
import { viewOf } from '../server/pages/series/views.ts';
import { seriesWith, through } from './reader.ts';

/** One case a row of the table: what a feed says, what the record holds, and the line in a calendar's description. */
const CASES: { [K in keyof Details]-?: [stated: unknown, held: Details[K], line?: string] } = {
  name: ['Pilates', 'Pilates'],
  description: ['Slow.\nAnd low.', 'Slow.\nAnd low.'],
  activity: [[{ '@type': 'Concept', prefLabel: 'Yoga' }], ['Yoga']],
  category: [['Group Exercise'], ['Group Exercise']],
  offers: [
    [{ '@type': 'Offer', name: 'Adult', price: 5.5, priceCurrency: 'GBP' }],
    [{ name: 'Adult', price: 5.5, currency: 'GBP' }],
    'Price: £5.50 (Adult)',
  ],
  programme: [
    { '@type': 'Brand', name: 'Couch to 5K', url: 'https://x.org/5k' },
    { name: 'Couch to 5K', url: 'https://x.org/5k' },
    'Programme: Couch to 5K',
  ],
  leader: [[{ '@type': 'Person', name: 'Jo' }], ['Jo'], 'Leader: Jo'],
  level: [['Beginner'], ['Beginner'], 'Level: Beginner'],
  ageRange: [{ '@type': 'QuantitativeValue', minValue: 16 }, { min: 16 }, 'Ages: 16 and over'],
  gender: ['https://openactive.io/FemaleOnly', 'FemaleOnly', 'For: women and girls'],
  location: [
    { '@type': 'Place', '@id': 'https://x.org/p', name: 'The Hall' },
    { id: 'https://x.org/p', name: 'The Hall' },
  ],
  room: [[{ '@type': 'SportsActivityLocation', name: 'Court 1' }], 'Court 1', 'Where: Court 1'],
  meetingPoint: ['The gate', 'The gate', 'Meeting point: The gate'],
  virtualLocation: [
    { '@type': 'VirtualLocation', name: 'Zoom', url: 'https://x.org/z' },
    { name: 'Zoom', url: 'https://x.org/z' },
    'Online: Zoom, https://x.org/z',
  ],
  attendance: ['https://schema.org/MixedEventAttendanceMode', 'mixed', 'Online: yes'],
  schedulingNote: ['Not in August', 'Not in August', 'Note: Not in August'],
  attendeeInstructions: ['Bring a mat', 'Bring a mat', 'Instructions: Bring a mat'],
  accessibilitySupport: [
    [{ '@type': 'Concept', prefLabel: 'Visual impairment' }],
    ['Visual impairment'],
    'Accessibility support: Visual impairment',
  ],
  accessibilityInformation: [
    'Step-free.\n\nHearing loop.',
    'Step-free. Hearing loop.',
    'Accessibility: Step-free. Hearing loop.',
  ],
  organizer: [
    { '@type': 'Organization', name: 'Club', telephone: '1' },
    { name: 'Club', telephone: '1' },
    'Organiser: Club, 1',
  ],
  maximumAttendeeCapacity: [9, 9],
  image: [[{ '@type': 'ImageObject', url: 'https://x.org/a.png' }], 'https://x.org/a.png'],
};

/** Properties with a label whose values a page has under another term, or in a section of its own. */
const TERMS: { readonly [K in keyof Details]?: string | null } = {
  accessibilityInformation: 'Access',
  attendeeInstructions: null,
};

const PROVENANCE = { provenance: { feed: 'https://x.org/feed' }, concepts: new Map() };
const BASE = { name: 'Yoga' };

/** The schema of details alone, with those that it refers to. */
const DETAILS = JSON.stringify({ ...SCHEMAS.Details, $defs: SCHEMAS }).replaceAll('#/components/schemas/', '#/$defs/');

/** The one series of an item, and what was found. */
function read(data: JsonObject) {
  const { series, codes } = through(seriesWith(data));
  const [one] = series;
  if (one === undefined) throw new Error('There is no series.');
  return { series: one, codes };
}

test('every row has a case', () => {
  expect(Object.keys(CASES).sort()).toEqual(Object.keys(PROPERTIES).sort());
});

describe.each(ROWS)('$name', ({ name, from: [stated], label, fact, partial, bySessionsOnly }: Row) => {
  const [value, held, line] = CASES[name] as [JsonObject[string], unknown, string?];
  const { series, codes } = read({ [stated]: value });
  const details = { ...BASE, [name]: held };

  test('is read', () => {
    expect(codes).toEqual([]);
    expect(series.details).toEqual(details);
  });

  test('is a line of a description, which is not taken for the publisher’s own words', () => {
    expect(factsOf({ [name]: held })).toEqual(line === undefined ? [] : [line]);
    if (line !== undefined) expect(ownWords(`A walk.\n\n${line}`)).toBe('A walk.');
  });

  test('is a fact of a page, under its own term or its label', async () => {
    const term = TERMS[name] === undefined ? (fact ?? label) : TERMS[name];
    if (term === undefined || term === null) return;
    const page = await markupText(Facts({ view: viewOf({ details: { [name]: held } }) }));
    expect(page).toMatch(new RegExp(`<dt>${term}</dt><dd dir="auto">(?!Not given)`));
    expect(page).not.toContain('[object');
  });

  test('is published so that it is read again', () => {
    const published = seriesObject(series, [], PROVENANCE);
    expect(published).toHaveProperty([stated]);
    expect(through(published).series[0]?.details).toEqual(details);
  });

  test('is inherited and compared as its row says', () => {
    expect(inherit({ [name]: held }, {}, true)).toEqual({ [name]: held });
    expect(inherit({ [name]: held }, {}, false)).toEqual(bySessionsOnly ? {} : { [name]: held });
    expect(hasUnread({ [stated]: value })).toBe(partial === true);
  });

  test('is in the JSON schema', () => {
    const schema = z.fromJSONSchema(JSON.parse(DETAILS));
    expect(schema.safeParse({ [name]: held }).success).toBe(true);
    expect(schema.safeParse({ [name]: { odd: held } }).success).toBe(false);
  });
});
