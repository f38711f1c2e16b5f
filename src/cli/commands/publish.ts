/** `publish`: turns calendars into RPDE feeds, served or written to files. */

import { writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import type { Logger } from 'pino';
import type { Settings } from '../../config.ts';
import { messageOf, SourceError, StoppedError } from '../../errors.ts';
import { createClient, createHostQueue } from '../../fetch/index.ts';
import { LIMITS } from '../../limits.ts';
import { makeFolder, writeRefusal } from '../../process/folder.ts';
import { sleep } from '../../process/stopping.ts';
import {
  aboutDataset,
  catalogJsonLd,
  type DecidedMapping,
  datasetJsonLd,
  decidedMapping,
  feedAddress,
  firstPage,
  type Mapping,
  NO_MAPPING,
  PUBLISHED_FEEDS,
  Publisher,
  type PublishFinding,
  publishedSite,
  type Round,
  writeIfOther,
  writePages,
} from '../../publish/index.ts';
import { type ChangeLog, openPublishedLog } from '../../store/index.ts';
import { DAY_MS } from '../../time/days.ts';
import { columns, defineCommand } from '../args.ts';
import { bySeverity, findingTable, hasFaults } from '../feeds/finding-table.ts';
import { publishLock } from '../feeds/publish-lock.ts';
import { CalendarSources, isAddress, type SourcesOptions } from '../feeds/publish-sources.ts';
import { writeStarter } from '../feeds/starter.ts';
import { type Io, readSource } from '../io.ts';
import { userAgent } from '../package.ts';
import { createLog } from '../serve/log.ts';
import { listening } from '../serve/waiting.ts';
import { settingOptions, settingsOf } from '../settings.ts';

export const command = defineCommand({
  name: 'publish',
  summary: 'turns calendars into OpenActive feeds, served or written to files',
  positionals: 'FILE|DIR|URL|-…',
  arity: [1, LIMITS.calendarFiles],
  options: {
    mapping: {
      type: 'string',
      value: 'FILE',
      help: 'JSON file with what calendars do not say: organiser, activities, places, offers, base of ids',
    },
    out: {
      type: 'string',
      value: 'DIR',
      help: 'writes the feeds and their dataset page to files, once, instead of serving them',
    },
    init: {
      type: 'boolean',
      help: 'writes a mapping file to begin with, made from the calendars, to standard output; publishes nothing',
    },
    strict: {
      type: 'boolean',
      help: 'exit code 1 where a calendar could not be read as a whole, or a required value is missing',
    },
    findings: { type: 'string', value: 'FILE', help: 'writes everything odd about the calendars there, as JSON lines' },
    ...settingOptions(['data', 'host', 'port', 'baseUrl', 'allowPrivate', 'logLevel']),
  },
  examples: [
    ['publish calendars --mapping calendars/mapping.json', 'serves the feeds at /rpde/'],
    ['publish --init club.ics > mapping.json', 'writes a mapping file to begin with'],
    ['publish club.ics --out ./feeds --base-url https://club.example', 'writes them to files'],
  ],
  notes: `Given are iCalendar files, folders (all *.ics in them), addresses (http, https, webcal) and standard input (-). The feeds are served at /rpde/session-series, /rpde/scheduled-sessions and /rpde/facility-uses, and found through the dataset page at /rpde/.
What was published is remembered in --data: the same folder goes on with the same change numbers.
A calendar that cannot be read, is empty or is no calendar changes nothing: what it published before stays.
With --out the files are meant to be put where --base-url leads to. Exit code 1 if nothing could be published; with --strict also where anything is wrong with a calendar, or a required value is missing.
A second run on the same --data waits for the first, and gives up after 30 seconds.
`,
  run: async (values, places, io) => {
    const settings = await settingsOf(values, io);
    if (values.init === true) return writeStarter(places, settings, io);
    const decided = await mappingOf(values.mapping, io);
    const mapping = withBase(decided.mapping, settings.baseUrl);
    const lock = await publishLock(settings, io);
    const log = await openPublishedLog(settings.data);
    const named = places.filter(isAddress).map((place) => place.replace(/^webcals?:/i, 'https:'));
    const { allowPrivate, contact, calendarPollSeconds } = settings;
    const client = createClient({ userAgent: userAgent(contact), named, allowPrivate, now: io.now });
    const publisher = new Publisher(log, mapping);
    const pollMs = 1000 * calendarPollSeconds;
    const state = (id: string) => publisher.state(id);
    const sources = new CalendarSources(places, {
      client,
      queue: createHostQueue(),
      io,
      pollMs,
      state,
      folder: folderMemory(log),
    });
    const strict = values.strict === true;
    const work: Work = {
      strict,
      settings,
      mapping,
      placeholders: decided.placeholders,
      log,
      publisher,
      sources,
      io,
      findings: inFolder(values.findings, io),
    };
    try {
      return await publishRounds(work, inFolder(values.out, io));
    } finally {
      await Promise.all([client.close(), log.close()]);
      lock.release();
    }
  },
});

function folderMemory(log: ChangeLog): SourcesOptions['folder'] {
  const key = (path: string) => `folder ${path}`;
  return {
    remembered: async (path) => JSON.parse((await log.value(key(path))) ?? '[]') as string[],
    async remember(path, calendars) {
      const value = JSON.stringify(calendars);
      if ((await log.value(key(path))) !== value) await log.setValue({ key: key(path), value });
    },
  };
}

interface Work {
  strict: boolean;
  settings: Settings;
  mapping: Mapping;
  /** Findings on placeholders in the mapping file. */
  placeholders: PublishFinding[];
  log: ChangeLog;
  publisher: Publisher;
  sources: CalendarSources;
  io: Io;
  findings: string | undefined;
}

function inFolder(path: string | undefined, io: Io): string | undefined {
  return path === undefined ? undefined : resolve(io.folder ?? process.cwd(), path);
}

async function mappingOf(path: string | undefined, io: Io): Promise<DecidedMapping> {
  const file = inFolder(path, io);
  if (file === undefined) return { mapping: NO_MAPPING, placeholders: [] };
  return decidedMapping(await readSource(file, io, { limit: LIMITS.configBytes }), path as string);
}

/** The mapping with a base of ids: its own, else the address of the feeds. */
function withBase(mapping: Mapping, baseUrl: string | undefined): Mapping {
  const base = baseUrl && `${baseUrl.replace(/\/+$/, '')}/`;
  return mapping.base === undefined && base ? { ...mapping, base } : mapping;
}

/** Publishes a first round, and goes on only if that has anything to publish. Returns the exit code. */
async function publishRounds(work: Work, out: string | undefined): Promise<number> {
  const first = (await changedRound(work, undefined)) as LastRound;
  await writeRound(first, work);
  if (first.round.yielding === 0) {
    const { troubles, findings } = first.round;
    const failed = new Set(findings.flatMap(({ severity, feed }) => (severity === 'error' ? [feed] : [])));
    for (const name of first.names.filter((one) => !troubles.has(one) && !failed.has(one)))
      work.io.stderr(`openactive-ical: ${name}: there are no events in it\n`);
    work.io.stderr('openactive-ical: nothing could be published\n');
    return 1;
  }
  const isFaulty = work.strict && hasFaults(first.round);
  if (out !== undefined) await writing(out, () => writeFiles(out, work));
  else if (!isFaulty) await serve(first, work);
  return isFaulty ? 1 : 0;
}

/** Runs `write`, and reports a refusal of the system with the path. @throws SourceError */
async function writing(path: string, write: () => Promise<void>): Promise<void> {
  try {
    await write();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall === undefined) throw error;
    throw new SourceError(`${path}: cannot be written: ${writeRefusal(error)}`, { cause: error });
  }
}

/** The last round, with the troubles of calendars that did not change since. */
interface LastRound {
  round: Round;
  names: string[];
  /** The day of the round, in UTC. */
  day: number;
}

/** Reads changed calendars and publishes; undefined: none has changed. */
async function changedRound(work: Work, before: LastRound | undefined): Promise<LastRound | undefined> {
  const { sources, publisher, io } = work;
  const readings = await sources.read();
  const names = readings.map(({ name }) => name);
  // Rules that no Schedule can have are written out for some time ahead, so that a new day may bring new sessions.
  const day = Math.floor(io.now() / DAY_MS);
  const same = readings.every(({ got }) => 'unchanged' in got) && names.join('\n') === before?.names.join('\n');
  if (same && day === before?.day) return undefined;
  const read = await publisher.round(readings, io.now());
  const round = { ...read, findings: [...read.findings, ...work.placeholders] };
  for (const { name, got } of readings) {
    const trouble = 'unchanged' in got ? before?.round.troubles.get(name) : undefined;
    if (trouble !== undefined && !round.troubles.has(name)) round.troubles.set(name, trouble);
  }
  sources.keepRound(readings, round.troubles);
  return { round, names, day };
}

async function writeRound({ round }: LastRound, { io, findings: file }: Work): Promise<void> {
  const { changes, findings, troubles, withheld } = round;
  for (const [name, trouble] of troubles) io.stderr(`openactive-ical: ${name}: ${trouble}\n`);
  if (withheld !== undefined) io.stderr(`openactive-ical: ${withheld}\n`);
  io.stderr(findingTable(findings));
  const { added, updated, deleted, unchanged } = changes;
  io.stderr(`added ${added}, updated ${updated}, deleted ${deleted}, unchanged ${unchanged}\n`);
  if (file !== undefined) await writeFindings(file, findings);
}

function writeFindings(file: string, findings: Round['findings']): Promise<void> {
  return writing(file, () => writeFile(file, findings.map((finding) => `${JSON.stringify(finding)}\n`).join('')));
}

/** `--out`: writes the pages of each feed, the dataset page and the catalogue. */
async function writeFiles(folder: string, { settings, mapping, log, io }: Work): Promise<void> {
  const base = (settings.baseUrl ?? `http://localhost:${settings.port}`).replace(/\/+$/, '');
  if (settings.baseUrl === undefined) {
    io.stderr(`openactive-ical: pages lead to ${base}; say with --base-url where the folder will be found\n`);
  }
  const { datasetPage } = await import('../../server/index.ts');
  makeFolder(folder);
  let written = 0;
  for (const feed of PUBLISHED_FEEDS) {
    written += await writePages(feed, { log, folder, base, license: mapping.licence, now: io.now() });
  }
  const about = aboutDataset(mapping);
  const at = { dataset: `${base}/`, catalog: `${base}/catalog.jsonld` };
  const feeds = PUBLISHED_FEEDS.map((feed): [string, string] => [feed, firstPage(base, feed)]);
  const page = await datasetPage(datasetJsonLd(about, { ...at, feeds }));
  const catalog = `${JSON.stringify(catalogJsonLd(about, { catalog: at.catalog, datasets: [at.dataset] }), undefined, 2)}\n`;
  if (await writeIfOther(join(folder, 'index.html'), page)) written += 1;
  if (await writeIfOther(join(folder, 'catalog.jsonld'), catalog)) written += 1;
  io.stderr(`files written ${written}\n`);
}

/** Serves the feeds and reads the calendars again and again, until stopped. */
async function serve(first: LastRound, work: Work): Promise<void> {
  const { settings, io } = work;
  const log = createLog(settings, io);
  let last = first;
  const server = await openPublisher(() => last, work, log);
  await io.stdout(addresses(server.url));
  try {
    while (!io.signal.aborted) {
      await sleep(1000 * settings.folderPollSeconds, io.signal);
      try {
        last = (await changed(work, last, log)) ?? last;
      } catch (error) {
        io.signal.throwIfAborted();
        log.error({ error: messageOf(error) }, 'The calendars could not be published.');
      }
    }
  } catch (error) {
    if (!(error instanceof StoppedError)) throw error;
  } finally {
    await server.close();
  }
}

async function changed(work: Work, before: LastRound, log: Logger): Promise<LastRound | undefined> {
  const now = await changedRound(work, before);
  if (now === undefined) return undefined;
  const { changes, troubles, findings, withheld } = now.round;
  for (const [calendar, trouble] of troubles) {
    if (before.round.troubles.get(calendar) !== trouble)
      log.warn({ calendar, trouble }, 'A calendar is not as it should be.');
  }
  if (withheld !== undefined && withheld !== before.round.withheld) log.warn({ withheld }, 'Not all was withdrawn.');
  const { added, updated, deleted } = changes;
  if (added + updated + deleted > 0)
    log.info({ added, updated, deleted, findings: findings.length }, 'The feeds changed.');
  if (work.findings !== undefined) await writeFindings(work.findings, findings);
  return now;
}

async function openPublisher(last: () => LastRound, { settings, mapping, log: changes }: Work, log: Logger) {
  const { startPublisher } = await import('../../server/index.ts');
  const { host, port, baseUrl, gzip } = settings;
  const about = aboutDataset(mapping);
  const site = (base: string) => ({
    rpde: publishedSite({
      log: changes,
      names: PUBLISHED_FEEDS,
      base,
      about: async () => about,
    }),
    home: async () => {
      const { names, round } = last();
      const counts = await Promise.all(PUBLISHED_FEEDS.map((feed) => changes.count(feed)));
      return {
        name: about.name,
        dataset: `${base}/rpde/`,
        feeds: PUBLISHED_FEEDS.map((feed, index) => ({
          address: feedAddress(base, feed),
          live: counts[index]?.live ?? 0,
        })),
        // The path of a file is not published.
        sources: names.map((name) => ({
          name: isAddress(name) ? name : basename(name),
          trouble: round.troubles.has(name) ? 'cannot be read just now; what it said last is published' : undefined,
        })),
        findings: bySeverity(round.findings),
      };
    },
  });
  return listening(startPublisher({ site, host, port, baseUrl, gzip: gzip === 'auto', log }), host, port);
}

function addresses(url: string): string {
  const rows: [string, string][] = [
    [`${url}/rpde/`, 'the dataset page, for whoever wants to use the data'],
    ...PUBLISHED_FEEDS.map((feed): [string, string] => [feedAddress(url, feed), 'an RPDE feed']),
  ];
  return `The calendars are published:\n${columns(rows)}`;
}
