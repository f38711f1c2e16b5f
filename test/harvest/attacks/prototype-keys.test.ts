import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readSite } from '../../../src/harvest/discovery/site.ts';
import { keyOf } from '../../../src/opportunity/identity.ts';
import { parsePage } from '../../../src/opportunity/page/page.ts';
import { cli } from '../../cli/io.ts';
import { FEED, type Rig, rig } from '../rig.ts';

/** Keys that mean something to JavaScript, as keys, ids, kinds, types and names in what strangers send. */
const TRAPS = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'valueOf', '__defineGetter__'];

let one: Rig;
beforeEach(async () => {
  one = await rig();
});
afterEach(async () => {
  await one.close();
  // What an attack would have left behind for everything that comes after.
  expect(Object.getOwnPropertyNames(Object.prototype).filter((name) => /polluted|evil/.test(name))).toEqual([]);
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
});

/** An object with a key, `__proto__` too, as JSON. */
const withKey = (key: string, value: unknown, rest: object) =>
  `{${JSON.stringify(key)}:${JSON.stringify(value)},${JSON.stringify(rest).slice(1)}`;

const SCHEDULE = {
  '@type': 'Schedule',
  startDate: '2026-12-01',
  startTime: '18:00',
  duration: 'PT1H',
  repeatFrequency: 'P1W',
  byDay: ['https://schema.org/Tuesday'],
  scheduleTimezone: 'Europe/London',
};

describe.each(TRAPS)('%s', (trap) => {
  const id = `https://a.example/${trap}`;
  const data = { '@type': 'SessionSeries', '@id': id, name: 'Yoga', eventSchedule: [SCHEDULE] };

  async function taken(items: string): Promise<string | undefined> {
    const handle = await one.ingest.open(FEED, {});
    await one.ingest.commit(handle, parsePage(`{"next":"${FEED}","license":"x","items":[${items}]}`), FEED);
    return (await one.served()).get(keyOf('series', id));
  }

  test('as a key of data, of an item, of a page and within', async () => {
    const evil = { polluted: 1, name: 'evil', eventSchedule: [] };
    const item = withKey(trap, evil, { state: 'updated', kind: 'k', id: 1, modified: 1 });
    const text = await taken(
      `${item.slice(0, -1)},"data":${withKey(trap, evil, { ...data, location: { [trap]: evil } })}}`,
    );
    expect(text).toContain('SUMMARY:Yoga');
    expect(text).not.toContain('evil');
  });

  test('as id, kind, and both, beside each other', async () => {
    const item = (kind: string, rpdeId: string, name: string) =>
      JSON.stringify({
        state: 'updated',
        kind,
        id: rpdeId,
        modified: 1,
        data: { ...data, name, '@id': `${id}/${name}` },
      });
    await taken([item(trap, trap, 'a'), item('k', trap, 'b'), item(trap, 'i', 'c')].join());
    const names = [...(await one.served()).values()].map((text) => /SUMMARY:(.*)/.exec(text)?.[1]);
    expect(names.toSorted()).toEqual(['a', 'b', 'c']);
    expect((await one.served()).size).toBe(3);
    await taken(JSON.stringify({ state: 'deleted', kind: 'k', id: trap, modified: 2 }));
    expect((await one.served()).size).toBe(2);
  });

  test('as a type, a day, a status, a repetition', async () => {
    const odd = {
      ...data,
      eventStatus: trap,
      eventSchedule: [{ ...SCHEDULE, repeatFrequency: trap, byDay: [trap], scheduleTimezone: trap }],
    };
    await taken(JSON.stringify({ state: 'updated', kind: 'k', id: 1, modified: 1, data: odd }));
    await taken(JSON.stringify({ state: 'updated', kind: 'k', id: 2, modified: 1, data: { ...data, '@type': trap } }));
    const good = { ...data, '@id': `${id}/good` };
    await taken(JSON.stringify({ state: 'updated', kind: 'k', id: 3, modified: 1, data: good }));
    expect((await one.served()).get(keyOf('series', `${id}/good`))).toContain('RRULE:FREQ=WEEKLY');
  });

  test('in a dataset site', () => {
    const feed = withKey(trap, 'https://evil.example/', {
      name: 'SessionSeries',
      contentUrl: 'https://a.example/feed',
    });
    const other = JSON.stringify({
      name: trap,
      additionalType: trap,
      encodingFormat: trap,
      contentUrl: 'https://a.example/x',
    });
    const text = `{"@type":"Dataset",${JSON.stringify(trap)}:{"distribution":[]},"distribution":[${feed},${other}]}`;
    const [dataset] = readSite(text, 'https://a.example/').datasets;
    expect(dataset?.feeds.map(({ url }) => url)).toEqual(['https://a.example/feed']);
  });

  test('as a setting', async () => {
    const env = { OPENACTIVE_ICAL_FEEDS: `[${withKey(trap, 'evil', { url: 'http://a.example/' })}]` };
    const ran = await cli(['config', '--print'], { env });
    expect(ran.code === 2 || !ran.out.includes('evil')).toBe(true);
    expect(await cli(['sync', '--types', trap])).toMatchObject({ code: 2 });
    expect(await cli([trap])).toMatchObject({ code: 2 });
  });
});
