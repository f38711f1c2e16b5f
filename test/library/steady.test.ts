import { afterEach, beforeEach, expect, test } from 'vitest';
import { StoreError } from '../../src/errors.ts';
import { item, type Served, served } from '../server/stored-rig.ts';

/** Several reads make one calendar, and commits come between them. */

let one: Served;
beforeEach(async () => {
  one = await served();
});
afterEach(() => one.close());

const HALL = { '@type': 'Place', '@id': 'https://x.example/hall', name: 'Town Hall' };
const opening = { '@type': 'OpeningHoursSpecification', opens: '09:00', closes: '17:00' };
const use = (name: string) => ({
  '@id': `https://x.example/${name}`,
  name,
  location: HALL,
  hoursAvailable: [{ ...opening, dayOfWeek: ['https://schema.org/Monday'] }],
});

test('a facility that is withdrawn after its row was read is the last one that there was, and never unknown', async () => {
  await one.feed(item('FacilityUse', 'court', use('court')));
  const [{ key } = { key: '' }] = await one.rig.store.read.calendars({ kind: 'facility', limit: 1 });
  const { read } = one.rig.store;
  const byKey = read.calendarByKey.bind(read);
  let isFirst = true;
  read.calendarByKey = async (asked) => {
    const row = await byKey(asked);
    if (isFirst) await one.feed({ state: 'deleted', kind: 'FacilityUse', id: 'court', modified: 9e15 } as never);
    isFirst = false;
    return row;
  };
  const calendar = await one.library.calendar(`facilities/${key}/all`);
  expect((await byKey(key))?.tail).toBeDefined();
  expect(calendar?.calendar.name).toContain('court');
});

test('a calendar that changes at each commit is served as it was met, and not made for ever', async () => {
  await one.feed(item('FacilityUse', 'court', use('court')));
  const [{ key, record } = { key: '', record: 0 }] = await one.rig.store.read.calendars({
    kind: 'facility',
    limit: 1,
  });
  const { read } = one.rig.store;
  const parts = read.calendarParts.bind(read);
  let asked = 0;
  read.calendarParts = async (id) => {
    const rows = await parts(id);
    asked += 1;
    return asked % 2 === 0 && id === record ? rows.map((row) => ({ ...row, seq: row.seq + asked })) : rows;
  };
  const calendar = await one.library.calendar(`facilities/${key}/all`);
  expect(calendar?.calendar.name).toContain('court');
  // Four times a try: twice for the whole, twice for its two heads.
  expect(asked).toBe(12);
});

test('a calendar whose row is older than its parts at each try is an error, and not read for ever', async () => {
  await one.feed(item('FacilityUse', 'court', use('court')));
  const [{ key } = { key: '' }] = await one.rig.store.read.calendars({ kind: 'facility', limit: 1 });
  const { read } = one.rig.store;
  const parts = read.calendarParts.bind(read);
  let asked = 0;
  read.calendarParts = async (id) => {
    asked += 1;
    if (asked > 100) throw new Error('it would be read for ever');
    return (await parts(id)).map((row) => ({ ...row, seq: row.seq + 1 }));
  };
  await expect(one.library.calendar(`facilities/${key}/all`)).rejects.toThrow(StoreError);
});
