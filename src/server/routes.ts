import type { Context } from 'hono';

/** What kind of answer an address asks for, whatever becomes of it. */

export function isCalendar(c: Context): boolean {
  return c.req.path.endsWith('.ics');
}

export function isApi(c: Context): boolean {
  return c.req.path.startsWith('/api/') || c.req.path.startsWith('/rpde/');
}
