import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parseMapping } from '../../../src/publish/map/mapping.ts';
import { decidedMapping } from '../../../src/publish/starter/placeholders.ts';

const decided = (mapping: object) => decidedMapping(JSON.stringify(mapping), 'm.json');

describe('what a mapping leaves open', () => {
  test.each<[string, object, object, string[]]>([
    [
      'an example address',
      { base: 'https://example.org/open-data/', organizer: { name: 'A', url: 'https://example.org/' } },
      { organizer: { name: 'A' } },
      ['$.base', '$.organizer.url'],
    ],
    [
      'an object that asks',
      {
        organizer: { $comment: 'To decide: who?', name: 'club' },
        offers: [{ $comment: 'To decide: what?', price: 0 }],
      },
      {},
      ['$.organizer', '$.offers[0]'],
    ],
    [
      'one offer of two',
      { offers: [{ price: 2 }, { $comment: 'To decide: what?', price: 0 }] },
      { offers: [{ price: 2 }] },
      ['$.offers[1]'],
    ],
    ['a street', { place: { name: 'Hall', street: 'To be decided' } }, { place: { name: 'Hall' } }, ['$.place.street']],
    [
      'the type of a facility',
      { calendars: [{ $comment: 'To decide: what is open?', source: 'a', facility: { type: 'Sports Hall' } }] },
      {},
      ['$.calendars[0]'],
    ],
  ])('%s is not in it, and is a finding with its place', (_name, given, left, paths) => {
    const { mapping, placeholders } = decided(given);
    expect(mapping).toEqual(parseMapping(JSON.stringify(left), 'm.json'));
    expect(placeholders.map(({ code, severity, path }) => [code, severity, path])).toEqual(
      paths.map((path) => ['mapping-placeholder', 'error', path]),
    );
  });

  test('lines of events that publish nothing stay, and so do comments', () => {
    const events = [{ $comment: 'To decide: what is it?', title: 'Brunch', as: 'nothing' }];
    const $comment = 'To decide: replace https://example.org/';
    expect(decided({ $comment, events })).toEqual({
      mapping: parseMapping(JSON.stringify({ $comment, events }), 'm.json'),
      placeholders: [],
    });
  });

  test('a mapping without open questions is as it was', () => {
    const text = readFileSync(new URL('../../../fixtures/calendars/mapping.json', import.meta.url), 'utf8');
    expect(decidedMapping(text, 'm.json')).toEqual({ mapping: parseMapping(text, 'm.json'), placeholders: [] });
  });
});
