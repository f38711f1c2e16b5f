import type { Context } from 'hono';
import { problem } from './api/json.ts';
import { isApi, isCalendar } from './calendars/address.ts';
import { line, unavailable } from './calendars/calendars.ts';
import type { Links } from './links.ts';
import { notice } from './pages/layout.ts';

/** A request that is not answered now, and when to try again. */
export interface Refusal {
  status: 429 | 503;
  seconds: number;
}

const WORDS = {
  429: { title: 'Too Many Requests', text: 'So many requests in one minute are more than one caller may make.' },
  503: { title: 'Service Unavailable', text: 'This takes too long just now. Try again in a few minutes.' },
};

/** As a problem, a line or a page, by what was asked for. */
export async function refused({ status, seconds }: Refusal, c: Context, links: Links): Promise<Response> {
  const { title, text } = WORDS[status];
  if (isCalendar(c)) {
    return status === 503 ? unavailable() : line(status, text, 'no-store', { 'Retry-After': String(seconds) });
  }
  const response = isApi(c) ? problem(status, title, text) : await notice(title, text, status, links);
  response.headers.set('Retry-After', String(seconds));
  return response;
}
