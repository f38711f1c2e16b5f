import type { Context, Hono } from 'hono';
import type { Instant } from '../../time/instant.ts';
import { reading } from '../api/json.ts';
import { noteForm } from '../failures.ts';
import { retry } from '../lifetimes.ts';
import { bodyText } from '../lists/body.ts';
import { pageResponse } from '../pages/frame/document.tsx';
import { noticeResponse } from '../pages/frame/notice.tsx';
import type { Site } from '../pages/frame/site.ts';
import { publishPage, type TriedCalendar } from '../pages/publish/page.tsx';
import type { Trial } from '../pages/publish/trial.ts';
import { answersIn, type TrialAnswers } from './answers.ts';

/**
 * `/publish` tries the publishing of a calendar. Its address is sent in the body, because logs and histories keep queries, and
 * it may be a secret; nothing is stored.
 */

/** The outcome of a trial. A trouble is a sentence for the sender; `isBusy`: another try in a minute may succeed. */
export type TrialOutcome = { trial: Trial } | { trouble: string; isBusy?: boolean };

/** Fetches and tries a calendar on another thread. Rejects only when `signal` is aborted. */
export type PublishTrial = (pasted: string, answers: TrialAnswers, signal: AbortSignal) => Promise<TrialOutcome>;

interface PublishRoutes {
  trial: PublishTrial;
  /** The 429 that says when; undefined: the caller may go on. */
  rateLimited?(c: Context, cost: number): Promise<Response | undefined>;
  site: Site;
  now(): Instant;
}

/** The cost of a trial: a request to another server, and up to ten seconds of a thread. */
const TRIAL_COST = 10;
/** Most octets of a form: an address, and answers about its calendar. */
const MOST_OCTETS = 32 * 1024;
/** The wait in the words of a busy trial. */
const BUSY_SECONDS = 60;
const HEADERS = { 'Cache-Control': 'no-store', 'X-Robots-Tag': 'noindex' };

/** Adds the page `/publish` to an application. */
export function mountPublish(app: Hono, { trial, rateLimited, site, now }: PublishRoutes): void {
  const shown = async (tried: Omit<TriedCalendar, 'now'> = {}, more: Readonly<Record<string, string>> = {}) => {
    const page = publishPage(site, { ...tried, now: now() });
    const response = await pageResponse({ ...page, isHidden: true }, site);
    for (const [name, value] of Object.entries({ ...HEADERS, ...more })) response.headers.set(name, value);
    return response;
  };
  app.post('/publish', async (c) => {
    const body = await bodyText(c.req.raw.body, MOST_OCTETS);
    noteForm(c, body);
    const refusal = await rateLimited?.(c, TRIAL_COST);
    if (refusal !== undefined) return refusal;
    // Other sites must not make browsers of their readers request addresses here.
    if (c.req.header('sec-fetch-site') === 'cross-site') return noticeResponse({ ...ELSEWHERE, status: 403 }, site);
    if (body === undefined) return shown({ status: 413, trouble: TOO_LONG });
    const form = new URLSearchParams(body);
    const sent = form.get('calendar') ?? '';
    if (sent.trim() === '') return shown({ status: 400, trouble: EMPTY });
    const filled = answersIn(form);
    const outcome = await trial(sent, filled.answers, c.req.raw.signal);
    if ('trial' in outcome) return shown({ sent, filled, trial: outcome.trial });
    if (!outcome.isBusy) return shown({ sent, status: 422, trouble: outcome.trouble });
    return shown({ sent, status: 503, trouble: outcome.trouble }, retry(BUSY_SECONDS).headers);
  });
  app.all('/publish', (c) => reading(c, () => shown()));
}

const TOO_LONG = 'This is more than an address of a calendar, and what is asked about it.';
const EMPTY = 'Paste the address of a calendar.';
const ELSEWHERE = {
  title: 'This form is sent from its own page alone',
  says: ['Open the page here, and paste the address of your calendar there.'],
};
