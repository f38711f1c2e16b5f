import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { parsePage } from '../../src/opportunity/page/page.ts';
import { FEED, rig } from '../harvest/rig.ts';

it('a large page leaves turns to others, who see nothing of it before it is committed', async () => {
  const one = await rig();
  try {
    const items = Array.from({ length: 400 }, (_, id) => ({
      state: 'updated',
      kind: 'Event',
      id,
      modified: 1,
      data: {
        '@type': 'Event',
        '@id': `https://example.org/${id}`,
        name: 'Run',
        startDate: '2026-12-01T10:00:00Z',
        duration: 'PT1H',
      },
    }));
    const handle = await one.ingest.open(FEED, {});
    let done = false;
    const commit = one.ingest
      .commit(handle, parsePage(JSON.stringify({ next: FEED, license: 'x', items })), FEED)
      .then(() => {
        done = true;
      });
    const seen: number[] = [];
    for (await setImmediate(); !done; await setImmediate())
      seen.push((await one.store.read.feedCounts(handle.id)).items);
    await commit;
    // Not the last turn: the commit may be done by then, and its promise not yet.
    expect(seen.slice(0, -1).length).toBeGreaterThan(4);
    expect(new Set(seen.slice(0, -1))).toEqual(new Set([0]));
    expect((await one.store.read.feedCounts(handle.id)).items).toBe(400);
  } finally {
    await one.close();
  }
});
