import type { Context } from 'hono';
import { StoreError } from '../errors.ts';
import type { Library } from '../library/index.ts';
import { problem } from './api/json.ts';
import { isApi, isCalendar } from './calendars/address.ts';
import { unavailable } from './calendars/calendars.ts';
import type { Links } from './links.ts';
import type { Log } from './operations/log.ts';
import { failed } from './pages/people.ts';

/** What a request gets that failed of something that is not its own fault. */
export function broken(
  error: unknown,
  c: Context,
  { library, links, log }: { library: Pick<Library, 'trouble'>; links: Links; log: Log },
): Response | Promise<Response> {
  const trouble = library.trouble(error);
  // It was logged when it was met first, and /readyz goes on reporting it.
  if (trouble === undefined) log.error({ err: error, path: c.req.path.slice(0, 200) }, 'A request failed.');
  if (isCalendar(c)) return unavailable();
  const status = error instanceof StoreError ? 503 : 500;
  if (!isApi(c)) return failed(links, status);
  const title = status === 503 ? 'Service Unavailable' : 'Internal Server Error';
  return problem(status, title, trouble ?? 'The answer could not be made.');
}
