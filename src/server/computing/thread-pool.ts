import { BusyError, messageOf, OverBudgetError } from '../../errors.ts';
import { afterRunning } from '../../process/budget.ts';
import type { Thread } from '../../process/thread.ts';

interface ThreadPoolOptions<Question, Answer> {
  start(): Thread<Question, Answer>;
  /** The first question of each thread, which has no budget. */
  first?: Question;
  threads: number;
  /** The budget of one question. */
  budgetMs: number;
  waiting: number;
}

const ENDING = 'The service is ending.';

interface PoolThread<Question, Answer> {
  thread: Thread<Question, Answer>;
  isUp: Promise<unknown>;
  busy: boolean;
}

/**
 * Threads that answer one question at a time each. A thread beyond its budget is ended and replaced, because nothing else
 * stops a computation that never reads the clock.
 */
export class ThreadPool<Question, Answer> {
  readonly #options: ThreadPoolOptions<Question, Answer>;
  readonly #threads: PoolThread<Question, Answer>[];
  readonly #queue: PromiseWithResolvers<PoolThread<Question, Answer>>[] = [];
  #closed = false;

  constructor(options: ThreadPoolOptions<Question, Answer>) {
    this.#options = options;
    this.#threads = Array.from({ length: options.threads }, () => ({ ...this.#startOne(), busy: false }));
  }

  /** `turnMs`: how long the question may wait for a thread. @throws BusyError, OverBudgetError, what the thread ended of */
  async ask(question: Question, turnMs: number = this.#options.budgetMs): Promise<Answer> {
    const one = await this.#turn(turnMs);
    try {
      return await this.#answer(one, question);
    } finally {
      this.#free(one);
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const waiting of this.#queue.splice(0)) waiting.reject(new BusyError(ENDING));
    await Promise.all(this.#threads.map(({ thread }) => thread.end()));
  }

  #startOne(): Pick<PoolThread<Question, Answer>, 'thread' | 'isUp'> {
    const { start, first } = this.#options;
    const thread = start();
    // A thread that cannot start fails with the next question, which reports it.
    return { thread, isUp: first === undefined ? Promise.resolve() : thread.ask(first).catch(() => undefined) };
  }

  #turn(turnMs: number): PoolThread<Question, Answer> | Promise<PoolThread<Question, Answer>> {
    const { waiting } = this.#options;
    const idle = this.#closed ? undefined : this.#threads.find(({ busy }) => !busy);
    if (idle !== undefined) {
      idle.busy = true;
      return idle;
    }
    if (this.#closed) throw new BusyError(ENDING);
    if (this.#queue.length >= waiting) throw new BusyError(`${waiting} requests wait already.`);
    const turn = Promise.withResolvers<PoolThread<Question, Answer>>();
    const end = afterRunning(turnMs, () => {
      this.#queue.splice(this.#queue.indexOf(turn), 1);
      turn.reject(new BusyError(`No thread was free for ${turnMs / 1000} s.`));
    });
    this.#queue.push(turn);
    return turn.promise.finally(end);
  }

  #free(one: PoolThread<Question, Answer>): void {
    const next = this.#queue.shift();
    one.busy = next !== undefined;
    next?.resolve(one);
  }

  async #answer(one: PoolThread<Question, Answer>, question: Question): Promise<Answer> {
    const { budgetMs } = this.#options;
    if (this.#closed) throw new BusyError(ENDING);
    if (one.thread.ended) Object.assign(one, this.#startOne());
    await one.isUp;
    const watch = watchOver(one.thread, budgetMs);
    try {
      return await Promise.race([one.thread.ask(question), watch.late]);
    } catch (error) {
      // The pool does not wait for its end; a statement in the database ends by itself.
      void one.thread.end();
      if (!this.#closed) Object.assign(one, this.#startOne());
      const isMemory = (error as NodeJS.ErrnoException | null)?.code === 'ERR_WORKER_OUT_OF_MEMORY';
      throw isMemory ? new OverBudgetError(messageOf(error), { cause: error }) : error;
    } finally {
      watch.end();
    }
  }
}

/** Most budgets of a question that waited for the database or a processor most of its time. */
const MOST_BUDGETS = 3;
/** A question waited most of its time if it computed for less than one such part of its budget. */
const MOST_WAITING = 10;

/** Rejects once a thread has computed for longer than its budget allows, or has given no answer for much longer. */
function watchOver(thread: Thread<never, unknown>, budgetMs: number): { late: Promise<never>; end(): void } {
  const late = Promise.withResolvers<never>();
  // A thread that has ended reports no time.
  const busyMs = () => thread.busyMs().catch(() => 0);
  const before = busyMs();
  let budgets = 0;
  let end = () => {};
  const again = () => {
    end = afterRunning(budgetMs, () => void check());
  };
  const check = async () => {
    budgets += 1;
    const seconds = (budgets * budgetMs) / 1000;
    if ((await busyMs()) - (await before) >= budgetMs / MOST_WAITING)
      late.reject(new OverBudgetError(`It took more than ${seconds} s.`));
    else if (budgets === MOST_BUDGETS)
      late.reject(new BusyError(`The database or the machine is too slow: there was no answer in ${seconds} s.`));
    else again();
  };
  again();
  return { late: late.promise, end: () => end() };
}
