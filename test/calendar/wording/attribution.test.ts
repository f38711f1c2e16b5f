import { expect, test } from 'vitest';
import { attribution, type Credit, licenseName } from '../../../src/calendar/wording/attribution.ts';

const LICENSE = 'https://creativecommons.org/licenses/by/4.0/';

test.each<[credit: Credit, organizer: string | undefined, line: string | undefined]>([
  [{}, undefined, undefined],
  [{ license: LICENSE }, undefined, 'Open data, CC BY 4.0'],
  [{ license: LICENSE }, 'Yoga Club', 'Source: Yoga Club, CC BY 4.0'],
  [{ publisher: 'Marlowe Leisure' }, 'Yoga Club', 'Source: Marlowe Leisure'],
  [
    { publisher: 'Marlowe Leisure', publisherUrl: 'https://data.marlowe.example/', license: LICENSE },
    undefined,
    'Source: Marlowe Leisure (https://data.marlowe.example/), CC BY 4.0',
  ],
])('a line names who published the data, and its licence: %j, %s', (credit, organizer, line) => {
  expect(attribution(credit, organizer)).toBe(line);
});

test.each([
  [LICENSE, 'CC BY 4.0'],
  ['http://creativecommons.org/licenses/by/4.0', 'CC BY 4.0'],
  ['https://creativecommons.org/licenses/by/4.0/legalcode', 'CC BY 4.0'],
  ['https://licence.example/own', 'https://licence.example/own'],
])('a licence has the name that people know it by: %s', (address, name) => {
  expect(licenseName(address)).toBe(name);
});
