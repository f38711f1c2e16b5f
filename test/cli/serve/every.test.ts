import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkInTurn, every } from '../../../src/cli/serve/every.ts';
import { createLog } from '../../../src/cli/serve/log.ts';
import type { Settings } from '../../../src/config.ts';
import { StoppedError, StoreError } from '../../../src/errors.ts';
import { META, openStore, type Store } from '../../../src/store/index.ts';
import { testIo } from '../io.ts';

/** The check of a database that several processes have. */

let data: string;
const stores: Store[] = [];
beforeAll(async () => {
  data = await mkdtemp(join(tmpdir(), 'oai-every-'));
  for (const _ of [1, 2, 3]) stores.push(await openStore({ data }));
});
afterAll(async () => {
  for (const store of stores) await store.close();
  await rm(data, { recursive: true });
});

const HOUR = 3_600_000;

/** The store of one process; `onCheck` stands for reading all of it. */
function storeOf(who: number, onCheck: () => void): Store {
  const own = stores[who] as Store;
  return {
    read: own.read,
    troubles: own.troubles,
    write: (work) => own.write(work),
    retries: () => own.retries(),
    check: async () => onCheck(),
    close: () => own.close(),
  };
}

const at = (now: number) => testIo({ now: () => now });
const lastAt = (time: number) => (stores[0] as Store).write((tx) => tx.setMeta(META.checked, String(time)));

test('one of them does it once a day, whenever and however often they start', async () => {
  const look = fc.record({ who: fc.nat(2), hours: fc.integer({ min: 0, max: 30 }) });
  await fc.assert(
    fc.asyncProperty(fc.array(look, { minLength: 1, maxLength: 12 }), async (looks) => {
      await lastAt(0);
      const checked: number[] = [];
      const due: number[] = [];
      let [now, last] = [0, 0];
      for (const { who, hours } of looks) {
        now += hours * HOUR;
        const time = now;
        await checkInTurn(
          storeOf(who, () => checked.push(time)),
          at(time),
        );
        if (time - last < 24 * HOUR) continue;
        last = time;
        due.push(time);
      }
      expect(checked).toEqual(due);
    }),
  );
});

test('of several that look at once one does it', async () => {
  await lastAt(0);
  let checks = 0;
  const count = () => {
    checks += 1;
  };
  await Promise.all([0, 1, 2].map((who) => checkInTurn(storeOf(who, count), at(24 * HOUR))));
  expect(checks).toBe(1);
});

test('a time that a clock which was set back left behind does not put it off for ever', async () => {
  await lastAt(1000 * HOUR);
  let checks = 0;
  const count = () => {
    checks += 1;
  };
  for (const who of [0, 1]) await checkInTurn(storeOf(who, count), at(24 * HOUR));
  expect(checks).toBe(1);
});

test('a task that fails is named in the log once for each reason, and once when it goes on again', async () => {
  const stopper = new AbortController();
  const io = testIo({ signal: stopper.signal });
  const reasons = ['away', 'away', 'locked', undefined, undefined, 'away'];
  const turn = async () => {
    const reason = reasons.shift();
    if (reasons.length === 0) stopper.abort(new StoppedError('SIGTERM'));
    else if (reason !== undefined) throw new StoreError(reason);
  };
  await every({ task: 'to follow', ms: 1, turn }, createLog({ logLevel: 'info' } as Settings, io), io);
  const lines = io
    .err()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as object);
  const failed = (error: string) => ({ task: 'to follow', error, msg: 'A regular task failed.' });
  expect(lines).toMatchObject([
    failed('away'),
    failed('locked'),
    { task: 'to follow', msg: 'A regular task goes on again.' },
  ]);
});
