/** Publishing on a thread of its own: one question, one answer (off-thread.ts). */

import { parentPort } from 'node:worker_threads';
import { publishCalendars } from './publish-calendars.ts';

export type Question = Parameters<typeof publishCalendars>;

parentPort?.once('message', (question: Question) => parentPort?.postMessage(publishCalendars(...question)));
