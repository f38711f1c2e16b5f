import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { item, type Served, served } from '../../server/stored-rig.ts';

/** Names in the data that begin as what is not wanted does. */

test('a name in the data goes before what is not wanted', async () => {
  const one = await served();
  try {
    const series = (name: string, description: string) => item('SessionSeries', name, { name, description });
    await one.rig.feed([
      series('No Rackets Badminton', ''),
      series('Badminton', 'There is no coffee here.'),
      series('Netball (not beginners)', ''),
      series('Netball', ''),
      series('Ceilidh, no drop-in', ''),
    ]);
    const { search } = one.library;
    const found = async (q: string) => {
      const { items, leftOut } = await search.series({ q }, { limit: 5 });
      return [items.map(({ name }) => name).sort(), leftOut];
    };
    expect(await found('no rackets badminton')).toEqual([['No Rackets Badminton'], undefined]);
    expect(await found('netball not beginners')).toEqual([['Netball (not beginners)'], undefined]);
    expect(await found('ceilidh no drop-in')).toEqual([['Ceilidh, no drop-in'], undefined]);
    // A description names nothing.
    expect(await found('badminton no coffee')).toEqual([['Badminton', 'No Rackets Badminton'], ['no coffee']]);
    expect(await found('netball not free')).toEqual([['Netball', 'Netball (not beginners)'], ['not free']]);
  } finally {
    await one.close();
  }
});

test('who cares is not searched for as a parent where something says carer', async () => {
  const one = await served();
  try {
    const eventSchedule = [
      { '@type': 'Schedule', startDate: '2026-01-01', startTime: '18:00', repeatFrequency: 'P1D' },
    ];
    const series = (name: string) => item('SessionSeries', name, { name, eventSchedule });
    await one.rig.feed([series('Carers Choir'), series('Parent and Toddler Gym'), series('Hula Hooping')]);
    const names = async (q: string) =>
      (await one.library.search.series({ q }, { limit: 5 })).items.map(({ name }) => name);
    expect(await names('carers')).toEqual(['Carers Choir']);
    expect(await names('carer and toddler gym')).toEqual(['Parent and Toddler Gym']);
    expect(await names('hula hoops')).toEqual(['Hula Hooping']);
  } finally {
    await one.close();
  }
});

test('mixed is for nobody alone', async () => {
  const one = await served();
  try {
    const series = (name: string, gender?: string) =>
      item('SessionSeries', name, { name, ...(gender && { genderRestriction: `https://openactive.io/${gender}` }) });
    await one.rig.feed([
      series('Netball Ladies', 'FemaleOnly'),
      series('Netball Lads', 'MaleOnly'),
      series('Netball'),
      series('Tennis Ladies', 'FemaleOnly'),
      series('Tennis, all abilities'),
    ]);
    const names = async (q: string) =>
      (await one.library.search.series({ q }, { limit: 5 })).items.map(({ name }) => name).sort();
    expect(await names('mixed netball')).toEqual(['Netball']);
    expect(await names('unisex netball')).toEqual(['Netball']);
    expect((await one.library.search.understood('mixed netball')).filters).toEqual({ gender: 'NoRestriction' });
    expect((await one.library.search.series({ gender: 'NoRestriction' }, { limit: 5 })).total).toBe(2);
    expect(await names('mixed ability tennis')).toEqual(['Tennis Ladies', 'Tennis, all abilities']);
  } finally {
    await one.close();
  }
});

describe('addresses are found by the abbreviations of their words', () => {
  const PLACES = [
    'Victoria Recreation Ground',
    'Abbey Gardens',
    'Queen Square Hall',
    'Moor Park',
    'Oak Crescent Centre',
  ];
  let one: Served;
  beforeAll(async () => {
    one = await served();
    const at = (name: string, n: number) => ({
      '@type': 'Place',
      '@id': `https://x.example/places/${n}`,
      name,
      geo: { '@type': 'GeoCoordinates', latitude: 51 + n, longitude: -2 },
    });
    await one.rig.feed(
      PLACES.map((name, n) => item('SessionSeries', `s${n}`, { name: `Class ${n}`, location: at(name, n) })),
    );
  });
  afterAll(() => one.close());

  test.each([
    ['victoria rec', 'Class 0'],
    ['class at Victoria Rec', 'Class 0'],
    ['abbey gdns', 'Class 1'],
    ['abbey gdn', 'Class 1'],
    ['queen sq hall', 'Class 2'],
    ['moor pk', 'Class 3'],
    ['near moor pk', 'Class 3'],
    ['oak cres ctr', 'Class 4'],
    ['oak crescent cntr', 'Class 4'],
    ['class in Oak Crescent Cntr', 'Class 4'],
  ])('%s', async (q, name) => {
    const { items, unmatched } = await one.library.search.series({ q }, { limit: 5 });
    expect([items.map((found) => found.name), unmatched]).toEqual([[name], undefined]);
  });
});
