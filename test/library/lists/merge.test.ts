import { expect, test } from 'vitest';
import type { Thing } from '../../../src/library/lists/list.ts';
import { MergedCalendars, type Pieces } from '../../../src/library/lists/merge.ts';
import type { StandingSearch } from '../../../src/library/lists/standing-search.ts';
import type { CalendarRow, Reader } from '../../../src/store/index.ts';

/** Series are read one after the other, while their publishers go on changing them. */

const uids = { first: ['own', 'moved'], second: ['moved', 'other'] };
const row = (key: string, record: number) => ({ key, record, state: 'live', kind: 'series' }) as CalendarRow;
const rows = new Map(['first', 'second'].map((key, at) => [key, row(key, at)]));
const head = ({ key }: CalendarRow) => ({ key, kind: 'series', state: 'live', revision: 1, changedAt: 0 }) as const;

const read = {
  meta: async () => '2026-11-03',
  feeds: async () => [],
  recordById: async (record: number) => ({ ident: `https://x.example/${record}` }),
} as unknown as Reader;

const pieces = {
  row: async (_collection: string, key: string) => rows.get(key),
  head: async (one: CalendarRow) => head(one),
  series: async (key: keyof typeof uids) => ({
    head: head(rows.get(key) as CalendarRow),
    calendar: {
      name: key,
      events: uids[key].map((uid) => ({ uid, summary: key, span: { zone: 'UTC', start: 0, end: 0 } })),
    },
    revision: () => ({ sequence: 0, modified: 0 }),
  }),
} as unknown as Pieces;

test('a date that is found at two series, for it moved meanwhile, is in the calendar once: as it was read last', async () => {
  const merged = new MergedCalendars(read, { zone: 'Europe/London', refresh: 'PT1H' }, pieces, {} as StandingSearch);
  const things = ['first', 'second'].map((key) => ({ kind: 'series', key })) as Thing[];
  const { calendar } = await merged.calendar({ things }, { name: 'Mine', path: 'my/x.ics' });
  expect(calendar.events.map(({ uid, summary }) => [uid, summary])).toEqual([
    ['own', 'first'],
    ['moved', 'second'],
    ['other', 'second'],
  ]);
});
