import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { SearchQuery, TermGroup } from '../../../src/store/index.ts';
import { PostgresConnection, type Queryable } from '../../../src/store/postgres/connection.ts';
import { postgresSearch } from '../../../src/store/postgres/search/reading.ts';
import { sqlReader } from '../../../src/store/sql/read/reader.ts';
import { seededTags } from '../../../src/store/sql/tags.ts';

/** A statement with a name is kept in the memory of PostgreSQL, for each connection, until that ends. */

function reader() {
  const named = new Set<string>();
  const asked: Queryable = {
    query: async ({ name, text }) => {
      if (name !== undefined) named.add(text);
      return { rows: [], rowCount: 0, command: 'SELECT', oid: 0, fields: [] };
    },
  };
  const db = new PostgresConnection(asked, new Map(), (error) => error);
  return { read: sqlReader(db, seededTags('7', '1'), postgresSearch(db)), named };
}

const terms = fc.array(fc.stringMatching(/^[a-z]{1,5}$/), { minLength: 1, maxLength: 4 });
const alternatives = fc.array(terms, { minLength: 1, maxLength: 4 });
const group: fc.Arbitrary<TermGroup> = fc.record(
  { any: alternatives, not: alternatives, phrase: fc.boolean(), within: fc.constantFrom('names', 'kind') },
  { requiredKeys: ['any'] },
);
const query: fc.Arbitrary<SearchQuery> = fc.record(
  {
    kind: fc.constantFrom('series', 'facility'),
    words: fc.array(group, { maxLength: 4 }),
    maxPrice: fc.nat(),
    online: fc.constant(true),
    records: fc.array(fc.nat()),
  },
  { requiredKeys: ['kind'] },
);

test('no search is kept, whatever its words are', async () => {
  const { read, named } = reader();
  await fc.assert(
    fc.asyncProperty(query, async (asked) => {
      await read.search(asked, 10);
      await read.countFound(asked, 10);
      await read.foundOccurrences(asked, { from: 0, to: 1, limit: 10 });
      await read.calendars({ kind: asked.kind, limit: 10 });
      await read.countCalendars({ kind: asked.kind, venue: 1 });
      expect([...named]).toEqual([]);
    }),
  );
});

test('what is asked again and again is prepared once', async () => {
  const { read, named } = reader();
  await read.calendarByKey('a');
  await read.calendarByKey('b');
  expect(named.size).toBe(1);
});
