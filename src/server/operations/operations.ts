import type { Hono } from 'hono';
import type { Library } from '../../library/index.ts';
import { json, reading } from '../api/json.ts';
import type { Log } from './log.ts';

/** What supervisors ask of a process: whether it lives, and whether it is ready. */

type Operated = Pick<Library, 'health'>;

/** `/healthz`, `/readyz` */
export function mountOperations(app: Hono, { library, log }: { library: Operated; log: Log }): void {
  app.all('/healthz', (c) => reading(c, () => json({ status: 'ok', timezones: process.versions.tz }, 200, FRESH)));
  app.all('/readyz', (c) => reading(c, () => readiness(library, log)));
}

const FRESH = { 'Cache-Control': 'no-store' };

/** 503 takes this process out of a load balancer; calendars it holds are served all the same. */
async function readiness(library: Operated, log: Log): Promise<Response> {
  try {
    const { ready, reason, facts } = await library.health();
    return json({ status: ready ? 'ready' : 'not ready', reason, ...facts }, ready ? 200 : 503, FRESH);
  } catch (error) {
    log.error({ err: error }, 'The store does not answer.');
    return json({ status: 'not ready', reason: 'the store does not answer' }, 503, FRESH);
  }
}
