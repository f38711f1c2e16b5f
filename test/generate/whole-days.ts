import { createHash } from 'node:crypto';
import type { RpdeJson } from './series.ts';

/** Some sessions of random items given by dates alone: which ones depends on their `@id` only, so copies stay copies. */
export function withWholeDays(items: readonly RpdeJson[]): RpdeJson[] {
  return items.map((item) => {
    const { data } = item;
    if (data === undefined || data === null) return item;
    const subEvent = data.subEvent as Record<string, unknown>[] | undefined;
    const isSession = data.superEvent !== undefined && data.eventSchedule === undefined;
    const own = isSession ? dated(data) : data;
    return { ...item, data: subEvent === undefined ? own : { ...own, subEvent: subEvent.map(dated) } };
  });
}

function dated(session: Record<string, unknown>): Record<string, unknown> {
  const [way = 0] = createHash('sha1').update(String(session['@id'])).digest();
  if (way % 6 !== 0 || typeof session.startDate !== 'string') return session;
  const { duration: _duration, endDate: _endDate, ...rest } = session;
  const first = new Date(session.startDate).toISOString().slice(0, 10);
  const later = new Date(Date.parse(first) + 2 * 86_400_000).toISOString().slice(0, 10);
  const length = way % 4 === 0 ? { endDate: later } : way % 4 === 2 ? { duration: 'P2D' } : {};
  return { ...rest, startDate: first, ...length };
}
