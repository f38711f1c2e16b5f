import { join } from 'node:path';
import { packageFolder } from '../../../src/cli/package.ts';
import { crawlOnce } from '../../../src/harvest/feed/crawl.ts';
import { sampleFeeds } from '../../../src/harvest/feed/samples.ts';
import { createIngest } from '../../../src/harvest/ingest/ingest.ts';
import type { StoredLibrary } from '../../../src/library/index.ts';
import { openLibrary } from '../../../src/library/stored-library.ts';
import { sleeper } from '../../harvest/memory.ts';
import { type Rig, rig } from '../../harvest/rig.ts';

/** Tuesday 24 November 2026, 12:05 in London. */
export const NOON = Date.UTC(2026, 10, 24, 12, 5);

export interface Town {
  rig: Rig;
  library: StoredLibrary;
}

/** The sample feeds that come with the program, harvested on a Tuesday. */
export async function sampleTown(): Promise<Town> {
  const one = await rig();
  one.clock.now = NOON;
  one.ingest = createIngest(one.store, one.options);
  const folder = join(packageFolder, 'fixtures', 'feeds');
  for (const feed of await sampleFeeds(folder, () => NOON)) {
    await crawlOnce(feed, { ingest: one.ingest, sleep: sleeper().sleep, random: () => 0 });
  }
  const library = await openLibrary(one.store, { ...one.options, rendering: 'test' });
  return { rig: one, library };
}
