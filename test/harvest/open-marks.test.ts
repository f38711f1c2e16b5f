import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Before, isOpen } from '../../src/harvest/open-marks.ts';
import { rebuild } from '../../src/harvest/rebuild.ts';
import { contextOf } from '../../src/harvest/replan.ts';
import { rollForward } from '../../src/harvest/roll.ts';
import { PlainPublisher, type Step } from '../generate/plain.ts';
import { FEED, type Rig, rig, START } from './rig.ts';

const RUNS = 12 * Number(process.env.OPENACTIVE_ICAL_RUNS ?? 1);
const DAY = 86_400_000;

/** Finds out what everything shows that a calendar only knows to be there; returns how much there was. */
async function closeMarks({ store, options }: Rig): Promise<number> {
  return store.write(async (tx) => {
    const before = new Before(tx, await contextOf(tx, options));
    let count = 0;
    for (const id of await tx.recordIds('series', 0, 1_000)) {
      const rows = await tx.sessions(id);
      const hashes = await before.hashes(id, rows);
      const open = rows.filter(({ hash }) => isOpen(hash));
      await tx.markSessions(open.map((row) => ({ ...row, hash: hashes.get(row.id) as string })));
      count += open.length;
      const calendar = await tx.calendarOf(id);
      if (calendar?.state !== 'live') continue;
      const header = isOpen(calendar.header) ? ((await before.header(id)) as string) : calendar.header;
      await tx.saveCalendars([{ ...calendar, header }]);
    }
    return count;
  });
}

/** The same writes, and nothing found out: it counts the changes of calendars too. */
async function touchAll({ store }: Rig): Promise<void> {
  await store.write(async (tx) => {
    for (const id of await tx.recordIds('series', 0, 1_000)) {
      const calendar = await tx.calendarOf(id);
      if (calendar?.state === 'live') await tx.saveCalendars([calendar]);
    }
  });
}

async function take(one: Rig, step: Step): Promise<void> {
  one.clock.now += 60_000;
  if (step.what === 'page') await one.feed(step.items, 50, `${FEED}/${step.feed}`);
  if (step.what === 'publisher') await one.ingest.open(`${FEED}/${step.feed}`, { publisher: step.name });
  if (step.what === 'rebuild') await rebuild(one.store, one.options);
  if (step.what === 'days') {
    one.clock.now += step.count * DAY;
    await rollForward(one.store, one.options);
  }
}

/** All that a reader, or a client that revalidates, can see. */
async function seen(one: Rig): Promise<unknown> {
  const served = await one.served();
  const rows = await Promise.all([...served.keys()].map((key) => one.store.read.calendarByKey(key)));
  const changed = [...one.changed].sort();
  one.changed.clear();
  return { served, changed, findings: rows.map((row) => row?.findings), last: await one.store.read.lastSeq() };
}

describe('what a session showed is found out when it is asked for', () => {
  it('and that is what would have been found out at once, whatever happens', async () => {
    let closed = 0;
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 1_000_000 }), async (seed) => {
        const [late, early] = [await rig(), await rig()];
        try {
          for (const step of new PlainPublisher(seed, START).steps(30)) {
            for (const one of [late, early]) await take(one, step);
            closed += await closeMarks(early);
            await touchAll(late);
            expect(await seen(late)).toEqual(await seen(early));
          }
        } finally {
          await Promise.all([late.close(), early.close()]);
        }
      }),
      { numRuns: RUNS },
    );
    expect(closed).toBeGreaterThan(100);
  });
});
