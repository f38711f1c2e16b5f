import { expect, test } from 'vitest';
import { createHostQueue } from '../../../src/fetch/host-queue.ts';
import { httpSource } from '../../../src/harvest/feed/http-source.ts';

test.each([
  ['https://me:secret@x.example/rpde', 'me:secret'],
  ['https://me:p%40ss@x.example/rpde', 'me:p@ss'],
  ['https://me:100%@x.example/rpde', 'me:100%'],
  ['https://me%zz:@x.example/rpde', 'me%zz:'],
])('user and password of %s go into a header', async (url, pair) => {
  const asked: unknown[] = [];
  const client = {
    request: async (at: string, more: object) => {
      asked.push([at, more]);
      throw new Error('that is enough');
    },
    get: () => Promise.reject(new Error('pages are asked for')),
    close: async () => {},
  };
  const source = httpSource({ url, client, queue: createHostQueue(), named: new Set() });
  expect(source.url).toBe('https://x.example/rpde');
  await expect(source.page(null)).rejects.toThrow('that is enough');
  const authorization = `Basic ${Buffer.from(pair).toString('base64')}`;
  expect(JSON.stringify(asked)).toContain(JSON.stringify(authorization));
});
