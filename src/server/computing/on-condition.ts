import type { MiddlewareHandler } from 'hono';
import { onCondition, withoutConditions } from '../api/json.ts';
import { isCalendar, isDav } from '../calendars/address.ts';

/**
 * Compares conditions of a request for a page or JSON with the whole, compressed answer. So a 304 and the answer to HEAD have
 * the headers of a 200 (RFC 9110 9.3.2, 15.4.5), with `Vary` and the tag of its coding.
 */
export const onWholeAnswer: MiddlewareHandler = async (c, next) => {
  const { raw: asked, method } = c.req;
  if ((method !== 'GET' && method !== 'HEAD') || isCalendar(c) || isDav(c)) return next();
  c.req.raw = new Request(asked.url, { headers: withoutConditions(asked.headers) });
  await next();
  const whole = c.res;
  const given = onCondition(asked.headers, whole);
  if (given.body !== whole.body || method === 'HEAD') await whole.body?.cancel();
  // An answer set over another one would take its headers.
  c.res = undefined;
  c.res = method === 'HEAD' ? new Response(null, given) : given;
};
