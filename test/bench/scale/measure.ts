import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import autocannon from 'autocannon';
import { publish } from '../ecosystem/publisher.ts';
import type { Measured } from './model.ts';

/** The inputs of the model, measured on this machine: the built program serves what it harvested of a small ecosystem. */

const PORT = 18_470;
const ADMIN = 18_471;
const CALENDARS = 400;
const SECONDS = 5;

export async function measure(scale: number): Promise<Measured & { of: string }> {
  const published = await publish({ scale, seed: 1, slots: false });
  const folder = mkdtempSync(join(tmpdir(), 'openactive-ical-scale-'));
  const settings = join(folder, 'settings.json');
  writeFileSync(settings, JSON.stringify({ feeds: published.feeds.map(({ url }) => url) }));
  const args = ['--config', settings, '--data', join(folder, 'data')];
  const children: ChildProcess[] = [];
  const start = (...more: string[]) => {
    const main = fileURLToPath(new URL('../../../dist/cli/main.js', import.meta.url));
    const child = spawn(process.execPath, [main, ...more], { stdio: 'ignore' });
    children.push(child);
    return child;
  };
  try {
    await once(start('sync', ...args), 'exit');
    start(
      'serve',
      '--role',
      'web',
      ...args,
      '--port',
      String(PORT),
      '--host',
      '127.0.0.1',
      '--admin-port',
      String(ADMIN),
    );
    const base = `http://127.0.0.1:${PORT}`;
    while (
      !(await fetch(`${base}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      ))
    )
      await new Promise((done) => setTimeout(done, 100));
    const calendars = await addresses(base);
    const sizes = await Promise.all(chunked(calendars, 4).map(sizesOf)).then((all) => all.flat());
    const mean = (of: 'body' | 'head') => Math.round(sizes.reduce((sum, one) => sum + one[of], 0) / sizes.length);
    const metrics = await (await fetch(`http://127.0.0.1:${ADMIN}/metrics`)).text();
    const sumOf = (name: string) =>
      [...metrics.matchAll(new RegExp(`^openactive_ical_${name}(?:\\{[^}]*\\})? (\\S+)$`, 'gm'))].reduce(
        (sum, [, value]) => sum + Number(value),
        0,
      );
    const load = await autocannon({
      url: calendars[0] as string,
      connections: 50,
      duration: SECONDS,
      headers: { 'accept-encoding': 'gzip' },
    });
    return {
      of: `${calendars.length} calendars of an ecosystem of scale ${scale}, ${cpus().length} processors (${cpus()[0]?.model.trim()})`,
      sentOctets: mean('body'),
      heldOctets: Math.round(sumOf('cache_bytes') / sumOf('cache_entries')),
      headerOctets: mean('head'),
      requestsPerSecond: Math.round(load.requests.total / load.duration),
      rendersPerSecond: Math.round(sumOf('renders_total') / sumOf('render_seconds_total')),
    };
  } finally {
    for (const child of children) {
      child.kill();
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    }
    await published.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function addresses(base: string): Promise<string[]> {
  const found: string[] = [];
  for (
    let next: string | undefined = `${base}/api/series?limit=200`;
    next !== undefined && found.length < CALENDARS;
  ) {
    const page = (await (await fetch(next)).json()) as { items: { calendar: string }[]; next?: string };
    found.push(...page.items.map(({ calendar }) => new URL(new URL(calendar).pathname, base).href));
    next = page.next;
  }
  return found.slice(0, CALENDARS);
}

function chunked<T>(all: readonly T[], parts: number): T[][] {
  return Array.from({ length: parts }, (_, part) => all.filter((__, at) => at % parts === part));
}

async function sizesOf(calendars: readonly string[]): Promise<{ head: number; body: number }[]> {
  const sizes: { head: number; body: number }[] = [];
  for (const address of calendars) {
    const [answer] = (await once(get(address, { headers: { 'accept-encoding': 'gzip' } }), 'response')) as [
      IncomingMessage,
    ];
    let body = 0;
    for await (const piece of answer) body += (piece as Buffer).length;
    sizes.push({ body, head: answer.rawHeaders.reduce((sum, part) => sum + part.length + 2, 17) });
  }
  return sizes;
}
