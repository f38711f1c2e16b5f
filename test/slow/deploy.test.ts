import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { packageFolder } from '../../src/cli/package.ts';
import { PROGRAM, PROGRAM_ENV } from '../program.ts';

/** What `deploy/` ships, by the programs that it is for: promtool and nginx of Debian. Without them nothing is tested, but in CI. */

const deploy = (path: string) => join(packageFolder, 'deploy', path);
/** Where Debian has nginx is in the PATH of root alone. */
process.env.PATH += ':/usr/sbin';
/** In CI nothing is left out: what is missing there fails. */
const absent = (program: string) => process.env.CI === undefined && spawnSync('which', [program]).status !== 0;
const run = promisify(execFile);

describe.skipIf(absent('promtool'))('the alerts', () => {
  test('are rules that Prometheus loads, and ring when they should', async () => {
    const rules = await run('promtool', ['check', 'rules', deploy('prometheus/rules.yml')]);
    expect(rules.stdout).toMatch(/SUCCESS: \d+ rules found/);
    const tested = await run('promtool', ['test', 'rules', deploy('prometheus/rules-test.yml')]);
    expect(tested.stdout).toContain('SUCCESS');
  });
});

describe.skipIf(absent('nginx'))('behind nginx', () => {
  let folder: string;
  const children: ChildProcess[] = [];
  let ports: number[];
  let root: string;
  let prefixed: string;
  const services: ChildProcess[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'oai-nginx-'));
    ports = await freePorts(4);
    const [front = 0, site = 0, one = 0, other = 0] = ports;
    root = `http://127.0.0.1:${front}`;
    prefixed = `http://127.0.0.1:${site}/calendars`;
    await writeFile(join(folder, 'nginx.conf'), await configuration({ front, site, one, other }, folder));
    services.push(await served(one, root), await served(other, prefixed));
    const nginx = spawn('nginx', ['-p', folder, '-c', join(folder, 'nginx.conf'), '-g', 'daemon off;']);
    children.push(nginx);
    await answering(`${root}/healthz`);
    await answering(`${prefixed}/healthz`);
  });

  afterAll(async () => {
    for (const child of children) {
      child.kill('SIGTERM');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    }
    await rm(folder, { recursive: true });
  });

  async function served(port: number, baseUrl: string): Promise<ChildProcess> {
    const flags = ['serve', '--samples', '--data', join(folder, `data-${port}`), '--host', '127.0.0.1'];
    const env = {
      ...PROGRAM_ENV,
      PATH: process.env.PATH,
      OPENACTIVE_ICAL_BASE_URL: baseUrl,
      OPENACTIVE_ICAL_TRUSTED_PROXIES: '127.0.0.1',
    };
    const child = spawn(process.execPath, [PROGRAM, ...flags, '--port', String(port)], { env, stdio: 'ignore' });
    children.push(child);
    await answering(`http://127.0.0.1:${port}/readyz`);
    return child;
  }

  async function addressesAt(address: string): Promise<string[]> {
    const page = await (await fetch(address)).text();
    return [...page.matchAll(/(?:href|src|action)="([^"#]+)[^"]*"/g)].map(([, one = '']) =>
      one.replaceAll('&amp;', '&'),
    );
  }

  async function calendarAt(base: string): Promise<string> {
    const { items } = (await (await fetch(`${base}/api/series`)).json()) as { items: { calendar: string }[] };
    return items[0]?.calendar ?? '';
  }

  test('a calendar comes from the service once, then from nginx, plain and compressed, and is answered with 304', async () => {
    const address = await calendarAt(root);
    expect(address).toMatch(new RegExp(`^${root}/series/\\w+\\.ics$`));
    const cached = async (headers: Record<string, string>) => {
      const answer = await fetch(address, { headers });
      return [answer.status, answer.headers.get('x-cache'), (await answer.text()).slice(0, 15)];
    };
    for (const coding of ['identity', 'gzip']) {
      await cached({ 'accept-encoding': coding });
      expect(await cached({ 'accept-encoding': coding })).toEqual([200, 'HIT', 'BEGIN:VCALENDAR']);
    }
    const etag = (await fetch(address)).headers.get('etag') ?? '';
    expect(await cached({ 'if-none-match': etag })).toEqual([304, 'HIT', '']);
  });

  test('CalDAV goes through', async () => {
    const collection = (await calendarAt(root)).replace('/series/', '/dav/series/').replace(/\.ics$/, '/');
    const body = '<propfind xmlns="DAV:"><prop><displayname/></prop></propfind>';
    const headers = { depth: '1', 'content-type': 'application/xml' };
    const answer = await fetch(collection, { method: 'PROPFIND', headers, body });
    expect([answer.status, await answer.text()]).toEqual([207, expect.stringContaining('.ics</')]);
  });

  test('under a path every address of the pages is below it, and answers', async () => {
    const home = await addressesAt(`${prefixed}/`);
    const series = (await calendarAt(prefixed)).replace(/\.ics$/, '');
    const found = [...home, ...(await addressesAt(series)), ...(await addressesAt(`${prefixed}/feeds`))];
    const own = found.filter((one) => one.startsWith('/') || one.startsWith(new URL(prefixed).origin));
    expect(own.length).toBeGreaterThan(20);
    const outside = own.filter((one) => !new URL(one, prefixed).pathname.startsWith('/calendars/'));
    expect(outside).toEqual([]);
    const broken: string[] = [];
    // Images of the samples are at hosts that nobody has: whichever series comes first today may have one.
    for (const one of new Set(own.filter((path) => !path.includes('/images/')))) {
      const answer = await fetch(new URL(one, prefixed));
      await answer.body?.cancel();
      if (!answer.ok) broken.push(`${answer.status} ${one}`);
    }
    expect(broken).toEqual([]);
  });

  test('under a path calendars name the address that people use, and CalDAV is found from the root', async () => {
    const address = await calendarAt(prefixed);
    const text = (await (await fetch(address)).text()).replaceAll('\r\n ', '');
    expect(text).toContain(`SOURCE;VALUE=URI:${address}\r\n`);
    const known = await fetch(new URL('/.well-known/caldav', prefixed), { redirect: 'manual' });
    expect([known.status, known.headers.get('location')]).toEqual([301, `${prefixed}/dav/`]);
    const bare = await fetch(prefixed, { redirect: 'manual' });
    expect([bare.status, bare.headers.get('location')]).toEqual([308, `${prefixed}/`]);
  });

  test('what was asked for once is served while the service is gone', async () => {
    const address = await calendarAt(root);
    await (await fetch(address)).text();
    const [service] = services;
    service?.kill('SIGKILL');
    await once(service as ChildProcess, 'exit');
    const answer = await fetch(address);
    expect([answer.status, (await answer.text()).slice(0, 15)]).toEqual([200, 'BEGIN:VCALENDAR']);
    expect((await fetch(`${root}/search?q=never+asked`)).status).toBe(502);
  });
});

/** The files of `deploy/nginx` as they are, but for addresses, ports and folders. */
async function configuration(
  { front, site, one, other }: Record<'front' | 'site' | 'one' | 'other', number>,
  folder: string,
): Promise<string> {
  const whole = (await readFile(deploy('nginx/openactive-ical.conf'), 'utf8'))
    .replace('127.0.0.1:8080', `127.0.0.1:${one}`)
    .replace('listen 80;', `listen 127.0.0.1:${front};`)
    .replace('proxy_cache_path /var/cache/nginx', `proxy_cache_path ${folder}`);
  const prefix = (await readFile(deploy('nginx/prefix.conf'), 'utf8')).replace('127.0.0.1:8080', `127.0.0.1:${other}`);
  const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  return `
${process.getuid?.() === 0 ? 'user root;' : ''}
pid ${folder}/nginx.pid;
error_log ${folder}/error.log;
worker_processes 1;
events { worker_connections 256; }
http {
  access_log off;
  absolute_redirect off;
  ${folders.map((name) => `${name}_temp_path ${folder}/${name};`).join('\n  ')}
  ${whole}
  server { listen 127.0.0.1:${site}; absolute_redirect on; ${prefix} }
}
`;
}

async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer();
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      return server;
    }),
  );
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map((server) => new Promise((done) => server.close(done))));
  return ports;
}

async function answering(address: string): Promise<void> {
  for (;;) {
    if (
      await fetch(address).then(
        ({ ok }) => ok,
        () => false,
      )
    )
      return;
    await new Promise((done) => setTimeout(done, 100));
  }
}
