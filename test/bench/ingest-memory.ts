import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BenchPage } from './generate.ts';
import { openTarget } from './ingest-target.ts';

/** `node ingest-memory.ts PAGES DATA`: ingests the pages, prints the most megabytes that were resident. */
const [pages, data] = process.argv.slice(2) as [string, string];
const index = JSON.parse(readFileSync(join(pages, 'index.json'), 'utf8')) as Omit<BenchPage, 'text'>[];
const target = await openTarget(data);
for (const [number, page] of index.entries()) {
  await target.take(page, readFileSync(join(pages, `${number}.json`), 'utf8'));
}
await target.close();
// Kilobytes on Linux, from the kernel: what happened between two samples counts too.
console.log(process.resourceUsage().maxRSS / 1024);
