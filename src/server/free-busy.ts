import type { Context } from 'hono';
import type { CalendarAddress } from './address.ts';
import { type CalendarRoutes, entryAnswer, gone, line, moved, otherMethod, unavailable, unknown } from './calendars.ts';
import type { CalendarHead, Library } from './library.ts';
import type { Log } from './log.ts';
import { readWindow } from './window.ts';

export interface WindowRoutes extends CalendarRoutes {
  library: Library;
  log: Log;
  now(): number;
}

/**
 * `/places/{key}/freebusy.ics?from&to`: made for this request and not held, because anybody can ask for any window; with
 * the validators of every other calendar.
 */
export function windowResponse(
  c: Context,
  address: CalendarAddress,
  routes: WindowRoutes,
): Response | Promise<Response> {
  const method = c.req.method;
  if (method !== 'GET' && method !== 'HEAD') return otherMethod(method);
  return freeBusy(c, address, routes);
}

async function freeBusy(
  c: Context,
  { collection, key, name }: CalendarAddress,
  routes: WindowRoutes,
): Promise<Response> {
  const { library, cache, links, log, now } = routes;
  const window = readWindow(c, now());
  if ('bad' in window) return line(400, window.bad, 'no-store');
  if (collection === 'series') return unknown();
  try {
    const head = await library.head(name);
    const elsewhere = head && otherPlace(head, (to) => links.calendarPath(collection, to, 'freebusy'), c);
    if (elsewhere) return elsewhere;
    const stored = head && (await library.freeBusy(collection, key, window.value));
    return stored ? entryAnswer(c, await cache.once(stored), routes) : unknown();
  } catch (error) {
    log.error({ err: error, key }, 'Free/busy could not be made.');
    return unavailable();
  }
}

function otherPlace(head: CalendarHead, pathOf: (key: string) => string, c: Context): Response | undefined {
  if (head.movedTo !== undefined) return moved(pathOf(head.movedTo), c);
  return head.state === 'gone' ? gone() : undefined;
}
