import { expect, onTestFinished, test, vi } from 'vitest';
import { createHostQueue } from '../../src/fetch/host-queue.ts';

/** Work that ends when it is let. */
function held(): { work: () => Promise<void>; end: () => void; begun: Promise<void> } {
  const running = Promise.withResolvers<void>();
  const started = Promise.withResolvers<void>();
  const work = () => {
    started.resolve();
    return running.promise;
  };
  return { work, end: running.resolve, begun: started.promise };
}

const HOST = 'a.example';

test('a request that is aborted while it waits takes no turn', async () => {
  const queue = createHostQueue();
  const first = held();
  const running = queue.run(HOST, first.work);
  await first.begun;
  const stop = new AbortController();
  const aborted = queue.run(HOST, () => Promise.resolve('ran'), stop.signal);
  const third = queue.run(HOST, () => Promise.resolve('third'));
  stop.abort(new Error('stopped'));
  await expect(aborted).rejects.toThrow('stopped');
  first.end();
  await running;
  expect(await third).toBe('third');
  expect(await queue.run(HOST, () => Promise.resolve('fourth'))).toBe('fourth');
});

test('a host that nobody asks any more is forgotten: those of a long run are many', async () => {
  const removed = vi.spyOn(Map.prototype, 'delete');
  onTestFinished(() => removed.mockRestore());
  await createHostQueue().run(HOST, () => Promise.resolve());
  expect(removed).toHaveBeenCalledWith(HOST);
});
