import fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type PageRequest, pageRequests } from '../../../src/harvest/page/page-requests.ts';

const USUAL = 256 * 1024;
const ANSWER_MS = 2_000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** So many requests, and those that may be made so far. */
function asked(count: number, most: number): { begun: PageRequest[] } {
  const requests = pageRequests(most, ANSWER_MS);
  const begun: PageRequest[] = [];
  for (let n = 0; n < count; n++) void requests.request().then((request) => begun.push(request));
  return { begun };
}

const settled = () => vi.advanceTimersByTimeAsync(0);

test('no more pages are asked for than bodies may wait, as large as one usually is', async () => {
  const { begun } = asked(10, 3 * USUAL);
  await settled();
  expect(begun).toHaveLength(3);
});

test('a body that came counts as long as it waits, with its own octets', async () => {
  const { begun } = asked(10, 3 * USUAL);
  await settled();
  begun[0]?.received(2 * USUAL);
  begun[1]?.end();
  await settled();
  expect(begun).toHaveLength(3);
  begun[0]?.end();
  await settled();
  expect(begun).toHaveLength(4);
});

test('many short pages do not let all others be asked for at once', async () => {
  const { begun } = asked(400, 16 * USUAL);
  for (let n = 0; n < 300; n++) {
    await settled();
    begun[n]?.received(500);
    begun[n]?.end();
  }
  await settled();
  expect(begun).toHaveLength(316);
});

test('a publisher that never answers keeps nobody waiting for long', async () => {
  const { begun } = asked(4, 2 * USUAL);
  await vi.advanceTimersByTimeAsync(ANSWER_MS - 1);
  expect(begun).toHaveLength(2);
  await vi.advanceTimersByTimeAsync(1);
  expect(begun).toHaveLength(4);
  // It answers after all: then it is here, and counts.
  begun[0]?.received(9 * USUAL);
  begun[0]?.end();
});

test('a body that is larger than all that may wait does not end the asking', async () => {
  const { begun } = asked(3, USUAL);
  for (let n = 0; n < 3; n++) {
    await settled();
    expect(begun).toHaveLength(n + 1);
    begun[n]?.received(100 * USUAL);
    begun[n]?.end();
  }
});

test('whatever becomes of requests, everybody may ask in the end', async () => {
  const one = fc.record({ octets: fc.nat(1_000_000), answers: fc.boolean(), twice: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(fc.array(one, { maxLength: 40 }), fc.integer({ min: 1, max: 2_000_000 }), async (plan, most) => {
      const requests = pageRequests(most, ANSWER_MS);
      let done = 0;
      const all = plan.map(async ({ octets, answers, twice }) => {
        const request = await requests.request();
        if (answers) request.received(octets);
        await new Promise((over) => setTimeout(over, 1));
        if (answers) request.end();
        if (twice) request.end();
        done += 1;
      });
      await vi.advanceTimersByTimeAsync(plan.length * ANSWER_MS);
      await Promise.all(all);
      expect(done).toBe(plan.length);
    }),
    { numRuns: 50 },
  );
});

test('who is stopped leaves the line, and keeps no room', async () => {
  const requests = pageRequests(USUAL, ANSWER_MS);
  const first = await requests.request();
  const stop = new AbortController();
  const stopped = requests.request(stop.signal);
  const begun: PageRequest[] = [];
  void requests.request(stop.signal).catch(() => {});
  void requests.request().then((request) => begun.push(request));
  stop.abort(new Error('enough'));
  await expect(stopped).rejects.toThrow('enough');
  await expect(requests.request(stop.signal)).rejects.toThrow('enough');
  first.end();
  await settled();
  expect(begun).toHaveLength(1);
});
