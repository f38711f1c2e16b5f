import { expect, test } from 'vitest';
import { SqlChangeLog } from '../../../src/store/sql/change-log.ts';
import type { Cells, Database } from '../../../src/store/sql/database.ts';

/** Over a network each statement is a round trip: a thousand changes take as many statements as one. */

const NOW = Date.UTC(2026, 10, 1);
const TABLES = { entry: 'entry', value: 'mark' };

/** A database without rows that counts what it is asked. */
function countingDatabase(): { db: Database; asked: () => number } {
  let count = 0;
  const ask = <T>(answer: T): T => {
    count += 1;
    return answer;
  };
  const none: Cells[] = [];
  const db: Database = {
    get: () => ask(undefined),
    all: () => ask(none),
    varied: () => ask(none),
    select: () => ask(none),
    run: () => ask(undefined),
    insert: () => ask(undefined),
    update: () => ask(undefined),
    delete: () => ask(undefined),
    version: () => '',
  };
  return { db, asked: () => count };
}

async function statementsFor(changes: number): Promise<number> {
  const { db, asked } = countingDatabase();
  const log = new SqlChangeLog({ read: db, write: (work) => work(db), close: async () => {} }, TABLES);
  const batch = Array.from({ length: changes }, (_, at) => ({
    feed: `publisher-${at % 7}/session-series`,
    id: `https://club.example/series/${at}`,
    kind: 'SessionSeries',
    data: '{}',
  }));
  expect(await log.merge(batch, NOW)).toMatchObject({ added: changes });
  return asked();
}

test('a batch of changes takes as many statements as one change', async () => {
  expect(await statementsFor(1000)).toBe(await statementsFor(1));
});
