import { Worker } from 'node:worker_threads';
import { messageOf } from '../errors.ts';
import type { Instant } from '../time/instant.ts';
import { findingOf } from './codes.ts';
import type { CalendarText, Previous, PublishFinding, PublishResult } from './contract.ts';
import { THREAD_MB, THREAD_MS } from './limits.ts';
import type { Mapping } from './map/mapping.ts';
import type { Answer, Question } from './worker.ts';

/** What a thread may use; the limits of the program, smaller in tests. */
export interface ThreadLimits {
  megabytes: number;
  milliseconds: number;
}

const LIMITS: ThreadLimits = { megabytes: THREAD_MB, milliseconds: THREAD_MS };

/**
 * `publishCalendars` on a thread of its own with bounded memory and time: calendars are other people's. Calendars that use up
 * either are found one by one and left out with the finding `calendar-too-much`, and the others are published.
 */
export async function publishOffThread(
  inputs: readonly CalendarText[],
  mapping: Mapping,
  previous: Previous,
  now: Instant,
  limits: ThreadLimits = LIMITS,
): Promise<PublishResult> {
  const all = await ask({ inputs, mapping, previous, now }, limits);
  if (typeof all !== 'string') return all;
  const good: CalendarText[] = [];
  const findings: PublishFinding[] = [];
  for (const input of inputs) {
    const alone = inputs.length === 1 ? all : await ask({ inputs: [input], mapping, previous, now }, limits);
    if (typeof alone === 'string') findings.push(findingOf('calendar-too-much', input.source, '', '', { why: alone }));
    else good.push(input);
  }
  const rest = await ask({ inputs: good, mapping, previous, now }, limits);
  if (typeof rest !== 'string') return { ...rest, findings: [...findings, ...rest.findings] };
  // Each alone is small enough, all together are not.
  return { ...(await askNothing(mapping, previous, now, limits)), findings: [...findings, tooMuch(rest)] };
}

async function askNothing(
  mapping: Mapping,
  previous: Previous,
  now: Instant,
  limits: ThreadLimits,
): Promise<PublishResult> {
  const nothing = await ask({ inputs: [], mapping, previous, now }, limits);
  if (typeof nothing === 'string') throw new Error(nothing);
  return nothing;
}

function tooMuch(why: string): PublishFinding {
  return findingOf('calendar-too-much', 'mapping', '', '', { why });
}

/** The result; a text says why there is none. */
async function ask(question: Question, { megabytes, milliseconds }: ThreadLimits): Promise<PublishResult | string> {
  const file = new URL(`./worker${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url);
  const worker = new Worker(file, {
    workerData: question,
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: megabytes, maxYoungGenerationSizeMb: 32 },
  });
  const { promise, resolve } = Promise.withResolvers<PublishResult | string>();
  const timer = setTimeout(() => resolve(`took more than ${milliseconds / 1000} s`), milliseconds);
  worker.on('message', (answer: Answer) =>
    resolve('result' in answer ? answer.result : `failed (${messageOf(answer.fault)})`),
  );
  worker.on('error', (error: NodeJS.ErrnoException) => resolve(wordsFor(error, megabytes)));
  worker.on('exit', (code) => resolve(`ended (${code}) without an answer`));
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    await worker.terminate();
  }
}

function wordsFor(error: NodeJS.ErrnoException, megabytes: number): string {
  const isMemory = error.code === 'ERR_WORKER_OUT_OF_MEMORY';
  return isMemory ? `took more than ${megabytes} MB of memory` : `failed (${messageOf(error)})`;
}
