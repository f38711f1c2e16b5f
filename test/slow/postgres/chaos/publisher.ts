/** Publishers on loopback, each with an origin of its own, that go on changing what they publish and fail now and then. */

import type { ServerResponse } from 'node:http';
import type { Random } from '../../../generate/random.ts';
import { faultServer } from '../../../harvest/ingest/faults.ts';

interface Item {
  id: string;
  kind: string;
  state: 'updated' | 'deleted';
  modified: number;
  data?: object;
}

/** Two feeds of one origin: series, and the sessions of these. */
export interface Publisher {
  /** Addresses of its feeds. */
  urls: string[];
  change(): void;
  /** Whether requests fail now and then. */
  isMoody: boolean;
  /** The address, id and `modified` of each item, as one text an item. */
  sent(): string[];
  /** Agents that asked, with their times. */
  asked: { agent: string; at: number }[];
  close(): Promise<void>;
}

const PAGE = 5;
const NAMES = ['Yoga', 'Aqua-fit', 'Walking football', 'Badminton', 'Tai chi'];

export async function openPublisher(random: Random): Promise<Publisher> {
  const feeds = { series: new Map<string, Item>(), sessions: new Map<string, Item>() };
  const asked: Publisher['asked'] = [];
  let modified = 0;
  const server = await faultServer(({ url = '', headers }, response) => {
    asked.push({ agent: String(headers['user-agent']), at: performance.now() });
    if (publisher.isMoody && random.chance(0.02)) return fails(random, response);
    const { pathname, searchParams } = new URL(url, 'http://a');
    const items = feeds[pathname.slice(1) as keyof typeof feeds];
    const after = Number(searchParams.get('after') ?? 0);
    const page = [...items.values()].filter((item) => item.modified > after).sort((a, b) => a.modified - b.modified);
    const sent = page.slice(0, PAGE);
    const text = JSON.stringify({ items: sent, next: `${pathname}?after=${sent.at(-1)?.modified ?? after}` });
    setTimeout(() => response.end(text), random.chance(0.2) ? random.int(50, 500) : 0);
  });
  const save = (feed: keyof typeof feeds, kind: string, id: string, more: object) => {
    modified += 1;
    const data = { '@type': kind, '@id': `${server.url}/${id}`, ...more };
    feeds[feed].set(id, { id, kind, state: 'updated', modified, data });
  };
  const remove = (feed: keyof typeof feeds, id: string) => {
    const item = feeds[feed].get(id);
    if (item === undefined || item.state === 'deleted') return;
    modified += 1;
    const { data: _, ...key } = item;
    feeds[feed].set(id, { ...key, state: 'deleted', modified });
  };
  const publisher: Publisher = {
    urls: [`${server.url}/series`, `${server.url}/sessions`],
    isMoody: false,
    asked,
    close: server.close,
    change() {
      const series = random.int(1, 6);
      const what = random.weighted({ series: 2, session: 6, remove: 2, removeSeries: 0.3 });
      if (what === 'series') save('series', 'SessionSeries', `s${series}`, seriesOf(random));
      if (what === 'session') {
        const more = { superEvent: `${server.url}/s${series}`, ...sessionOf(random) };
        save('sessions', 'ScheduledSession', `e${random.int(1, 20)}`, more);
      }
      if (what === 'remove') remove('sessions', `e${random.int(1, 20)}`);
      if (what === 'removeSeries') remove('series', `s${series}`);
    },
    sent: () =>
      Object.entries(feeds).flatMap(([name, items]) =>
        [...items.values()].map(({ id, modified: at }) => `${server.url}/${name} ${id} ${at}`),
      ),
  };
  for (let n = 1; n <= 6; n += 1) save('series', 'SessionSeries', `s${n}`, seriesOf(random));
  for (let times = 0; times < 20; times += 1) publisher.change();
  return publisher;
}

function seriesOf(random: Random): object {
  const place = random.int(1, 3);
  const geo = { '@type': 'GeoCoordinates', latitude: 51.5 + place / 100, longitude: -0.1 };
  const schedule = {
    '@type': 'Schedule',
    startDate: '2030-02-01',
    endDate: '2030-03-31',
    repeatFrequency: 'P1W',
    byDay: [random.pick(['https://schema.org/Monday', 'https://schema.org/Friday'])],
    startTime: `1${random.int(0, 9)}:00`,
    duration: 'PT1H',
    scheduleTimezone: 'Europe/London',
  };
  return {
    name: `${random.pick(NAMES)} ${random.int(1, 1000)}`,
    location: { '@type': 'Place', name: `Hall ${place}`, geo },
    ...(random.chance(0.3) && { eventSchedule: [schedule] }),
  };
}

function sessionOf(random: Random): object {
  const startDate = `2030-01-${String(random.int(1, 28)).padStart(2, '0')}T1${random.int(0, 9)}:00:00Z`;
  const cancelled = random.chance(0.2) && { eventStatus: 'https://schema.org/EventCancelled' };
  return { startDate, duration: 'PT1H', ...cancelled };
}

function fails(random: Random, response: ServerResponse): void {
  const how = random.pick(['status', 'cut', 'nonsense', 'closed'] as const);
  if (how === 'status') response.writeHead(500).end('no');
  if (how === 'nonsense') response.end('<html>We are back soon</html>');
  if (how === 'closed') response.destroy();
  if (how === 'cut') {
    response.writeHead(200, { 'Content-Length': '1000' });
    response.write('{"items":[');
    setTimeout(() => response.destroy(), 50);
  }
}
