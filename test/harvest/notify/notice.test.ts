import { describe, expect, test } from 'vitest';
import { eventOf, messageWith, type Notice } from '../../../src/harvest/notify/notice.ts';
import type { FeedStatus } from '../../../src/harvest/visit/visit.ts';
import { LIMITS } from '../../../src/limits.ts';

const SOON = 5_000;
const LATE = LIMITS.notifyDoubtMs + 1;

type Row = [told: Notice['was'], state: FeedStatus['state'], failures: number, wait: number, event?: Notice['event']];

describe('what is worth a message', () => {
  test.each<Row>([
    ['ok', 'ended', 0, SOON],
    ['ok', 'failing', 1, SOON],
    ['ok', 'failing', 1, LATE, 'failing'],
    ['ok', 'failing', 2, SOON, 'failing'],
    ['ok', 'stalled', 2, SOON, 'failing'],
    ['ok', 'gone', 1, LATE, 'gone'],
    ['ok', 'held', 0, SOON, 'held'],
    ['ok', 'paused', 3, SOON],
    ['failing', 'failing', 9, LATE],
    ['failing', 'stalled', 9, LATE],
    ['failing', 'gone', 9, LATE, 'gone'],
    ['failing', 'held', 0, SOON, 'held'],
    ['failing', 'ended', 0, SOON, 'back'],
    ['failing', 'paused', 0, SOON],
    ['gone', 'gone', 2, LATE],
    ['gone', 'ended', 0, SOON, 'back'],
    ['held', 'held', 0, SOON],
    ['held', 'failing', 1, SOON],
    ['held', 'failing', 2, SOON, 'failing'],
    ['held', 'ended', 0, SOON, 'back'],
  ])('told %s, is %s, failures %i, wait %i: %s', (told, state, failures, wait, event) => {
    expect(eventOf(told === 'ok' ? undefined : (told as 'held'), { feed: 'a', state, failures, wait })).toBe(event);
  });
});

describe('the text', () => {
  const notice: Notice = {
    event: 'failing',
    was: 'ok',
    at: '2026-05-01T12:00:00.000Z',
    feed: { id: 1, name: 'Yoga', address: 'https://a.example/' },
    failures: 3,
    nextVisit: '2026-05-01T12:00:05.000Z',
    error: 'the server answered 500',
  };

  test('has a line for each notice', () => {
    const { text } = messageWith([notice, { ...notice, event: 'back', failures: 0 }], undefined);
    expect(text.split('\n')).toEqual([
      'Yoga: failing; what was read before is served (3 visits in a row). the server answered 500',
      'Yoga: back: it was read to its end',
    ]);
  });

  test('calls nobody, links nowhere and stays on its line, whatever a publisher names a feed', () => {
    const name = '<!channel> @everyone\n[free](https://evil.example)\u0000';
    const { text, notices } = messageWith([{ ...notice, feed: { ...notice.feed, name } }], undefined);
    expect(text).not.toMatch(/[<>@\n\0]|\]\(/);
    expect(notices[0]?.feed.name).toBe(name);
  });

  test('is of a bounded length for each feed', () => {
    const { text } = messageWith(Array(LIMITS.notifyFeeds).fill({ ...notice, error: 'x'.repeat(5000) }), undefined);
    expect(text.length).toBeLessThan(20_000);
  });
});
