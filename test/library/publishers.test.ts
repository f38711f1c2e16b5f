import { afterEach, expect, test } from 'vitest';
import { keyOf } from '../../src/opportunity/identity.ts';
import { item, type Served, served } from '../server/stored-rig.ts';
import { eventsIn } from './objects/octets.ts';

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

const HALL = 'https://x.example/places/hall';

test.each([
  ['nobody', { license }, { license }, 'Source: Yoga for All\\, CC BY 4.0'],
  ['another publisher', { license, publisher: 'The City' }, { license }, 'Source: Yoga for All\\, CC BY 4.0'],
  ['one publisher', { license }, { license, publisher: 'Example Leisure' }, 'Source: Example Leisure\\, CC BY 4.0'],
])(
  'the text of an event names the same in every calendar, where %s is named for its place',
  async (_, ofPlace, ofSeries, credit) => {
    one = await served();
    const location = { '@type': 'Place', '@id': HALL, name: 'Hall' };
    const organizer = { '@type': 'Organization', name: 'Yoga for All' };
    const series = item('SessionSeries', '1', { '@id': YOGA, name: 'Yoga', location, organizer });
    const session = { '@id': `${YOGA}/1`, superEvent: YOGA, startDate: '2026-12-01T18:00:00Z', duration: 'PT1H' };
    await one.rig.feed([item('Place', 'h', { ...location })], 50, 'https://feed.example/api/places', 'p', ofPlace);
    const items = [series, item('ScheduledSession', '1', session)];
    await one.rig.feed(items, 50, 'https://feed.example/api/series', 'p', ofSeries);
    const [own = ''] = eventsIn(await one.text(`/series/${keyOf('series', YOGA)}.ics`));
    expect(own.replaceAll('\r\n ', '')).toContain(credit);
    const key = keyOf('place', HALL);
    for (const path of [`/places/${key}.ics`, `/places/${key}/sessions.ics`, '/search.ics?q=yoga'])
      expect([path, eventsIn(await one.text(path))]).toEqual([path, [own]]);
  },
);
