import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toComponents } from '../../src/calendar/components.ts';
import { rebuild } from '../../src/harvest/ingest/rebuild.ts';
import { write } from '../../src/ical/write.ts';
import { openLibrary } from '../../src/library/stored-library.ts';
import { revisionContext } from '../../src/revision/context.ts';
import { Before } from '../../src/revision/deferred-stamps.ts';
import type { CalendarRow } from '../../src/store/index.ts';
import { PlainPublisher } from '../generate/plain.ts';
import { type Rig, rig, START, stamps, withoutStamps } from '../harvest/rig.ts';
import { runs } from '../runs.ts';
import { KINDS, take } from './steps.ts';

const RUNS = runs(4);

/** Writes every calendar as it is: with what it showed found out, or not. Returns how many hashes were deferred. */
function writeAll({ store, options }: Rig, close: boolean): Promise<number> {
  return store.write(async (tx) => {
    const before = new Before(tx, await revisionContext(tx, options));
    let count = 0;
    for (const kind of ['series', 'place', 'facility'] as const)
      for (const id of await tx.recordIds(kind, 0, 1_000)) {
        const open = kind === 'series' ? (await tx.sessions(id)).filter(({ hash }) => hash.kind === 'deferred') : [];
        const hashes = await before.hashes(id, open);
        count += open.length;
        if (close)
          await tx.stampSessions(
            open.map((row) => ({ ...row, hash: { kind: 'hash', hash: hashes.get(row.id) as string } as const })),
          );
        const calendar = await tx.calendarOf(id);
        if (calendar?.state === 'live') await tx.saveCalendars([close ? await closed(calendar, before) : calendar]);
      }
    return count;
  });
}

async function closed(calendar: CalendarRow, before: Before): Promise<CalendarRow> {
  const header = await before.header(calendar);
  return { ...calendar, header: header as string, events: await before.opening(calendar) };
}

/** All that a reader, or a client that revalidates, can see: of calendars that are no more, too. */
async function seen(one: Rig, names: Set<string>): Promise<unknown> {
  const library = await openLibrary(one.store, { ...one.options, rendering: 'test' });
  const { calendars, lastSeq, calendarByKey } = one.store.read;
  for (const [kind, of] of KINDS)
    for (const { key } of await calendars.call(one.store.read, { kind, limit: 1_000 })) names.add(of(key));
  const shown = new Map<string, unknown>();
  for (const name of names) {
    const stored = await library.calendar(name);
    if (stored === undefined) continue;
    const { head, calendar, more, revision } = stored;
    const { findings } = (await calendarByKey.call(one.store.read, head.key)) ?? {};
    shown.set(name, { head, findings, text: write(toComponents(calendar, revision, more)) });
  }
  const changed = [...one.changed].sort();
  one.changed.clear();
  return { shown, changed, last: await lastSeq.call(one.store.read) };
}

describe('what a session showed is found out when it is asked for', () => {
  it('and that is what would have been found out at once, whatever happens', async () => {
    let found = 0;
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 1_000_000 }), async (seed) => {
        const [late, early] = [await rig(), await rig()];
        const names = new Set<string>();
        try {
          for (const step of new PlainPublisher(seed, START).steps(25)) {
            for (const one of [late, early]) await take(one, step);
            await writeAll(late, false);
            found += await writeAll(early, true);
            expect(await seen(late, names)).toEqual(await seen(early, names));
          }
        } finally {
          await Promise.all([late.close(), early.close()]);
        }
      }),
      { numRuns: RUNS },
    );
    expect(found).toBeGreaterThan(20);
  });

  it('and where older rules made what these cannot read, it moves', async () => {
    const one = await rig();
    try {
      const [items] = new PlainPublisher(5, START).steps(0);
      if (items?.what === 'page') await one.feed(items.items);
      const before = await one.served();
      await one.store.write(async (tx) => {
        const all = await tx.recordsById(await tx.recordIds('series', 0, 100));
        const published = all.flatMap((row) => (row?.owner === undefined ? [] : [{ ...row, ...row.owner }]));
        const odd = { start: undefined, end: undefined, cancelled: false, packed: '{"kind":"series"}' };
        await tx.saveRecords(published.map((row) => ({ ...row, kind: 'series', ...odd })));
      });
      await rebuild(one.store, one.options);
      const after = await one.served();
      expect(withoutStamps(after)).toEqual(withoutStamps(before));
      for (const [key, text] of after) {
        expect((await one.store.read.calendarByKey(key))?.revision).toBe(1);
        for (const { sequence } of stamps(text).values()) expect(sequence).toBe(1);
      }
      expect([...after.values()].flatMap((text) => [...stamps(text).keys()])).not.toEqual([]);
    } finally {
      await one.close();
    }
  });
});
