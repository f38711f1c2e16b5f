import { expect, test } from 'vitest';
import { freshFor } from '../../src/fetch/freshness.ts';
import { LIMITS } from '../../src/limits.ts';

const NOW = Date.UTC(2026, 10, 21, 12, 0, 0);

test.each([
  ['nothing said', {}, undefined],
  ['the last page of a scaled feed', { 'cache-control': 'public, max-age=8' }, 8000],
  ['on its way for a while', { 'cache-control': 'public, max-age=8', age: '5' }, 3000],
  ['older than its time', { 'cache-control': 'max-age=8', age: '60' }, undefined],
  ['for shared caches only', { 'cache-control': 's-maxage=60' }, undefined],
  ['both', { 'cache-control': 's-maxage=60, max-age=20' }, 20_000],
  ['quoted, as some do', { 'cache-control': 'max-age="30"' }, 30_000],
  ['zero', { 'cache-control': 'max-age=0' }, undefined],
  ['no number', { 'cache-control': 'max-age=soon' }, undefined],
  ['for ever', { 'cache-control': 'max-age=31536000' }, LIMITS.freshMaxMs],
  ['a pause asked for', { 'retry-after': '45' }, 45_000],
  ['a pause until then', { 'retry-after': 'Sat, 21 Nov 2026 12:01:00 GMT' }, 60_000],
  ['the longer of two', { 'retry-after': '5', 'cache-control': 'max-age=8' }, 8000],
  ['in two lines', { 'cache-control': ['public', 'max-age=8'] }, 8000],
])('%s', (_name, headers, fresh) => {
  expect(freshFor(headers, NOW).fresh).toBe(fresh);
});
