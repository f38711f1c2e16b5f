import type { Hono } from 'hono';
import { createApp } from '../../src/server/app.ts';
import { CalendarCache } from '../../src/server/cache/cache.ts';
import { renderCalendar } from '../../src/server/calendars/renderer.ts';
import { computeHere } from '../../src/server/computing/computing.ts';
import { silent } from '../../src/server/operations/log.ts';
import { Meters } from '../../src/server/operations/meters.ts';
import { NOON, sampleTown } from '../library/search/town.ts';

/** The sample feeds as a server answers them, without a socket. */
export async function townApp(baseUrl: string): Promise<{ app: Hono; close(): Promise<void> }> {
  const { library, rig } = await sampleTown();
  const given = { baseUrl, gzip: true, meters: new Meters(), log: silent, now: () => NOON };
  const { renderer, answer } = computeHere(library, renderCalendar, given);
  const cache = new CalendarCache({ ...given, library, renderer, limitBytes: 10_000_000 });
  return {
    app: createApp({ ...given, library, cache, answer }),
    async close() {
      await cache.close();
      await rig.close();
    },
  };
}
