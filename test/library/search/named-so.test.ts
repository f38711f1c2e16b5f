import { expect, test } from 'vitest';
import { item, served } from '../../server/stored-rig.ts';

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
