import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { visit } from '../../../src/harvest/visit/visit.ts';
import { openLibrary } from '../../../src/library/stored-library.ts';
import { LIMITS } from '../../../src/limits.ts';
import { randomFeed } from '../../generate/series.ts';
import { writingDatabase } from '../../store/writing-database.ts';
import { type ModelFeed, modelFeed, sessions } from '../model-feed.ts';
import { FEED, fromScratch, type Rig, rig, visitOptions, withoutStamps } from '../rig.ts';

/** What happens to the file of the embedded database. */

let one: Rig;
let feed: ModelFeed;
beforeEach(async () => {
  one = await rig();
  feed = modelFeed(FEED, 20);
});
afterEach(() => one.close());

const go = () => visit(feed, visitOptions(one));
const open = () => new DatabaseSync(join(one.data, 'openactive-ical.sqlite'));

/** The store's own: what bounds a database's size bounds it for one connection. */
function writingConnection(): Promise<DatabaseSync> {
  return writingDatabase(one.store);
}

test('a full disk is said in words, leaves nothing half done, and is over when there is room', async () => {
  feed.put(...sessions(1, 20));
  await go();
  const before = await one.served();
  const writing = await writingConnection();
  feed.put(...randomFeed(7, 40));
  writing.exec(`PRAGMA max_page_count = ${Number(writing.prepare('PRAGMA page_count').get()?.page_count) + 5}`);
  expect(await go()).toMatchObject({
    state: 'failing',
    error: expect.stringMatching(/openactive-ical\.sqlite failed: the disk is full; make room/),
    wait: 8000,
  });
  for (const [key, text] of before) expect((await one.served()).get(key)).toBe(text);
  writing.exec('PRAGMA max_page_count = 1000000');
  expect(await go()).toMatchObject({ state: 'ended' });
  expect(withoutStamps(await one.served())).toEqual(await fromScratch(feed));
});

test('a database that another process keeps locked is said in words, and served on', async () => {
  feed.put(...sessions(1, 20));
  await go();
  const library = await openLibrary(one.store, { ...one.options, rendering: 'test' });
  const [row] = await one.store.read.calendars({ kind: 'series', limit: 1 });
  feed.put(...sessions(21, 20));
  const other = open();
  other.exec('BEGIN IMMEDIATE');
  const { lockMs } = LIMITS;
  onTestFinished(() => {
    Object.assign(LIMITS, { lockMs });
  });
  // Half a minute of waiting for a lock that nobody gives back would only be waited.
  Object.assign(LIMITS, { lockMs: 100 });
  expect(await go()).toMatchObject({ state: 'failing', error: expect.stringMatching(/locked for too long/) });
  expect(await library.calendar(row?.key ?? '')).toBeDefined();
  other.exec('COMMIT');
  other.close();
  expect(await go()).toMatchObject({ state: 'ended', pass: { kept: 20 } });
});

test('while it waits for the lock, everything else goes on', async () => {
  const other = open();
  other.exec('BEGIN IMMEDIATE');
  let turns = 0;
  const turning = setInterval(() => {
    turns += 1;
    if (turns === 2) other.exec('COMMIT');
  }, 1);
  await one.store.write((tx) => tx.setMeta('a', 'b'));
  clearInterval(turning);
  other.close();
  expect(turns).toBeGreaterThanOrEqual(2);
});
