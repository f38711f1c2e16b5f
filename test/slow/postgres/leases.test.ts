import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Leases, Store } from '../../../src/store/index.ts';
import { openPostgresLeases } from '../../../src/store/postgres/leases.ts';
import { openPostgres } from '../../../src/store/postgres/store.ts';
import { type TestDatabase, testDatabase } from '../../store/postgres.ts';

/** Leases in PostgreSQL, by its own clock. */

let database: TestDatabase;
let store: Store;
const open: Leases[] = [];
beforeEach(async () => {
  database = await testDatabase();
  store = await openPostgres(database.url);
});
afterEach(async () => {
  for (const leases of open.splice(0)) await leases.close();
  await store.close();
  await database.drop();
});

async function harvester(): Promise<Leases> {
  const leases = await openPostgresLeases(database.url);
  open.push(leases);
  return leases;
}

const LONG = 60_000;
const NAMES = ['https://a.example', 'https://b.example', 'https://c.example'];
const sorted = (held: ReadonlyMap<string, number>) => [...held.keys()].sort();
/** What was held until now has ended. */
const past = () => database.query("UPDATE lease SET until = now() - interval '1 second'");

describe('leases', () => {
  test('one harvester has all, and keeps them with one token', async () => {
    const one = await harvester();
    const first = await one.renew(NAMES, LONG);
    expect([sorted(first.tokens), first.surplus]).toEqual([NAMES, []]);
    expect((await one.renew(NAMES, LONG)).tokens).toEqual(first.tokens);
  });

  test('two share equally, each name is one’s, and what one gives back the other takes', async () => {
    const [one, two] = [await harvester(), await harvester()];
    await one.renew(NAMES, LONG);
    expect((await two.renew(NAMES, LONG)).tokens.size).toBe(0);
    const { surplus } = await one.renew(NAMES, LONG);
    expect(surplus).toHaveLength(1);
    await one.release(surplus);
    const [a, b] = [(await one.renew(NAMES, LONG)).tokens, (await two.renew(NAMES, LONG)).tokens];
    expect(sorted(b)).toEqual(surplus);
    expect([...a.keys(), ...b.keys()].sort()).toEqual(NAMES);
  });

  test('what ended is another’s, with a higher token, and the first one knows with its next renewal', async () => {
    const [one, two] = [await harvester(), await harvester()];
    const before = (await one.renew(NAMES, LONG)).tokens;
    await past();
    await database.query('DELETE FROM harvester');
    const after = (await two.renew(NAMES, LONG)).tokens;
    expect(sorted(after)).toEqual(NAMES);
    for (const name of NAMES) expect(after.get(name)).toBeGreaterThan(before.get(name) as number);
    expect((await one.renew(NAMES, LONG)).tokens.size).toBe(0);
  });

  test('what is not to be read any more is to be given back, and who ends gives back all', async () => {
    const [one, two] = [await harvester(), await harvester()];
    await one.renew(NAMES, LONG);
    expect((await one.renew(NAMES.slice(1), LONG)).surplus).toEqual(NAMES.slice(0, 1));
    await one.release();
    expect(sorted((await two.renew(NAMES, LONG)).tokens)).toEqual(NAMES);
  });
});

describe('a transaction', () => {
  const [NAME] = NAMES as [string];

  test('of who has lost the lease is refused in it, and writes nothing', async () => {
    const [one, two] = [await harvester(), await harvester()];
    const token = (await one.renew(NAMES, LONG)).tokens.get(NAME) as number;
    const write = (held: Leases, with_: number) =>
      store.write(async (tx) => {
        await tx.setMeta('who', String(with_));
        if (!(await held.isCurrent(tx, { name: NAME, token: with_ }))) throw new Error('refused');
      });
    await write(one, token);
    await past();
    // Nobody has taken it: nothing can have been written in between.
    await write(one, token);
    await database.query('DELETE FROM harvester');
    const newer = (await two.renew(NAMES, LONG)).tokens.get(NAME) as number;
    await expect(write(one, token)).rejects.toThrow('refused');
    expect(await store.read.meta('who')).toBe(String(token));
    await write(two, newer);
    expect(await store.read.meta('who')).toBe(String(newer));
  });

  test('that has checked its lease is not overtaken before it ends; renewing does not wait for it', async () => {
    const [one, two] = [await harvester(), await harvester()];
    const token = (await one.renew(NAMES, LONG)).tokens.get(NAME) as number;
    await store.write(async (tx) => {
      expect(await one.isCurrent(tx, { name: NAME, token })).toBe(true);
      expect((await one.renew(NAMES, LONG)).tokens.size).toBe(3);
      await past();
      await database.query('DELETE FROM harvester');
      expect(sorted((await two.renew(NAMES, LONG)).tokens)).toEqual(NAMES.slice(1));
    });
    expect(sorted((await two.renew(NAMES, LONG)).tokens)).toEqual(NAMES);
  });
});
