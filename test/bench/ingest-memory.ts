import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BenchPage } from './generate.ts';
import { openTarget, type TargetPage } from './ingest-target.ts';

/** `node ingest-memory.ts PAGES DATA`: ingests the pages, prints the most megabytes that were resident. */
const [folder, data] = process.argv.slice(2) as [string, string];

function* pages(): Generator<TargetPage> {
  const index = JSON.parse(readFileSync(join(folder, 'index.json'), 'utf8')) as Omit<BenchPage, 'text'>[];
  for (const [number, page] of index.entries()) {
    yield { ...page, text: readFileSync(join(folder, `${number}.json`), 'utf8') };
  }
}

const target = await openTarget(data);
await target.run(pages());
await target.close();
// Kilobytes on Linux, from the kernel: what happened between two samples counts too.
console.log(process.resourceUsage().maxRSS / 1024);
