import { renderCalendar } from '../../../src/server/calendars/renderer.ts';
import { type Computing, computeHere } from '../../../src/server/computing/computing.ts';
import { silent } from '../../../src/server/operations/log.ts';
import { Meters } from '../../../src/server/operations/meters.ts';
import { FLOORS } from '../floors.ts';
import { LARGE_NOW, type LargeStore, largeStore } from '../large-store.ts';
import { type Bench, versus } from '../measure.ts';

/**
 * A place's page and its calendar, beside a series' calendar: each made anew from the store, as when nothing is held. Those of
 * several places and series, of usual sizes and of the largest.
 */

const KEYS = 5;

export const placeBench: Bench = async (options) => {
  const large = await largeStore(options);
  try {
    const { library } = large;
    const given = { baseUrl: 'https://c.example', gzip: true, meters: new Meters(), log: silent, now: () => LARGE_NOW };
    const computing = computeHere(library, renderCalendar, given);
    const [places, series] = [placesOf(large), seriesOf(large)];
    options.note(`places of ${places.map(({ count }) => count).join(', ')} series`);
    const rival = () => each(series, (key) => calendar(computing, `series/${key}`));
    const measured = async (name: string, make: (key: string) => Promise<void>) => {
      const ours = () => each(places, ({ key }) => make(key));
      const times = await versus(options.quick ? 5 : 15, ours, rival);
      return {
        name: `place: ${name}`,
        value: times.ours / times.rival,
        floor: FLOORS.place,
        ours: `${(times.ours / KEYS).toFixed(2)} ms`,
        rival: `a series' calendar ${(times.rival / KEYS).toFixed(2)} ms`,
      };
    };
    return [
      await measured('page', (key) => page(computing, `/places/${key}`)),
      await measured('calendar', (key) => calendar(computing, `places/${key}/all`)),
    ];
  } finally {
    await large.close();
  }
};

async function each<T>(things: readonly T[], work: (thing: T) => Promise<void>): Promise<void> {
  for (const thing of things) await work(thing);
}

async function page({ answer }: Computing, path: string): Promise<void> {
  const response = await answer(new Request(`https://c.example${path}`));
  if (response.status !== 200) throw new Error(`${path}: ${response.status}`);
  await response.arrayBuffer();
}

async function calendar({ renderer }: Computing, name: string): Promise<void> {
  if ((await renderer.calendar(name)) === undefined) throw new Error(`There is no calendar ${name}.`);
}

/** From the middle to the largest. */
function placesOf({ db }: LargeStore): { key: string; count: number }[] {
  const sql = `SELECT c.key, count(*) AS count FROM record r JOIN calendar c ON c.record = r.venue AND c.part = '' AND c.state = 'live'
    WHERE r.kind = 0 AND r.item IS NOT NULL GROUP BY 1 ORDER BY 2, 1`;
  const places = db.prepare(sql).all() as { key: string; count: number }[];
  const half = places.length / 2;
  return Array.from(
    { length: KEYS },
    (_, at) => places[Math.ceil(half + (at * half) / KEYS) - 1 + Math.floor(half / KEYS)],
  ).filter((one) => one !== undefined);
}

/** Of a usual size: 4 to 16 sessions. */
function seriesOf({ db }: LargeStore): string[] {
  const sql = `SELECT key FROM calendar WHERE kind = 0 AND part = '' AND state = 'live' AND sessions BETWEEN 4 AND 16 ORDER BY key LIMIT ${KEYS}`;
  return db
    .prepare(sql)
    .all()
    .map(({ key }) => String(key));
}
