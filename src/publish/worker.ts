/** Publishing on a thread of its own: one question, one answer (off-thread.ts). */

import { parentPort, workerData } from 'node:worker_threads';
import type { Instant } from '../time/instant.ts';
import type { CalendarText, Previous, PublishResult } from './contract.ts';
import type { Mapping } from './map/mapping.ts';
import { publishCalendars } from './publish-calendars.ts';

export interface Question {
  inputs: readonly CalendarText[];
  mapping: Mapping;
  previous: Previous;
  now: Instant;
}

/** `fault`: what nobody foresaw. */
export type Answer = { result: PublishResult } | { fault: unknown };

parentPort?.postMessage(publishAnswer(workerData as Question));

function publishAnswer({ inputs, mapping, previous, now }: Question): Answer {
  try {
    return { result: publishCalendars(inputs, mapping, previous, now) };
  } catch (fault) {
    return { fault };
  }
}
