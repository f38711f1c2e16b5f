/** `store`: copies the embedded database, verifies a database, or brings it up to date. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Settings } from '../../config.ts';
import { databaseScheme } from '../../database-schemes.ts';
import { ConfigError, SourceError, UsageError } from '../../errors.ts';
import { verifyStore } from '../../harvest/index.ts';
import { counted } from '../../library/index.ts';
import { didYouMean } from '../../nearest.ts';
import { RULES_VERSION } from '../../revision/index.ts';
import { backUp, databaseAt, META, moveStore, type SchemaVersions, storeFile } from '../../store/index.ts';
import { defineCommand } from '../args.ts';
import { type Feeds, openFeeds } from '../feeds/configured.ts';
import type { Io } from '../io.ts';
import { checkMade, ingestOptions, openService } from '../serve/service.ts';
import { settingOptions, settingsOf } from '../settings.ts';

const WHATS = ['backup', 'verify', 'migrate'] as const;

export const command = defineCommand({
  name: 'store',
  summary: 'copies the database, verifies it, or brings it up to date',
  positionals: 'WHAT [FILE]',
  arity: [0, 2],
  options: {
    ...settingOptions(['data', 'feeds', 'datasets', 'catalogs', 'types', 'samples', 'defaultTimezone', 'holidays']),
    to: {
      type: 'string',
      value: 'URL',
      help: 'migrate: an empty PostgreSQL that everything is moved into; its password may also be in PGPASSWORD',
    },
    scratch: {
      type: 'string',
      value: 'DIR',
      help: 'verify: a folder with room for two copies of the database (default: the system’s for temporary files)',
    },
  },
  examples: [
    ['store backup ./backup.sqlite --data ./data', 'a consistent copy, beside a running serve or without one'],
    ['store migrate --to postgres://me@db/sport --data ./data', 'moves everything from the folder into PostgreSQL'],
    ['store verify --data ./data', 'reads everything, and says what is not as its raw data makes it'],
  ],
  notes:
    'WHAT is backup, verify or migrate.\n' +
    'backup writes FILE, which only you can read, and checks it; put it back as openactive-ical.sqlite in an empty folder, ' +
    'while nothing runs on it. What serve --republish and publish keep there goes into FILE.republished and FILE.published: ' +
    'put these back as republished.sqlite and published.sqlite.\n' +
    'verify reads the database for damage, makes every record, occurrence and calendar again from the raw items in a copy, and ' +
    'compares: exit code 1, with what differs, if anything does. Give it the settings that serve runs with.\n' +
    'migrate does what a start of serve or sync would do first. With --to it then writes every row into PostgreSQL, reads each ' +
    'back, and compares; the embedded database stays as it is. Nothing may harvest meanwhile.',
  run: async (values, [what = '', file, ...more], io) => {
    if (what === '') throw new UsageError(`store needs one of ${WHATS.join(', ')} (see store --help)`);
    const settings = await settingsOf(values, io);
    if (!WHATS.includes(what as (typeof WHATS)[number])) {
      const near = didYouMean(what, WHATS);
      throw new UsageError(`store ${JSON.stringify(what)}: allowed are ${WHATS.join(', ')}${near}`);
    }
    if ((what === 'backup') !== (file !== undefined) || more.length > 0) {
      throw new UsageError(what === 'backup' ? 'store backup needs the FILE to write' : `store ${what} takes no FILE`);
    }
    if (file !== undefined) checkEmbedded(settings);
    const to = values.to === undefined ? undefined : target(values.to, what, settings);
    await checkMade(settings);
    if (file !== undefined) return backup(settings.data, resolve(io.folder ?? '.', file), io);
    const feeds = await openFeeds(settings, io);
    try {
      if (what === 'migrate') return await migrate();
      return await verify(settings, values.scratch, feeds, io);
    } finally {
      await feeds.close();
    }

    async function migrate(): Promise<number> {
      const before = await databaseAt(settings).schema();
      const service = await openService(settings, feeds, io);
      try {
        const rules = await service.store.read.meta(META.rules);
        const isRebuilt = await service.rebuild();
        await io.stdout(`${migrated(before, rules, isRebuilt)}\n`);
      } finally {
        await service.close();
      }
      if (to !== undefined) await move(settings, to, io);
      return 0;
    }
  },
});

/** @throws UsageError, ConfigError */
function target(to: string, what: string, settings: Settings): string {
  if (what !== 'migrate') throw new UsageError(`--to is for store migrate, not for store ${what}`);
  if (databaseScheme(to) === undefined) throw new UsageError('--to needs a postgres:// address');
  if (databaseAt(settings).isEmbedded) return to;
  throw new ConfigError(['DATABASE_URL is set, and store migrate --to moves the embedded database: unset it']);
}

async function move(settings: Settings, to: string, io: Io): Promise<void> {
  const rowsByTable = await moveStore(settings.data, to);
  const total = Object.values(rowsByTable).reduce((sum, rows) => sum + rows, 0);
  const { feed = 0, item = 0, calendar = 0, kept_list: lists = 0 } = rowsByTable;
  const counts = [counted(feed, 'feed'), counted(item, 'item'), counted(calendar, 'calendar'), counted(lists, 'list')];
  const place = databaseAt({ data: settings.data, databaseUrl: to }).name;
  await io.stdout(
    `${place}: ${counts.join(', ')}; ${counted(total, 'row was', 'rows were')} read back, each as in ${storeFile(settings.data)}\n`,
  );
  io.stderr('Set DATABASE_URL to it for every process; the folder goes on holding what is kept beside a store\n');
}

/** @throws ConfigError */
function checkEmbedded(settings: Settings): void {
  const { backup, isEmbedded, name } = databaseAt(settings);
  if (isEmbedded) return;
  throw new ConfigError([
    `DATABASE_URL names ${name}, and store backup copies the embedded database only: use ${backup}`,
  ]);
}

async function backup(data: string, file: string, io: Io): Promise<number> {
  for (const { from, to, bytes } of backUp(data, file))
    await io.stdout(`${to}: a sound copy of ${from}, ${(bytes / 1024 / 1024).toFixed(1)} MB\n`);
  return 0;
}

function migrated({ schema, newest }: SchemaVersions, rules: string | undefined, isRebuilt: boolean): string {
  const done = [
    ...(schema < newest ? [`schema ${schema} became ${newest}`] : []),
    ...(rules === RULES_VERSION
      ? isRebuilt
        ? ['what newer vocabularies or other settings read otherwise was made again']
        : []
      : [`everything was made again by rules ${RULES_VERSION} (they were ${rules ?? 'none'})`]),
  ];
  return done.length === 0 ? `up to date: schema ${newest}, rules ${RULES_VERSION}` : done.join('; ');
}

/** Makes everything again in a copy, and prints the differences. Returns the exit code: 1 where there are any. */
async function verify(settings: Settings, scratch: string | undefined, named: Feeds, io: Io): Promise<number> {
  const under = resolve(io.folder ?? '.', scratch ?? tmpdir());
  const folder = await mkdtemp(join(under, 'openactive-ical-verify-')).catch((cause: unknown) => {
    throw new SourceError(`${under}: no folder can be made there; --scratch names another`, { cause });
  });
  try {
    const options = ingestOptions(settings, named, io);
    const { feeds, items, differences } = await verifyStore(settings, folder, options, (copy) =>
      named.discover('none', copy),
    );
    for (const { what, count, examples } of differences) {
      const rest = count > examples.length ? ', …' : '';
      await io.stdout(`${what}: ${count}: ${examples.join(', ')}${rest}\n`);
    }
    const read = `${counted(items, 'item')} of ${counted(feeds.length, 'feed')}`;
    const { isEmbedded, name } = databaseAt(settings);
    const verdict =
      differences.length === 0
        ? `the ${isEmbedded ? 'file' : 'database'} is sound, and everything in it is as its raw items make it`
        : 'differs from what its raw items make of it';
    await io.stdout(`${name}: ${verdict} (${read})\n`);
    return differences.length === 0 ? 0 : 1;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
