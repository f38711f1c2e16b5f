import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { rig } from '../../cli/rig.ts';
import { faultServer } from '../../harvest/ingest/faults.ts';
import { PROGRAM, PROGRAM_ENV } from '../../program.ts';
import { type TestDatabase, testDatabase } from '../../store/postgres.ts';

/** Several processes that harvest one PostgreSQL share its publishers; one that is killed or stopped loses them. */

const { data, closing } = rig();

let database: TestDatabase;
const children: ChildProcess[] = [];
const logs = new Map<ChildProcess, string>();
beforeEach(async () => {
  database = await testDatabase();
});
afterEach(async () => {
  for (const child of children.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    const ended = once(child, 'exit');
    child.kill('SIGCONT');
    child.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
  }
  await database.drop();
});

/** A feed on a server of its own, so that it has an origin of its own. */
async function publisher() {
  const items: object[] = [];
  const server = await faultServer(({ url }, response) => {
    const after = Number(new URL(url ?? '', 'http://a').searchParams.get('after') ?? 0);
    response.end(JSON.stringify({ items: items.slice(after), next: `/feed?after=${items.length}` }));
  });
  closing.push(server.close);
  const put = () => {
    const id = items.length + 1;
    const named = { '@type': 'SessionSeries', '@id': `${server.url}/${id}`, name: `Yoga ${id}` };
    items.push({ state: 'updated', kind: 'SessionSeries', id, modified: id, data: named });
  };
  return { url: `${server.url}/feed`, put };
}

async function started(role: 'harvest' | 'web', feeds: readonly string[] = [], flag = '--feed'): Promise<ChildProcess> {
  const argv = ['serve', '--role', role, '--host', '127.0.0.1', '--port', '0', '--data', data(), '--allow-private'];
  const env = {
    ...PROGRAM_ENV,
    DATABASE_URL: database.url,
    OPENACTIVE_ICAL_POLL_SECONDS: '0.2',
    OPENACTIVE_ICAL_IDLE_POLL_SECONDS: '0.5',
  };
  const child = spawn(process.execPath, [PROGRAM, ...argv, ...feeds.flatMap((url) => [flag, url])], {
    cwd: '/',
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.stderr?.on('data', (piece: Buffer) => logs.set(child, `${logs.get(child) ?? ''}${piece}`));
  children.push(child);
  return child;
}

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((done) => setTimeout(done, 200));
}

/** How many names each process has, the most first. */
async function shares(): Promise<number[]> {
  const rows = await database
    .query('SELECT count(*)::int FROM lease WHERE until > now() GROUP BY holder ORDER BY 1 DESC')
    .catch(() => []);
  return rows.map(([count]) => Number(count));
}

const become = (wanted: number[]) => until(async () => JSON.stringify(await shares()) === JSON.stringify(wanted));

test('harvesters share publishers; one that is killed or stopped loses them, and takes part again when it goes on', async () => {
  const publishers = [await publisher(), await publisher(), await publisher(), await publisher()];
  const urls = publishers.map(({ url }) => url);
  let all = 0;
  const total = async () => Number((await database.query('SELECT count(*) FROM calendar'))[0]?.[0]);
  /** Something new at each publisher arrives, and nothing else does. */
  const arrives = async () => {
    for (const { put } of publishers) put();
    all += publishers.length;
    await until(async () => (await total()) === all);
  };
  const first = await started('harvest', urls);
  await become([4]);
  await arrives();
  await started('harvest', urls);
  await become([2, 2]);
  await arrives();
  first.kill('SIGKILL');
  await become([4]);
  await arrives();
  const third = await started('harvest', urls);
  await become([2, 2]);
  third.kill('SIGSTOP');
  await become([4]);
  await arrives();
  third.kill('SIGCONT');
  await become([2, 2]);
  const web = await started('web');
  const [out] = (await once(web.stdout as NonNullable<ChildProcess['stdout']>, 'data')) as [Buffer];
  const url = /http:\/\/\S+?(?=\/)/.exec(String(out))?.[0] ?? '';
  await arrives();
  await until(async () => ((await (await fetch(`${url}/api/series`)).json()) as { total: number }).total === all);
  expect(await total()).toBe(all);
});

test('of five harvesters of two origins two harvest, each both feeds of one, and the others say that they wait', async () => {
  const publishers = [await publisher(), await publisher()];
  const urls = publishers.flatMap(({ url }) => [url, `${url}?other`]);
  for (const { put } of publishers) put();
  const harvesters: ChildProcess[] = [];
  for (let n = 0; n < 5; n += 1) harvesters.push(await started('harvest', urls));
  await become([1, 1]);
  const said = (child: ChildProcess) =>
    [...(logs.get(child) ?? '').matchAll(/"own":(\d),"origins":2,"msg":"([^"]+)"/g)].at(-1)?.slice(1);
  const harvesting = ['1', 'This process harvests its share of the origins.'];
  const waiting = ['0', 'Other processes harvest all origins: this one takes over what they give back or lose.'];
  const all = () => JSON.stringify(harvesters.map(said).sort());
  await until(() => all() === JSON.stringify([waiting, waiting, waiting, harvesting, harvesting]));
  const holder = harvesters.find((child) => said(child)?.[0] === '1') as ChildProcess;
  holder.kill('SIGKILL');
  harvesters.splice(harvesters.indexOf(holder), 1);
  await until(() => all() === JSON.stringify([waiting, waiting, harvesting, harvesting]));
});

/** The page of a dataset site that names these feeds. */
function sitePage(urls: readonly string[]): string {
  const distribution = urls.map((url) => ({
    '@type': 'DataDownload',
    additionalType: 'https://openactive.io/SessionSeries',
    encodingFormat: 'application/vnd.openactive.rpde+json; version=1',
    contentUrl: url,
  }));
  const about = { '@type': 'Dataset', name: 'Wexcombe', license: 'https://l.example/', distribution };
  return `<html><script type="application/ld+json">${JSON.stringify(about)}</script></html>`;
}

test('a harvester that reads the whole database for damage ends when it is asked to', async () => {
  await database.query('CREATE TABLE other (n int)');
  const other = new pg.Client({ connectionString: database.url });
  await other.connect();
  await other.query('BEGIN; LOCK TABLE other IN ACCESS EXCLUSIVE MODE');
  const harvester = await started('harvest', [(await publisher()).url]);
  const waiting = "SELECT 1 FROM pg_locks WHERE relation = 'other'::regclass AND NOT granted";
  await until(async () => (await database.query(waiting)).length > 0);
  const ended = once(harvester, 'exit');
  harvester.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
  await other.end();
});

test('one harvester asks dataset sites, and all read what they name', async () => {
  const publishers = [await publisher(), await publisher(), await publisher()];
  let asked = 0;
  const site = await faultServer((_request, response) => {
    asked += 1;
    response.end(sitePage(publishers.map(({ url }) => url)));
  });
  closing.push(site.close);
  const join = () => started('harvest', [`${site.url}/`], '--dataset');
  const arrives = async (all: number) => {
    for (const { put } of publishers) put();
    await until(async () => Number((await database.query('SELECT count(*) FROM calendar'))[0]?.[0]) === all);
  };
  const first = await join();
  await become([4]);
  await join();
  await become([2, 2]);
  await arrives(3);
  first.kill('SIGKILL');
  await become([4]);
  await arrives(6);
  expect(asked).toBe(1);
});

test('what a harvester read of a dataset site before it was stopped is not written over what another one read since', async () => {
  const [old, added] = [await publisher(), await publisher()];
  const waiting: ServerResponse[] = [];
  const site = await faultServer((_request, response) => waiting.push(response));
  closing.push(site.close);
  const join = () => started('harvest', [`${site.url}/`], '--dataset');
  const named = async () => String((await database.query("SELECT value FROM meta WHERE key = 'discovered'"))[0]?.[0]);
  const stopped = await join();
  await until(() => waiting.length === 1);
  stopped.kill('SIGSTOP');
  waiting[0]?.end(sitePage([old.url]));
  await join();
  await until(() => waiting.length === 2);
  waiting[1]?.end(sitePage([old.url, added.url]));
  await until(async () => (await named()).includes(added.url));
  const before = await named();
  stopped.kill('SIGCONT');
  // It follows: the origins that it takes again are those that the other one found.
  await become([2, 1]);
  expect(await named()).toBe(before);
  for (const { put } of [old, added]) put();
  await until(async () => Number((await database.query('SELECT count(*) FROM calendar'))[0]?.[0]) === 2);
  expect(await database.query("SELECT count(*)::int FROM feed WHERE state LIKE '%retired%'")).toEqual([[0]]);
});
