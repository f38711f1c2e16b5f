import { existsSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { BenchPage } from './generate.ts';

/**
 * `node rpde-server.ts FOLDER [FILE]`: an RPDE server of pages that were written before (`writeBenchPages`), with the headers that
 * RPDE asks of a publisher, gzipped for who asks for it. It computes nothing: what is measured is who reads. Prints its
 * origin; the pages are looked for at the first request, so that they can name it. As long as FILE is there, nobody gets an answer.
 */
const [folder, hold] = process.argv.slice(2) as [string, string | undefined];
const LICENSE = 'https://creativecommons.org/licenses/by/4.0/';
let pages: { files: Map<string, string>; ends: Set<string> } | undefined;

function load(): { files: Map<string, string>; ends: Set<string> } {
  const index = JSON.parse(readFileSync(join(folder, 'index.json'), 'utf8')) as Omit<BenchPage, 'text'>[];
  const files = new Map(index.map(({ url }, number) => [pathOf(url), join(folder, `${number}.json`)]));
  return { files, ends: new Set(index.map(({ next }) => pathOf(next)).filter((path) => !files.has(path))) };
}

function pathOf(url: string): string {
  const { pathname, search } = new URL(url);
  return pathname + search;
}

function head(response: ServerResponse, maxAge: number, gzip: boolean): void {
  response.writeHead(200, {
    'content-type': 'application/vnd.openactive.rpde+json; version=1',
    'cache-control': `public, max-age=${maxAge}`,
    ...(gzip && { 'content-encoding': 'gzip' }),
  });
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  while (hold !== undefined && existsSync(hold)) await setTimeout(20);
  pages ??= load();
  const path = request.url ?? '/';
  const file = pages.files.get(path);
  if (file !== undefined) {
    const gzip = /\bgzip\b/.test(request.headers['accept-encoding'] ?? '') && existsSync(`${file}.gz`);
    const body = await readFile(gzip ? `${file}.gz` : file);
    head(response, 3600, gzip);
    response.end(body);
  } else if (pages.ends.has(path)) {
    head(response, 8, false);
    response.end(JSON.stringify({ next: `http://${request.headers.host}${path}`, license: LICENSE, items: [] }));
  } else response.writeHead(404).end();
}

const server = createServer((request, response) => void answer(request, response));

// Who computes long between two requests shall not find the connection closed.
server.keepAliveTimeout = 600_000;
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
