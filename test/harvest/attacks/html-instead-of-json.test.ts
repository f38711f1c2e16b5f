import { afterEach, beforeEach, expect, test } from 'vitest';
import { createHostQueue } from '../../../src/fetch/host-queue.ts';
import { httpSource } from '../../../src/harvest/feed/http-source.ts';
import { visit } from '../../../src/harvest/visit/visit.ts';
import { type Rig, rig } from '../rig.ts';
import { RpdePublisher } from '../rpde-publisher.ts';
import { NOW, stranger } from './rig.ts';

/** 200 with something else than a page: a challenge, a maintenance page, half a body, nothing. It must delete nothing. */

let one: Rig;
let publisher: RpdePublisher;
beforeEach(async () => {
  one = await rig();
  publisher = await RpdePublisher.open({ limit: 2 });
  for (let id = 0; id < 5; id++) publisher.put(id, series(id));
});
afterEach(async () => {
  await publisher.close();
  await one.close();
});

const series = (id: number, name = `Yoga ${id}`) => ({
  '@type': 'SessionSeries',
  '@id': `https://a.example/${id}`,
  name,
  eventSchedule: [
    {
      '@type': 'Schedule',
      startDate: '2026-12-01',
      startTime: '18:00',
      duration: 'PT1H',
      repeatFrequency: 'P1W',
      byDay: ['https://schema.org/Tuesday'],
      scheduleTimezone: 'Europe/London',
    },
  ],
});

/** A visit as `serve` makes it; `resync`: from the start, and what it does not meet goes. */
function pass(resync = false) {
  const client = stranger({ named: [publisher.url] });
  const source = httpSource({ url: publisher.url, client, queue: createHostQueue(), named: new Set() });
  const options = { ingest: one.ingest, sleep: async () => {}, random: () => 0, now: () => NOW };
  return visit({ source, meta: {} }, { ...options, failures: 0, waitMs: () => 0, resync });
}

const half = (body: string) => body.slice(0, body.length / 2);
const ROWS: [string, string, (body: string) => string][] = [
  ['a challenge page', 'text/html', () => '<!doctype html><title>Just a moment…</title><script>location=1</script>'],
  ['a maintenance page that says it is JSON', 'application/json', () => '<html><body>Back soon</body></html>'],
  ['half a page', 'application/json', half],
  ['a page without its last bracket', 'application/json', (body) => body.slice(0, -1)],
  ['nothing', 'application/json', () => ''],
  ['white space', 'application/json', () => ' \n'],
  ['null', 'application/json', () => 'null'],
  ['an empty object', 'application/json', () => '{}'],
  ['an error as JSON', 'application/json', () => '{"error": "database is down", "items": null}'],
  ['a list', 'application/json', () => '[]'],
  ['an empty list of items without next', 'application/json', () => '{"items": []}'],
  ['login after a redirect', 'text/html', () => '<form action="/login"></form>'],
];
test.each(ROWS)('%s, at the start, in the middle and at the end', async (_name, type, change) => {
  expect((await pass()).state).toBe('ended');
  const before = await one.served();
  expect(before.size).toBe(5);
  for (const broken of [/feed$/, /afterChangeNumber=2$/, /afterChangeNumber=5$/]) {
    publisher.instead = (request, _response, answer) => {
      if (!broken.test(request.url ?? '')) return false;
      answer.body = change(answer.body);
      answer.headers = { 'content-type': type };
      return false;
    };
    expect((await pass(true)).state).toBe('failing');
    await one.reopen();
    expect(await one.served()).toEqual(before);
  }
  // Over, and a change came meanwhile: it arrives as if nothing had been.
  publisher.instead = undefined;
  publisher.put(0, series(0, 'Pilates'));
  publisher.delete(1);
  expect((await pass()).state).toBe('ended');
  const after = [...(await one.served()).values()].join('');
  expect(after).toContain('Pilates');
  expect(after).not.toContain('Yoga 1');
  expect(after).toContain('Yoga 2');
});
