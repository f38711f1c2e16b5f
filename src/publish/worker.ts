/** Publishes on a thread of its own: each calendar is read, then published together with its earlier objects (off-thread.ts). */

import { parentPort } from 'node:worker_threads';
import type { Instant } from '../time/instant.ts';
import type { CalendarText, Previous } from './contract.ts';
import type { Mapping } from './map/schema.ts';
import { type CalendarOutcome, type CalendarReading, keysOf, publishReading, readSource } from './publish-calendar.ts';
import { type Survey, surveyOf } from './starter/survey.ts';

export type WorkerRequest =
  | { input: CalendarText; mapping: Mapping }
  | { previous: Previous; now: Instant; apart: ReadonlySet<string> }
  | { surveyed: CalendarText; now: Instant };
export type WorkerReply = { keys: string[] } | { outcome: CalendarOutcome } | { survey: Survey };

let reading: CalendarReading | undefined;

parentPort?.on('message', (question: WorkerRequest) => {
  if ('surveyed' in question) {
    parentPort?.postMessage({ survey: surveyOf(question.surveyed, question.now) } satisfies WorkerReply);
  } else if ('input' in question) {
    reading = readSource(question.input, question.mapping);
    parentPort?.postMessage({ keys: keysOf(reading) } satisfies WorkerReply);
  } else {
    const outcome = publishReading(reading as CalendarReading, question.previous, question.now, question.apart);
    reading = undefined;
    parentPort?.postMessage({ outcome } satisfies WorkerReply);
  }
});
