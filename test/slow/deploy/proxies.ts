import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { packageFolder } from '../../../src/cli/package.ts';

/** Programs of Debian that `deploy/` has files for. */

/** A file of `deploy/`. */
export const deploy = (path: string): string => join(packageFolder, 'deploy', path);
/** Where Debian has nginx is in the PATH of root alone. */
process.env.PATH += ':/usr/sbin';
/** In CI nothing is left out: what is missing there fails. */
export const absent = (program: string): boolean =>
  process.env.CI === undefined && spawnSync('which', [program]).status !== 0;

/** The ports of a proxy at the root of a host and under a path, and of the service behind each. */
export type Ports = Record<'front' | 'site' | 'one' | 'other', number>;

export interface Proxy {
  argv(file: string, folder: string): string[];
  /** Its files in `deploy/` as they are, but for addresses, ports and folders. */
  configuration(ports: Ports, folder: string): Promise<string>;
}

export const PROXIES: Readonly<Record<'nginx' | 'caddy', Proxy>> = {
  nginx: { argv: (file, folder) => ['-p', folder, '-c', file, '-g', 'daemon off;'], configuration: nginx },
  caddy: { argv: (file) => ['run', '--adapter', 'caddyfile', '--config', file], configuration: caddy },
};

async function nginx({ front, site, one, other }: Ports, folder: string): Promise<string> {
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

async function caddy({ front, site, one, other }: Ports): Promise<string> {
  const whole = (await readFile(deploy('caddy/Caddyfile'), 'utf8'))
    .replace('127.0.0.1:8080', `127.0.0.1:${one}`)
    .replace('calendars.example {', `http://127.0.0.1:${front} {`);
  const prefix = (await readFile(deploy('caddy/prefix.Caddyfile'), 'utf8')).replace(
    '127.0.0.1:8080',
    `127.0.0.1:${other}`,
  );
  return `{\n\tadmin off\n}\n${whole}\nhttp://127.0.0.1:${site} {\n${prefix}\n}\n`;
}

/** Of this machine, that nobody listens on. */
export async function freePorts(count: number): Promise<number[]> {
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

/** Until it gives an answer that is no failure. */
export async function answering(address: string): Promise<void> {
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
