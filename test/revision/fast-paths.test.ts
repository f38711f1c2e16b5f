import fc from 'fast-check';
import { expect, it } from 'vitest';
import { toComponents } from '../../src/calendar/components.ts';
import { write } from '../../src/ical/write.ts';
import { openLibrary } from '../../src/library/stored-library.ts';
import { revisionContext } from '../../src/revision/context.ts';
import { Before } from '../../src/revision/deferred-stamps.ts';
import { type CalendarRow, IN_SESSIONS, type Writer } from '../../src/store/index.ts';
import { history } from '../generate/history.ts';
import { withOwnDetails } from '../generate/own-details.ts';
import { PlainPublisher, type Step } from '../generate/plain.ts';
import { type Rig, rig, START } from '../harvest/rig.ts';
import { runs } from '../runs.ts';
import { KINDS, take } from './steps.ts';

const RUNS = runs(4);

/** One calendar as it is stored, with the hash in place of every deferred one. */
interface Stored {
  row: Omit<CalendarRow, 'seq'>;
  sessions: unknown[];
  occurrences: unknown[];
}

async function storedIn(one: Rig): Promise<Map<string, Stored>> {
  const found = new Map<string, Stored>();
  await one.store.write(async (tx) => {
    const before = new Before(tx, await revisionContext(tx, one.options));
    for (const [kind] of KINDS)
      for (const id of await tx.recordIds(kind, 0, 1_000))
        for (const calendar of await tx.calendarParts(id))
          found.set(`${calendar.key} ${calendar.part}`, await storedOf(tx, calendar, before));
  });
  return found;
}

async function storedOf(tx: Writer, { seq: _, ...row }: CalendarRow, before: Before): Promise<Stored> {
  const calendar = { ...row, seq: 0 };
  const isLive = row.kind === 'series' && row.state === 'live';
  // A calendar that comes back moves whatever its header was. Where the calendar has stamps, nobody reads those of sessions.
  const header = isLive ? await before.header(calendar) : undefined;
  const own = isLive && row.events.kind === 'sessions' ? await tx.sessions(row.record) : [];
  const hashes = await before.hashes(row.record, own);
  return {
    row: {
      ...row,
      header: row.kind === 'series' ? header : row.header,
      // Other parts of a venue have no events of their own.
      events: row.part === '' ? await before.opening(calendar) : IN_SESSIONS,
    },
    sessions: own.map(({ id, hash, sequence, changed }) => {
      const text = hash.kind === 'hash' ? hash.hash : hashes.get(id);
      // What is not shown has no SEQUENCE.
      return text === '' ? { id, text } : { id, text, sequence, changed };
    }),
    occurrences: await tx.occurrences(row.record),
  };
}

/** All octets, of withdrawn calendars too; `known`: every address there ever was. */
async function served(one: Rig, known: Set<string>): Promise<Map<string, string>> {
  const library = await openLibrary(one.store, { ...one.options, rendering: 'test' });
  for (const [kind, address] of KINDS)
    for (const { key } of await one.store.read.calendars({ kind, limit: 1_000 })) known.add(address(key));
  const texts = new Map<string, string>();
  for (const address of known) {
    const found = await library.calendar(address);
    if (found !== undefined) texts.set(address, write(toComponents(found.calendar, found.revision, found.more)));
  }
  return texts;
}

/** Pages of a history with Schedules, ids of templates and venues, whose clock goes on. */
function pagesOf(seed: number): Step[] {
  const { all } = history(seed);
  const pages: Step[] = [];
  for (let at = 0; at < all.length; at += 25) pages.push({ what: 'page', feed: 0, items: all.slice(at, at + 25) });
  return [...pages, { what: 'days', count: 1 }];
}

/** Sessions that say more than their series, as another place. */
function withOwn(seed: number): Step[] {
  const steps = new PlainPublisher(seed, START).steps(25);
  return steps.map((step) => (step.what === 'page' ? { ...step, items: withOwnDetails(step.items, seed) } : step));
}

it.each<[string, (seed: number) => Step[]]>([
  ['series that live from sessions', (seed) => new PlainPublisher(seed, START).steps(25)],
  ['series with Schedules', pagesOf],
  ['sessions with details of their own', withOwn],
])('of %s, fast paths leave what the plain path leaves', async (_what, stepsOf) => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 1_000_000 }), async (seed) => {
      const [fast, plain] = [await rig(), await rig({ withoutFastPaths: true })];
      const known = new Set<string>();
      try {
        for (const step of stepsOf(seed)) {
          for (const one of [fast, plain]) await take(one, step);
          expect(await storedIn(fast)).toEqual(await storedIn(plain));
          expect(await served(fast, known)).toEqual(await served(plain, known));
          expect([...fast.changed].sort()).toEqual([...plain.changed].sort());
          for (const { changed } of [fast, plain]) changed.clear();
        }
        expect(await fast.store.read.lastSeq()).toBe(await plain.store.read.lastSeq());
      } finally {
        await Promise.all([fast.close(), plain.close()]);
      }
    }),
    // A series moves away, and has its `@id` again.
    { numRuns: RUNS, examples: [[223_339]] },
  );
});
