import { afterEach, beforeEach, describe, expect, it, test } from 'vitest';
import type { Thing } from '../../../src/library/lists/list.ts';
import { thingOf } from '../../../src/library/lists/list.ts';
import { tokenOf } from '../../../src/library/lists/token.ts';
import { Random } from '../../generate/random.ts';
import { randomFeed } from '../../generate/series.ts';
import { item, type Served, served } from '../stored-rig.ts';
import { componentsOf } from '../subscribers/subscriber.ts';
import { World } from '../subscribers/world.ts';

/** Calendars of several things, over the whole program but its sockets. */

let one: Served;

beforeEach(async () => {
  one = await served();
});
afterEach(() => one.close());

const token = (...texts: string[]) => tokenOf(texts.map((text) => thingOf(text) as Thing));
const address = (...texts: string[]) => `/my/${token(...texts)}.ics`;

const PLACE = {
  '@type': 'Place',
  '@id': 'https://x.example/places/1',
  name: 'Town Hall',
  url: 'https://x.example/hall',
};

function weekly(name: string, over: Record<string, unknown> = {}) {
  const id = `https://x.example/${name}`;
  const eventSchedule = {
    '@type': 'Schedule',
    startDate: '2026-11-03',
    startTime: '18:00',
    duration: 'PT1H',
    repeatFrequency: 'P1W',
    byDay: ['https://schema.org/Tuesday'],
    scheduleTimezone: 'Europe/London',
    scheduledEventType: 'ScheduledSession',
    idTemplate: `${id}/{startDate}`,
    ...over,
  };
  return item('SessionSeries', name, { '@id': id, name, location: PLACE, eventSchedule });
}

async function keys(kind: 'series' | 'place' | 'facility'): Promise<string[]> {
  return (await one.rig.store.read.calendars({ kind, limit: 1000 })).map(({ key }) => key);
}

async function keyOf(name: string): Promise<string> {
  return (await one.library.keyOfId('series', `https://x.example/${name}`)) as string;
}

describe('the calendar of a token', () => {
  it('has every event in the octets of its own calendar, whatever was chosen', async () => {
    const world = new World(7, { series: 2, sessions: 30 });
    await one.feed(...world.all(), ...randomFeed(11, 6).flat());
    const [series, places, facilities] = await Promise.all([keys('series'), keys('place'), keys('facility')]);
    const all = [
      ...series.map((key) => `series/${key}`),
      ...places.map((key) => `places/${key}`),
      ...facilities.map((key) => `facilities/${key}`),
    ];
    const own = new Map<string, string>();
    for (const name of all) {
      const path = name.startsWith('series') ? name : `${name}/availability`;
      for (const [uid, { text }] of componentsOf(await one.text(`/${path}.ics`), 'uid')) own.set(uid, text);
    }
    const random = new Random(3);
    for (let turn = 0; turn < 12; turn += 1) {
      const chosen = all.filter(() => random.chance(turn / 12));
      if (chosen.length === 0) continue;
      const text = await one.text(address(...chosen));
      const expected = new Set<string>();
      for (const name of chosen.filter((name) => name.startsWith('series')))
        for (const uid of componentsOf(await one.text(`/${name}.ics`), 'uid').keys()) expected.add(uid);
      const found = componentsOf(text, 'uid');
      for (const uid of expected) expect(found.has(uid)).toBe(true);
      for (const [uid, held] of found) expect(held.text).toBe(own.get(uid));
    }
  });

  it('is that of a place, events and zones in the same order, where only the place was chosen', async () => {
    await one.feed(weekly('Yoga'), weekly('Boxing', { scheduleTimezone: 'Europe/Paris' }));
    const [place] = (await keys('place')) as [string];
    const body = (text: string) => text.slice(text.indexOf('BEGIN:VTIMEZONE'));
    expect(body(await one.text(address(`places/${place}`)))).toBe(body(await one.text(`/places/${place}.ics`)));
  });

  it('has a series once that is on at a chosen place, and nothing twice for being named twice', async () => {
    await one.feed(weekly('Yoga'));
    const [place] = (await keys('place')) as [string];
    const text = await one.text(address(`series/${await keyOf('Yoga')}`, `places/${place}`));
    expect(text.match(/BEGIN:VEVENT/g)).toHaveLength(
      (await one.text(`/places/${place}.ics`)).match(/BEGIN:VEVENT/g)?.length as number,
    );
  });

  it('is named, and puts places before titles, when asked', async () => {
    await one.feed(weekly('Yoga'));
    const path = address(`series/${await keyOf('Yoga')}`);
    expect(await one.text(path)).toContain('X-WR-CALNAME:My list\r\n');
    const text = await one.text(`${path}?name=Sport%20this%0d%0awinter&prefix=place&utm_source=x`);
    expect(text).toContain('X-WR-CALNAME:Sport this winter\r\n');
    expect(text).toContain('SUMMARY:Town Hall: Yoga\r\n');
    expect(text).toContain('Source: Example Leisure\\, CC BY 4.0');
  });

  it('leaves cancelled dates out when asked, of rules too', async () => {
    const off = weekly('Boxing');
    const eventStatus = 'https://schema.org/EventCancelled';
    await one.feed(weekly('Yoga'), { ...off, data: { ...off.data, eventStatus } });
    const own = await one.text(`/series/${await keyOf('Yoga')}.ics`);
    const [, first = ''] = /DTSTART[^:]*:(\d{8}T\d{6})/.exec(own.slice(own.indexOf('BEGIN:VEVENT'))) ?? [];
    const next = new Date(
      Date.parse(first.replace(/(....)(..)(..)T(..)(..)(..)/, '$1-$2-$3T$4:$5:$6Z')) + 35 * 86_400_000,
    );
    const wall = next.toISOString().slice(0, 19).replaceAll(/[-:]/g, '');
    await one.feed(
      item('ScheduledSession', 'Yoga off', {
        '@id': `https://x.example/Yoga/${next.toISOString()}`,
        superEvent: 'https://x.example/Yoga',
        startDate: next.toISOString().replace('.000', ''),
        duration: 'PT1H',
        eventStatus,
      }),
    );
    const path = address(`series/${await keyOf('Yoga')}`, `series/${await keyOf('Boxing')}`);
    const events = (text: string) => text.slice(text.indexOf('BEGIN:VEVENT'));
    const marked = events(await one.text(path));
    expect([marked.match(/STATUS:CANCELLED/g)?.length, marked.includes('Boxing')]).toEqual([2, true]);
    const hidden = events(await one.text(`${path}?cancelled=0`));
    expect([hidden.includes('STATUS:CANCELLED'), hidden.includes('Boxing')]).toEqual([false, false]);
    expect(hidden).toMatch(new RegExp(`EXDATE[^:]*:(?:\\S+,)?${wall}`));
    expect(await one.text(`${path}?cancelled=1`)).toBe(await one.text(path));
  });

  it('follows what moved, shows the tail of what was withdrawn, and is empty after it', async () => {
    await one.feed(weekly('Yoga'), weekly('Boxing'));
    const [yoga, boxing] = [await keyOf('Yoga'), await keyOf('Boxing')];
    const path = address(`series/${yoga}`, `series/${boxing}`);
    const before = await one.app.request(path);
    const moved = weekly('Yoga');
    await one.feed(
      { ...moved, data: { ...moved.data, '@id': 'https://x.example/yoga-2' } },
      item('SessionSeries', 'Boxing'),
    );
    const after = await one.app.request(path);
    expect(Date.parse(after.headers.get('last-modified') as string)).toBeGreaterThan(
      Date.parse(before.headers.get('last-modified') as string),
    );
    const text = await after.text();
    const held = componentsOf(text, 'uid');
    const tail = componentsOf(await one.text(`/series/${boxing}.ics`), 'uid');
    for (const [uid, { text: own }] of tail) expect(held.get(uid)?.text).toBe(own);
    const now = componentsOf(await one.text(`/series/${await keyOf('yoga-2')}.ics`), 'uid');
    for (const [uid, { text: own }] of now) expect(held.get(uid)?.text).toBe(own);
    await one.roll(91);
    const ended = await one.app.request(path);
    const left = componentsOf(await ended.text(), 'uid');
    for (const uid of tail.keys()) expect(left.has(uid)).toBe(false);
    expect(Date.parse(ended.headers.get('last-modified') as string)).toBeGreaterThan(
      Date.parse(after.headers.get('last-modified') as string),
    );
  });

  it('is a 304 while nothing that it holds changes, and another one as soon as something does', async () => {
    await one.feed(weekly('Yoga'), weekly('Boxing'), weekly('Judo'));
    const path = address(`series/${await keyOf('Yoga')}`, `series/${await keyOf('Boxing')}`);
    const first = await one.app.request(path);
    const date = first.headers.get('last-modified') as string;
    const etag = first.headers.get('etag') as string;
    const ask = (headers: Record<string, string>) => one.app.request(path, { headers });
    await one.feed(weekly('Judo', { startTime: '19:00' }));
    await one.roll(1);
    one.restart();
    expect([(await ask({ 'if-modified-since': date })).status, (await ask({ 'if-none-match': etag })).status]).toEqual([
      304, 304,
    ]);
    await one.feed(weekly('Boxing', { startTime: '20:00' }));
    const next = await ask({ 'if-modified-since': date });
    expect(next.status).toBe(200);
    expect(await next.text()).toContain('T200000');
    expect(Date.parse(next.headers.get('last-modified') as string)).toBeGreaterThan(Date.parse(date));
  });

  it('says what is left out of it where it would be too large', async () => {
    await one.feed(...new World(3, { series: 3, sessions: 500 }).all());
    const chosen = (await keys('series')).map((key) => `series/${key}`);
    const text = await one.text(address(...chosen));
    expect(text.match(/BEGIN:VEVENT/g)?.length).toBeLessThanOrEqual(1000);
    expect(text.replaceAll('\r\n ', '')).toMatch(/DESCRIPTION:.*\d+ events are left out/);
  });

  test.each([
    '/my/1Sabc_00000000.ics',
    '/my/kAAAAAAAAAAAAAAAAAAAAAA.ics',
    '/my/a%0d%0ab.ics',
    '/my/..%2f.ics',
    '/my/.ics',
    `/my/${'a'.repeat(7000)}.ics`,
  ])('%.40s is 404 in one line', async (path) => {
    const response = await one.app.request(path);
    expect([response.status, await response.text()]).toEqual([404, 'There is no such calendar here.\n']);
  });

  it('is empty, and no fault, where nobody knows what it names', async () => {
    const text = await one.text(address('series/unknown', 'places/unknown'));
    expect(text).toContain('BEGIN:VTIMEZONE');
    expect(text).not.toContain('BEGIN:VEVENT');
  });
});
