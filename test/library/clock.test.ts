import { afterEach, beforeEach, expect, test } from 'vitest';
import { keyOf } from '../../src/opportunity/identity.ts';
import { item, type Served, served } from '../server/stored-rig.ts';

const DAY = 86_400_000;
const ID = 'https://example.org/series/1';
const PATH = `/series/${keyOf('series', ID)}.ics`;

let one: Served;
beforeEach(async () => {
  one = await served();
});
afterEach(() => one.close());

const series = (name: string) => item('SessionSeries', '1', { '@id': ID, name });
const get = async (since?: string) => {
  const response = await one.app.request(PATH, since === undefined ? {} : { headers: { 'if-modified-since': since } });
  return { status: response.status, modified: response.headers.get('last-modified') as string };
};

test('no Last-Modified lies ahead of a clock that came right, and none goes back after that', async () => {
  await one.roll(400);
  await one.feed(series('Yoga'));
  expect(Date.parse((await get()).modified)).toBeLessThanOrEqual(one.rig.clock.now);
  await one.roll(-400);
  let last = 0;
  for (let day = 0; day < 3; day++) {
    await one.feed(series(`Yoga ${day}`));
    const modified = Date.parse((await get()).modified);
    expect(modified).toBeLessThanOrEqual(one.rig.clock.now);
    expect(modified).toBeGreaterThanOrEqual(last);
    last = modified;
    one.rig.clock.now += DAY;
  }
});

test('what is held says it anew when the clock is set', async () => {
  await one.feed(series('Yoga'));
  const { modified } = await get();
  await one.roll(-400);
  expect(Date.parse((await get()).modified)).toBeLessThanOrEqual(one.rig.clock.now);
  await one.roll(401);
  expect((await get()).modified).toBe(modified);
});

test('a client that asks by date alone never gets 304 for a changed calendar', async () => {
  await one.roll(400);
  await one.feed(series('Yoga'));
  await one.roll(-400);
  await one.feed(series('Pilates'));
  const { modified } = await get();
  // Within the same second.
  one.rig.clock.now -= 60_000;
  await one.feed(series('Swimming'));
  expect((await get(modified)).status).toBe(200);
  await one.roll(401);
  expect((await get((await get()).modified)).status).toBe(304);
});

test('what a clock that was ahead had stored has one Last-Modified in every process, and 304 for it', async () => {
  await one.roll(400);
  await one.feed(series('Yoga'));
  await one.roll(-400);
  const known: string[] = [];
  for (const name of ['Yoga', 'Pilates', 'Swimming']) {
    await one.feed(series(name));
    const { modified } = await get();
    expect(Date.parse(modified)).toBeLessThanOrEqual(one.rig.clock.now);
    one.rig.clock.now += 3 * DAY;
    one.restart();
    expect(await get()).toEqual({ status: 200, modified });
    expect((await get(modified)).status).toBe(304);
    for (const before of known) expect((await get(before)).status).toBe(200);
    known.push(modified);
  }
});
