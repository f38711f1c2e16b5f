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
