import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { hostname } from 'node:os';
import { afterEach, expect, test } from 'vitest';
import { faultServer } from '../../harvest/ingest/faults.ts';
import { PROGRAM, PROGRAM_ENV } from '../../program.ts';
import { cli } from '../io.ts';
import { rig } from '../rig.ts';

const { data, closing } = rig();

const children: ChildProcess[] = [];
afterEach(async () => {
  for (const child of children.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
  }
});

const PAGE = JSON.stringify({
  items: [
    {
      state: 'updated',
      kind: 'SessionSeries',
      id: 1,
      modified: 1,
      data: { '@type': 'SessionSeries', '@id': 'https://a.example/1', name: 'Yoga' },
    },
  ],
  next: '/feed?end',
});

/** A feed of one item, which counts what it is asked. */
async function feed() {
  const server = await faultServer(({ url }, response) => {
    response.end(url === '/feed' ? PAGE : JSON.stringify({ items: [], next: '/feed?end' }));
  });
  closing.push(server.close);
  return { url: `${server.url}/feed`, asked: () => server.asked.length };
}

interface Serving {
  child: ChildProcess;
  url: string;
  log(): string;
  harvester(): number;
}

async function serving(at: string, url: string, ...more: string[]): Promise<Serving> {
  const argv = ['serve', '--feed', url, '--data', at, '--host', '127.0.0.1', '--port', '0', ...more];
  const child = spawn(process.execPath, [PROGRAM, ...argv], { cwd: '/', env: PROGRAM_ENV });
  children.push(child);
  let log = '';
  child.stderr.on('data', (piece) => {
    log += piece;
  });
  const [out] = (await once(child.stdout, 'data')) as [Buffer];
  const harvester = () => Number(/"pid":(\d+),"msg":"The harvester runs/.exec(log)?.[1]);
  return { child, url: /http:\/\/\S+?(?=\/)/.exec(String(out))?.[0] ?? '', log: () => log, harvester };
}

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((done) => setTimeout(done, 50));
}

const get = async (url: string) => (await (await fetch(url)).json()) as Record<string, unknown>;

test('of those that serve one folder one harvests; the others say who, serve the same, and harvest after it', async () => {
  const { url, asked } = await feed();
  const at = data();
  const first = await serving(at, url);
  await until(async () => (await get(`${first.url}/api/series`)).total === 1);
  await until(() => asked() >= 2);
  const second = await followed(at, url, first);
  const before = asked();
  await ended(first, 'SIGKILL');
  expect(asked() - before).toBeLessThan(2);
  await harvests(second);
  await until(() => asked() > before);
  const third = await followed(at, url, second);
  await ended(second, 'SIGTERM');
  await harvests(third);
});

/** One more, while another harvests. */
async function followed(at: string, url: string, first: Serving): Promise<Serving> {
  const second = await serving(at, url);
  expect(second.log()).toContain(`"pid":${first.harvester()},"host":${JSON.stringify(hostname())},"since":"20`);
  expect(second.log()).toContain('Another process harvests this store');
  expect(await get(`${second.url}/readyz`)).toMatchObject({ status: 'ready', harvester: 'waiting' });
  expect(await get(`${second.url}/api/series`)).toMatchObject({ total: 1 });
  return second;
}

/** Killed with its harvester, or asked to end. */
async function ended({ child, harvester }: Serving, signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
  const end = once(child, 'exit');
  if (signal === 'SIGKILL') process.kill(harvester(), 'SIGKILL');
  child.kill(signal);
  await end;
}

async function harvests({ url, log }: Serving): Promise<void> {
  await until(() => log().includes('this one harvests now'));
  await until(async () => (await get(`${url}/readyz`)).harvester === 'running');
}

test('a sync beside a serve says that publishers are asked twice, and does what it was asked for', async () => {
  const { url } = await feed();
  const at = data();
  const first = await serving(at, url);
  const other = await feed();
  const ran = await cli(['sync', '--feed', other.url, '--data', at]);
  expect([ran.code, other.asked()]).toEqual([0, 2]);
  expect(ran.err).toMatch(
    new RegExp(
      `^process ${first.harvester()} on ${hostname()} harvests this store too since 20[^\n]*feeds --retry URL`,
    ),
  );
});

test('a sync that is alone says nothing of it, and neither does the next', async () => {
  const { url } = await feed();
  const at = data();
  for (let time = 0; time < 2; time++)
    expect(await cli(['sync', '--feed', url, '--data', at])).toMatchObject({ code: 0, err: '' });
});
