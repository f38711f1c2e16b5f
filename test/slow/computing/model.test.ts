import { expect, it } from 'vitest';
import { survived } from '../../harvest/model/run.ts';
import { seeds } from '../../runs.ts';

const SEEDS = seeds(60, 1000);

it('updates, deletions, replays, crashes, absences, clock jumps and every fault: the end is the publisher’s last word', async () => {
  const done: Record<string, number> = {};
  for (const seed of SEEDS) {
    const counts = await survived(seed, 60).catch((error: unknown) => {
      throw new Error(`seed ${seed}`, { cause: error });
    });
    for (const [what, count] of Object.entries(counts)) done[what] = (done[what] ?? 0) + count;
  }
  // A run that never met one of these would prove nothing of it.
  for (const what of ['trouble', 'stale', 'absence', 'clock', 'purge', 'crash', 'second', 'held', 'resync', 'ended'])
    expect(done[what], what).toBeGreaterThan(0);
});
