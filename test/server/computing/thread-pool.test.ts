import { afterEach, describe, expect, test, vi } from 'vitest';
import { BusyError, OverBudgetError } from '../../../src/errors.ts';
import { startThread, type Thread } from '../../../src/process/thread.ts';
import { ThreadPool } from '../../../src/server/computing/thread-pool.ts';

afterEach(() => {
  vi.useRealTimers();
});

/** Threads that answer when they are reported to. */
function threads() {
  const started: { ended: boolean; waits: boolean; asked: string[]; answers: PromiseWithResolvers<string>[] }[] = [];
  const start = (): Thread<string, string> => {
    const thread = { ended: false, waits: false, asked: [] as string[], answers: [] as PromiseWithResolvers<string>[] };
    started.push(thread);
    return {
      get ended() {
        return thread.ended;
      },
      busyMs: async () => (thread.waits ? 0 : performance.now()),
      ask(question) {
        thread.asked.push(question);
        const answer = Promise.withResolvers<string>();
        thread.answers.push(answer);
        return answer.promise;
      },
      end: async () => {
        thread.ended = true;
      },
    };
  };
  return { started, start };
}

const LIMITS = { threads: 1, budgetMs: 5000, waiting: 2 };

describe('a pool', () => {
  test('asks one question at a time of a thread, in their order', async () => {
    const { started, start } = threads();
    const pool = new ThreadPool({ ...LIMITS, start });
    const answers = Promise.all(['a', 'b', 'c'].map((question) => pool.ask(question)));
    for (const [at, text] of ['A', 'B', 'C'].entries()) {
      await vi.waitFor(() => expect(started[0]?.asked).toHaveLength(at + 1));
      started[0]?.answers[at]?.resolve(text);
    }
    expect(await answers).toEqual(['A', 'B', 'C']);
    expect(started[0]?.asked).toEqual(['a', 'b', 'c']);
  });

  test('refuses what more than so many wait before', async () => {
    const { start } = threads();
    const pool = new ThreadPool({ ...LIMITS, budgetMs: 600_000, start });
    const waiting = ['a', 'b', 'c'].map((question) => pool.ask(question));
    await expect(pool.ask('d')).rejects.toThrow(BusyError);
    void Promise.allSettled(waiting);
  });

  test('refuses what has waited for as long as an answer may take', async () => {
    vi.useFakeTimers();
    const { start } = threads();
    const pool = new ThreadPool({ ...LIMITS, start });
    const refused = [OverBudgetError, BusyError, BusyError].map((error) =>
      expect(pool.ask('any')).rejects.toThrow(error),
    );
    await vi.advanceTimersByTimeAsync(10_000);
    await Promise.all(refused);
  });

  test('ends and replaces a thread that takes too long, and goes on with the next question', async () => {
    vi.useFakeTimers();
    const { started, start } = threads();
    const pool = new ThreadPool({ ...LIMITS, start });
    const late = expect(pool.ask('a')).rejects.toThrow(OverBudgetError);
    await vi.advanceTimersByTimeAsync(1000);
    const next = pool.ask('b');
    await vi.advanceTimersByTimeAsync(4000);
    await late;
    expect(started.map(({ ended, asked }) => [ended, asked])).toEqual([
      [true, ['a']],
      [false, ['b']],
    ]);
    started[1]?.answers[0]?.resolve('B');
    expect(await next).toBe('B');
  });

  test('gives a thread that waits for the database or a processor more time, and does not blame the question', async () => {
    vi.useFakeTimers();
    const { started, start } = threads();
    const pool = new ThreadPool({ ...LIMITS, start });
    const answers = [pool.ask('a'), pool.ask('b')];
    for (const thread of started) thread.waits = true;
    await vi.advanceTimersByTimeAsync(4_000);
    started[0]?.answers[0]?.resolve('A');
    expect(await answers[0]).toBe('A');
    const late = expect(answers[1]).rejects.toThrow(
      new BusyError('The database or the machine is too slow: there was no answer in 15 s.'),
    );
    await vi.advanceTimersByTimeAsync(14_999);
    expect(started).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    await late;
    expect(started.map(({ ended }) => ended)).toEqual([true, false]);
  });

  test('gives a thread the time to start: the budget runs from then on', async () => {
    vi.useFakeTimers();
    const { started, start } = threads();
    const pool = new ThreadPool({ ...LIMITS, start, first: 'up' });
    const answer = pool.ask('a');
    await vi.advanceTimersByTimeAsync(60_000);
    expect(started.map(({ asked }) => asked)).toEqual([['up']]);
    started[0]?.answers[0]?.resolve('UP');
    await vi.advanceTimersByTimeAsync(4_999);
    started[0]?.answers[1]?.resolve('A');
    expect(await answer).toBe('A');
  });

  test('closed, answers nobody any more', async () => {
    const { started, start } = threads();
    const pool = new ThreadPool({ ...LIMITS, start });
    const [running, waiting] = [pool.ask('a'), pool.ask('b')];
    const refused = [expect(waiting).rejects.toThrow(BusyError)];
    await vi.waitFor(() => expect(started[0]?.asked).toHaveLength(1));
    await pool.close();
    refused.push(expect(pool.ask('c')).rejects.toThrow(BusyError));
    await Promise.all(refused);
    started[0]?.answers[0]?.resolve('A');
    expect(await running).toBe('A');
    expect(started).toHaveLength(1);
  });
});

describe('on a real thread', () => {
  test.each([
    ['computes for ever', 'loop'],
    ['takes all memory', 'grow'],
  ])('a question that %s is over budget, and this thread goes on', async (_name, hostile) => {
    const resourceLimits = { maxOldGenerationSizeMb: 32 };
    const start = () => startThread<string, string>(import.meta.url, './looping', { stays: true, resourceLimits });
    const pool = new ThreadPool({ start, threads: 1, budgetMs: 3000, waiting: 8, first: 'up' });
    try {
      const over = expect(pool.ask(hostile)).rejects.toThrow(OverBudgetError);
      await over;
      expect(await pool.ask('good')).toBe('answer to good');
    } finally {
      await pool.close();
    }
  });
});
