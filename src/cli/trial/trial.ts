/** `/publish`: fetches a calendar, and works out the feeds that would be published from it. Nothing is stored. */

import type { Settings } from '../../config.ts';
import {
  BodyTooLargeError,
  ConnectionError,
  FetchTimeoutError,
  RedirectError,
  RefusedAddressError,
  StalledError,
  StatusError,
} from '../../errors.ts';
import { type Body, type Client, createClient, createHostQueue } from '../../fetch/index.ts';
import { LIMITS } from '../../limits.ts';
import { startThread } from '../../process/thread.ts';
import { calendarAddress, THREAD_MB, THREAD_MS, type Trial, type TrialAnswers } from '../../publish/index.ts';
import type { PublishTrial, TrialOutcome } from '../../server/index.ts';
import type { Instant } from '../../time/instant.ts';
import type { Io } from '../io.ts';
import { userAgent } from '../package.ts';

export interface TrialQuestion {
  body: Body;
  source: string;
  answers: TrialAnswers;
  now: Instant;
}

export type TrialAnswer = { trial: Trial } | { trouble: string };

interface TrialOver {
  limits?: { totalMs: number; bytes: number };
  named?: readonly string[];
}

export interface CalendarTrial {
  trial: PublishTrial;
  close(): Promise<void>;
}

/**
 * Makes the trial of calendars; undefined: the settings turn it off. The client has no named origins, so that each address
 * must be public. `over`: other options of the client, for tests.
 */
export function calendarTrial(
  { publishPage, allowPrivate, contact }: Pick<Settings, 'publishPage' | 'allowPrivate' | 'contact'>,
  io: Pick<Io, 'now'>,
  { limits = { totalMs: LIMITS.trialMs, bytes: LIMITS.trialBytes }, ...over }: TrialOver = {},
): CalendarTrial | undefined {
  if (!publishPage) return undefined;
  const client = createClient({ userAgent: userAgent(contact), allowPrivate, now: io.now, limits, ...over });
  const queue = createHostQueue({ placeMs: limits.totalMs });
  let running = 0;
  return {
    close: () => client.close(),
    async trial(pasted, answers, signal) {
      const url = calendarAddress(pasted);
      if (url === undefined) return { trouble: NO_ADDRESS };
      if (running >= LIMITS.trialsAtOnce) return { trouble: BUSY, isBusy: true };
      running += 1;
      try {
        const body = await queue.run(new URL(url).host, () => fetched(client, url, signal), signal);
        return await workedOut({ body, source: url, answers, now: io.now() });
      } catch (error) {
        return { trouble: troubleOf(error, limits) };
      } finally {
        running -= 1;
      }
    },
  };
}

async function fetched(client: Client, url: string, signal: AbortSignal): Promise<Body> {
  const response = await client.request(url, { accept: 'text/calendar, */*;q=0.1', signal });
  if (!response.changed) throw new StatusError(url, 304);
  return response.body;
}

/** Works a trial out on a thread that is ended afterwards, because the calendar is a stranger's. */
async function workedOut(question: TrialQuestion): Promise<TrialOutcome> {
  const thread = startThread<TrialQuestion, TrialAnswer>(import.meta.url, './trial-worker', {
    resourceLimits: { maxOldGenerationSizeMb: THREAD_MB, maxYoungGenerationSizeMb: 32 },
    answerMs: THREAD_MS,
  });
  try {
    return await thread.ask(question, [question.body.bytes.buffer]);
  } finally {
    void thread.end();
  }
}

const NO_ADDRESS =
  'This is no address of a calendar. It begins with https:// or webcal://, and often ends with .ics; paste it whole.';
const BUSY = 'Others try their calendars just now. Try again in a minute.';

/** Words for the person who pasted the address, without the address, which may be a secret. */
function troubleOf(error: unknown, { totalMs, bytes }: { totalMs: number; bytes: number }): string {
  if (error instanceof RefusedAddressError || error instanceof RedirectError)
    return 'The address leads to a computer that is not on the public internet, or nowhere. Calendars are read from public addresses alone.';
  if (error instanceof StatusError) return statusWords(error.status);
  if (error instanceof FetchTimeoutError)
    return `The calendar did not come within ${totalMs / 1000} seconds. Try again, or ask whoever runs that server.`;
  if (error instanceof BodyTooLargeError)
    return `What is at this address is larger than ${bytes / (1024 * 1024)} MB. Calendars of that size can be tried with the command "publish --init".`;
  if (error instanceof ConnectionError)
    return 'The server of this address does not answer, or its name is not known. Check the address.';
  if (error instanceof StalledError || (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY')
    return 'The calendar holds more than can be tried here: its rules or events take too long to work out. Divide it.';
  return 'The calendar could not be read.';
}

function statusWords(status: number): string {
  if (status === 404 || status === 410)
    return `There is nothing at this address (the server answered ${status}). In Google Calendar a calendar must be made public first, or its secret address be used.`;
  if (status === 401 || status === 403)
    return `The server does not give this calendar to everybody (it answered ${status}). Make the calendar public, or use its secret address.`;
  return `The server of this address answered ${status} and sent no calendar. Try again later.`;
}
