import type { Hono } from 'hono';
import { createIngest } from '../../src/harvest/ingest/ingest.ts';
import type { StoredCalendar, StoredLibrary } from '../../src/library/library.ts';
import { openLibrary } from '../../src/library/stored-library.ts';
import { rollForward } from '../../src/revision/roll.ts';
import { createApp } from '../../src/server/app.ts';
import type { Answering } from '../../src/server/cache/answer-cache.ts';
import { CalendarCache } from '../../src/server/cache/cache.ts';
import { renderCalendar } from '../../src/server/calendars/renderer.ts';
import { computeHere } from '../../src/server/computing/computing.ts';
import { askedCalendar } from '../../src/server/lists/merged-address.ts';
import { silent } from '../../src/server/operations/log.ts';
import { Meters } from '../../src/server/operations/meters.ts';
import type { RpdeJson } from '../generate/series.ts';
import { type Rig, rig } from '../harvest/rig.ts';

/** The whole program but its sockets: items go in, HTTP answers come out. */
export interface Served {
  rig: Rig;
  app: Hono;
  library: StoredLibrary;
  /** Items of a minute later than the last. */
  feed(...items: RpdeJson[]): Promise<void>;
  /** A new day begins, as many days later. */
  roll(days: number): Promise<void>;
  /** What is held is made anew. */
  restart(): void;
  text(path: string): Promise<string>;
  /** The calendar at an address, rendered anew whatever is held. */
  rendered(path: string): Promise<string>;
  close(): Promise<void>;
}

const HOLIDAYS = { country: 'GB', region: 'ENG' };

/** `held`: what stands between requests and those who compute their answers. `named`: calendars name their addresses. */
export async function served(
  held = (_: StoredLibrary, answer: Answering): Answering => answer,
  named: { baseUrl?: string } = {},
): Promise<Served> {
  const one = await rig();
  const library = await openLibrary(one.store, {
    ...one.options,
    now: () => one.clock.now,
    rendering: 'test',
    ...named,
    holidays: HOLIDAYS,
  });
  Object.assign(one.options, {
    holidays: HOLIDAYS,
    cleanOptions: (feed: { url: string }) => ({ zone: 'Europe/London', feed: feed.url, slots: true }),
    onChange: (keys: readonly string[]) => library.notify(keys),
  });
  one.ingest = createIngest(one.store, one.options);
  const meters = new Meters();
  const given = { baseUrl: 'https://c.example', gzip: true, meters, log: silent, now: () => one.clock.now };
  const { renderer, answer: computed } = computeHere(library, renderCalendar, given);
  const answer = held(library, computed);
  const limitBytes = 10_000_000;
  const started = () => {
    const cache = new CalendarCache({ library, renderer, meters, log: silent, limitBytes, now: given.now });
    return { cache, app: createApp({ ...given, library, cache, answer }) };
  };
  let { cache, app } = started();
  return {
    rig: one,
    get app() {
      return app;
    },
    library,
    async feed(...items) {
      one.clock.now += 60_000;
      await one.feed(items);
    },
    async roll(days) {
      one.clock.now += days * 86_400_000;
      await rollForward(one.store, one.options);
      await library.poll();
    },
    restart() {
      ({ cache, app } = started());
    },
    async text(path) {
      const response = await app.request(path);
      if (response.status !== 200) throw new Error(`${path}: ${response.status}`);
      return response.text();
    },
    async rendered(path) {
      const { pathname, searchParams } = new URL(path, 'https://c.example');
      const asked = askedCalendar(pathname, searchParams);
      if (!('address' in asked)) throw new Error(`${path}: ${asked.bad}`);
      const stored = await library.calendar(asked.address?.name as string);
      return new TextDecoder().decode(renderCalendar(stored as StoredCalendar));
    },
    async close() {
      await cache.close();
      await one.close();
    },
  };
}

let modified = 1;

/** An RPDE item; without data it is a deletion. */
export function item(kind: string, id: string, data?: Record<string, unknown>): RpdeJson {
  modified += 1;
  const key = { kind, id, modified };
  return data === undefined
    ? { state: 'deleted', ...key }
    : { state: 'updated', ...key, data: { '@type': kind, ...data } };
}
