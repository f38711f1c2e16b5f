import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { readInPlace } from '../../../src/harvest/page/page-reader.ts';
import { openStore, type Store } from '../../../src/store/index.ts';
import { Random } from '../../generate/random.ts';
import { FLOORS } from '../floors.ts';
import { benchPages } from '../generate.ts';
import { cleanOptions, ingestOf, openTarget } from '../ingest-target.ts';
import { type Bench, type Measurement, median } from '../measure.ts';

/**
 * What one changed item costs, from its page's text to the end of the commit, in a small store and in larger ones. The stores
 * are built by the real ingest and hold the same world at other sizes: as many sessions a series and as many series a place.
 * In turns each store gets a page with one item, another one each time and chosen by chance: what SQLite's cache does not
 * hold of a large store is read again (from the system's cache, as a rule), and that is part of what is measured.
 */

/** As in half a million items of the survey. */
const ITEMS_PER_PLACE = 333;
const DATABASE = 'openactive-ical.sqlite';

/** An item to change, and what it says. */
interface Chosen {
  feed: string;
  kind: string;
  id: string;
  modified: string;
  data: Record<string, unknown>;
}

interface Subject {
  items: number;
  db: DatabaseSync;
  store: Store;
  /** Items by the name of what can happen to them. */
  candidates: Map<string, number[]>;
  commit(feed: string, text: string): Promise<void>;
  times: Map<string, number[]>;
}

/** What happens to an item, and to which: `where` chooses among records `r` with their item `i`. */
interface Kind {
  name: string;
  where: string;
  envelope(chosen: Chosen, n: number): Record<string, unknown>;
}

/** A series of a usual size: a large one costs more in a store of any size. */
const USUAL = 'c.sessions BETWEEN 4 AND 16';
const SERIES = `r.kind = 0 AND i.kind = 'SessionSeries' AND ${USUAL}`;
const SESSION = `r.kind = 1 AND i.kind = 'ScheduledSession' AND ${USUAL}`;
const updated = (data: object) => ({ state: 'updated', data });
const KINDS: Kind[] = [
  { name: 'a session moves', where: SESSION, envelope: ({ data }, n) => updated({ ...data, startDate: dayOf(n) }) },
  { name: 'a session is withdrawn', where: SESSION, envelope: () => ({ state: 'deleted' }) },
  {
    name: 'a session comes',
    where: SESSION,
    envelope: ({ id, data }, n) => ({
      id: `${id}-${n}`,
      ...updated({ ...data, '@id': `${String(data['@id'])}-${n}`, startDate: dayOf(n) }),
    }),
  },
  {
    name: 'a series is renamed',
    where: SERIES,
    envelope: ({ data }, n) => updated({ ...data, name: `Renamed ${n}` }),
  },
  {
    name: 'a series is withdrawn',
    where: SERIES,
    envelope: () => ({ state: 'deleted' }),
  },
  {
    name: 'an event is renamed',
    where: "r.kind = 0 AND i.kind = 'Event'",
    envelope: ({ data }, n) => updated({ ...data, name: `Renamed ${n}` }),
  },
  {
    name: 'a facility opens later',
    where: 'r.kind = 3',
    envelope: ({ data }, n) => updated({ ...data, hoursAvailable: [hoursFrom(n)] }),
  },
  {
    name: 'a place opens later',
    where: "r.kind = 2 AND i.kind <> 'FacilityUse' AND i.kind <> 'IndividualFacilityUse'",
    envelope: ({ data }, n) => updated(placeChanged(data, hoursFrom(n))),
  },
];

const dayOf = (n: number): string => `2026-07-${String(1 + (n % 28)).padStart(2, '0')}T0${n % 10}:00:00Z`;

function hoursFrom(n: number): object {
  const dayOfWeek = ['https://schema.org/Monday'];
  return { '@type': 'OpeningHoursSpecification', dayOfWeek, opens: `10:${10 + (n % 50)}`, closes: '21:00' };
}

/** A place is said within events, and within sessions in their series. */
function placeChanged(data: Record<string, unknown>, hours: object): Record<string, unknown> {
  if (typeof data.superEvent === 'object')
    return { ...data, superEvent: placeChanged(data.superEvent as Record<string, unknown>, hours) };
  return { ...data, location: { ...(data.location as object), openingHoursSpecification: [hours] } };
}

export const changeBench: Bench = async ({ quick, note }) => {
  const folder = mkdtempSync(join(tmpdir(), 'openactive-ical-bench-'));
  const subjects: Subject[] = [];
  try {
    for (const items of quick ? [10_000, 100_000] : [10_000, 100_000, 1_000_000]) {
      subjects.push(await subjectOf(items, join(folder, String(items))));
      note(`a store of ${items} items is built`);
    }
    for (let n = 0; n < (quick ? 60 : 120); n++) await turn(n, subjects);
    for (const { items, times } of subjects)
      note(`${items}: ${[...times].map(([name, own]) => `${name} ${median(own).toFixed(2)} ms`).join(', ')}`);
    return KINDS.map(({ name }) => measurement(name, subjects));
  } finally {
    for (const { db, store } of subjects) {
      db.close();
      await store.close();
    }
    rmSync(folder, { recursive: true, force: true });
  }
};

async function subjectOf(items: number, data: string): Promise<Subject> {
  const target = await openTarget(data);
  await target.run(benchPages({ items, seed: 20_260_105, sites: Math.round(items / ITEMS_PER_PLACE) }));
  await target.close();
  const store = await openStore({ data });
  const ingest = ingestOf(store);
  const db = new DatabaseSync(join(data, DATABASE), { readOnly: true });
  let pages = 0;
  return {
    items,
    store,
    db,
    candidates: new Map(KINDS.map((kind) => [kind.name, candidatesOf(db, kind)])),
    times: new Map(KINDS.map(({ name }) => [name, []])),
    async commit(feed, text) {
      const handle = await ingest.open(feed, {});
      await ingest.commit(
        handle,
        await readInPlace.read(text, cleanOptions({ url: feed })),
        `${feed}?change=${pages++}`,
      );
    },
  };
}

function candidatesOf(db: DatabaseSync, { name, where }: Kind): number[] {
  const sql = `SELECT i.id FROM record r JOIN item i ON i.id = r.item
    JOIN calendar c ON c.record = coalesce(CASE WHEN r.kind = 1 THEN r.parent END, r.id) AND c.part = ''
    WHERE ${where} AND c.state = 'live'`;
  const ids = db
    .prepare(sql)
    .all()
    .map(({ id }) => Number(id));
  if (ids.length <= WARM) throw new Error(`There is not enough to try "${name}" with.`);
  return new Random(ids.length).shuffle(ids);
}

/**
 * One change of each kind in each store; the first ones warm everything up and are not counted. No item is taken twice, for
 * its first change costs more than the next ones: a kind ends for all when one of the stores has no other.
 */
async function turn(n: number, subjects: readonly Subject[]): Promise<void> {
  for (const kind of KINDS) {
    if (subjects.some(({ candidates }) => candidates.get(kind.name)?.[n] === undefined)) continue;
    for (const subject of n % 2 === 0 ? subjects : subjects.toReversed()) {
      const chosen = await choose(subject, kind, n);
      const change = kind.envelope(chosen, n);
      const text = pageOf(chosen, change, 1);
      const start = performance.now();
      await subject.commit(chosen.feed, text);
      const time = performance.now() - start;
      if (n >= WARM) subject.times.get(kind.name)?.push(time);
      // As it was before, so that the last ones find the same as the first.
      const undone = 'id' in change ? { id: change.id, state: 'deleted' } : updated(chosen.data);
      await subject.commit(chosen.feed, pageOf(chosen, undone, 2));
    }
  }
}

const WARM = 10;

async function choose({ db, store, candidates }: Subject, { name }: Kind, n: number): Promise<Chosen> {
  const item = candidates.get(name)?.[n] as number;
  const row = db
    .prepare(
      'SELECT i.kind, i.rpde_id AS id, i.modified, f.url AS feed FROM item i JOIN feed f ON f.id = i.feed WHERE i.id = ?',
    )
    .get(item) as unknown as Omit<Chosen, 'data'>;
  const raw = (await store.read.raw([item])).get(item) as string;
  return { ...row, data: JSON.parse(raw) as Record<string, unknown> };
}

function pageOf({ kind, id, modified }: Chosen, envelope: Record<string, unknown>, later: number): string {
  const item = JSON.stringify({ kind, id, ...envelope });
  const license = 'https://creativecommons.org/licenses/by/4.0/';
  return `{"next":"https://example.org/next","license":"${license}","items":[{"modified":${BigInt(modified) + BigInt(later)},${item.slice(1)}]}`;
}

function measurement(name: string, subjects: readonly Subject[]): Measurement {
  const [small, large] = [subjects[0], subjects.at(-1)] as [Subject, Subject];
  const timeOf = ({ times }: Subject): number => median(times.get(name) as number[]);
  const timeWords = (subject: Subject): string => `${timeOf(subject).toFixed(2)} ms among ${subject.items}`;
  return {
    name: `one item: ${name}`,
    value: timeOf(large) / timeOf(small),
    floor: FLOORS.change,
    ours: timeWords(large),
    rival: timeWords(small),
  };
}
