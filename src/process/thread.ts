/** Work that would keep the process from everything else, on a thread of its own. */

import { type ResourceLimits, type Transferable, Worker } from 'node:worker_threads';
import { BugError, StalledError, UnbegunError } from '../errors.ts';

/** Answers one question after the other. It never keeps the process alive by itself. */
export interface Thread<Question, Answer> {
  ended: boolean;
  /** Milliseconds of a processor that it has used so far. */
  busyMs(): Promise<number>;
  /**
   * `transfer` goes over and is not copied.
   * @throws what the thread ended of, before it answered; UnbegunError where that was an earlier question
   */
  ask(question: Question, transfer?: readonly Transferable[]): Promise<Answer>;
  end(): Promise<unknown>;
}

interface ThreadOptions {
  /** For `workerData`. */
  data?: unknown;
  resourceLimits?: ResourceLimits;
  /** The thread stays when it has been idle, as where a person waits for its next answer. */
  stays?: boolean;
  /** Milliseconds without an answer, while some are waited for, after which it is ended. */
  answerMs?: number;
}

/** A thread that has been idle for so long is ended, and gives its memory back. */
const IDLE_MS = 30_000;

/** `file`: a module beside the caller's, without its extension: the same as source and as it is built. */
export function startThread<Question, Answer>(
  caller: string,
  file: string,
  { data, resourceLimits = {}, stays = false, answerMs = Number.POSITIVE_INFINITY }: ThreadOptions = {},
): Thread<Question, Answer> {
  const module = new URL(`${file}${caller.endsWith('.ts') ? '.ts' : '.js'}`, caller);
  const worker = new Worker(module, { execArgv: [], workerData: data, resourceLimits });
  const busyMs = async () => {
    const { user, system } = await worker.cpuUsage();
    return (user + system) / 1000;
  };
  const thread: Thread<Question, Answer> = { ended: false, busyMs, ask, end };
  /** In the order of the questions, which is that of the answers. */
  const waiting: PromiseWithResolvers<Answer>[] = [];
  let idle: NodeJS.Timeout | undefined;
  let late: NodeJS.Timeout | undefined;
  let isEnded = false;
  const fail = (cause: unknown) => {
    const [first, ...others] = waiting.splice(0);
    first?.reject(cause);
    const unbegun = isEnded ? cause : new UnbegunError(`A thread (${file}) ended before it began.`, { cause });
    for (const each of others) each.reject(unbegun);
  };
  worker.on('message', (answer: Answer) => {
    waiting.shift()?.resolve(answer);
    watch();
  });
  worker.on('error', fail);
  worker.on('exit', (code) => {
    thread.ended = true;
    fail(new BugError(`A thread (${file}) ended (${code}) before it answered.`));
  });
  // After the listeners: one of messages refs the port.
  worker.unref();

  /** The next answer has its own time. */
  function watch(): void {
    clearTimeout(late);
    if (waiting.length === 0 || answerMs === Number.POSITIVE_INFINITY) return;
    late = setTimeout(() => {
      fail(new StalledError(`A thread (${file}) gave no answer for ${answerMs / 1000} s, and was ended.`));
      void end();
    }, answerMs).unref();
  }

  /** Ends the thread, which takes a moment: a question in between would find nobody. */
  function end(): Promise<unknown> {
    isEnded = true;
    thread.ended = true;
    return worker.terminate();
  }

  async function ask(question: Question, transfer: readonly Transferable[] = []): Promise<Answer> {
    clearTimeout(idle);
    worker.ref();
    const answer = Promise.withResolvers<Answer>();
    waiting.push(answer);
    if (waiting.length === 1) watch();
    worker.postMessage(question, transfer);
    try {
      return await answer.promise;
    } finally {
      if (waiting.length === 0) {
        worker.unref();
        if (!stays) idle = setTimeout(() => void end(), IDLE_MS).unref();
      }
    }
  }
  return thread;
}
