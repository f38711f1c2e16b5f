import { describe, expect, test } from 'vitest';
import { StoppedError } from '../../../src/errors.ts';
import { LIMITS } from '../../../src/limits.ts';
import { cli, type Ran } from '../io.ts';
import { rig } from '../rig.ts';

const { path, data, closing, serve } = rig();

const LICENCE = 'https://creativecommons.org/licenses/by/4.0/';
function dataset(paths: Record<string, string>): string {
  const distribution = Object.entries(paths).map(([name, path]) => ({
    '@type': 'DataDownload',
    name,
    additionalType: `https://openactive.io/${name}`,
    encodingFormat: 'application/vnd.openactive.rpde+json; version=1',
    contentUrl: `$${path}`,
  }));
  const about = {
    '@type': 'Dataset',
    name: 'Marlowe',
    url: 'https://data.marlowe.example/',
    license: LICENCE,
    publisher: { '@type': 'Organization', name: 'Marlowe Leisure' },
    distribution,
  };
  return `<html><script type="application/ld+json">${JSON.stringify(about)}</script></html>`;
}

function seriesPage(name: string, next: string): string {
  const schedule = {
    '@type': 'Schedule',
    startDate: '2026-12-01',
    startTime: '18:00',
    duration: 'PT1H',
    repeatFrequency: 'P1W',
    byDay: ['https://schema.org/Tuesday'],
    scheduleTimezone: 'Europe/London',
  };
  const item = { '@type': 'SessionSeries', '@id': `https://a.example/${name}`, name, eventSchedule: [schedule] };
  return JSON.stringify({
    next,
    items: [{ state: 'updated', kind: 'SessionSeries', id: name, modified: 1, data: item }],
  });
}
const lastPage = (path: string) => JSON.stringify({ next: `$${path}`, items: [], license: LICENCE });
const feedPages = (path: string, name: string) => ({
  [path]: seriesPage(name, `$${path}/end`),
  [`${path}/end`]: lastPage(`${path}/end`),
});

describe('sync', () => {
  test('a catalogue down to its feeds; what is left out is listed', async () => {
    const server = await serve({
      '/catalog': JSON.stringify({ '@type': 'DataCatalog', dataset: ['$/site', '$/gone'] }),
      '/site': dataset({ SessionSeries: '/series', Slot: '/slots' }),
      ...feedPages('/series', 'Yoga'),
    });
    const at = data();
    const ran = await cli(['sync', '--catalog', `${server.url}/catalog`, '--data', at]);
    expect(ran).toEqual({
      code: 1,
      out: expect.stringMatching(/^Marlowe: SessionSeries: pages 2, items 1, kept 1, [^\n]+\n$/),
      err: `${server.url}/gone: the server answered 404\nleft out, Slot: 1 (Marlowe: Slot)\n`,
    });
    const attribution = await calendarText(at, 'Yoga');
    expect(attribution).toContain('Source: Marlowe Leisure (https://data.marlowe.example/)\\, CC BY 4.0');
  });

  test('Slots too, when asked for; a feed that is named twice is read once, and the operator has the last word', async () => {
    const server = await serve({
      '/site': dataset({ SessionSeries: '/series', Slot: '/slots' }),
      ...feedPages('/series', 'Yoga'),
      '/slots': lastPage('/slots'),
    });
    const feeds = JSON.stringify([{ url: `${server.url}/series`, name: 'Mine', publisher: 'Me' }]);
    const at = data();
    const argv = ['sync', '--dataset', `${server.url}/site`, '--types', 'SessionSeries,Slot', '--data', at];
    const ran = await cli(argv, { env: { OPENACTIVE_ICAL_FEEDS: feeds } });
    expect(ran).toMatchObject({ code: 0, err: '' });
    expect(ran.out.split('\n').map((line) => line.split(': pages')[0])).toEqual(['Marlowe: Slot', 'Mine', '']);
    expect(server.asked.filter(({ url }) => url === '/series')).toHaveLength(1);
    expect(await calendarText(at, 'Yoga')).toContain('Source: Me (https://data.marlowe.example/)\\, CC BY 4.0');
  });

  test('with its site down, the feeds it named last time are read on; exit code 1', async () => {
    const pages: Record<string, string> = {
      '/site': dataset({ SessionSeries: '/series' }),
      ...feedPages('/series', 'Yoga'),
    };
    const server = await serve(pages);
    const at = data();
    const argv = ['sync', '--dataset', `${server.url}/site?key=hunter2`, '--data', at];
    pages['/site?key=hunter2'] = pages['/site'] as string;
    expect(await cli(argv)).toMatchObject({ code: 0 });
    delete pages['/site?key=hunter2'];
    const ran = await cli(argv);
    expect(ran).toMatchObject({ code: 1, out: expect.stringMatching(/^Marlowe: SessionSeries: pages/) });
    expect(ran.err).toBe(`${server.url}/site?key=***: the server answered 404 (its known feeds are read on)\n`);
  });

  test.each([
    ['--types', 'Sandwich'],
    ['--dataset', 'ftp://a.example/'],
    ['--catalog', 'nonsense'],
  ])('%s %s is refused', async (flag, value) => {
    const ran = await cli(['sync', flag, value]);
    expect(ran).toMatchObject({ code: 2, out: '' });
    expect(ran.err).toContain(`${flag} is "${value}", allowed is`);
  });
});

/** The one calendar of a name, from a server on that database. */
async function calendarText(at: string, name: string): Promise<string> {
  const { url, stop } = await serving(['--data', at, '--feed', path('')]);
  const { items } = (await (await fetch(`${url}/api/series?q=${name}`)).json()) as { items: { calendar: string }[] };
  const text = await (await fetch((items[0] as { calendar: string }).calendar)).text();
  await stop();
  return text.replaceAll('\r\n ', '');
}

async function serving(argv: string[], clock = { ahead: 0 }): Promise<{ url: string; stop(): Promise<Ran> }> {
  const stopper = new AbortController();
  const { promise: ready, resolve, reject } = Promise.withResolvers<string>();
  const onOut = (text: string) => {
    const url = /http:\/\/\S+?(?=\/\s)/.exec(text)?.[0];
    if (url !== undefined) resolve(url);
  };
  const now = () => Date.now() + clock.ahead;
  const env = { OPENACTIVE_ICAL_POLL_SECONDS: '0.1' };
  const running = cli(['serve', '--port', '0', '--host', '127.0.0.1', ...argv], {
    onOut,
    signal: stopper.signal,
    now,
    env,
  });
  running.then(({ err }) => reject(new Error(`ended: ${err}`)), reject);
  const stop = async () => {
    stopper.abort(new StoppedError('SIGTERM'));
    return running;
  };
  closing.push(stop);
  return { url: await ready, stop };
}

async function until(true_: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await true_())) await new Promise((done) => setTimeout(done, 20));
}
const namesAt = async (url: string) =>
  ((await (await fetch(`${url}/api/series`)).json()) as { items: { name: string }[] }).items.map(({ name }) => name);

describe('serve', () => {
  test('starts without waiting for the sites, and after a restart without them', async () => {
    const pages: Record<string, string> = {
      '/site': dataset({ SessionSeries: '/series' }),
      ...feedPages('/series', 'Yoga'),
    };
    const server = await serve(pages);
    const argv = ['--dataset', `${server.url}/site`, '--data', data()];
    const first = await serving(argv);
    await until(async () => (await namesAt(first.url)).includes('Yoga'));
    const { err } = await first.stop();
    expect(err).toContain('Feeds were found at dataset sites.');

    delete pages['/site'];
    Object.assign(pages, {
      '/series/end': seriesPage('Boxing', '$/series/end2'),
      '/series/end2': lastPage('/series/end2'),
    });
    const clock = { ahead: 2 * LIMITS.siteMs };
    const before = server.asked.length;
    const second = await serving(argv, clock);
    await until(async () => (await namesAt(second.url)).includes('Boxing'));
    // Whoever asks its feed again after it asked the site has heard what the site says.
    await until(() => {
      const asked = server.asked.slice(before).map(({ url }) => url);
      return (
        asked.includes('/site') &&
        asked.slice(asked.indexOf('/site')).filter((url) => url === '/series/end2').length > 2
      );
    });
    // They start together: what comes first is by their ids.
    expect((await namesAt(second.url)).toSorted()).toEqual(['Boxing', 'Yoga']);
    expect((await second.stop()).err).toContain('the server answered 404 (its known feeds are read on)');
  });
});

test('check of a dataset site checks its feeds, and says which it leaves out', async () => {
  const server = await serve({
    '/site': dataset({ SessionSeries: '/series', Slot: '/slots', Event: '/gone' }),
    ...feedPages('/series', 'Yoga'),
  });
  const ran = await cli(['check', '--format', 'jsonl', `${server.url}/site`]);
  expect(ran.err).toContain(`${server.url}/site: is a dataset site of 2 feeds; left out: Slot\n`);
  const codes = ran.out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { code: string; feed: string });
  expect(codes.filter(({ feed }) => feed.endsWith('/series')).length).toBeGreaterThan(0);
  expect(codes).toContainEqual(expect.objectContaining({ code: 'page-not-fetched', feed: `${server.url}/gone` }));
  expect(server.asked.map(({ url }) => url)).not.toContain('/slots');
  expect(ran.code).toBe(1);
});
