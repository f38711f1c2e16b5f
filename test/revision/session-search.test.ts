import { afterEach, beforeEach, expect, test } from 'vitest';
import { nothingAffected } from '../../src/revision/records/changed-records.ts';
import { searchSessions } from '../../src/revision/session-search.ts';
import type { Writer } from '../../src/store/index.ts';
import { type Rig, rig } from '../harvest/rig.ts';
import { item } from '../server/stored-rig.ts';

/** Documents of sessions follow what they take from others. */

let one: Rig;
beforeEach(async () => {
  one = await rig();
});
afterEach(() => one.close());

const id = (path: string) => `https://example.org/${path}`;
const place = (name: string) => item('Place', 'hall', { '@type': 'Place', '@id': id('hall'), name });
const SERIES = ['yoga', 'judo', 'tango'];
const SESSIONS = 300;

const seriesOf = (name: string) => [
  item('SessionSeries', name, { '@id': id(name), name, location: id('hall') }),
  ...Array.from({ length: SESSIONS }, (_, at) =>
    item('ScheduledSession', `${name}/${at}`, {
      '@id': id(`${name}/${at}`),
      superEvent: id(name),
      name: `Part ${at}`,
      startDate: new Date(Date.UTC(2026, 11, 1, at)).toISOString(),
      duration: 'PT1H',
    }),
  ),
];

/** Documents of sessions that have a word of a place. */
async function found(word: string): Promise<number> {
  const [row] = await one.rows(`SELECT count(*) FROM search_terms d JOIN record r ON r.id = d.record
    WHERE r.parent IS NOT NULL AND d.terms LIKE '%${word}%'`);
  return Number(row?.[0]);
}

/** A writer that counts the rows of each call that takes or gives bodies and documents of sessions. */
function counting(tx: Writer, counts: number[]): Writer {
  return new Proxy(tx, {
    get(target, name) {
      const own = Reflect.get(target, name) as unknown;
      if (typeof own !== 'function') return own;
      const asked = own.bind(target) as (...values: unknown[]) => Promise<unknown>;
      if (name !== 'recordsById' && name !== 'saveSessionDocuments') return asked;
      return (rows: unknown[], ...rest: unknown[]) => {
        counts.push(rows.length);
        return asked(rows, ...rest);
      };
    },
  });
}

test('documents of many sessions are made and saved some at a time', async () => {
  await one.feed([place('Lantern Yard'), ...SERIES.flatMap(seriesOf)], 100);
  expect([await found('lantern'), await found('bridg')]).toEqual([SERIES.length * SESSIONS, 0]);
  const counts: number[] = [];
  await one.store.write(async (tx) => {
    const counted = counting(tx, counts);
    const affected = nothingAffected(counted);
    const ids = await tx.recordIds('series', 0, 10);
    for (const series of ids) affected.series.add(series);
    await searchSessions(counted, affected);
  });
  expect(counts.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(SERIES.length * SESSIONS);
  expect(Math.max(...counts)).toBeLessThanOrEqual(256);
  await one.feed([place('Bridge Street Hall')]);
  expect([await found('lantern'), await found('bridg')]).toEqual([0, SERIES.length * SESSIONS]);
});
