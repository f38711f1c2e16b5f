import { expect, test } from 'vitest';
import { createProgress } from '../../src/cli/progress.ts';
import { testIo } from './io.ts';

/** What is on the terminal after the last redraw. */
function screen(err: string): string[] {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what moves the cursor
  return (err.split(/\u001b\[\d*A\u001b\[J/).at(-1) ?? '').split('\n').slice(0, -1);
}
const sums = (pages: number) => ({ pages, items: pages * 10, kept: 0, deleted: 0, findings: 0 });

test('hundreds of feeds: those being read up to a screen, and a line for all', async () => {
  let now = 0;
  const io = testIo({ columns: 100, now: () => (now += 100) });
  const progress = createProgress(
    Array.from({ length: 475 }, (_, n) => `feed ${n}`),
    io,
  );
  for (let n = 0; n < 300; n++) progress.page(n, sums(2));
  expect(screen(io.err())).toHaveLength(21);
  expect(screen(io.err())[20]).toBe('0 of 475 feeds ended, 280 more are being read, pages 600, items 6000');
  for (let n = 0; n < 299; n++) await progress.done(n, `feed ${n}: done\n`);
  progress.page(299, sums(5));
  expect(screen(io.err())).toEqual([
    expect.stringMatching(/^\[.{16}\] pages 5, items 50, findings 0 {2}feed 299$/),
    '299 of 475 feeds ended, pages 603, items 6030',
  ]);
  expect(io.out().split('\n')).toHaveLength(300);
});

test('nobody looks: summaries only', async () => {
  const io = testIo();
  const progress = createProgress(['a', 'b'], io);
  progress.page(0, sums(1));
  await progress.done(0, 'a: done\n');
  progress.end();
  expect([io.out(), io.err()]).toEqual(['a: done\n', '']);
});
