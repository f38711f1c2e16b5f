import type { Context } from 'hono';
import { problem } from './json.ts';

type Answer = Response | Promise<Response>;

const ALLOW = 'GET, HEAD, OPTIONS';

/** Everything here is read-only: GET and HEAD answer, OPTIONS says so, the rest is refused. */
export function reading(c: Context, answer: () => Answer): Answer {
  const method = c.req.method;
  if (method === 'GET' || method === 'HEAD') return answer();
  const headers = { Allow: ALLOW, 'Access-Control-Allow-Origin': '*' };
  if (method === 'OPTIONS') return new Response(null, { status: 204, headers });
  const refusal = problem(405, 'Method Not Allowed', 'This address can only be read.');
  refusal.headers.set('Allow', ALLOW);
  return refusal;
}
