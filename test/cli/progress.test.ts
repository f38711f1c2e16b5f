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
  const io = testIo({ columns: 160, now: () => (now += 100) });
  const progress = createProgress(
    Array.from({ length: 475 }, (_, n) => `feed ${n}`),
    io,
  );
  for (let n = 0; n < 300; n++) progress.page(n, sums(2));
  expect(screen(io.err())).toHaveLength(21);
  expect(screen(io.err())[20]).toMatch(
    /^0 of 475 feeds ended, 280 more are being read, pages 600, items 6000, \d+ items\/s, \d+:\d\d gone, time to go not known yet$/,
  );
  for (let n = 0; n < 299; n++) await progress.done(n, `feed ${n}: done\n`);
  progress.page(299, sums(5));
  expect(screen(io.err())).toEqual([
    expect.stringMatching(/^\[.{16}\] pages 5, items 50, \d+ items\/s, findings 0 {2}feed 299$/),
    expect.stringMatching(
      /^299 of 475 feeds ended, pages 603, items 6030, \d+ items\/s, \d+:\d\d gone, about \d+:\d\d to go$/,
    ),
  ]);
  expect(io.out().split('\n')).toHaveLength(300);
});

test('rate, time gone and time to go: by the items counted before, else by the feeds that ended', async () => {
  const clock = { now: 0 };
  const io = testIo({ columns: 120, now: () => clock.now });
  const progress = createProgress(['a', 'b'], io, [300, 700]);
  clock.now = 20_000;
  progress.page(0, sums(25));
  expect(screen(io.err()).at(-1)).toBe(
    '0 of 2 feeds ended, pages 25, items 250, 13 items/s, 0:20 gone, about 1:00 to go',
  );
  progress.end();
  const other = testIo({ columns: 120, now: () => clock.now });
  const unknown = createProgress(['a', 'b'], other);
  clock.now = 3_800_000;
  unknown.page(0, sums(1));
  expect(screen(other.err()).at(-1)).toMatch(/1:03:00 gone, time to go not known yet$/);
  await unknown.done(0, 'a: done\n');
  expect(screen(other.err()).at(-1)).toMatch(/^1 of 2 feeds ended, .*1:03:00 gone, about 1:03:00 to go$/);
  unknown.end();
});

test('without a terminal: summaries only', async () => {
  const io = testIo();
  const progress = createProgress(['a', 'b'], io);
  progress.page(0, sums(1));
  await progress.done(0, 'a: done\n');
  progress.end();
  expect([io.out(), io.err()]).toEqual(['a: done\n', '']);
});
