import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ExplainedRow } from '../../../src/calendar/explain/explained.ts';
import { setUp } from '../fake.ts';
import { explanation } from '../made.ts';
import { item, type Served, served } from '../stored-rig.ts';

const ID = 'https://x.example/series/1';
const series = {
  '@id': ID,
  name: 'Yoga & more',
  eventSchedule: [
    {
      '@type': 'Schedule',
      repeatFrequency: 'P1W',
      byDay: ['https://schema.org/Tuesday'],
      startDate: '2026-01-06',
      startTime: '18:00',
      duration: 'PT1H',
      scheduleTimezone: 'Europe/London',
      scheduledEventType: 'ScheduledSession',
      idTemplate: 'https://x.example/sessions/{startDate}',
      exceptDate: ['2026-11-17'],
    },
  ],
};
const session = (of: string, start: string, more: object = {}) =>
  item('ScheduledSession', of, {
    '@id': `https://x.example/sessions/${of}`,
    superEvent: ID,
    startDate: start,
    duration: 'PT1H',
    ...more,
  });

interface Answer {
  key: string;
  items: ExplainedRow[];
  schedules: { sentence: string }[];
  total: number;
  next?: string;
  state: string;
}

let one: Served;
beforeEach(async () => {
  one = await served();
});
afterEach(() => one.close());

async function explained(query = 'from=2026-11-01&to=2026-12-01'): Promise<Answer> {
  const key = await one.library.keyOfId('series', ID);
  return JSON.parse(await one.text(`/api/series/${key}/explain?${query}`)) as Answer;
}

describe('a stored series', () => {
  test('is explained with the items that say so', async () => {
    await one.feed(item('SessionSeries', 's1', series), session('2026-11-24T18:00:00Z', '2026-11-25T19:00:00Z'));
    const { items, total, schedules } = await explained();
    expect(items.map(({ because, shown, item: said }) => [because[0], shown, said?.id])).toEqual([
      ['generated', true, 's1'],
      ['generated', true, 's1'],
      ['excepted', false, 's1'],
      ['moved-by-session', false, 's1'],
      ['moved', true, '2026-11-24T18:00:00Z'],
    ]);
    expect(items[3]?.replacedBy).toMatchObject({ kind: 'ScheduledSession', id: '2026-11-24T18:00:00Z' });
    expect(total).toBe(5);
    expect(schedules[0]?.sentence).toContain('is written as one repeating event');
  });

  test('names the events that its calendar has', async () => {
    await one.feed(item('SessionSeries', 's1', series), session('odd', '2026-11-26T19:00:00Z'));
    const { items, key } = await explained();
    const calendar = (await one.text(`/series/${key}.ics`)).replaceAll('\r\n ', '');
    const uids = new Set(items.flatMap(({ events }) => events.map(({ uid }) => uid)));
    expect(uids.size).toBe(2);
    for (const uid of uids) expect(calendar).toContain(`UID:${uid}\r\n`);
  });

  test('comes in pages that join without a gap', async () => {
    await one.feed(item('SessionSeries', 's1', series));
    const whole = await explained('from=2026-01-01&to=2026-12-31');
    const first = await explained('from=2026-01-01&to=2026-12-31&limit=30');
    const address = new URL(first.next as string);
    const second = JSON.parse(await one.text(address.pathname + address.search)) as Answer;
    expect([...first.items, ...second.items]).toEqual(whole.items);
    expect(second.next).toBeUndefined();
  });

  test('withdrawn: answers as the series itself does, also in JSON and in an embed', async () => {
    await one.feed(item('SessionSeries', 's1', series));
    const { key } = await explained();
    await one.feed(item('SessionSeries', 's1'));
    const answers = ['/api/series', '/series'].flatMap((prefix) =>
      ['', '/explain'].map((end) => `${prefix}/${key}${end}`),
    );
    for (const path of [...answers, `/embed/series/${key}`])
      expect([path, (await one.app.request(path)).status]).toEqual([path, 410]);
    const [json, jsonExplained, page, pageExplained] = await Promise.all(
      answers.map(async (path) => (await one.app.request(path)).text()),
    );
    expect(jsonExplained).toBe(json);
    expect(JSON.parse(json as string)).toMatchObject({ detail: 'The publisher has withdrawn it.' });
    expect(pageExplained).toBe(page);
    expect(page).toContain('Yoga &amp; more has ended');
  });

  test('its page leads to the explanation, which is escaped', async () => {
    await one.feed(item('SessionSeries', 's1', series));
    const { key } = await explained();
    expect(await one.text(`/series/${key}`)).toContain(`/series/${key}/explain"`);
    const page = await one.text(`/series/${key}/explain?from=2026-11-01&to=2026-12-01`);
    expect(page).toContain('Yoga &amp; more');
    expect(page).toContain('removed by the exceptDate 2026-11-17');
  });
});

test.each([
  ['from=yesterday', '"from" must be a date'],
  ['from=2026-01-01&to=2028-01-01', 'at most 400 days'],
  ['limit=0', '"limit"'],
  ['limit=1001', '"limit"'],
  ['after=-1', '"after"'],
  ['after=1e9', '"after"'],
  ['after=', '"after"'],
  ['after=77777', '"after" must be the cursor of "next"'],
])('%s is refused with the reason', async (query, reason) => {
  const { app, library } = setUp();
  library.explanations.set('abc', explanation());
  const response = await app.request(`/api/series/abc/explain?${query}`);
  expect([response.status, response.headers.get('content-type')]).toEqual([
    400,
    'application/problem+json; charset=utf-8',
  ]);
  expect(((await response.json()) as { detail: string }).detail).toContain(reason);
  expect((await app.request(`/series/abc/explain?${query}`)).status).toBe(400);
});

test('a cursor is taken for its window alone', async () => {
  const { app, library } = setUp();
  library.explanations.set('abc', { ...explanation(), total: 900 });
  library.commit('abc', 'Yoga');
  const window = 'from=2026-11-01&to=2026-12-01';
  const { next } = (await (await app.request(`/api/series/abc/explain?${window}`)).json()) as Answer;
  const after = new URL(next ?? '').searchParams.get('after') ?? '';
  const status = async (query: string) => (await app.request(`/api/series/abc/explain?${query}`)).status;
  expect(await status(`${window}&after=${after}`)).toBe(200);
  expect(await status(`from=2026-11-02&to=2026-12-01&after=${after}`)).toBe(400);
});

test('what has moved is answered with where it is now, what has ended with 410', async () => {
  const { app, library } = setUp();
  library.commit('old', 'Yoga', { movedTo: 'abc' });
  library.commit('over', 'Yoga', { state: 'gone' });
  for (const prefix of ['', '/api']) {
    const moved = await app.request(`${prefix}/series/old/explain?from=2026-11-01`);
    expect([moved.status, moved.headers.get('location')]).toEqual([
      308,
      `/open${prefix}/series/abc/explain?from=2026-11-01`,
    ]);
    expect((await app.request(`${prefix}/series/over/explain`)).status).toBe(410);
  }
});

test('pages that cannot be: unknown keys, keys that are none', async () => {
  const { app } = setUp();
  for (const path of ['/api/series/none/explain', '/series/none/explain', '/series/A%2F/explain']) {
    expect((await app.request(path)).status).toBe(404);
  }
});
