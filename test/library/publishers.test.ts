import { afterEach, expect, test } from 'vitest';
import { keyOf } from '../../src/opportunity/identity.ts';
import { item, type Served, served } from '../server/stored-rig.ts';

/** Whose data is on a page: the licence asks for a name wherever it is shown. */

const YOGA = 'https://x.example/series/1';
const license = 'https://creativecommons.org/licenses/by/4.0/';

let one: Served;
afterEach(() => one.close());

test.each([
  [{ license }, { name: 'feed.example', license }],
  [
    { license, publisher: 'Example Leisure' },
    { name: 'Example Leisure', license },
  ],
])('a feed of which a dataset site says %j', async (stated, publisher) => {
  one = await served();
  const series = item('SessionSeries', '1', { '@id': YOGA, name: 'Yoga' });
  await one.rig.feed([series], 50, 'https://feed.example/api/series', undefined, stated);
  expect((await one.library.series(keyOf('series', YOGA)))?.publisher).toEqual(publisher);
  expect(await one.library.publishers()).toEqual([publisher]);
});
