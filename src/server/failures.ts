import { randomInt } from 'node:crypto';
import type { Context } from 'hono';
import { StoreError } from '../errors.ts';
import { counted, type Library } from '../library/index.ts';
import { problem } from './api/json.ts';
import { isApi, isCalendar, isDav, isEmbed, isXml, sendsJson } from './calendars/address.ts';
import { line, unavailable } from './calendars/calendars.ts';
import { type Log, logFailed } from './operations/log.ts';
import { embedNotice } from './pages/embed/embed-answer.tsx';
import { failureResponse, noticeResponse } from './pages/frame/notice.tsx';
import type { Site } from './pages/frame/site.ts';

/** The answer to a request that failed through no fault of its own. */
export function broken(
  error: unknown,
  c: Context,
  { library, site, log }: { library: Pick<Library, 'noteError'>; site: Site; log: Log },
): Response | Promise<Response> {
  const trouble = library.noteError(error);
  const number = String(randomInt(100_000, 1_000_000));
  const path = c.req.path.slice(0, 200);
  // A trouble of the store was logged when it began, and /readyz reports it until an operator helps.
  if (trouble === undefined) logFailed(log, error, { path, number }, 'A request failed.');
  if (isCalendar(c) || isDav(c)) return unavailable();
  const status = error instanceof StoreError ? 503 : 500;
  if (status === 503 && trouble === undefined) return refusalResponse(503, RETRY_SECONDS.soon, c, site, AWAY);
  if (isEmbed(c)) return embedNotice(c, site, status, WORDS[503].heading);
  if (isXml(c)) return line(status, 'The answer could not be made.', 'no-store');
  if (!(isApi(c) || sendsJson(c))) return failureResponse(site, status, number);
  return problem(status, trouble ?? 'The answer could not be made.');
}

/** Seconds until another try makes sense: a queue is short again at once, what is too much stays so for longer. */
export const RETRY_SECONDS = { soon: 10, later: 300 } as const;

const AWAY = 'The database gives no answer just now. Try again in a few minutes.';

const WORDS = {
  429: {
    heading: 'Too many pages in one minute',
    text: 'So many requests in one minute are more than one caller may make.',
  },
  503: {
    heading: 'This cannot be shown just now',
    text: 'This takes too long just now. Try again in a few minutes.',
  },
};

/** The refusal as a problem, a line or a page, whichever the address answers with. */
export async function refusalResponse(
  status: 429 | 503,
  seconds: number,
  c: Context,
  site: Site,
  text: string = WORDS[status].text,
): Promise<Response> {
  // DAVx5 waits as long as a 503 says. It reports a 4xx as an error, and other clients begin again after one.
  if (isDav(c)) return line(503, text, 'no-store', { 'Retry-After': String(seconds) });
  if (isCalendar(c)) {
    return status === 503 ? unavailable() : line(status, text, 'no-store', { 'Retry-After': String(seconds) });
  }
  const response = await refusalOf(c, status, text, seconds, site);
  response.headers.set('Retry-After', String(seconds));
  return response;
}

function refusalOf(
  c: Context,
  status: 429 | 503,
  text: string,
  seconds: number,
  site: Site,
): Response | Promise<Response> {
  if (isApi(c) || sendsJson(c)) return problem(status, text);
  if (isXml(c)) return line(status, text, 'no-store');
  const { heading } = WORDS[status];
  if (isEmbed(c)) return embedNotice(c, site, status, heading);
  const wait = status === 429 ? [`Wait ${counted(seconds, 'second')}, then try again.`] : [];
  return noticeResponse({ title: heading, says: [text, ...wait], status, isPassing: true }, site);
}
