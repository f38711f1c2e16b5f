import type { Hono } from 'hono';
import type { Library } from '../../library/index.ts';
import { json, reading } from '../api/json.ts';
import { NOT_KEPT } from '../lifetimes.ts';
import { type Log, repeatedError } from './log.ts';

/** Answers to supervisors: whether a process lives, and whether it is ready. */

type Operated = Pick<Library, 'health'>;

/** `/healthz`, `/readyz` */
export function mountOperations(app: Hono, { library, log }: { library: Operated; log: Log }): void {
  app.all('/healthz', (c) => reading(c, () => json({ status: 'ok', timezones: process.versions.tz }, 200, NOT_KEPT)));
  const { failed, well } = repeatedError(log, 'The store does not answer.');
  app.all('/readyz', (c) => reading(c, () => readiness(library, { failed, well })));
}

/** The answer of `/readyz`. A 503 takes this process out of a load balancer; its calendars are served all the same. */
async function readiness(library: Operated, { failed, well }: ReturnType<typeof repeatedError>): Promise<Response> {
  try {
    const { ready, reason, facts } = await library.health();
    well();
    return json({ status: ready ? 'ready' : 'not ready', reason, ...facts }, ready ? 200 : 503, NOT_KEPT);
  } catch (error) {
    failed(error);
    return json({ status: 'not ready', reason: 'the store does not answer' }, 503, NOT_KEPT);
  }
}
