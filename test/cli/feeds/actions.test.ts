import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { feedActions } from '../../../src/cli/feeds/actions.ts';
import { finishForgetting } from '../../../src/harvest/index.ts';
import { randomFeed } from '../../generate/series.ts';
import { FEED, type Rig, rig } from '../../harvest/rig.ts';

/** What the buttons of the admin address do to the store. */

let self: Rig;
beforeEach(async () => {
  self = await rig();
});
afterEach(() => self.close());

test('forgetting is one small transaction of the process that serves; the one that harvests takes the data away', async () => {
  await self.feed(randomFeed(1, 20));
  let writes = 0;
  const store: Rig['store'] = Object.assign(Object.create(self.store), {
    read: self.store.read,
    write: (work: never) => {
      writes += 1;
      return self.store.write(work);
    },
  });
  const [before] = await self.store.read.feedStates();
  const actions = feedActions({ store }, pino({ level: 'silent' }), { now: () => self.clock.now });
  await actions.forget(before?.id ?? 0);
  expect(writes).toBe(1);
  const [after] = await self.store.read.feedStates();
  expect(after).toMatchObject({ url: FEED, publisherId: 0, items: before?.items });
  expect(after?.items).toBeGreaterThan(0);
  await finishForgetting(self.store, self.options);
  expect(await self.store.read.feedStates()).toEqual([]);
});
