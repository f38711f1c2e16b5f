import { afterEach, beforeEach, expect, test } from 'vitest';
import { FEED } from '../../harvest/rig.ts';
import { item, type Served, served } from '../../server/stored-rig.ts';

/** Which series came within the last seven days. */

let one: Served;
beforeEach(async () => {
  one = await served();
});
afterEach(() => one.close());

async function series(name: string, feed = FEED): Promise<void> {
  const id = `https://x.example/${name}`;
  one.rig.clock.now += 60_000;
  const items = [
    item('SessionSeries', name, { '@id': id, name }),
    ...[2, 9, 16, 23, 30].map((days) =>
      item('ScheduledSession', `${name}-${days}`, {
        '@id': `${id}/${days}`,
        superEvent: id,
        startDate: new Date(one.rig.clock.now + days * 86_400_000).toISOString(),
        duration: 'PT1H',
      }),
    ),
  ];
  await one.rig.feed(items, 50, feed);
}

/** As a service does that is never down. */
async function pass(days: number): Promise<void> {
  for (let day = 0; day < days; day += 1) await one.roll(1);
}

async function newOnes(): Promise<string[]> {
  const { items } = await one.library.search.occurrences({}, { limit: 500 });
  return [...new Set(items.filter(({ isNew }) => isNew).map(({ name }) => name))].sort();
}

test('nothing is new in a store that is younger than a week', async () => {
  await series('Yoga');
  expect(await newOnes()).toEqual([]);
  await one.roll(3);
  await series('Judo');
  await one.roll(3);
  expect(await newOnes()).toEqual([]);
});

test('a series is new for a week, whatever becomes of it', async () => {
  await series('Yoga');
  await pass(8);
  await series('Judo');
  expect(await newOnes()).toEqual(['Judo']);
  await pass(5);
  await series('Judo');
  await series('Yoga');
  expect(await newOnes()).toEqual(['Judo']);
  expect(await one.text('/search?q=judo')).toContain('<span class="flag good">New</span>');
  expect(await one.text('/search?q=yoga')).not.toContain('flag good">New');
  await pass(3);
  expect(await newOnes()).toEqual([]);
});

test('what a new feed brings is not new, until that feed is a week old', async () => {
  await series('Yoga');
  await one.roll(1);
  await one.roll(7);
  const other = 'https://other.example.org/sessions';
  await series('Boxing', other);
  expect(await newOnes()).toEqual([]);
  await one.roll(1);
  await one.roll(7);
  await series('Pilates', other);
  expect(await newOnes()).toEqual(['Pilates']);
});

test('a clock that was set forwards and back leaves no days that have not been', async () => {
  await series('Yoga');
  await one.roll(1);
  await one.roll(400);
  await one.roll(-400);
  await one.roll(7);
  await series('Judo');
  expect(await newOnes()).toEqual(['Judo']);
});
