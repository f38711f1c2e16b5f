import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MemoryHistories } from '../../src/library/objects/memory.ts';
import { openSyncHistories, type SyncHistories } from '../../src/store/index.ts';

const DAY = 86_400_000;
const LIMITS = { unaskedMs: 90 * DAY, collections: 3, characters: 1_000 };

let data: string;
let histories: SyncHistories;

beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'histories-'));
  histories = openSyncHistories(data, LIMITS);
});
afterEach(async () => {
  await histories.close();
  rmSync(data, { recursive: true });
});

const put = (key: string, state: string, now = 0, content = `of ${state}`, into = histories) =>
  into.update(key, now, () => ({ state, content }));
const kept = async (...keys: string[]) => {
  const found = await Promise.all(keys.map((key) => histories.history(key)));
  return keys.filter((_, at) => found[at] !== undefined).join('');
};

describe.each([
  ['in a file', () => openSyncHistories(data, LIMITS)],
  ['in memory', () => new MemoryHistories()],
])('histories of collections %s', (_, open) => {
  it('are replaced by what a change makes of them', async () => {
    const one = open();
    expect([await one.state('a', 0), await one.history('a')]).toEqual([undefined, undefined]);
    await put('a', 's1', 0, 'one', one);
    await one.update('a', 0, (before) => ({ state: 's2', content: `${before?.state} ${before?.content}, two` }));
    expect(await one.state('a', 0)).toBe('s2');
    expect(await one.history('a')).toEqual({ state: 's2', content: 's1 one, two' });
    expect(await one.history('b')).toBeUndefined();
    await one.close();
  });

  it('stay as they were where a change fails', async () => {
    const one = open();
    await put('a', 's1', 0, 'one', one);
    const failing = one.update('a', 0, () => {
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    await put('b', 's1', 0, 'one', one);
    expect((await one.history('a'))?.content).toBe('one');
    await one.close();
  });
});

describe('histories in memory', () => {
  const keys = (count: number) => Array.from({ length: count }, (_, at) => String(at));
  const keptIn = async (one: SyncHistories, all: readonly string[]) => {
    const found = await Promise.all(all.map((key) => one.history(key)));
    return all.filter((_, at) => found[at] !== undefined);
  };

  it('are of a thousand collections, those that changed last', async () => {
    const one = new MemoryHistories();
    const all = keys(1_005);
    for (const key of all) {
      await put(key, 's1', 0, 'x', one);
      await put('0', `s${key}`, 0, 'x', one);
    }
    expect(await keptIn(one, all)).toEqual(['0', ...all.slice(6)]);
  });

  it('are of 20 million characters', async () => {
    const one = new MemoryHistories();
    const all = keys(6);
    for (const key of all) await put(key, 's1', 0, 'x'.repeat(4_000_000), one);
    expect(await keptIn(one, all)).toEqual(all.slice(1));
    await put('3', 's2', 0, 'x', one);
    await put('6', 's1', 0, 'x'.repeat(3_999_999), one);
    expect(await keptIn(one, keys(7))).toEqual(keys(7).slice(1));
    await put('7', 's1', 0, 'x'.repeat(20_000_001), one);
    expect(await keptIn(one, keys(8))).toEqual([]);
  });
});

describe('the file of histories', () => {
  it('is made when something is kept, for its owner alone, and is read by others and later', async () => {
    expect(statSync(join(data, 'sync.sqlite'), { throwIfNoEntry: false })).toBeUndefined();
    await put('a', 's1');
    expect(statSync(join(data, 'sync.sqlite')).mode & 0o77).toBe(0);
    const other = openSyncHistories(data, LIMITS);
    await put('b', 's2', 0, 'two', other);
    await other.close();
    await histories.close();
    expect(await kept('a', 'b')).toBe('ab');
  });

  it('is written by several at a time, and none undoes what another wrote', async () => {
    const others = [histories, openSyncHistories(data, LIMITS)];
    const add = (one: SyncHistories) =>
      one.update('a', 0, (before) => ({ state: 's', content: `${before?.content ?? ''}x` }));
    for (let round = 0; round < 20; round += 1) await Promise.all(others.map(add));
    expect((await histories.history('a'))?.content).toBe('x'.repeat(40));
    await others[1]?.close();
  });

  it('loses those that nobody asked for, when a new one comes', async () => {
    await put('a', 's1', 0);
    await put('b', 's1', 0);
    expect(await histories.state('b', 60 * DAY)).toBe('s1');
    await put('a', 's2', 1);
    await put('c', 's1', 91 * DAY + 2);
    expect(await kept('a', 'b', 'c')).toBe('bc');
  });

  it('holds so many, and lets go of the one asked for the longest time ago', async () => {
    for (const [at, key] of ['a', 'b', 'c'].entries()) await put(key, 's1', at * 2 * DAY);
    await histories.state('a', 20 * DAY);
    await put('d', 's1', 21 * DAY);
    expect(await kept('a', 'b', 'c', 'd')).toBe('acd');
  });

  it('holds so many characters', async () => {
    await put('a', 's1', 0, 'x'.repeat(400));
    await put('b', 's1', 1, 'x'.repeat(500));
    await put('c', 's1', 2, 'x'.repeat(500));
    expect(await kept('a', 'b', 'c')).toBe('bc');
    await put('d', 's1', 3, 'x'.repeat(2_000));
    expect(await kept('a', 'b', 'c', 'd')).toBe('');
  });

  it('is begun anew where another release wrote it', async () => {
    await put('a', 's1');
    await histories.close();
    const db = new DatabaseSync(join(data, 'sync.sqlite'));
    db.exec('PRAGMA user_version = 99');
    db.close();
    expect(await histories.history('a')).toBeUndefined();
    await put('a', 's2');
    expect(await kept('a')).toBe('a');
  });

  it('is named where it cannot be opened, with the cure', async () => {
    writeFileSync(join(data, 'sync.sqlite'), 'no database'.repeat(100));
    await expect(put('a', 's1')).rejects.toThrow(/sync\.sqlite.*delete the file/);
  });
});
