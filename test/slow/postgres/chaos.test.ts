import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { openStore } from '../../../src/store/index.ts';
import { cli } from '../../cli/io.ts';
import { rig } from '../../cli/rig.ts';
import { Random } from '../../generate/random.ts';
import { faultServer } from '../../harvest/ingest/faults.ts';
import { rig as rigOfStore, servedBy, withoutStamps } from '../../harvest/rig.ts';
import { PROGRAM, PROGRAM_ENV } from '../../program.ts';
import { testDatabase } from '../../store/postgres.ts';

/**
 * Three harvesters and two web processes on one PostgreSQL. Harvesters are killed and stopped at random while publishers change
 * their feeds, and every connection to the database is ended. What is stored in the end is what one pass makes of the feeds,
 * and a calendar that was ever served is always served.
 */

const SEED = Number(process.env.TEST_CHAOS_SEED ?? 7);
const STEPS = Number(process.env.TEST_CHAOS_STEPS ?? 40);
const random = new Random(SEED);
const { data, closing } = rig();

const children = new Set<ChildProcess>();
afterEach(() => {
  for (const child of children) child.kill('SIGKILL');
});

interface Item {
  id: string;
  kind: string;
  state: 'updated' | 'deleted';
  modified: number;
  data?: object;
}

/** A feed on a server of its own, of series with sessions, in pages of a few items. */
async function publisher() {
  const items = new Map<string, Item>();
  let modified = 0;
  const server = await faultServer(({ url }, response) => {
    const after = Number(new URL(url ?? '', 'http://a').searchParams.get('after') ?? 0);
    const page = [...items.values()].filter((item) => item.modified > after).sort((a, b) => a.modified - b.modified);
    const sent = page.slice(0, 4);
    response.end(JSON.stringify({ items: sent, next: `/feed?after=${sent.at(-1)?.modified ?? after}` }));
  });
  closing.push(server.close);
  const save = (kind: string, id: string, more: object) => {
    modified += 1;
    const known = { '@type': kind, '@id': `${server.url}/${id}`, ...more };
    items.set(id, { id, kind, state: 'updated', modified, data: known });
  };
  return {
    url: `${server.url}/feed`,
    items,
    change() {
      const n = random.int(1, 5);
      save('SessionSeries', `s${n}`, { name: `Yoga ${random.int(1, 1000)}` });
      const start = `2030-01-0${random.int(1, 9)}T1${random.int(0, 9)}:00:00Z`;
      const id = `e${random.int(1, 12)}`;
      save('ScheduledSession', id, { superEvent: `${server.url}/s${n}`, startDate: start, duration: 'PT1H' });
      const gone = items.get(`e${random.int(1, 12)}`);
      if (gone === undefined || random.chance(0.7)) return;
      modified += 1;
      const { data: _, ...key } = gone;
      items.set(gone.id, { ...key, state: 'deleted', modified });
    },
  };
}

function started(databaseUrl: string, role: 'harvest' | 'web', feeds: readonly string[] = []): ChildProcess {
  const argv = ['serve', '--role', role, '--host', '127.0.0.1', '--port', '0', '--data', data()];
  const named = feeds.flatMap((url) => ['--feed', url]);
  const env = {
    ...PROGRAM_ENV,
    DATABASE_URL: databaseUrl,
    OPENACTIVE_ICAL_POLL_SECONDS: '0.2',
    OPENACTIVE_ICAL_IDLE_POLL_SECONDS: '0.5',
    OPENACTIVE_ICAL_CONFIRM_DELETES: 'apply',
    OPENACTIVE_ICAL_RATE_LIMIT: '0',
  };
  const child = spawn(process.execPath, [PROGRAM, ...argv, ...named], {
    cwd: '/',
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  children.add(child);
  return child;
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await setTimeout(200);
}

test('whatever happens to harvesters, the end is the publishers’ last word, and calendars are served all the time', async () => {
  const database = await testDatabase();
  closing.push(() => database.drop());
  // All connections of the processes have one name.
  const name = `chaos-${process.pid}`;
  const address = new URL(database.url);
  address.searchParams.set('application_name', name);
  const publishers = await Promise.all(Array.from({ length: 6 }, publisher));
  const urls = publishers.map(({ url }) => url);
  const change = () => {
    for (const one of publishers) one.change();
  };
  for (let times = 0; times < 10; times += 1) change();
  const [first, ...others] = [0, 1, 2].map(() => started(address.href, 'harvest', urls));
  const harvesters = [first as ChildProcess, ...others];
  const stopped = new Set<ChildProcess>();
  /** What each feed has stored is what it sends. */
  const arrived = async () => {
    const sql = 'SELECT f.url, i.rpde_id, i.modified FROM item i JOIN feed f ON f.id = i.feed';
    const rows = await database.query(sql).catch(() => []);
    const stored = rows.map((row) => row.join(' ')).sort();
    const sent = publishers.flatMap(({ url, items }) =>
      [...items.values()].map(({ id, modified }) => `${url} ${id} ${modified}`),
    );
    return JSON.stringify(stored) === JSON.stringify(sent.sort());
  };
  await until(arrived);
  const webs = await Promise.all(
    [0, 1].map(async () => {
      const web = started(address.href, 'web');
      const [out] = (await once(web.stdout as NonNullable<ChildProcess['stdout']>, 'data')) as [Buffer];
      return /http:\/\/\S+?(?=\/)/.exec(String(out))?.[0] ?? '';
    }),
  );
  const keys = (await database.query("SELECT key FROM calendar WHERE part = ''")).map(([key]) => String(key));
  expect(keys.length).toBeGreaterThan(10);
  const ask = async () => {
    const answers = webs.flatMap((web) => keys.map(async (key) => (await fetch(`${web}/series/${key}.ics`)).status));
    return new Set(await Promise.all(answers));
  };
  expect(await ask()).toEqual(new Set([200]));

  const resume = () => {
    for (const child of stopped) child.kill('SIGCONT');
    stopped.clear();
  };
  const done: Record<string, number> = {};
  for (let step = 0; step < STEPS; step += 1) {
    const what = random.weighted({ change: 5, kill: 2, stop: 2, resume: 1, end: 1 });
    done[what] = (done[what] ?? 0) + 1;
    const at = random.int(0, 2);
    const one = harvesters[at] as ChildProcess;
    if (what === 'change') change();
    if (what === 'resume') resume();
    if (what === 'stop' && stopped.size < 2) {
      one.kill('SIGSTOP');
      stopped.add(one);
    }
    if (what === 'kill') {
      one.kill('SIGKILL');
      stopped.delete(one);
      harvesters[at] = started(address.href, 'harvest', urls);
    }
    if (what === 'end') {
      await database.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = '${name}'`);
    }
    await setTimeout(random.int(100, 2500));
    expect([step, what, await ask()]).toEqual([step, what, new Set([200])]);
  }
  for (const what of ['change', 'kill', 'stop']) expect(done[what]).toBeGreaterThan(0);
  resume();
  change();
  await until(arrived);

  const clean = data();
  const settings = { OPENACTIVE_ICAL_CONFIRM_DELETES: 'apply' };
  const ran = await cli(['sync', '--data', clean, ...urls.flatMap((url) => ['--feed', url])], { env: settings });
  expect(ran.code).toBe(0);
  const { options, close } = await rigOfStore();
  const [ours, theirs] = [
    await openStore({ data: clean, databaseUrl: database.url }),
    await openStore({ data: clean }),
  ];
  const [is, expected] = [await servedBy(ours, options), await servedBy(theirs, options)];
  expect(withoutStamps(is)).toEqual(withoutStamps(expected));
  await Promise.all([ours.close(), theirs.close(), close()]);
});
