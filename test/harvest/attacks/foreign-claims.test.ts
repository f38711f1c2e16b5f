/** A stranger's feed says what only another publisher may say (semantics 1.4). */

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RawFinding } from '../../../src/opportunity/findings.ts';
import { keyOf } from '../../../src/opportunity/identity.ts';
import type { RpdeJson } from '../../generate/series.ts';
import { type Rig, rig, withoutStamps } from '../rig.ts';

const CLUB = 'https://club.example/feed';
const STRANGER = 'https://stranger.example/feed';
const LAST = '9223372036854775808';

const SERIES = 'https://club.example/series/1';
const POOL = 'https://club.example/places/pool';

let serial = 0;

function item(data: Record<string, unknown>, modified: unknown = 5): RpdeJson {
  serial += 1;
  return { state: 'updated', kind: String(data['@type']), id: String(serial), modified: modified as number, data };
}

const series = (more: object = {}) => ({
  '@type': 'SessionSeries',
  '@id': SERIES,
  name: 'Swimming',
  location: { '@type': 'Place', '@id': POOL, name: 'Pool', address: 'Pool Lane' },
  ...more,
});

const session = (id: string, superEvent: unknown, more: object = {}) => ({
  '@type': 'ScheduledSession',
  '@id': id,
  startDate: '2026-12-01T10:00:00Z',
  duration: 'PT1H',
  superEvent,
  ...more,
});

const place = (more: object = {}) => ({
  '@type': 'Place',
  '@id': POOL,
  name: 'Pool',
  address: 'Pool Lane',
  openingHoursSpecification: [
    { '@type': 'OpeningHoursSpecification', dayOfWeek: ['https://schema.org/Monday'], opens: '09:00', closes: '17:00' },
  ],
  ...more,
});

const HONEST = [item(series()), item(session('https://club.example/sessions/1', SERIES)), item(place())];

/** Each takes something of the club's, and none may. */
const ATTACKS: [what: string, items: RpdeJson[]][] = [
  ['the series itself, as the newest there can be', [item(series({ name: 'Mine' }), LAST)]],
  [
    'a session, cancelled, in a series of its own',
    [
      item(series({ '@id': 'https://stranger.example/series', name: 'Mine' }), LAST),
      item(
        session('https://club.example/sessions/1', 'https://stranger.example/series', {
          eventStatus: 'https://schema.org/EventCancelled',
        }),
        LAST,
      ),
    ],
  ],
  ['events, by their superEvent', [item(session('https://stranger.example/1', SERIES, { name: 'Buy now' }), LAST)]],
  [
    'events and the series, by what they embed',
    [item(session('https://stranger.example/1', series({ name: 'Mine' }), { name: 'Buy now' }), LAST)],
  ],
  [
    'events, from within a series that is not its own',
    [item(series({ subEvent: [session('https://stranger.example/2', undefined)] }), LAST)],
  ],
  ['the hours of a place', [item(place({ name: 'Closed down', openingHoursSpecification: [] }), LAST)]],
  [
    'what is on at a place',
    [
      item(
        series({
          '@id': 'https://stranger.example/at-the-pool',
          location: { '@type': 'Place', '@id': POOL, name: 'X' },
        }),
      ),
      item(session('https://stranger.example/3', 'https://stranger.example/at-the-pool')),
    ],
  ],
  [
    'the words of a series, as its EventSeries',
    [
      item({
        '@type': 'EventSeries',
        '@id': 'https://club.example/series/1',
        name: 'Mine',
        description: 'Buy now',
      }),
    ],
  ],
];

/** All that the club's subscribers get: its series, and every calendar of its place. */
async function ofTheClub(one: Rig): Promise<unknown> {
  const { read } = one.store;
  const served = withoutStamps(await one.served());
  const found = await read.recordByIdent('place', POOL);
  const pool = found?.id ?? -1;
  const at = await Promise.all((await read.seriesAt(pool)).map((id) => read.recordById(id)));
  const sessions = await read.sessions((await read.recordByIdent('series', SERIES))?.id ?? -1);
  return {
    calendar: served.get(keyOf('series', SERIES)),
    place: found?.body,
    at: at.map((row) => row?.ident),
    sessions: sessions.map(({ body }) => body),
  };
}

async function findings(one: Rig, url: string): Promise<string[]> {
  const feed = await one.store.read.feedState(url);
  const rows = await one.store.read.itemFindings(feed?.id ?? 0, 0, 100);
  return rows.flatMap((row) => (JSON.parse(row.findings) as RawFinding[]).map(({ code }) => code));
}

describe('a stranger takes nothing of another publisher', () => {
  let one: Rig;
  let alone: unknown;
  beforeEach(async () => {
    one = await rig();
    const other = await rig();
    await other.feed(HONEST, 50, CLUB);
    alone = await ofTheClub(other);
    await other.close();
  });
  afterEach(() => one.close());

  describe.each(ATTACKS)('%s', (_what, items) => {
    const orders: [string, () => Promise<void>][] = [
      [
        'after the club',
        async () => {
          await one.feed(HONEST, 50, CLUB);
          await one.feed(items, 50, STRANGER);
        },
      ],
      [
        'before the club',
        async () => {
          await one.feed(items, 50, STRANGER);
          await one.feed(HONEST, 1, CLUB);
        },
      ],
      [
        'between two items of the club',
        async () => {
          await one.feed(HONEST.slice(1), 50, CLUB);
          await one.feed(items, 1, STRANGER);
          await one.feed(HONEST.slice(0, 1), 50, CLUB);
        },
      ],
    ];
    it.each(orders)('%s', async (_name, deliver) => {
      await deliver();
      expect(await ofTheClub(one)).toEqual(alone);
      expect((await findings(one, STRANGER)).filter((code) => code.includes('another-publisher'))).not.toEqual([]);
      expect((await findings(one, CLUB)).filter((code) => code.includes('another-publisher'))).toEqual([]);
    });
  });

  it('before anybody has named the club: what it took goes back when the club is known', async () => {
    for (const [, items] of ATTACKS) await one.feed(items, 50, STRANGER);
    await one.feed(HONEST, 50, CLUB);
    expect(await ofTheClub(one)).toEqual(alone);
  });
});
