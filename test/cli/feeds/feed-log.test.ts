import type { Logger } from 'pino';
import { expect, test } from 'vitest';
import { feedLogger } from '../../../src/cli/feeds/feed-log.ts';
import type { FeedStatus } from '../../../src/harvest/visit/visit.ts';

const pass = (items: number) => ({ pages: 1, items, kept: items, deleted: 0, findings: 0 }) as FeedStatus['pass'];
const ended = (items: number): FeedStatus => {
  const made = pass(items);
  return { feed: 'x', state: 'ended', failures: 0, wait: 8000, ...(made && { pass: made }) };
};
const failing = (error: string, failures: number): FeedStatus => ({
  feed: 'x',
  state: 'failing',
  error,
  failures,
  wait: 60_000,
});

test('a failure of our own database is a line for all feeds, and no state of one', () => {
  const lines: object[] = [];
  const put = (facts: object, message: string) => void lines.push({ ...facts, message });
  const log = feedLogger({ info: put, warn: put } as unknown as Logger);
  const tell = (status: FeedStatus, feed: string) => log(status, feed, undefined);
  const ours: FeedStatus = { ...failing('The database failed.', 1), isOurs: true };
  for (const feed of ['A', 'B']) tell(ended(1), feed);
  lines.length = 0;
  for (const feed of ['A', 'B', 'A', 'B']) tell(ours, feed);
  expect(lines).toEqual([
    { feed: 'A', error: 'The database failed.', message: expect.stringMatching(/our own database failed/) },
  ]);
  tell(ended(0), 'A');
  tell(ours, 'B');
  tell({ ...ours, error: 'Another one.' }, 'B');
  tell(ended(0), 'B');
  tell(ours, 'A');
  expect(lines.map((line) => (line as { error?: string }).error)).toEqual([
    'The database failed.',
    'Another one.',
    'The database failed.',
  ]);
});

test('a line for each change, and for what brought something', () => {
  const lines: [level: string, facts: object][] = [];
  const say = (level: string) => (facts: object) => void lines.push([level, facts]);
  const tell = feedLogger({ info: say('info'), warn: say('warn') } as unknown as Logger);
  const statuses = [
    ended(5),
    ended(0),
    ended(2),
    failing('answered 503', 1),
    failing('answered 503', 2),
    failing('refused the connection', 3),
    ended(0),
    { ...failing('would lose too many', 0), state: 'held' as const },
  ];
  let was: Exclude<FeedStatus['state'], 'paused'> | undefined;
  for (const status of statuses) {
    tell(status, 'A', was);
    if (status.state !== 'paused') was = status.state;
  }
  tell(ended(0), 'B', undefined);
  // Another process has read it meanwhile.
  tell(failing('answered 503', 4), 'B', 'gone');
  expect(lines.map(([level, facts]) => [level, ...Object.values(facts).slice(0, 4)])).toEqual([
    ['info', 'A', 'ended', 'new', 0],
    ['info', 'A', 'ended', 'ended', 0],
    ['warn', 'A', 'failing', 'ended', 1],
    ['warn', 'A', 'failing', 'failing', 3],
    ['info', 'A', 'ended', 'failing', 0],
    ['warn', 'A', 'held', 'ended', 0],
    ['info', 'B', 'ended', 'new', 0],
    ['warn', 'B', 'failing', 'gone', 4],
  ]);
  expect(Object.keys(lines[0]?.[1] ?? {})).toEqual([
    'feed',
    'state',
    'was',
    'failures',
    'nextVisitSeconds',
    'pages',
    'items',
    'kept',
    'deleted',
    'findings',
  ]);
  expect(lines[2]?.[1]).toMatchObject({ error: 'answered 503', nextVisitSeconds: 60 });
});
