import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { StalledError } from '../../../src/errors.ts';
import type { Body } from '../../../src/fetch/decode.ts';
import { type PageReader, readInPlace, readOnThread } from '../../../src/harvest/page/page-reader.ts';
import { LIMITS } from '../../../src/limits.ts';
import { PageError } from '../../../src/opportunity/page/page.ts';
import type { PreparedPage, PreparedRecord } from '../../../src/revision/records/prepared.ts';
import { type Bundled, unpack } from '../../../src/store/bundles.ts';
import { type RpdeJson, randomFeed } from '../../generate/series.ts';
import { runs } from '../../runs.ts';
import { FEED, type Rig, rig, withoutStamps } from '../rig.ts';

const RUNS = runs(6);
const OPTIONS = { zone: 'Europe/London', feed: FEED };

const thread = readOnThread();
afterAll(() => thread.close());

function text(items: readonly unknown[]): string {
  return JSON.stringify({ next: `${FEED}?after=1`, license: 'https://creativecommons.org/licenses/by/4.0/', items });
}

/** A page that is large enough for the thread. */
function large(items: readonly unknown[] = randomFeed(7, 6)): string {
  return `${text(items)}${' '.repeat(40_000)}`;
}

const FIELDS = ['kind', 'ident', 'rank', 'start', 'end', 'cancelled', 'parent', 'place', 'venue'] as const;

const plain = (record: PreparedRecord): object => Object.fromEntries(FIELDS.map((field) => [field, record[field]]));

/** All that a page says, made if need be, as texts: of records those that are saved, whether several items share one or not. */
function comparable({ items, ...page }: PreparedPage): object {
  const records = (list: readonly PreparedRecord[]) =>
    list.map((record) => ({ ...plain(record), packed: record.packed }));
  return {
    ...page,
    items: items.map(({ raw, content: said, ...item }) => ({
      ...item,
      raw: typeof raw === 'object' ? rawOf(raw) : raw,
      content: { ...said, records: records(said.records) },
    })),
  };
}

/** Each bundle is unpacked once: thousands of items share one. */
const unpacked = new WeakMap<Bundled['bundle'], ReturnType<typeof unpack>>();

function rawOf({ bundle, slot }: Bundled): string {
  const texts = unpacked.get(bundle) ?? unpack(bundle.data);
  unpacked.set(bundle, texts);
  return texts(slot) as string;
}

async function fault(reader: PageReader, page: string): Promise<PageError> {
  const error = await reader.read(page, OPTIONS).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(PageError);
  return error as PageError;
}

/** All that a module loads, itself and by others. */
function loaded(file: URL, known = new Map<string, string[]>()): string[] {
  if (known.has(file.pathname)) return [];
  const names = [...readFileSync(file, 'utf8').matchAll(/^(?:import|export) (?!type )[^';]*from '([^']+)'/gm)];
  known.set(
    file.pathname,
    names.map(([, name]) => name as string),
  );
  for (const [, name] of names) if (name?.startsWith('.')) loaded(new URL(name, file), known);
  return [...known.values()].flat();
}

describe('a page read on a thread', () => {
  it.each(['in place', 'on the thread'])('has a finding for its byte order mark, read %s', async (how) => {
    const bytes = new Uint8Array(Buffer.from(`\uFEFF${large()}`));
    const body = { bytes, coding: '', contentType: 'application/json', limit: 10_000_000 } as const;
    const { findings } = await (how === 'in place' ? readInPlace : thread).read(body, OPTIONS);
    expect(findings.map(({ finding }) => finding.code)).toContain('byte-order-mark');
  });

  it('waits for nothing that only the network needs', () => {
    const names = new Set(loaded(new URL('../../../src/harvest/page/page-worker.ts', import.meta.url)));
    expect(names).toContain('../../opportunity/page/page.ts');
    expect([...names].filter((name) => !name.startsWith('.')).sort()).toEqual([
      '@photostructure/tz-lookup',
      'leven',
      'node:buffer',
      'node:crypto',
      'node:module',
      'node:util',
      'node:worker_threads',
      'node:zlib',
    ]);
  });

  it('is the page read in place', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 1_000_000 }), async (seed) => {
        const items = randomFeed(seed, 6);
        const wide = {
          state: 'updated',
          kind: 'Event',
          id: 9_007_199_254_740_991,
          modified: 1,
          data: { identifier: '“”' },
        };
        const page = large([...items, wide, { state: 'broken' }, 7]).replace('9007199254740991', '1152921504606846977');
        const there = comparable(await thread.read(page, OPTIONS));
        expect(there).toEqual(comparable(await readInPlace.read(page, OPTIONS)));
        expect(JSON.stringify(there)).toContain('1152921504606846977');
      }),
      { numRuns: RUNS },
    );
  });

  it.each([
    ['in UTF-8', '', '“é”', '', 'utf8'],
    ['with a byte order mark', '\uFEFF', '“é”', '', 'utf8'],
    ['in another charset', '', 'é', 'application/json; charset=iso-8859-1', 'latin1'],
    ['in a charset that they are not in', '', 'é', 'application/json; charset=utf-8', 'latin1'],
  ] as const)('is the same as bytes %s', async (_, first, name, contentType, encoding) => {
    const data = { '@type': 'Event', '@id': 'https://example.org/e', name, startDate: '2026-05-01T10:00:00Z' };
    const page = large([{ state: 'updated', kind: 'Event', id: 1, modified: 1, data }]);
    const body = (): Body => {
      const bytes = Uint8Array.from(Buffer.from(`${first}${page}`, encoding));
      return { bytes, coding: '', contentType, limit: 1_000_000 };
    };
    const read = await thread.read(body(), OPTIONS);
    expect(comparable(read)).toEqual(comparable(await readInPlace.read(body(), OPTIONS)));
    const isOther = encoding === 'latin1' && contentType.includes('utf-8');
    expect(read.findings.some(({ finding }) => finding.code === 'characters-lost')).toBe(isOther);
    expect(read.count).toBe(1);
  });

  it('is the same where it says more than a page usually does, and so is the one after it', async () => {
    const description = '“é” '.repeat(400);
    const events = Array.from({ length: 4000 }, (_, id) => {
      const data = { '@type': 'Event', '@id': `https://example.org/e/${id}`, name: `e${id}`, description };
      return { state: 'updated', kind: 'Event', id, modified: 1, data: { ...data, startDate: '2026-05-01T10:00:00Z' } };
    });
    for (const page of [text(events), large(events.slice(0, 3))]) {
      const there = await thread.read(page, OPTIONS);
      const said = there.items.flatMap((item) => item.content.records.map((record) => record.packed.length));
      expect(said.reduce((sum, length) => sum + length, 0) > 4 * 1024 * 1024).toBe(there.items.length === 4000);
      expect(comparable(there)).toEqual(comparable(await readInPlace.read(page, OPTIONS)));
    }
  });

  it('has to be JSON also where an item came twice', async () => {
    const item = (data: string) => `{"state":"updated","kind":"Event","id":1,"modified":1,"data":${data}}`;
    const page = `{"items":[${item('{"a":x}')},${item('{}')}]}${' '.repeat(40_000)}`;
    expect((await fault(thread, page)).message).toBe((await fault(readInPlace, page)).message);
  });

  it('tells in its own words what is no page', async () => {
    for (const [broken, code] of [
      [`<html>${' '.repeat(40_000)}`, 'html'],
      [`{"items":[${' '.repeat(40_000)}`, 'truncated'],
      [`{"items":x${' '.repeat(40_000)}}`, 'not-json'],
      [`{"next":1${' '.repeat(40_000)}}`, 'not-a-page'],
    ] as const) {
      const there = await fault(thread, broken);
      const here = await fault(readInPlace, broken);
      expect({ ...there }).toEqual({ ...here });
      expect([there.code, there.message, String(there.cause)]).toEqual([code, here.message, String(here.cause)]);
    }
  });

  it('is given out in the order asked for, also after one that failed', async () => {
    const asked = [large([]), `<html>${' '.repeat(40_000)}`, large(), large([])];
    const answers = await Promise.allSettled(asked.map((page) => thread.read(page, OPTIONS)));
    expect(answers.map((answer) => (answer.status === 'fulfilled' ? answer.value.count : answer.reason.code))).toEqual([
      0,
      'html',
      randomFeed(7, 6).length,
      0,
    ]);
  });

  it('may have twenty megabytes', async () => {
    const data = {
      '@type': 'Event',
      '@id': 'https://example.org/e',
      name: 'é'.repeat(200_000),
      startDate: '2026-05-01T10:00:00Z',
    };
    const items = Array.from({ length: 50 }, (_, id) => ({ state: 'updated', kind: 'Event', id, modified: id, data }));
    const page = await thread.read(text(items), OPTIONS);
    expect(page.count).toBe(50);
    const raw = page.items[49]?.raw as Bundled;
    expect(rawOf(raw)).toBe(JSON.stringify(data));
    expect(raw.bundle.data.buffer.byteLength).toBe(raw.bundle.data.length);
  });

  it('needs the thread again after its end', async () => {
    const reader = readOnThread();
    expect((await reader.read(large(), OPTIONS)).count).toBeGreaterThan(0);
    await reader.close();
    expect((await reader.read(large(), OPTIONS)).count).toBeGreaterThan(0);
    await reader.close();
  });

  it('that nobody can read is a fault, and not for ever', async () => {
    const unknown = await thread.read(large(), { ...OPTIONS, zone: 'Nowhere/None' }).catch((error: unknown) => error);
    expect(String(unknown)).toContain('Nowhere/None');
    expect((await thread.read(large(), OPTIONS)).count).toBeGreaterThan(0);
  });
});

describe('a feed read on a thread', () => {
  const committed = async (
    reader: PageReader,
    pages: readonly RpdeJson[][],
  ): Promise<[Map<string, string>, unknown[]]> => {
    const one: Rig = await rig();
    try {
      const handle = await one.ingest.open(FEED, {});
      const outcomes: unknown[] = [];
      for (const items of pages)
        outcomes.push(await one.ingest.commit(handle, await reader.read(large(items), OPTIONS), FEED));
      const live = await one.store.read.liveItems(0, 10_000);
      const raws = await one.store.read.raw(live.map(({ id }) => id));
      return [withoutStamps(await one.served()), [outcomes, live, [...raws]]];
    } finally {
      await one.close();
    }
  };

  it('leaves the same calendars, items and raw data, also where pages come again and only some of it is new', async () => {
    const items = randomFeed(11, 12);
    const renamed = items.map((item, index) =>
      index % 9 === 0 && item.data !== undefined
        ? { ...item, modified: 2e9, data: { ...item.data, name: 'Another name' } }
        : item,
    );
    const pages = [items.slice(0, 90), items.slice(90), items, renamed, items];
    const [calendars, rows] = await committed(thread, pages);
    expect(calendars.size).toBeGreaterThan(0);
    expect([calendars, rows]).toEqual(await committed(readInPlace, pages));
  });
});

describe('a thread that does not answer', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it('is ended after its time with the page that it has begun, and all others are read by another', async () => {
    const reader = readOnThread();
    await reader.read(large(), OPTIONS);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    // Answers arrive in a later turn: for the reader, none has come when the time is over.
    const bytes = Uint8Array.from(Buffer.from(large()));
    const pages = [
      reader.read(large(), OPTIONS),
      reader.read(large(), OPTIONS),
      reader.read({ bytes, coding: '', contentType: '', limit: 1_000_000 }, OPTIONS),
      reader.read(large(), OPTIONS),
    ];
    const ends = Promise.allSettled(pages);
    vi.advanceTimersByTime(LIMITS.readMs - 1);
    expect(await Promise.race([...pages, Promise.resolve('waits')])).toBe('waits');
    vi.advanceTimersByTime(1);
    vi.useRealTimers();
    const [begun, ...others] = await ends;
    expect(begun).toMatchObject({ status: 'rejected', reason: expect.any(StalledError) });
    expect(begun).toMatchObject({ reason: { message: expect.stringContaining('gave no answer for 120 s') } });
    expect(others.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled']);
    expect(comparable(await reader.read(large(), OPTIONS))).toEqual(
      comparable(await readInPlace.read(large(), OPTIONS)),
    );
    await reader.close();
  });
});
