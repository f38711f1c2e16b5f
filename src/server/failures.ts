import { randomInt } from 'node:crypto';
import type { Context } from 'hono';
import { StoreError } from '../errors.ts';
import type { Library } from '../library/index.ts';
import { problem } from './api/json.ts';
import { isApi, isCalendar, isDav } from './calendars/address.ts';
import { line, unavailable } from './calendars/calendars.ts';
import { type Log, sparseWarning } from './operations/log.ts';
import { failed, noticeResponse } from './pages/frame/notice.tsx';
import type { Site } from './pages/frame/site.ts';

/** What a request gets that failed of something that is not its own fault. */
export function broken(
  error: unknown,
  c: Context,
  { library, site, log }: { library: Pick<Library, 'trouble'>; site: Site; log: Log },
): Response | Promise<Response> {
  const trouble = library.trouble(error);
  const number = String(randomInt(100_000, 1_000_000));
  const path = c.req.path.slice(0, 200);
  // What goes on until somebody helps was logged when it was met first, and /readyz goes on reporting it.
  if (trouble === undefined && error instanceof StoreError) awayTeller(log)({ reason: error.message, path, number });
  else if (trouble === undefined) log.error({ err: error, path, number }, 'A request failed.');
  if (isCalendar(c) || isDav(c)) return unavailable();
  const status = error instanceof StoreError ? 503 : 500;
  if (!isApi(c)) return failed(site, status, number);
  const title = status === 503 ? 'Service Unavailable' : 'Internal Server Error';
  return problem(status, title, trouble ?? 'The answer could not be made.');
}

/** Of each log one, which counts: while a database is away every request fails of the same. */
function awayTeller(log: Log): (facts: object) => void {
  const known = awayTellers.get(log) ?? sparseWarning(log, 'Requests failed: the database gives no answer.');
  awayTellers.set(log, known);
  return known;
}

const awayTellers = new WeakMap<Log, (facts: object) => void>();

const WORDS = {
  429: { title: 'Too Many Requests', text: 'So many requests in one minute are more than one caller may make.' },
  503: { title: 'Service Unavailable', text: 'This takes too long just now. Try again in a few minutes.' },
};

/** As a problem, a line or a page, by what was asked for. */
export async function refused(status: 429 | 503, seconds: number, c: Context, site: Site): Promise<Response> {
  const { title, text } = WORDS[status];
  // DAVx5 waits as long as a 503 says; a 4xx is an error to it, and to others a reason to begin again.
  if (isDav(c)) return line(503, text, 'no-store', { 'Retry-After': String(seconds) });
  if (isCalendar(c)) {
    return status === 503 ? unavailable() : line(status, text, 'no-store', { 'Retry-After': String(seconds) });
  }
  const response = isApi(c)
    ? problem(status, title, text)
    : await noticeResponse({ title, says: [text], status }, site);
  response.headers.set('Retry-After', String(seconds));
  return response;
}
