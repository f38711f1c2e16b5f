import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ConnectionError, StatusError } from '../../src/errors.ts';
import type { Client, Got } from '../../src/harvest/client.ts';
import { crawlOnce } from '../../src/harvest/crawl.ts';
import { createGate } from '../../src/harvest/gate.ts';
import { httpSource } from '../../src/harvest/http-source.ts';
import { memoryIngest } from './memory.ts';

const BASE = 'https://feed.example/rpde';
const RUNS = 150 * Number(process.env.OPENACTIVE_ICAL_RUNS ?? 1);

/** An RPDE publisher: every change moves its item to the end; pages are cut by `modified`; tombstones stay. */
class Publisher {
  readonly items = new Map<number, { modified: number; deleted: boolean }>();
  #clock = 0;

  change(id: number, deleted: boolean): void {
    this.items.delete(id);
    this.items.set(id, { modified: ++this.#clock, deleted });
  }

  /** Items that `hidden` names are left out of the page but still move it on: in-stream filtering. */
  page(url: string, limit: number, hidden: (id: number) => boolean): string {
    const after = Number(new URL(url).searchParams.get('after') ?? 0);
    const rows = [...this.items].filter(([, { modified }]) => modified > after).slice(0, limit);
    const last = rows.at(-1)?.[1].modified;
    const items = rows
      .filter(([id]) => !hidden(id))
      .map(([id, { modified, deleted }]) => ({
        state: deleted ? 'deleted' : 'updated',
        kind: 'Event',
        id,
        modified,
        ...(!deleted && { data: { id } }),
      }));
    return JSON.stringify({ items, next: last === undefined ? url : `${BASE}?after=${last}`, license: 'x' });
  }
}

type Fault = 'none' | 'broken' | 'html' | 'half' | '500';

/** A client that asks the publisher directly, and goes wrong as it is told. */
function clientOf(publisher: Publisher, limit: number, faults: () => Fault, meanwhile: () => void): Client {
  const get = async (url: string): Promise<Got> => {
    meanwhile();
    const text = publisher.page(url, limit, (id) => id % 5 === 4);
    const fault = faults();
    if (fault === 'broken') throw new ConnectionError(url, 'broken');
    if (fault === '500') throw new StatusError(url, 500);
    const sent = { none: text, html: '<html>', half: text.slice(0, text.length / 2) }[fault];
    return { changed: true, url, text: sent, contentType: 'application/json' };
  };
  return { get, close: async () => {} };
}

const changes = fc.array(fc.record({ id: fc.nat(30), deleted: fc.boolean() }), { maxLength: 60 });
const faults = fc.array(fc.constantFrom<Fault>('none', 'none', 'none', 'broken', 'html', 'half', '500'), {
  maxLength: 60,
});

test('whatever breaks, and whatever changes meanwhile, all that the publisher says arrives in the end', async () => {
  await fc.assert(
    fc.asyncProperty(
      changes,
      changes,
      faults,
      fc.integer({ min: 1, max: 12 }),
      async (before, during, planned, limit) => {
        const publisher = new Publisher();
        for (const { id, deleted } of before) publisher.change(id, deleted);
        const [later, left] = [[...during], [...planned]];
        const meanwhile = () => {
          const change = later.shift();
          if (change !== undefined) publisher.change(change.id, change.deleted);
        };
        const client = clientOf(publisher, limit, () => left.shift() ?? 'none', meanwhile);
        const ingest = memoryIngest();
        for (let passes = 0; ; passes++) {
          // Each pass is a new process: nothing but the stored cursor is known.
          const source = httpSource({ url: BASE, client, gate: createGate(), named: new Set() });
          const options = { ingest, sleep: async () => {}, random: () => 0 };
          const pass = await crawlOnce({ source, meta: {} }, options).catch(() => undefined);
          if (pass?.end && later.length === 0 && left.length === 0 && pass.items === 0) break;
          expect(passes).toBeLessThan(500);
        }
        const known = new Map(ingest.commits.flatMap(({ page }) => page.items.map((item) => [item.id, item.state])));
        const said = [...publisher.items].filter(([id]) => id % 5 !== 4);
        expect(known).toEqual(new Map(said.map(([id, { deleted }]) => [String(id), deleted ? 'deleted' : 'updated'])));
      },
    ),
    { numRuns: RUNS },
  );
});
