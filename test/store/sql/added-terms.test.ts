import { describe, expect, test } from 'vitest';
import { type DocumentQuery, matchesDocument } from '../../../src/library/search/query/matching.ts';
import type { Details, Series, Session } from '../../../src/opportunity/records.ts';
import { conceptKey, foldedKey } from '../../../src/search/document.ts';
import { sessionDocument } from '../../../src/search/session-document.ts';
import { addedTerms, documentRow } from '../../../src/store/document-row.ts';
import type { TermGroup } from '../../../src/store/index.ts';
import { activityList } from '../../../src/vocabulary/shipped.ts';
import { Random } from '../../generate/random.ts';
import { addsWanted } from '../../library/search/plain-index.ts';

/** A session is found by what it adds to its series: of everything it has, an index needs no more. */

const WORDS = ['yoga', 'flow', 'chair', 'anna', 'mill', 'swim'];
const LEVELS = ['Beginner', 'Expert'];
const ACTIVITIES = ['Yoga', 'Hatha Yoga', 'Swimming'];
const LOCATIONS = [
  { name: 'Mill', latitude: 50.7, longitude: -3.5 },
  { name: 'Mill', latitude: 50.9, longitude: -3.5 },
  { name: 'Old Mill', address: '1 Lane, Wexcombe, EX99 9ZZ' },
];

function textOf(random: Random): string {
  return Array.from({ length: random.int(1, 4) }, () => random.pick(WORDS)).join(' ');
}

function detailsOf(random: Random, chance: number): Details {
  const { values } = {
    values: {
      name: () => textOf(random),
      description: () => textOf(random),
      activity: () => [random.pick(ACTIVITIES)],
      category: () => [textOf(random)],
      leader: () => [textOf(random)],
      level: () => [random.pick(LEVELS)],
      location: () => random.pick(LOCATIONS),
      ageRange: () => ({ min: random.int(0, 3) * 10, max: 40 }),
      gender: () => random.pick(['FemaleOnly', 'MaleOnly']),
      attendance: () => random.pick(['online', 'offline']),
      offers: () => [{ price: random.int(0, 3) }],
    },
  };
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, make]) => (random.chance(chance) ? [[name, make()]] : [])),
  ) as Details;
}

function groupOf(random: Random): TermGroup {
  const terms = () => Array.from({ length: random.int(1, 3) }, () => random.pick([...WORDS, 'yo', 'ann']));
  return {
    any: Array.from({ length: random.int(1, 2) }, terms),
    ...(random.chance(0.3) && { phrase: true }),
    ...(random.chance(0.3) && { prefix: true }),
    ...(random.chance(0.3) && { not: [terms()] }),
    ...(random.chance(0.1) && { notAt: [terms()] }),
    ...(random.chance(0.1) && { notBy: [terms()] }),
    ...(random.chance(0.4) && { within: random.pick(['names', 'kind'] as const) }),
  };
}

function queryOf(random: Random): DocumentQuery {
  const is = () => random.chance(0.15);
  return {
    ...(random.chance(0.6) && { words: Array.from({ length: random.int(1, 2) }, () => groupOf(random)) }),
    ...(is() && { keys: { activities: [conceptKey(random.pick(ACTIVITIES), activityList())] } }),
    ...(is() && { keys: { levels: [foldedKey(random.pick(LEVELS))], offers: ['free'] } }),
    ...(is() && { near: { latitude: 50.7, longitude: -3.5, km: 5 } }),
    ...(is() && { age: { min: random.int(0, 5) * 10 } }),
    ...(is() && { gender: 'FemaleOnly' as const }),
    ...(is() && { notGender: 'FemaleOnly' as const }),
    ...(is() && { notAge: [{ min: 0, max: 17 }] }),
    ...(is() && { maxPrice: random.int(0, 3) }),
    ...(is() && { online: true }),
  };
}

test('whatever a query finds of a session, and not of its series, the session has added', () => {
  let [alone, both] = [0, 0];
  for (let seed = 0; seed < 40_000; seed++) {
    const random = new Random(seed);
    const series = { details: detailsOf(random, 0.6) } as Series;
    const session = { details: detailsOf(random, 0.25) } as Session;
    const [ofSeries, ofSession] = [{ details: {} } as Session, session].map((one) =>
      sessionDocument(series, one, undefined),
    ) as [ReturnType<typeof sessionDocument>, ReturnType<typeof sessionDocument>];
    const query = queryOf(random);
    if (!matchesDocument(ofSession, query)) continue;
    if (matchesDocument(ofSeries, query)) both++;
    else {
      alone++;
      const added = addedTerms(documentRow(ofSession), documentRow(ofSeries), false);
      const isFound = added !== '' && addsWanted(added, { kind: 'session', ...query });
      expect(isFound, JSON.stringify({ seed, added, query })).toBe(true);
    }
  }
  expect([alone > 300, both > 300]).toEqual([true, true]);
});

describe('what a session adds', () => {
  const of = (details: Details, isElsewhere = false) => {
    const series = { details: { name: 'Yoga flow', leader: ['Ben'], offers: [{ price: 5 }] } } as unknown as Series;
    const [one, other] = [{ details }, { details: {} }].map((session) =>
      documentRow(sessionDocument(series, session as Session, undefined)),
    ) as [ReturnType<typeof documentRow>, ReturnType<typeof documentRow>];
    return addedTerms(one, other, isElsewhere);
  };

  test.each<[what: string, details: Details, added: string]>([
    ['nothing', {}, ''],
    ['what its series says', { name: 'Yoga flow', leader: ['Ben'] }, ''],
    ['a leader', { leader: ['Anna'] }, 'added_anna'],
    ['a word of its name, with the key of it', { name: 'Flow bay' }, 'added_bay differs_text added_n_flow_bay'],
    ['a price', { offers: [{ price: 0 }] }, 'added_f_free differs_price'],
  ])('%s', (_what, details, added) => {
    expect(of(details)).toBe(added);
  });

  test('another place with the same words', () => {
    expect(of({}, true)).toBe('differs_place');
  });
});
