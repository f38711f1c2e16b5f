import type { IncomingMessage } from 'node:http';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { Callers } from './callers.ts';
import type { Log } from './operations/log.ts';

/** Returns the seconds to wait; undefined: the caller may go on. `cost`: where the address alone does not determine it. */
export type Limiter = (incoming: IncomingMessage, cost?: number) => Promise<number | undefined>;

const MINUTE = 60;
/** The limiter counts whole points, and some requests cost an eighth of one. */
const PARTS = 8;

/**
 * Counts the requests of each caller, in memory, a minute at a time, in the units of `costOf`. Calendars, and addresses that
 * lead to them, are not counted, because programs poll them. Calendars with searches are, where they have to be computed.
 */
export function limiterOf(perMinute: number, callers: Callers, log: Log): Limiter {
  const limiter = new RateLimiterMemory({ points: perMinute * PARTS, duration: MINUTE });
  let isWarned = false;
  const warnOnce = ({ headers, socket }: IncomingMessage) => {
    if (isWarned || headers['x-forwarded-for'] === undefined || callers.isProxy(socket.remoteAddress)) return;
    isWarned = true;
    log.warn(
      { from: socket.remoteAddress },
      'A request came with X-Forwarded-For from an address that is not in trustedProxies: all callers behind it count as one.',
    );
  };
  return async (incoming, cost = costOf(incoming.url ?? '')) => {
    warnOnce(incoming);
    try {
      await limiter.consume(callers.keyOf(incoming), Math.min(perMinute, cost) * PARTS);
      return undefined;
    } catch (error) {
      if (!(error instanceof RateLimiterRes)) throw error;
      return Math.max(1, Math.ceil(error.msBeforeNext / 1000));
    }
  };
}

/** The cost of a search, alone or in a list. */
export const SEARCH_COST = 5;
/** The cost of making a list, which is then kept for days. */
export const KEEP_COST = 10;

/** An explanation of the largest series takes 70 ms, facets as much, a search 30, a page 2. A list has up to ten searches. */
const COSTS: readonly (readonly [address: RegExp, cost: number])[] = [
  [/\/explain(?:\?|$)|\.ics\?|\/hours(?:\?|$)|\/my[/?]|[?&]facets=/, 10],
  [/^\/(?:\?|$)|[?&]q=|\/(?:search|api\/occurrences)(?:\?|$)|\/api\/series\?/, SEARCH_COST],
];

/** The cost of a request, by its address. */
export function costOf(url: string): number {
  return COSTS.find(([address]) => address.test(url))?.[1] ?? 1;
}
