import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { identOf, keyOf } from '../../../src/opportunity/identity.ts';
import { cli } from '../../cli/io.ts';
import type { RpdeJson } from '../../generate/series.ts';
import { item, type Served, served } from '../../server/stored-rig.ts';

/** Slots whose times name no zone are read in that of their facility's place, as all of it now stands (semantics 3.11). */

const id = (path: string) => `https://example.org/${path}`;
const COURTS = id('facilities/courts');
const PARIS = { '@type': 'GeoCoordinates', latitude: 48.85, longitude: 2.35 };
const NEW_YORK = { '@type': 'GeoCoordinates', latitude: 40.71, longitude: -74.0 };

const place = (geo?: object): RpdeJson =>
  item('Place', 'place', { '@id': id('places/1'), name: 'Hall', ...(geo && { geo }) });
const facility = (over: object = { location: id('places/1') }): RpdeJson =>
  item('FacilityUse', 'facility', { '@id': COURTS, name: 'Courts', ...over });
const court = (): RpdeJson =>
  item('IndividualFacilityUse', 'court', { '@id': id('court'), name: 'Court 1', aggregateFacilityUse: COURTS });
const slot = (facilityUse: string, over: object = {}): RpdeJson =>
  item('Slot', 'slot', {
    '@id': id('slot'),
    facilityUse,
    startDate: '2026-12-01T10:00:00',
    duration: 'PT1H',
    remainingUses: 1,
    ...over,
  });

let one: Served;
beforeEach(async () => {
  one = await served();
});
afterEach(() => one.close());

const at = (facilityId: string) => `/facilities/${keyOf('facility', facilityId)}`;

/** When the slot begins, as free/busy, the page and the row have it; what is held is what would be rendered anew. */
async function start(): Promise<string> {
  const path = `${at(COURTS)}/freebusy.ics`;
  const text = await one.text(path);
  expect(text).toBe(await one.rendered(path));
  const begins = /^FREEBUSY;FBTYPE=BUSY-UNAVAILABLE:20261121T000000Z\/(\S+)\r$/m.exec(text)?.[1];
  const window = { from: Date.UTC(2026, 10, 30), to: Date.UTC(2026, 11, 3) };
  const found = await one.library.timetables.facility(keyOf('facility', COURTS), window);
  const shown = found?.times.map((time) => new Date(time.start).toISOString().replace(/[-:]|\.000/g, ''));
  expect(shown).toEqual([begins]);
  const [[stored] = []] = await one.rig.rows('SELECT start FROM record WHERE kind = 4');
  expect(Number(stored)).toBe(found?.times[0]?.start);
  return (begins as string).slice(9, 13);
}

test.each([
  ['of the facility', [place(PARIS), facility(), slot(COURTS)]],
  ['of a court, by its facility', [place(PARIS), facility(), court(), slot(id('court'))]],
  [
    'of a facility that says where it is',
    [facility({ location: { '@type': 'Place', name: 'X', geo: PARIS } }), slot(COURTS)],
  ],
])('%s, whatever comes last', async (_, items) => {
  for (const last of items) {
    await one.close();
    one = await served();
    await one.feed(...items.filter((other) => other !== last));
    await one.feed(last);
    expect(await start()).toBe('0900');
  }
});

test('they follow when the place is elsewhere, when the facility moves, and when nothing says it any more', async () => {
  await one.feed(place(PARIS), facility(), slot(COURTS));
  await one.feed(place(NEW_YORK));
  expect(await start()).toBe('1500');
  await one.feed(facility({ location: { '@type': 'Place', '@id': id('places/2'), name: 'Y', geo: PARIS } }));
  expect(await start()).toBe('0900');
  const findings = async () => JSON.parse(await one.text(`/api${at(COURTS)}`)).findings;
  expect(await findings()).not.toContainEqual(expect.objectContaining({ code: 'zone-assumed' }));
  await one.feed(facility({ location: undefined }));
  expect(await start()).toBe('1000');
  expect(await findings()).toContainEqual(expect.objectContaining({ code: 'zone-assumed' }));
});

test('an end that names its zone stays, and a time with a zone needs none', async () => {
  await one.feed(place(NEW_YORK), facility(), slot(COURTS, { duration: undefined, endDate: '2026-12-01T16:00:00Z' }));
  expect(await start()).toBe('1500');
  await one.feed(slot(COURTS, { startDate: '2026-12-01T10:00:00Z' }));
  expect(await start()).toBe('1000');
});

describe('commands', () => {
  const input = (items: RpdeJson[]) => ({ stdin: [JSON.stringify({ items })] });

  test('convert reads them in the same zone', async () => {
    const { out } = await cli(
      ['convert', '--as', 'freebusy', '--from', '2026-12-01', '--to', '2026-12-02', '-'],
      input([place(PARIS), facility(), slot(COURTS)]),
    );
    expect(out).toContain('BUSY-UNAVAILABLE:20261201T000000Z/20261201T090000Z');
  });

  test('check finds the facility where nothing says the zone', async () => {
    const found = async (...items: RpdeJson[]) => {
      const { out } = await cli(['check', '--format', 'jsonl', '-'], input(items));
      const rows = out.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
      return rows.filter(({ code }) => code === 'zone-assumed').map(({ object }) => identOf(object));
    };
    expect(await found(place(PARIS), facility(), slot(COURTS))).toEqual([]);
    expect(await found(facility({}), slot(COURTS))).toEqual([identOf(COURTS)]);
  });
});
