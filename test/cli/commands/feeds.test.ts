import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { stateOf } from '../../../src/store/contract/feeds.ts';
import { type FeedReport, openStore, type Store } from '../../../src/store/index.ts';
import { cli } from '../io.ts';

const NOW = Date.parse('2026-11-21T09:30:00Z');
const HELD = 'https://k:v@feeds.example.org/sessions?key=hush';

let data: string;
let store: Store;

/** A store that somebody else has open, with a feed that is well and one that is held. */
beforeAll(async () => {
  data = await mkdtemp(join(tmpdir(), 'openactive-ical-'));
  store = await openStore({ data });
  await store.write(async (tx) => {
    await tx.openFeed('https://feeds.example.org/places', { name: 'Places', publisher: 'Town' });
    await tx.openFeed(HELD, {});
    for (const feed of await tx.feedStates()) {
      const well = {
        ...stateOf(feed),
        state: 'ended' as const,
        lastSuccess: NOW - 180_000,
        nextVisit: NOW + 7_200_000,
      };
      const of = { calendars: 7_000, sessions: 700_000 };
      const held = { items: 671_000, calendars: 0, sessions: 670_000, of, since: NOW - 3_600_000 };
      const trouble = { state: 'held' as const, held, failures: 2, lastError: 'would lose most of its items' };
      await tx.saveFeedState(feed.id, feed.url === HELD ? { ...well, ...trouble } : well);
    }
  });
});
afterAll(async () => {
  await store.close();
  await rm(data, { recursive: true, force: true });
});

const feeds = (...argv: string[]) => cli(['feeds', '--data', data, ...argv], { now: () => NOW });

describe('how feeds are', () => {
  test('as a table', async () => {
    const { code, out, err } = await feeds();
    expect(code).toBe(0);
    const [head, ...rows] = out.trimEnd().split('\n');
    expect(head).toMatch(/^NO +STATE +READ TO END +NEXT VISIT +ITEMS +FINDINGS +FEED +LAST ERROR$/);
    expect(rows[0]).toMatch(
      /^1 +Up to date +3 min ago +in 2 h +0 +0 +Places \(https:\/\/feeds\.example\.org\/places\)$/,
    );
    expect(rows[1]).toMatch(/^2 +Up to date, but for what waits to be confirmed .* would lose most of its items$/);
    expect(err).toContain('670,000 of 700,000 sessions would be gone by what the feed says now.');
    expect(err).toContain('2 feeds, 0 items\n');
    expect(out + err).not.toMatch(/hush|k:v/);
  });

  test('at 80 columns no address could be copied, and the error was not there', async () => {
    const { out } = await cli(['feeds', '--data', data], { now: () => NOW, width: 80 });
    const lines = out.trimEnd().split('\n');
    expect(lines[0]).toMatch(/^NO +STATE +READ TO END +NEXT VISIT +ITEMS +FINDINGS$/);
    expect(lines[1]).toMatch(/^1 +Up to date +3 min ago +in 2 h +0 +0$/);
    expect(lines[2]).toBe('    Places (https://feeds.example.org/places)');
    expect(lines[3]).toMatch(/^2 +Up to date, but/);
    expect(lines.slice(4)).toEqual([
      '    https://feeds.example.org/sessions?key=***',
      '    would lose most of its items',
    ]);
  });

  test('as JSON lines, as /api/feeds has them', async () => {
    const { out } = await feeds('--format', 'jsonl');
    const rows = out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(rows[0]).toMatchObject({ name: 'Places', state: 'ended', lastSuccess: '2026-11-21T09:27:00Z', items: 0 });
    expect(rows[1]).toMatchObject({
      state: 'held',
      held: { items: 671_000, calendars: 0, sessions: 670_000, since: '2026-11-21T08:30:00Z' },
    });
    expect(out).not.toMatch(/hush|k:v/);
  });
});

describe('a visit now', () => {
  const WELL = 'https://feeds.example.org/places';
  const visits = async () => (await store.read.feedStates()).map(({ nextVisit }) => nextVisit);

  test('is for feeds in trouble: named, or all of them; the others are left as they are', async () => {
    const later = NOW + 7_200_000;
    expect((await feeds('--retry', WELL)).out).toBe(`${WELL}: nothing to retry: Up to date; next visit: in 2 h\n`);
    expect(await visits()).toEqual([later, later]);
    const said =
      'https://feeds.example.org/sessions?key=***: is visited now by a serve that runs, else when one starts\n';
    expect(await feeds('--retry')).toMatchObject({ code: 0, out: said });
    expect(await visits()).toEqual([later, NOW]);
    const shown = 'https://feeds.example.org/sessions?key=***';
    for (const named of [['--retry', shown], [`--retry=${shown}`]])
      expect(await feeds(...named)).toMatchObject({ code: 0, out: said });
  });

  test.each([
    [
      'an unknown feed',
      ['--retry', 'https://other.example/?key=hush'],
      'there is no feed https://other.example/?key=***',
    ],
    ['a feed without it', [WELL], 'is one argument too many'],
    ['both ways at once', ['--retry', '--confirm', 'all'], 'give one of --confirm and --retry'],
  ])('%s: one line, exit code 2', async (_name, argv, words) => {
    const { code, err } = await feeds(...argv);
    expect(code).toBe(2);
    expect(err).toContain(words);
    expect(err.trimEnd()).not.toContain('\n');
  });
});

describe('feeds that are folders', () => {
  const A = 'file:///srv/a/my%20pages';
  const B = 'file:///srv/b/my%20pages';
  const named = (feed: string) => cli(['feeds', '--data', data, '--pause', feed], { folder: '/srv', now: () => NOW });
  beforeAll(() =>
    store.write(async (tx) => {
      for (const url of [A, B]) await tx.openFeed(url, {});
    }),
  );
  afterAll(async () => {
    for (const url of [A, B]) await feeds('--forget', url);
  });

  test('were all shown as their last part, and could be named by nothing', async () => {
    const { out } = await feeds();
    expect(out).toMatch(/ \/srv\/a\/my pages$/m);
    expect(out).toMatch(/ \/srv\/b\/my pages$/m);
    const [, id = ''] = /^(\d+) .* \/srv\/a\/my pages$/m.exec(out) ?? [];
    for (const name of ['a/my pages', './a/my pages/', '/srv/a/my pages', A, `${A}/`, id]) {
      expect(await named(name)).toMatchObject({ code: 0, out: expect.stringMatching(/^\/srv\/a\/my pages: Paused/) });
      await feeds('--resume', A);
    }
    expect((await named('c/pages')).err).toContain('there is no feed c/pages in this database');
  });
});

test('several feeds that are shown alike are told apart by their numbers', async () => {
  const urls = ['aaa', 'bbb'].map((key) => `https://alike.example/?key=${key}`);
  await store.write(async (tx) => {
    for (const url of urls) await tx.openFeed(url, {});
  });
  const { err } = await feeds('--pause', 'https://alike.example/?key=***');
  const [, one, other] = /by its number: (\d+) \(https:\S+aaa\), (\d+) \(https:\S+bbb\)\n$/.exec(err) ?? [];
  for (const id of [one, other]) expect(await feeds('--forget', String(id))).toMatchObject({ code: 0 });
});

describe('held deletions', () => {
  const confirmed = async () => (await store.read.feedStates()).map((feed) => feed.confirmed);

  test('are let through by name or all at once, and only those that wait', async () => {
    expect((await feeds('--confirm', 'https://feeds.example.org/places')).out).toBe(
      'https://feeds.example.org/places: nothing waits to be confirmed\n',
    );
    expect(await confirmed()).toEqual([undefined, undefined]);
    const { out, code } = await feeds('--confirm', 'all');
    expect([code, out]).toEqual([
      0,
      'https://feeds.example.org/sessions?key=***: 670,000 of 700,000 sessions may go at the next visit\n',
    ]);
    expect(await confirmed()).toEqual([undefined, NOW]);
    expect((await feeds('--confirm', 'https://feeds.example.org/sessions?key=***')).code).toBe(0);
  });

  test('of a feed that is not there: one line, exit code 2', async () => {
    const { code, err } = await feeds('--confirm', 'https://other.example/?key=hush');
    expect(code).toBe(2);
    expect(err).toMatch(
      /^openactive-ical: there is no feed https:\/\/other\.example\/\?key=\*\*\* in this database\n$/,
    );
  });
});

describe('a feed that is forgotten', () => {
  test('is gone from the list, and the output names what to do besides', async () => {
    const other = 'https://stranger.example/feed';
    await store.write((tx) => tx.openFeed(other, {}));
    const { code, out, err } = await feeds('--forget', other);
    expect([code, out]).toEqual([0, `${other}: forgotten, with 0 items\n`]);
    expect(err).toContain('Take it out of the settings too');
    expect((await store.read.feeds()).map(({ url }) => url)).not.toContain(other);
    expect(await feeds('--forget', other)).toMatchObject({ code: 2 });
  });

  test('stands alone', async () => {
    expect(await feeds('--forget', 'x', '--confirm', 'all')).toMatchObject({ code: 2 });
  });
});

describe('a feed that is paused', () => {
  const WELL = 'https://feeds.example.org/places';
  const WHEN = 'Sat 21 Nov 2026 09:30 Europe/London';
  const paused = async () => (await store.read.feedStates()).map((feed) => feed.paused);

  test('says so wherever it is listed, and goes on as it was once it is resumed', async () => {
    expect(await feeds('--pause', WELL)).toMatchObject({
      code: 0,
      out: `${WELL}: Paused by somebody since ${WHEN}\n`,
    });
    expect(await paused()).toEqual([NOW, undefined]);
    expect((await feeds()).out).toMatch(
      /^1 +Paused by somebody since Sat 21 Nov 2026 09:30 Europe\/London +3 min ago +not planned /m,
    );
    expect((await feeds('--format', 'jsonl')).out).toMatch(/"state":"paused",.*"paused":"2026-11-21T09:30:00Z"/);
    const again = await cli(['feeds', '--data', data, '--pause', WELL], { now: () => NOW + 60_000 });
    expect(again.out).toBe(`${WELL}: Paused by somebody since ${WHEN}\n`);
    expect(await feeds('--resume', WELL)).toMatchObject({ code: 0, out: `${WELL}: Up to date; next visit: in 2 h\n` });
    expect(await feeds('--resume', WELL)).toMatchObject({ code: 0, out: `${WELL}: Up to date; next visit: in 2 h\n` });
    expect(await paused()).toEqual([undefined, undefined]);
  });

  test('is not retried, nor confirmed before it is resumed, and a line states it', async () => {
    const shown = 'https://feeds.example.org/sessions?key=***';
    await store.write(async (tx) => {
      const feed = (await tx.feedState(HELD)) as FeedReport;
      await tx.saveFeedState(feed.id, { ...stateOf(feed), nextVisit: NOW + 7_200_000 });
    });
    await feeds('--pause', shown);
    expect((await feeds('--retry')).out).toBe('No feed fails, is gone or waits.\n');
    expect((await feeds('--retry', shown)).out).toBe(
      `${shown}: nothing to retry: Paused by somebody since ${WHEN}; feeds --resume has it visited\n`,
    );
    expect((await feeds('--confirm', shown)).out).toMatch(/may go at the next visit, once feeds --resume is given\n$/);
    await feeds('--resume', shown);
    expect((await feeds('--retry', shown)).out).toContain('is visited now');
  });

  test.each([
    ['an unknown feed', ['--pause', 'https://elsewhere.example/x'], 'there is no feed https://elsewhere.example/x in'],
    ['a mistyped one', ['--pause', 'https://feeds.example.org/place'], `(did you mean ${WELL}?)`],
    ['a mistyped one to resume', ['--resume', 'https://feed.example.org/places'], `(did you mean ${WELL}?)`],
    ['no feed', ['--pause='], '--pause needs a value'],
    ['both at once', ['--pause', WELL, '--resume', WELL], 'give one of --pause and --resume'],
    ['a feed without it', ['--pause', WELL, WELL], 'is one argument too many'],
  ])('%s: one line, exit code 2', async (_name, argv, words) => {
    const { code, out, err } = await feeds(...argv);
    expect([code, out]).toEqual([2, '']);
    expect(err).toContain(words);
    expect(err).not.toContain('hush');
    expect(err.trimEnd()).not.toContain('\n');
  });
});
