import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { type FaultServer, faultServer } from '../harvest/ingest/faults.ts';

/** What the tests of a command need around it. */
export interface Rig {
  /** In the folder of the test file, which goes when its tests are over. */
  path(name: string): string;
  /** The database folder of one test. */
  data(): string;
  /** Closed when the test ends. */
  closing: (() => Promise<unknown>)[];
  /** Serves pages by path, which the test may change; `$` in them is the server. */
  serve(pages: Record<string, string>): Promise<FaultServer>;
}

/** To be called at the top of a test file. */
export function rig(): Rig {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'oai-cli-'));
  });
  afterAll(() => rm(folder, { recursive: true }));
  const closing: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0)) await close();
  });
  let databases = 0;
  return {
    path: (name) => join(folder, name),
    data: () => join(folder, `data-${databases++}`),
    closing,
    async serve(pages) {
      const server = await faultServer((request, response) => {
        const text = pages[request.url ?? ''];
        response.writeHead(text === undefined ? 404 : 200).end(text?.replaceAll('$', server.url));
      });
      closing.push(server.close);
      return server;
    },
  };
}
