import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DatasetError } from '../../src/errors.ts';
import { readSite } from '../../src/harvest/discovery/site.ts';
import { readInput } from '../../src/join/input.ts';
import { cleanItem } from '../../src/opportunity/clean.ts';
import { PageError, parsePage } from '../../src/opportunity/page/page.ts';
import { randomFeed } from '../generate/series.ts';
import { runs } from '../runs.ts';
import { damaged } from './text.ts';

/** Readers under damaged input: they give what they can and say what they cannot; nothing else is thrown, nothing hangs. */

const FIXTURES = fileURLToPath(new URL('../../fixtures/', import.meta.url));
const OPTIONS = { zone: 'Europe/London', feed: 'https://example.org/feed' };

const page = JSON.stringify({
  next: 'https://example.org/feed?afterChangeNumber=9',
  license: 'https://creativecommons.org/licenses/by/4.0/',
  items: randomFeed(7, 2),
});
const files = readdirSync(FIXTURES)
  .filter((name) => name.endsWith('.json') && !name.includes('.findings'))
  .map((name) => readFileSync(join(FIXTURES, name), 'utf8'));
const site = `<!doctype html><html><head><title>Data</title><script type="application/ld+json">${JSON.stringify({
  '@context': 'https://schema.org/',
  '@type': 'Dataset',
  name: 'Example sessions',
  url: 'https://example.org/data',
  license: 'https://creativecommons.org/licenses/by/4.0/',
  publisher: { '@type': 'Organization', name: 'Example', url: 'https://example.org' },
  distribution: [
    {
      '@type': 'DataDownload',
      name: 'SessionSeries',
      additionalType: 'https://openactive.io/SessionSeries',
      encodingFormat: 'application/vnd.openactive.rpde+json; version=1',
      contentUrl: 'https://example.org/feeds/session-series',
    },
  ],
})}</script></head><body><p>Hello</p></body></html>`;

function readOrRefused<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    expect(error instanceof PageError || error instanceof DatasetError, String(error)).toBe(true);
    expect((error as Error).message).toMatch(/^.{10,400}$/su);
    return undefined;
  }
}

describe('damaged input', () => {
  it('a page', () => {
    fc.assert(
      fc.property(damaged(page), (bytes) => {
        const read = readOrRefused(() => parsePage(bytes.toString()));
        for (const item of read?.items ?? [])
          if (item.state === 'updated') expect(cleanItem(item, OPTIONS).records.length).toBeGreaterThanOrEqual(0);
      }),
      { numRuns: runs(600) },
    );
  });

  it('a file of items or objects', () => {
    expect(files.length).toBeGreaterThan(5);
    fc.assert(
      fc.property(fc.constantFrom(...files).chain(damaged), (bytes) => {
        readOrRefused(() => readInput(bytes.toString(), OPTIONS));
      }),
      { numRuns: runs(600) },
    );
  });

  it('a dataset site', () => {
    expect(readSite(site, 'https://example.org/data').datasets[0]?.feeds).toHaveLength(1);
    fc.assert(
      fc.property(damaged(site), (bytes) => {
        const read = readOrRefused(() => readSite(bytes.toString(), 'https://example.org/data'));
        for (const { feeds } of read?.datasets ?? []) for (const { url } of feeds) expect(url).toMatch(/^https?:/);
      }),
      { numRuns: runs(600) },
    );
  });
});
