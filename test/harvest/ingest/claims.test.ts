import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { applyChanges } from '../../../src/harvest/ingest/apply-changes.ts';
import { takeItems } from '../../../src/harvest/ingest/changes.ts';
import { preparePage } from '../../../src/harvest/page/prepare.ts';
import { ToHold } from '../../../src/harvest/visit/deletion-guard.ts';
import { parsePage } from '../../../src/opportunity/page/page.ts';
import { revisionContext } from '../../../src/revision/context.ts';
import type { Change } from '../../../src/revision/records/prepared.ts';
import type { FeedReport } from '../../../src/store/index.ts';
import type { RpdeJson } from '../../generate/series.ts';
import { type Rig, rig, withoutStamps } from '../rig.ts';

/** A session that carries its series along, under a name of its own. */
function session(n: number, modified: number, name: string): RpdeJson {
  return {
    state: 'updated',
    kind: 'ScheduledSession',
    id: String(n),
    modified,
    data: {
      '@type': 'ScheduledSession',
      '@id': `https://example.org/sessions/${n}`,
      startDate: `2026-12-0${n}T10:00:00Z`,
      duration: 'PT1H',
      superEvent: { '@type': 'SessionSeries', '@id': 'https://example.org/series', name },
    },
  };
}

/** All pages in one transaction, whose records are settled at its end. */
async function settledAtOnce({ store, options }: Rig, pages: RpdeJson[][]): Promise<void> {
  await store.write(async (tx) => {
    const [feed] = (await tx.feedStates()) as [FeedReport];
    const changes: Change[] = [];
    for (const items of pages) {
      const { items: prepared } = preparePage(parsePage(JSON.stringify({ items })), options.cleanOptions(feed));
      const unsettled = new Set(changes.map(({ item }) => item));
      const taking = { options, undecided: unsettled, toHold: new ToHold() };
      changes.push(...(await takeItems(tx, feed, prepared, taking)).changes);
    }
    await applyChanges(tx, changes, await revisionContext(tx, options), options);
  });
}

describe('a series that several sessions say something of', () => {
  let one: Rig;
  beforeEach(async () => {
    one = await rig();
  });
  afterEach(() => one.close());

  const name = async (): Promise<string | undefined> =>
    /X-WR-CALNAME:(.*)\r/.exec([...(await one.served()).values()].join())?.[1];
  const cases: [rule: string, pages: RpdeJson[][], expected: string][] = [
    ['is as the newest says', [[session(1, 5, 'A'), session(2, 4, 'B')]], 'A'],
    [
      'is as an older one says once that is sent again, changed',
      [[session(1, 5, 'A'), session(2, 4, 'B')], [session(2, 6, 'C')]],
      'C',
    ],
    [
      'is as an older one says once that is sent again as it was',
      [[session(1, 5, 'A'), session(2, 4, 'B')], [session(2, 6, 'B')]],
      'B',
    ],
    [
      'stays as the newest says when that is sent again',
      [[session(1, 5, 'A'), session(2, 4, 'B')], [session(1, 6, 'A')]],
      'A',
    ],
    [
      'follows the newest when that changes its mind',
      [[session(1, 5, 'A'), session(2, 4, 'B')], [session(1, 6, 'C')]],
      'C',
    ],
    [
      'is as the next one says when the newest goes',
      [
        [session(1, 5, 'A'), session(2, 4, 'B')],
        [{ state: 'deleted', kind: 'ScheduledSession', id: '1', modified: 6 }],
      ],
      'B',
    ],
  ];

  for (const [rule, pages, expected] of cases) {
    it(rule, async () => {
      for (const page of pages) await one.feed(page);
      expect(await name()).toBe(expected);
    });

    it(`${rule}, decided at once`, async () => {
      await one.feed([]);
      await settledAtOnce(one, pages);
      expect(await name()).toBe(expected);
    });
  }

  it('does not depend on when the same was sent again', async () => {
    await one.feed([session(1, 5, 'A'), session(2, 4, 'B'), session(3, 3, 'C')]);
    await one.feed([session(3, 7, 'C')]);
    const other = await rig();
    try {
      await other.feed([session(3, 7, 'C'), session(2, 4, 'B'), session(1, 5, 'A')]);
      expect(withoutStamps(await one.served())).toEqual(withoutStamps(await other.served()));
    } finally {
      await other.close();
    }
  });
});
