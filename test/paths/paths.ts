import { sessionUid } from '../../src/calendar/uid.ts';
import { readInput } from '../../src/join/input.ts';
import { join } from '../../src/join/join.ts';
import type { CalendarName } from '../../src/library/library.ts';
import { openLibrary } from '../../src/library/stored-library.ts';
import { parsePage } from '../../src/opportunity/page/page.ts';
import { renderCalendar } from '../../src/server/calendars/renderer.ts';
import { cli } from '../cli/io.ts';
import type { RpdeJson } from '../generate/series.ts';
import { type Rig, rig } from '../harvest/rig.ts';

/**
 * The two ways from feeds to calendars: a file is converted in memory, a feed goes through the store. The same items must
 * give the same octets on both. What differs by configuration is made equal: the feed has the name that a file has, nobody
 * is named as its publisher, and the years written out are those that are served.
 */
export const FILE = 'file:';

/** The years that `boundsAround` gives in 2026, where the clock of the rig stands. */
const YEARS = ['--from', '2025-01-01', '--to', '2030-01-01'];

/** Calendars by what they are of, `series`, `availability` and `hours`, each in the order of its text. */
export type Calendars = Record<'series' | 'availability' | 'hours', string[]>;

/** Without a store there is no history: SEQUENCE is 0, and every stamp is the first second of the year 2000. */
export function withoutHistory(text: string): string {
  return text
    .replace(/^SEQUENCE:\d+\r$/gm, 'SEQUENCE:0\r')
    .replace(/^(DTSTAMP|LAST-MODIFIED):\d{8}T\d{6}Z\r$/gm, '$1:20000101T000000Z\r');
}

/** What `convert` makes of all items at once. */
export async function converted(items: readonly RpdeJson[]): Promise<Calendars> {
  const stdin = [JSON.stringify({ items })];
  const convert = async (...args: string[]): Promise<string> => {
    const { code, out, err } = await cli(['convert', ...args, '-'], { stdin });
    if (code !== 0) throw new Error(err);
    return out;
  };
  return {
    series: [await convert('--as', 'events', '--from', '1990-01-05')],
    availability: [await convert('--as', 'availability', ...YEARS)],
    hours: [await convert('--as', 'hours', ...YEARS)],
  };
}

/** Everything that a store serves. */
export async function servedBy({ store, options }: Rig): Promise<Map<CalendarName, string>> {
  const library = await openLibrary(store, { ...options, rendering: 'test' });
  const found = new Map<CalendarName, string>();
  const add = async (name: CalendarName): Promise<void> => {
    const stored = await library.calendar(name);
    if (stored !== undefined) found.set(name, new TextDecoder().decode(renderCalendar(stored)));
  };
  for (const kind of ['series', 'place', 'facility'] as const) {
    for (const { key } of await store.read.calendars({ kind, limit: 1_000_000 })) {
      if (kind === 'series') await add(key);
      else {
        await add(`${kind === 'place' ? 'places' : 'facilities'}/${key}/availability`);
        await add(`${kind === 'place' ? 'places' : 'facilities'}/${key}/hours`);
      }
    }
  }
  return found;
}

export function byPart(served: ReadonlyMap<CalendarName, string>): Calendars {
  const texts = (part: RegExp) =>
    [...served]
      .filter(([name]) => part.test(name))
      .map(([, text]) => withoutHistory(text))
      .sort();
  return { series: texts(/^[^/]+$/), availability: texts(/availability$/), hours: texts(/hours$/) };
}

/** The day before which cancelled sessions are not shown any more is before all of them. */
const NOW = Date.UTC(2026, 0, 5);

/** Before all dates of the fixtures: the day that `convert` is given, on which no Schedule has ended. */
export const BEFORE = Date.UTC(1990, 0, 5);

/** The same items, fed as the pages say. */
export function served(...pages: readonly RpdeJson[][]): Promise<Calendars> {
  return servedAt(NOW, ...pages);
}

export async function servedAt(now: number, ...pages: readonly RpdeJson[][]): Promise<Calendars> {
  const one = await rig();
  one.clock.now = now;
  try {
    for (const page of pages) await feed(one, page);
    return byPart(await servedBy(one));
  } finally {
    await one.close();
  }
}

/** A feed that nobody says anything of. */
export async function feed(one: Rig, items: readonly RpdeJson[]): Promise<void> {
  const handle = await one.ingest.open(FILE, {});
  await one.ingest.commit(handle, parsePage(JSON.stringify({ next: FILE, items })), FILE);
}

/** The parts of all calendars: several converted ones are in one calendar, and each is served by itself. */
export function parts(texts: readonly string[]): string[] {
  return texts
    .flatMap((text) => [...text.matchAll(/^BEGIN:(VEVENT|VAVAILABILITY|VTIMEZONE)\r\n.*?^END:\1\r\n/gms)])
    .map(([part]) => part)
    .filter((part) => !part.startsWith('BEGIN:VTIMEZONE'))
    .sort();
}

/** `convert` lists sessions whose series is not there, so that nothing is missing; a server has no calendar for them. */
export function withoutOrphans(texts: readonly string[], items: readonly RpdeJson[]): string[] {
  const { records } = readInput(JSON.stringify({ items }), { zone: 'Europe/London', feed: FILE });
  const uids = new Set(join(records).orphans.map(({ id }) => sessionUid(id)));
  return texts.filter((part) => !uids.has(/^UID:(.*)\r$/m.exec(part.replaceAll('\r\n ', ''))?.[1] ?? ''));
}

/** What is served and what is converted, as far as both have it: whole calendars where there is one, else their parts. */
export function pairs(memory: Calendars, stored: Calendars, items: readonly RpdeJson[]): [string[], string[]][] {
  return (['series', 'availability', 'hours'] as const).map((part) => {
    const inMemory = withoutOrphans(parts(memory[part]), items);
    const isOne = stored[part].length === 1 && inMemory.length === parts(memory[part]).length;
    return isOne ? [stored[part], memory[part]] : [parts(stored[part]), inMemory];
  });
}

let count = 0;

/** Items of one publisher's objects, all new. */
export function items(...objects: object[]): RpdeJson[] {
  return objects.map((data) => {
    count += 1;
    const kind = String((data as Record<string, unknown>)['@type']);
    return { state: 'updated', kind, id: String(count), modified: count, data: data as Record<string, unknown> };
  });
}

/** Calendars that show something else than before, and of which nobody was told; and those that moved and show the same. */
export function wronglyMoved(
  before: ReadonlyMap<CalendarName, string>,
  after: ReadonlyMap<CalendarName, string>,
  changed: ReadonlySet<string>,
): string[] {
  return [...after].flatMap(([name, text]) => {
    const was = before.get(name);
    const key = name.split('/')[1] ?? name;
    if (was === text) return [];
    if (was !== undefined && withoutHistory(was) === withoutHistory(text)) return [`${name} moved`];
    return changed.has(key) ? [] : [`${name} changed unsaid`];
  });
}
