import { afterEach, beforeEach, expect, test } from 'vitest';
import { item, type Served, served } from '../server/stored-rig.ts';

/** Several reads make one list, and a record may go between two of them. */

let one: Served;
beforeEach(async () => {
  one = await served();
  const place = { '@type': 'Place', '@id': 'https://x.example/hall', name: 'Town Hall' };
  await one.feed(
    item('Place', 'hall', place),
    item('SessionSeries', 'yoga', { '@id': 'https://x.example/yoga', name: 'Yoga', location: place }),
    item('SessionSeries', 'judo', { '@id': 'https://x.example/judo', name: 'Judo', location: place }),
  );
});
afterEach(() => one.close());

/** The record of the first row is not there any more when it is asked for. */
function losesOne(name: string): void {
  const { read } = one.rig.store;
  const byId = read.recordById.bind(read);
  read.recordById = async (id) => {
    const record = await byId(id);
    return record?.ident === name ? undefined : record;
  };
}

test('a search for places, and the calendar of a place, bear it', async () => {
  const { key } = (await one.library.keys('places', { limit: 1 })).rows[0] ?? { key: '' };
  losesOne('https://x.example/yoga');
  expect((await one.library.calendar(`places/${key}/all`))?.calendar.name).toBe('Town Hall');
  losesOne('https://x.example/hall');
  for (const filters of [{}, { q: 'hall' }])
    expect((await one.library.search.venues('places', filters, { limit: 10 })).items).toEqual([]);
});
