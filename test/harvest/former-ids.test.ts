import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { rebuildIfNeeded } from '../../src/harvest/ingest/rebuild.ts';
import { formerScopeOf, keyOf, scopeOf } from '../../src/opportunity/identity.ts';
import { META } from '../../src/store/index.ts';
import { tagInBlock } from '../../src/store/sql/tags.ts';
import { FEED, type Rig, rig } from './rig.ts';

const WEEKLY = {
  '@type': 'Schedule',
  startDate: '2026-12-01',
  startTime: '18:00',
  duration: 'PT1H',
  repeatFrequency: 'P1W',
  byDay: ['https://schema.org/Tuesday'],
  scheduleTimezone: 'Europe/London',
};
const HOURS = [
  { '@type': 'OpeningHoursSpecification', dayOfWeek: ['https://schema.org/Monday'], opens: '09:00', closes: '17:00' },
];
const HALL = { '@type': 'Place', name: 'Hall', address: 'Marlowe', openingHoursSpecification: HOURS };

/** Series and places without an `@id`, and a series with one. */
const ITEMS = [
  { name: 'Yoga', location: HALL },
  { name: 'Judo', identifier: 'judo' },
  { '@id': 'https://a.example/golf', name: 'Golf' },
].map((data, id) => ({
  state: 'updated' as const,
  kind: 'SessionSeries',
  id,
  modified: id + 1,
  data: { '@type': 'SessionSeries', eventSchedule: [WEEKLY], ...data },
}));

/** Gives every stand-in id, and the key of its calendar, the form of rules 3. Returns the old keys by the new ones. */
async function writtenByFormerRules(one: Rig): Promise<Map<string, string>> {
  const keys = new Map<string, string>();
  const db = new DatabaseSync(join(one.data, 'openactive-ical.sqlite'));
  const [former, now] = [`${formerScopeOf(FEED)}#`, `${scopeOf(FEED)}#`];
  const seed = Number(db.prepare("SELECT value FROM meta WHERE key = 'tags'").get()?.value);
  const KIND: Record<string, string> = { SessionSeries: 'series', Place: 'place' };
  for (const { record, ident } of db.prepare('SELECT record, ident FROM record_body').all()) {
    const text = String(ident);
    const kind = KIND[/#(\w+)\//.exec(text)?.[1] ?? ''];
    if (!text.startsWith(now) || kind === undefined) continue;
    const old = text.replaceAll(now, former);
    keys.set(keyOf(kind, text), keyOf(kind, old));
    db.prepare('UPDATE record_body SET ident = ? WHERE record = ?').run(old, record as number);
    const { kind: number } = db.prepare('SELECT kind FROM record WHERE id = ?').get(record as number) as {
      kind: number;
    };
    db.prepare('UPDATE record SET tag = ? WHERE id = ?').run(tagInBlock(old, seed + number), record as number);
    db.prepare('UPDATE calendar SET key = ? WHERE record = ?').run(keyOf(kind, old), record as number);
  }
  db.prepare('UPDATE meta SET value = ? WHERE key = ?').run('3', META.rules);
  db.close();
  await one.reopen();
  return keys;
}

test('a store with the stand-in ids of rules 3: its calendars move, and are as they were', async () => {
  const one = await rig();
  try {
    await rebuildIfNeeded(one.store, one.options);
    await one.feed(ITEMS);
    const right = await one.served();
    const keys = await writtenByFormerRules(one);
    expect(keys.size).toBe(3);
    const revisions = new Map<string, number>();
    for (const old of keys.values()) {
      const calendar = await one.store.read.calendarByKey(old);
      expect(calendar?.state).toBe('live');
      revisions.set(old, calendar?.revision ?? Number.NaN);
    }

    one.clock.now += 60_000;
    expect(await rebuildIfNeeded(one.store, one.options)).toBe(true);
    expect([...(await one.served()).keys()].sort()).toEqual([...right.keys()].sort());
    for (const [now, old] of keys) {
      expect(await one.store.read.calendarByKey(old)).toMatchObject({ state: 'gone', movedTo: now });
      const after = await one.store.read.calendarByKey(now);
      expect(after?.state).toBe('live');
      expect(after?.revision).toBeGreaterThan(revisions.get(old) as number);
    }
    const golf = keyOf('series', 'https://a.example/golf');
    expect((await one.served()).get(golf)).toBe(right.get(golf));
    expect(await rebuildIfNeeded(one.store, one.options)).toBe(false);
  } finally {
    await one.close();
  }
});
