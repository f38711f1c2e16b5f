import { expect, test } from 'vitest';
import {
  ConnectionError,
  FeedError,
  RefusedAddressError,
  SourceError,
  StatusError,
  StoreError,
} from '../../src/errors.ts';
import { waitAfter } from '../../src/fetch/back-off.ts';

const URL = 'https://a.example/';
const MINUTE = 60_000;

/** Error, failures in a row, the shortest and the longest wait. */
const ROWS: [string, unknown, number, number, number][] = [
  ['a first blip', new ConnectionError(URL, 'x'), 1, 2500, 5000],
  ['a second', new ConnectionError(URL, 'x'), 2, 5000, 10_000],
  ['the tenth', new ConnectionError(URL, 'x'), 10, 21.3 * MINUTE, 43 * MINUTE],
  ['the hundredth: at most an hour', new ConnectionError(URL, 'x'), 100, 30 * MINUTE, 60 * MINUTE],
  ['500', new StatusError(URL, 500), 1, 2500, 5000],
  ['503: 60 to 120 minutes', new StatusError(URL, 503), 1, 60 * MINUTE, 120 * MINUTE],
  ['429 without a time', new StatusError(URL, 429), 1, 60 * MINUTE, 120 * MINUTE],
  ['429 with a time', new StatusError(URL, 429, 30_000), 1, 30_000, 30_000],
  ['429 with a time that is over', new StatusError(URL, 429, 0), 1, 2500, 5000],
  ['429 with a time that is over, for the tenth time', new StatusError(URL, 429, 0), 10, 21.3 * MINUTE, 43 * MINUTE],
  ['503 with a time', new StatusError(URL, 503, 7), 3, 7, 7],
  ['503 with a second, for the fourth time', new StatusError(URL, 503, 1000), 4, 2500, 5000],
  ['429 with a second, for the tenth time', new StatusError(URL, 429, 1000), 10, 2.6 * MINUTE, 5.4 * MINUTE],
  ['429 with a second, for the hundredth time', new StatusError(URL, 429, 1000), 100, 30 * MINUTE, 60 * MINUTE],
  [
    '503 with two hours, for the hundredth time',
    new StatusError(URL, 503, 120 * MINUTE),
    100,
    120 * MINUTE,
    120 * MINUTE,
  ],
  ['404: looked at once a day', new StatusError(URL, 404), 1, 24 * 60 * MINUTE, 24 * 60 * MINUTE],
  ['410', new StatusError(URL, 410), 1, 24 * 60 * MINUTE, 24 * 60 * MINUTE],
  ['an address that is refused', new RefusedAddressError(URL, 'x'), 1, 60 * MINUTE, 60 * MINUTE],
  ['paging that leads nowhere', new FeedError('x'), 1, 60 * MINUTE, 60 * MINUTE],
  ['a folder that is gone', new SourceError('x'), 1, 2500, 5000],
  ['our own database was away for long', new StoreError('x'), 100, 2500, 5000],
  ['anything else', new Error('x'), 1, 2500, 5000],
];

test.each(ROWS)('%s', (_name, error, failures, least, most) => {
  for (const random of [0, 0.25, 0.999]) {
    const wait = waitAfter(error, failures, random);
    expect(wait).toBeGreaterThanOrEqual(least);
    expect(wait).toBeLessThanOrEqual(most);
  }
  if (least < most) expect(waitAfter(error, failures, 0.9)).toBeGreaterThan(waitAfter(error, failures, 0.1));
});
