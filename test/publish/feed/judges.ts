import { createRequire } from 'node:module';
import { cleanForCheck } from '../../../src/cli/commands/check.ts';
import { FINDINGS } from '../../../src/opportunity/findings.ts';
import type { JsonObject } from '../../../src/opportunity/item/json.ts';

/** The official OpenActive judges of feeds and of what is in them. */

interface Complaint {
  severity: string;
  type: string;
  path: string;
  message: string;
}

type Validate = (data: unknown, options: object) => Promise<Complaint[]>;
interface FeedLog {
  pages: { url: string; errors: { data: { severity: string; type: string; message: string } }[] }[];
}
type RpdeValidator = (url: string, options: { pageLimit: number; requestDelayMs: number }) => Promise<FeedLog>;

const require = createRequire(import.meta.url);
const { validate } = require('@openactive/data-model-validator') as { validate: Validate };
const rpde = require('@openactive/rpde-validator') as { RpdeValidator: RpdeValidator };

/** What needs lists that are only on the web: the activity list, facility types, contexts (and what beta properties are). */
const REMOTE =
  /file_not_found|activity_not_in_activity_list|concept_no_non_string|use_official|experimental_fields_not_checked/;

/** The failures of an object; those of lists on the web aside. */
export async function failures(data: JsonObject): Promise<string[]> {
  const complaints = await validate(data, { loadRemoteJson: false, validationMode: 'RPDEFeed' });
  return complaints
    .filter(({ severity, type }) => severity === 'failure' && !REMOTE.test(type))
    .map(({ type, path, message }) => `${type} ${path} ${message.slice(0, 120)}`);
}

interface Checked {
  severity: string;
  code: string;
  path: string;
}

/** What `check` finds in an object. */
export function checked(data: JsonObject): Checked[] {
  const item = { state: 'updated' as const, kind: 'k', id: '1', modified: '1', data };
  const { findings } = cleanForCheck(item, { zone: 'Europe/London', feed: 'https://f.example', slots: true });
  return findings.map(({ code, path }) => ({ code, path, severity: FINDINGS[code].severity }));
}

/**
 * Failures where `check` finds nothing, and errors of `check` where nothing fails: there should be neither. Paths are compared
 * without indices, for what is one object or an array of one is the same.
 */
export async function disagreements(data: JsonObject): Promise<string[]> {
  const place = (path: string) => path.replaceAll(/\[\d+\]/g, '').replaceAll(/\.(id|type)(?=\.|$)/g, '.@$1');
  const ours = checked(data).filter(({ severity }) => severity !== 'info');
  const theirs = await failures(data);
  const [found, failed] = [ours, theirs.map((one) => ({ path: one.split(' ')[1] as string }))].map(
    (list) => new Set(list.map(({ path }) => place(path))),
  ) as [Set<string>, Set<string>];
  return [
    ...theirs.filter((one) => !found.has(place(one.split(' ')[1] as string))),
    ...ours
      .filter(({ severity, path }) => severity === 'error' && !failed.has(place(path)))
      .map(({ code, path }) => `check: ${code} ${path}`),
  ];
}

/** The failures of a feed that is served, and how many of its pages were looked at. */
export async function feedFailures(url: string): Promise<{ failures: string[]; pages: number }> {
  const { pages } = await rpde.RpdeValidator(url, { pageLimit: 50, requestDelayMs: 0 });
  const errors = pages.flatMap((page) => page.errors.map(({ data }) => data));
  const failed = errors.filter(({ severity }) => severity === 'failure');
  return { failures: failed.map(({ type, message }) => `${type} ${message}`), pages: pages.length };
}

interface RpdePage {
  items: RpdeItemJson[];
}
export interface RpdeItemJson {
  state: string;
  kind: string;
  id: string;
  modified: number;
  data?: JsonObject;
}
type Harvest = (options: object) => Promise<{ error: { type: string; error?: Error } }>;
const { harvestRPDE } = require('@openactive/harvesting-utils') as { harvestRPDE: Harvest };

/** Every item of a feed, in its order, as OpenActive's own harvester reads it to the end. @throws what it complains of */
export async function harvested(baseUrl: string): Promise<RpdeItemJson[]> {
  const items: RpdeItemJson[] = [];
  const end = new Error('the end of the feed');
  const { error } = await harvestRPDE({
    baseUrl,
    feedContextIdentifier: 'test',
    headers: async () => ({}),
    processPage: async ({ rpdePage }: { rpdePage: RpdePage }) => {
      items.push(...rpdePage.items);
    },
    // It harvests for ever: the only way out is an error.
    onReachedEndOfFeed: async () => {
      throw end;
    },
    isOrdersFeed: false,
    loggingFns: { log: () => {}, logError: () => {}, logErrorDuringHarvest: () => {} },
    config: { REQUEST_LOGGING_ENABLED: false },
  });
  if (error.error !== end) throw new Error(JSON.stringify(error));
  return items;
}
