import { afterEach, beforeEach, expect, test } from 'vitest';
import { item, type Served, served } from '../../stored-rig.ts';

/** What was withdrawn is named for as long as its name is known, with a way to where it was. */

let one: Served;
beforeEach(async () => {
  one = await served();
});
afterEach(() => one.close());

async function page(address: string): Promise<string> {
  const response = await one.app.request(address);
  expect([address, response.status]).toEqual([address, 410]);
  return response.text();
}

test('a series that was withdrawn has its name, others like it, and its place', async () => {
  const id = 'https://x.example/yoga';
  const location = { '@type': 'Place', '@id': 'https://x.example/hall', name: 'Town & Hall' };
  const at = { superEvent: id, startDate: '2026-11-26T18:00:00Z', duration: 'PT1H' };
  await one.feed(
    item('Place', 'hall', location),
    item('SessionSeries', 'yoga', { '@id': id, name: 'Dawn & Dusk', location }),
    item('ScheduledSession', 'yoga-1', { '@id': `${id}/1`, ...at }),
  );
  const key = await one.library.keyOfId('series', id);
  const hall = await one.library.keyOfId('places', 'https://x.example/hall');
  await one.feed(item('SessionSeries', 'yoga'), item('ScheduledSession', 'yoga-1'), item('Place', 'hall'));
  const text = await page(`/series/${key}`);
  expect(text).toContain('<h1 dir="auto">Dawn &amp; Dusk has ended</h1>');
  expect(text).toContain('If it is in your calendar, you can unsubscribe there.');
  expect(text).not.toContain('Try again');
  expect(text).toContain('href="/search?q=Dawn%20%26%20Dusk"');
  expect(text).toContain('href="/search?kind=places&amp;q=Town%20%26%20Hall"><bdi>Town &amp; Hall</bdi>');
  expect(await page(`/places/${hall}`)).toContain('<h1 dir="auto">Town &amp; Hall has ended</h1>');
  await one.roll(100);
  for (const address of [`/series/${key}`, `/series/${key}/explain`])
    expect(await page(address)).toContain('<h1 dir="auto">Dawn &amp; Dusk');
});
