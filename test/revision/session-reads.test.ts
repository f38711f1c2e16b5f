import { expect, test } from 'vitest';
import { MOST_EVENTS } from '../../src/calendar/size.ts';
import { createIngest } from '../../src/harvest/ingest/ingest.ts';
import type { Store, Writer } from '../../src/store/index.ts';
import { rig, START } from '../harvest/rig.ts';

/** What a transaction reads of a series does not grow with the sessions that its calendar cannot hold. */

const SERIES = 'https://x.org/series';
const HOUR = 3_600_000;

/** The same store, which counts the rows of sessions that transactions read. */
function counting(store: Store): { store: Store; rows: () => number } {
  let rows = 0;
  const counted = (tx: Writer): Writer =>
    Object.assign(Object.create(tx) as Writer, {
      sessions: async (...asked: Parameters<Writer['sessions']>) => {
        const found = await tx.sessions(...asked);
        rows += found.length;
        return found;
      },
    });
  const write: Store['write'] = (work) => store.write((tx) => work(counted(tx)));
  return { store: Object.assign(Object.create(store) as Store, { write }), rows: () => rows };
}

const session = (number: number, name: string) => ({
  state: 'updated' as const,
  kind: 'ScheduledSession',
  id: String(number),
  modified: 2,
  data: {
    '@type': 'ScheduledSession',
    '@id': `${SERIES}/${number}`,
    superEvent: SERIES,
    name,
    startDate: new Date(START + number * HOUR).toISOString(),
    duration: 'PT1H',
  },
});

test('a session of a series without Schedules costs the sessions of one calendar', async () => {
  const one = await rig();
  const data = { '@type': 'SessionSeries', '@id': SERIES, name: 'Yoga' };
  const many = Array.from({ length: 3 * MOST_EVENTS }, (_, number) => session(number, 'Yoga'));
  await one.feed([{ state: 'updated', kind: 'SessionSeries', id: 's', modified: 1, data }, ...many], 1000);
  const { store, rows } = counting(one.store);
  one.ingest = createIngest(store, one.options);
  await one.feed([session(5, 'Gentle yoga')]);
  expect(rows()).toBe(MOST_EVENTS);
  await one.close();
});
