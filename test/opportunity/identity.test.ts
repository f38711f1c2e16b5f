import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cleanItem } from '../../src/opportunity/clean.ts';
import { decodedId, identOf, keyOf, standIn } from '../../src/opportunity/identity.ts';
import { comparedId } from '../../src/opportunity/ids.ts';
import { isObject, type Json } from '../../src/opportunity/item/json.ts';
import { parsePage } from '../../src/opportunity/page/page.ts';
import { runs } from '../runs.ts';
import { through } from './reader.ts';

describe('keys', () => {
  // Calendars are subscribed at these addresses: a change here breaks every subscription there is.
  test.each([
    ['series', 'https://example.com/api/session-series/1402CBP20150217', 'k6yleekzh3mhphzr'],
    ['place', 'https://example.com/api/session-series/1402CBP20150217', 'zoyctyqgtsykz2qa'],
    ['series', '', 'tl53da6rw2b5e5yk'],
    ['series', 'Übung 🏃', 'cqs2luh5mfsvnzqz'],
  ])('%s %s: %s for ever', (kind, id, key) => {
    expect(keyOf(kind, id)).toBe(key);
  });

  test('are 16 letters and digits that are read alike in any case', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (kind, id) => {
        expect(keyOf(kind, id)).toMatch(/^[a-z2-7]{16}$/);
      }),
      { numRuns: runs(300) },
    );
  });

  test('do not meet among a hundred thousand', () => {
    expect(new Set(Array.from({ length: 100_000 }, (_, i) => keyOf('series', `https://x.org/${i}`))).size).toBe(
      100_000,
    );
  });
});

describe('ids are compared without what makes no difference', () => {
  test.each([
    ['https://x.org/a%20b', 'https://x.org/a b'],
    ['https://x.org/2018-03-15T10%3A30%3A00Z', 'https://x.org/2018-03-15T10:30:00Z'],
    ['https://x.org/100%', 'https://x.org/100%'],
    ['https://x.org/%ff', 'https://x.org/%ff'],
    ['plain', 'plain'],
    ['HTTPS://X.Org/Path', 'https://x.org/Path'],
    ['https://X.org:8080?Q=A', 'https://x.org:8080?Q=A'],
    ['https://x.org/a/', 'https://x.org/a'],
    ['https://x.org/a//', 'https://x.org/a'],
    ['https://x.org/', 'https://x.org'],
    ['https://x.org/a%2F', 'https://x.org/a'],
    ['URN:ISBN:12', 'URN:ISBN:12'],
    ['Court A', 'Court A'],
    ['/', '/'],
  ])('%s', (id, expected) => {
    expect(identOf(id)).toBe(expected);
  });
});

test('what is compared is compared as itself', () => {
  const piece = fc.string({ unit: fc.constantFrom(...'aA/:.%2Fé{}?#'), maxLength: 20 });
  fc.assert(
    fc.property(piece, fc.constantFrom('', 'HTTP://', 'https://Ex.org/'), (text, start) => {
      const ident = comparedId(decodedId(`${start}${text}`));
      expect(identOf(`${start}${text}`)).toBe(ident);
      expect(comparedId(ident)).toBe(ident);
    }),
    { numRuns: runs(500) },
  );
});

describe('stand-ins', () => {
  test('hold no key of the feed, and stay when the key changes', () => {
    const id = (key: string) => standIn(`https://user:pass@feed.example/rpde?type=s&apikey=${key}`, 'Place', '1');
    expect(id('hunter2')).toBe(id('hunter3'));
    expect(id('hunter2')).not.toMatch(/hunter2|pass/);
  });

  test('tell feeds apart by the rest of their address', () => {
    expect(standIn('https://feed.example/?club=1', 'Place', '1')).not.toBe(
      standIn('https://feed.example/?club=2', 'Place', '1'),
    );
    expect(standIn('/srv/feeds/a', 'Place', '1')).not.toBe(standIn('/srv/feeds/b', 'Place', '1'));
  });

  test('hold no path of the feed, where keys stand too', () => {
    const id = (path: string) => standIn(`https://feed.example/${path}`, 'Place', '1');
    expect(id('rpde/s3cret')).toMatch(/^https:\/\/feed\.example\/~[0-9a-f]{16}#Place\/1$/);
    expect(id('rpde/s3cret')).not.toBe(id('rpde/other'));
    // Longer than an address is shown.
    expect(id(`${'a/'.repeat(300)}1`)).not.toBe(id(`${'a/'.repeat(300)}2`));
  });

  test('do not show the path of a folder', () => {
    expect(standIn('/srv/feeds/a', 'Place', '1')).toMatch(/^urn:openactive-ical:[a-z2-7]{16}#Place\/1$/);
  });

  test('are one line of ASCII, whatever they are made of', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' })), (parts) => {
        expect(standIn('https://feed.example/', 'Place', ...parts)).toMatch(
          /^https:\/\/feed\.example\/~[0-9a-f]{16}#Place\/[\x21-\x7e]{0,200}$/,
        );
      }),
      { numRuns: runs(300) },
    );
  });
});

describe('an @id in an array', () => {
  const pages = globSync(fileURLToPath(new URL('../../fixtures/feeds/*/*.json', import.meta.url)));

  /** The same data with each `@id` in an array of its own. */
  function wrapped(value: Json): Json {
    if (Array.isArray(value)) return value.map(wrapped);
    if (!isObject(value)) return value;
    const entries = Object.entries(value).map(([name, of]) => [
      name,
      name === '@id' || name === 'id' ? [of] : wrapped(of),
    ]);
    return Object.fromEntries(entries) as Json;
  }

  test('says the same everywhere, and has one finding an item', () => {
    const options = { zone: 'Europe/London', feed: 'https://feed.example/rpde', slots: true };
    const items = pages.flatMap((page) => parsePage(readFileSync(page, 'utf8')).items);
    for (const item of items) {
      if (item.data === undefined) continue;
      const [one, other] = [item.data, wrapped(item.data)].map((data) => cleanItem({ ...item, data }, options));
      expect(other?.records).toEqual(one?.records);
      const more = other?.findings.filter(({ code }) => code !== 'id-in-array');
      expect(more).toEqual(one?.findings);
      const noted = (other?.findings.length ?? 0) - (more?.length ?? 0);
      expect(noted).toBeLessThanOrEqual(1);
      const hasId = isObject(item.data) && item.data['@id'] !== undefined && one?.records.length !== 0;
      if (hasId) expect(noted).toBe(1);
    }
  });

  test.each<[string, Json, string[], string]>([
    ['one, and what is empty', ['https://x.org/s', null, ''], ['id-in-array'], 'https://x.org/s'],
    ['two', ['https://x.org/s', 'https://x.org/t'], ['id-unusable', 'id-missing'], ''],
    ['an array within', [['https://x.org/s']], ['id-unusable', 'id-missing'], ''],
    ['none', [], ['id-missing'], ''],
    ['an object', [{ '@id': 'https://x.org/s' }], ['id-unusable', 'id-missing'], ''],
  ])('%s', (_, id, codes, used) => {
    const data = { '@type': 'SessionSeries', name: 'Yoga', eventSchedule: [{ '@type': 'PartialSchedule' }], '@id': id };
    const { series, codes: found } = through(data);
    expect(found).toEqual(codes);
    expect(series[0]?.id.startsWith('https://feed.example/')).toBe(used === '');
    if (used !== '') expect(series[0]?.id).toBe(used);
  });
});
