import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PROGRAM, PROGRAM_ENV } from '../../program.ts';
import { absent, answering, freePorts, PROXIES } from './proxies.ts';

/** What `deploy/` ships for proxies, with those of Debian. Without them nothing is tested, but in CI. */

describe.each(['nginx', 'caddy'] as const)('behind %s', (name) => {
  describe.skipIf(absent(name))('as it is shipped', () => behind(name));
});

function behind(name: keyof typeof PROXIES): void {
  let folder: string;
  const children: ChildProcess[] = [];
  let ports: number[];
  let root: string;
  let prefixed: string;
  const services: ChildProcess[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), `oai-${name}-`));
    ports = await freePorts(4);
    const [front = 0, site = 0, one = 0, other = 0] = ports;
    root = `http://127.0.0.1:${front}`;
    prefixed = `http://127.0.0.1:${site}/calendars`;
    const file = join(folder, 'proxy.conf');
    const proxy = PROXIES[name];
    await writeFile(file, await proxy.configuration({ front, site, one, other }, folder));
    services.push(...(await Promise.all([served(one, root), served(other, prefixed)])));
    const env = { ...process.env, HOME: folder, XDG_CONFIG_HOME: folder, XDG_DATA_HOME: folder };
    children.push(spawn(name, proxy.argv(file, folder), { env, stdio: 'ignore' }));
    await answering(`${root}/healthz`);
    await answering(`${prefixed}/healthz`);
  }, 300_000);

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

  /** Caddy gives a path, nginx an address: both are right. */
  const leadsTo = ({ headers }: Response) => new URL(headers.get('location') ?? '', prefixed).href;

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
    expect([known.status, leadsTo(known)]).toEqual([301, `${prefixed}/dav/`]);
    const bare = await fetch(prefixed, { redirect: 'manual' });
    expect([bare.status, leadsTo(bare)]).toEqual([308, `${prefixed}/`]);
  });

  // Caddy of Debian keeps no answers.
  if (name === 'nginx') {
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

    test('Outlook gets no compressed calendar that was kept for others', async () => {
      const address = await calendarAt(root);
      for (const agent of ['Mozilla/5.0', 'Microsoft Outlook 16.0', 'Mozilla/5.0', 'Microsoft Outlook 16.0']) {
        const answer = await fetch(address, { headers: { 'accept-encoding': 'gzip', 'user-agent': agent } });
        expect(answer.headers.get('content-encoding')).toBe(agent.startsWith('Microsoft') ? null : 'gzip');
      }
    });

    test('all other programs share a copy of each coding, however they ask for it', async () => {
      const address = await calendarAt(root);
      const asked = async (agent: string, coding: string) => {
        const { headers } = await fetch(address, { headers: { 'accept-encoding': coding, 'user-agent': agent } });
        return [headers.get('x-cache'), headers.get('content-encoding')];
      };
      for (const coding of ['gzip', 'identity']) await asked('first', coding);
      for (const coding of ['gzip', 'gzip, deflate, br', 'br;q=1.0, GZIP;q=0.5'])
        expect(await asked(coding, coding)).toEqual(['HIT', 'gzip']);
      for (const coding of ['identity', 'br', 'gzip;q=0', 'gzip ; q=0.0, *'])
        expect(await asked(coding, coding)).toEqual(['HIT', null]);
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
  }
}
