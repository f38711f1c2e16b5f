import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * What passes a real cache: Debian's nginx before a server whose answers say `max-age`, asked at random times (a Poisson
 * process) λ times a second. Beside it λ/(1+λT), in the same run.
 */

export interface Passed {
  perSecond: number;
  measured: number;
  formula: number;
}

export async function passed(allRates: readonly number[], maxAge: number, seconds: number): Promise<Passed[]> {
  const folder = mkdtempSync(join(tmpdir(), 'openactive-ical-proxy-'));
  chmodSync(folder, 0o777);
  const counts = new Map<string, number>();
  const origin = createServer(({ url = '' }, response) => {
    counts.set(url, (counts.get(url) ?? 0) + 1);
    response.writeHead(200, { 'cache-control': `public, max-age=${maxAge}`, etag: '"1"' }).end('BEGIN:VCALENDAR');
  });
  origin.listen(0, '127.0.0.1');
  await once(origin, 'listening');
  const port = await freePort();
  writeFileSync(
    join(folder, 'nginx.conf'),
    `${process.getuid?.() === 0 ? 'user root;' : ''} pid ${folder}/pid; error_log ${folder}/error; events {}
http { access_log off; proxy_cache_path ${folder}/cache keys_zone=c:8m;
  server { listen 127.0.0.1:${port}; location / { proxy_pass http://127.0.0.1:${(origin.address() as AddressInfo).port}; proxy_cache c; proxy_cache_lock on; } } }`,
  );
  const nginx = spawn('nginx', ['-p', folder, '-c', join(folder, 'nginx.conf'), '-g', 'daemon off;'], {
    stdio: 'ignore',
  });
  const base = `http://127.0.0.1:${port}`;
  try {
    while (
      !(await fetch(`${base}/up`).then(
        ({ ok }) => ok,
        () => false,
      ))
    )
      await sleep(50);
    const sent = await Promise.all(allRates.map((rate) => ask(`${base}/${rate}`, rate, seconds)));
    return allRates.map((rate, at) => {
      const [asked, through] = [sent[at] as number, counts.get(`/${rate}`) ?? 0];
      const perSecond = asked / seconds;
      return { perSecond, measured: through / asked, formula: 1 / (1 + perSecond * maxAge) };
    });
  } finally {
    nginx.kill();
    await once(nginx, 'exit');
    origin.closeAllConnections();
    origin.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function ask(url: string, rate: number, seconds: number): Promise<number> {
  const until = performance.now() + 1000 * seconds;
  for (let sent = 0; ; sent += 1) {
    await sleep((-1000 * Math.log(1 - Math.random())) / rate);
    if (performance.now() > until) return sent;
    await (await fetch(url)).text();
  }
}

async function freePort(): Promise<number> {
  const server = createTcpServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((done) => server.close(done));
  return port;
}
