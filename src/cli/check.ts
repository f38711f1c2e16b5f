/** `check`: what a publisher should change, for a file or a whole feed. */

import { messageOf } from '../errors.ts';
import { createClient } from '../harvest/client.ts';
import type { FeedHandle, Ingest } from '../harvest/contract.ts';
import { crawlOnce, sleep, stuckError } from '../harvest/crawl.ts';
import { createGate } from '../harvest/gate.ts';
import { httpSource } from '../harvest/http-source.ts';
import { cleanWithHours } from '../hours/door.ts';
import { LIMITS } from '../limits.ts';
import { type Finding, finish, type Severity, shown } from '../opportunity/findings.ts';
import { readInput } from '../opportunity/input.ts';
import { join } from '../opportunity/join.ts';
import { itemName, type Page, PageError } from '../opportunity/page.ts';
import { defineCommand, ZONE_OPTIONS, zoneName } from './args.ts';
import { type Io, isUrl, readSource } from './io.ts';
import { joinFindings, planFindings } from './join-findings.ts';
import { userAgent } from './package.ts';

export const command = defineCommand({
  name: 'check',
  summary: 'tells what a publisher should change',
  positionals: 'FILE|URL|-',
  arity: [1, 1],
  options: {
    format: { type: 'string', choices: ['table', 'jsonl'], default: 'table', help: 'how findings are written' },
    timezone: ZONE_OPTIONS.timezone,
    'allow-private': { type: 'boolean', help: 'let redirects and next pages lead to private addresses' },
  },
  notes:
    'An RPDE feed is followed to its end when its address is given. Exit code 1 if there is an error among the findings.',
  run: async (values, [source = ''], io) => {
    const report = new Report(values.format === 'jsonl', io);
    const how: How = { zone: zoneName('timezone', values.timezone), allowPrivate: values['allow-private'], report, io };
    if (isUrl(source)) await checkUrl(source, how);
    else await checkText(await readSource(source, io), source, how);
    report.end();
    return report.counts.error === 0 ? 0 : 1;
  },
});

interface How {
  zone: string;
  allowPrivate: boolean;
  report: Report;
  io: Io;
}

async function checkText(text: string, feed: string, { zone, report }: How): Promise<void> {
  const { findings, items, records } = readInput(text, { zone, feed }, cleanWithHours);
  report.items += items;
  for (const finding of findings) await report.tell(finding);
  for (const finding of joinFindings(join(records), feed, zone)) await report.tell(finding);
}

/** A feed, page by page; whatever else is at the address is checked as a file would be. */
async function checkUrl(url: string, how: How): Promise<void> {
  const { io } = how;
  const client = createClient({ userAgent: userAgent(), named: [url], allowPrivate: how.allowPrivate, now: io.now });
  try {
    const source = httpSource({ url, client, gate: createGate(), named: new Set() });
    const feed = { source, meta: {} };
    const options = { sleep, random: Math.random, signal: io.signal, tries: LIMITS.triesPerPage };
    const pass = await crawlOnce(feed, { ...options, patienceMs: LIMITS.checkPatienceMs, ingest: reporting(how) });
    const trouble = stuckError(feed, pass);
    if (trouble !== undefined) {
      how.report.counts.error += 1;
      io.stderr(`openactive-ical: ${messageOf(trouble)}\n`);
    }
  } catch (error) {
    if (!(error instanceof PageError) || error.code !== 'not-a-page') throw error;
    await checkText(await readSource(url, io, { allowPrivate: how.allowPrivate }), url, how);
  } finally {
    await client.close();
  }
}

/** Takes pages in by telling what is odd about them; keeps nothing. */
function reporting({ zone, report }: How): Ingest {
  const commit = async (feed: FeedHandle, page: Page) => {
    const before = report.total;
    for (const { item, finding } of page.findings) await report.tell(finish(finding, feed.url, item));
    for (const item of page.items) {
      report.items += 1;
      if (item.state === 'deleted') continue;
      const name = itemName(item);
      const { findings, records } = cleanWithHours(item, { zone, feed: feed.url });
      const planned = records.flatMap(({ record }) => (record.kind === 'series' ? planFindings(record, [], zone) : []));
      for (const finding of [...findings, ...planned]) await report.tell(finish(finding, feed.url, name));
    }
    return { items: page.items.length, kept: 0, deleted: 0, findings: report.total - before };
  };
  return { open: async (url) => ({ id: 0, url, cursor: null }), commit };
}

/** Writes findings as they come, so that the largest feed needs no memory; then the sums. */
class Report {
  readonly #jsonl: boolean;
  readonly #io: Io;
  readonly counts: Record<Severity, number> = { error: 0, warning: 0, info: 0 };
  items = 0;

  constructor(jsonl: boolean, io: Io) {
    this.#jsonl = jsonl;
    this.#io = io;
  }

  get total(): number {
    return this.counts.error + this.counts.warning + this.counts.info;
  }

  async tell(finding: Finding): Promise<void> {
    this.counts[finding.severity] += 1;
    await this.#io.stdout(this.#jsonl ? `${JSON.stringify(finding)}\n` : row(finding));
  }

  /** To standard error: standard output is the findings alone. */
  end(): void {
    const { error, warning, info } = this.counts;
    this.#io.stderr(`items ${this.items}, errors ${error}, warnings ${warning}, infos ${info}\n`);
  }
}

function row({ severity, code, item, path, message }: Finding): string {
  const where = shown(item === '' ? path : `${item} ${path}`, 200);
  return `${severity.padEnd(7)}  ${code.padEnd(28)}  ${where}\n${' '.repeat(9)}${message}\n`;
}
