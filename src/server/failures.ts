import { randomInt } from 'node:crypto';
import type { Context } from 'hono';
import { StoreError } from '../errors.ts';
import { counted, type Library } from '../library/index.ts';
import { problem } from './api/json.ts';
import { isApi, isCalendar, isDav, isEmbed, isXml, sendsJson } from './calendars/address.ts';
import { line, unavailable } from './calendars/calendars.ts';
import { RETRY_SECONDS, retry } from './lifetimes.ts';
import { type Log, logFailed } from './operations/log.ts';
import { embedNotice } from './pages/embed/embed-answer.tsx';
import { failureResponse, noticeResponse, type SentForm } from './pages/frame/notice.tsx';
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
  if (error instanceof StoreError && trouble === undefined)
    return refusalResponse(503, RETRY_SECONDS.soon, c, site, AWAY);
  return withRetry(
    failureOf(c, error instanceof StoreError ? 503 : 500, { site, trouble, number }),
    RETRY_SECONDS.later,
  );
}

function failureOf(
  c: Context,
  status: 500 | 503,
  { site, trouble, number }: { site: Site; trouble: string | undefined; number: string },
): Response | Promise<Response> {
  const { words } = retry(RETRY_SECONDS.later);
  if (isEmbed(c)) return embedNotice(c, site, status, WORDS[503].heading);
  if (isXml(c)) return line(status, `The answer could not be made. ${words}`, 'no-store');
  if (!(isApi(c) || sendsJson(c))) return failureResponse(site, { status, number, words, sent: sentForm(c) });
  return problem(status, trouble ?? 'The answer could not be made.');
}

/** A fault of 500 may be over as soon as a 503: its pages name the same wait. */
async function withRetry(answer: Response | Promise<Response>, seconds: number): Promise<Response> {
  const response = await answer;
  for (const [name, value] of Object.entries(retry(seconds).headers)) response.headers.set(name, value);
  return response;
}

const AWAY = 'The database gives no answer just now.';

const WORDS = {
  429: {
    heading: 'Too many pages in one minute',
    text: 'So many requests in one minute are more than one caller may make.',
  },
  503: {
    heading: 'This cannot be shown just now',
    text: 'This takes too long just now.',
  },
};

/** The refusal as a problem, a line or a page, whichever the address answers with. A 503 says when to try again. */
export async function refusalResponse(
  status: 429 | 503,
  seconds: number,
  c: Context,
  site: Site,
  reason: string = WORDS[status].text,
): Promise<Response> {
  const { headers, words } = retry(seconds);
  const text = status === 503 ? `${reason} ${words}` : reason;
  // DAVx5 waits as long as a 503 says. It reports a 4xx as an error, and other clients begin again after one.
  if (isDav(c)) return line(503, text, 'no-store', headers);
  if (isCalendar(c)) return status === 503 ? unavailable() : line(status, text, 'no-store', headers);
  return withRetry(refusalOf(c, status, text, seconds, site), seconds);
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
  return noticeResponse({ title: heading, says: [text, ...wait], status, isPassing: true, sent: sentForm(c) }, site);
}

const SENT = 'sentForm';

/** Notes the body of a form, so that a page which refuses it offers what was typed once more. Undefined: it was too long. */
export function noteForm(c: Context, body: string | undefined): void {
  const type = c.req.header('content-type') ?? '';
  if (/^application\/x-www-form-urlencoded\b/i.test(type)) c.set(SENT, body);
}

function sentForm(c: Context): SentForm | undefined {
  const body = c.get(SENT) as string | undefined;
  return body === undefined ? undefined : [...new URLSearchParams(body)];
}
