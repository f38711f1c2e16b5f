import type { Context } from 'hono';
import type { Library } from '../../library/index.ts';
import type { Instant } from '../../time/instant.ts';
import { readWindow, windowQuery } from '../api/window.ts';
import type { Links } from '../links.ts';
import { type Log, logFailed } from '../operations/log.ts';
import type { Meters } from '../operations/meters.ts';
import type { CalendarAddress } from './address.ts';
import { entryAnswer, gone, line, otherMethod, permanentRedirect, unavailable, unknown } from './calendars.ts';
import { entry } from './entry.ts';
import type { WindowRenderer } from './renderer.ts';

/** Free/busy of a requested window. */

export interface WindowRoutes {
  library: Pick<Library, 'head'>;
  renderer: WindowRenderer;
  meters: Meters;
  links: Links;
  /** Whether calendars are compressed on request. */
  gzip: boolean;
  log: Log;
  /** The clock, for requests without a time; calendars never depend on it. */
  now(): Instant;
}

/**
 * `/places/{key}/freebusy.ics?from&to`: made for each request and not cached, because anybody may request any window. It has
 * the validators of other calendars.
 */
export async function windowResponse(
  c: Context,
  address: CalendarAddress | undefined,
  routes: WindowRoutes,
): Promise<Response> {
  const { method } = c.req;
  if (method !== 'GET' && method !== 'HEAD') return otherMethod(method);
  if (address === undefined) return unknown();
  const { collection, key, name } = address;
  const { library, renderer, meters, links, log, now } = routes;
  const window = readWindow(c, now());
  if ('bad' in window) return line(400, window.bad, 'no-store');
  if (collection !== 'places' && collection !== 'facilities') return unknown();
  try {
    const head = await library.head(name);
    if (head?.movedTo !== undefined)
      return permanentRedirect(links.calendarPath(collection, head.movedTo, 'freebusy'), c);
    if (head?.state === 'gone') return gone();
    const rendered = head && (await renderer.freeBusy(collection, key, window.value, windowQuery(c)));
    if (rendered === undefined) return unknown();
    const meter = meters.of(name);
    meter.renders += 1;
    meter.renderMs += rendered.ms;
    return entryAnswer(c, entry(rendered.source, meter, now()), routes);
  } catch (error) {
    logFailed(log, error, { key }, 'Free/busy could not be made.');
    return unavailable();
  }
}
