import { existsSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { defineConfig } from 'vitest/config';

/** CI asks for each suite's counts in a file (`.ci/run`); people only read the summary. */
const report = process.env.CI_REPORT;

/**
 * With memory protection keys, V8 now and then loses count of the code of a process with several threads and WebAssembly,
 * and ends it ("Check failed: jit_page.has_value()"): a file of tests that did not fail would be missing.
 */
const execArgv = ['--no-memory-protection-keys'];

/** Threads that tests start from the sources load pages, which are JSX. */
const NODE_OPTIONS = `--import ${new URL('test/jsx.ts', import.meta.url)}`;

/**
 * Where tests keep their stores: in memory, where Linux has room for them. A new store waits for the disk eight times, and
 * thousands are made. What tests of a broken or full disk need, they make themselves.
 */
const MEMORY = '/dev/shm';
const LEAST_ROOM = 2 ** 30;
const TMPDIR = process.env.TMPDIR ?? (roomIn(MEMORY) > LEAST_ROOM ? MEMORY : tmpdir());

function roomIn(folder: string): number {
  if (!existsSync(folder)) return 0;
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

/** Tests that try random input: few times in `npm test`, and four times as often in `npm run test:slow`. */
const MORE_RUNS = [
  'test/calendar/explain/explain.test.ts',
  'test/harvest/ingest/determinism.test.ts',
  'test/harvest/ingest/forget.test.ts',
  'test/harvest/ingest/publishers.test.ts',
  'test/harvest/ingest/resync.test.ts',
  'test/harvest/ingest/store-faults.test.ts',
  'test/harvest/ingest/verify.test.ts',
  'test/opportunity/anything.test.ts',
  'test/opportunity/official/data-model.test.ts',
  'test/oracle/expand.test.ts',
  'test/paths/zones.test.ts',
  'test/publish/feed/round-trip.test.ts',
  'test/publish/feed/year.test.ts',
  'test/revision/clock.test.ts',
];
/** Tests that start many processes: half of the time of all others together. They run in `npm run test:slow`. */
const PROCESSES = [
  'test/cli/commands/publish.test.ts',
  'test/cli/commands/serve.test.ts',
  'test/cli/feeds/actions.test.ts',
  'test/cli/feeds/republish.test.ts',
  'test/cli/process.test.ts',
  'test/cli/serve/beside-serve.test.ts',
  'test/cli/serve/child.test.ts',
  'test/cli/serve/read-only.test.ts',
  'test/cli/serve/two-serves.test.ts',
  'test/cli/sync-state.test.ts',
  'test/cli/unreadable.test.ts',
  'test/harvest/attacks/path-secret.test.ts',
];
/** Tests of everything that a store is for: `npm run test:slow` runs them with PostgreSQL too. */
const ON_POSTGRES = [
  'test/harvest/ingest/claims.test.ts',
  'test/harvest/ingest/commit-queue.test.ts',
  'test/harvest/ingest/determinism.test.ts',
  'test/harvest/ingest/forget.test.ts',
  'test/harvest/ingest/publishers.test.ts',
  'test/harvest/ingest/replacing.test.ts',
  'test/harvest/ingest/resync.test.ts',
  'test/harvest/ingest/store-faults.test.ts',
  'test/harvest/ingest/verify.test.ts',
  'test/harvest/model.test.ts',
  'test/library/clock.test.ts',
  'test/library/moved.test.ts',
  'test/library/repeated.test.ts',
  'test/library/venues.test.ts',
  'test/library/timetable/bookable.test.ts',
  'test/library/timetable/slot-zones.test.ts',
  'test/library/search/query/exclusion.test.ts',
  'test/library/search/expand.property.test.ts',
  'test/library/search/facets.property.test.ts',
  'test/library/search/index.property.test.ts',
  'test/library/search/items.test.ts',
  'test/library/search/questions.test.ts',
  'test/library/search/same-start.test.ts',
  'test/library/search/search.test.ts',
  'test/paths/dependents.test.ts',
  'test/paths/joins.test.ts',
  'test/paths/paths.test.ts',
  'test/publish/feed/republish.test.ts',
  'test/publish/feed/round-trip.test.ts',
  'test/revision/deferred-stamps.test.ts',
  'test/revision/fast-paths.test.ts',
  'test/revision/noted-changes.test.ts',
  'test/revision/revisions.test.ts',
  'test/revision/session-search.test.ts',
  'test/server/lists/kept.test.ts',
  'test/server/lists/merged.test.ts',
  'test/store/change-log.test.ts',
];
/** Tests that wait for leases and time limits most of their time: they run beside those that compute. */
const WAITING = ['test/slow/postgres/connections.test.ts', 'test/slow/postgres/harvesters.test.ts'];
for (const file of [...ON_POSTGRES, ...MORE_RUNS, ...PROCESSES, ...WAITING])
  if (!existsSync(new URL(file, import.meta.url))) throw new Error(`${file} does not exist`);

export default defineConfig({
  test: {
    reporters: report === undefined ? ['default'] : ['default', ['json', { outputFile: report }]],
    // A name that lists no file is a typing error, not a green run.
    passWithNoTests: false,
    projects: [
      {
        test: {
          name: 'unit',
          env: { NODE_OPTIONS, TMPDIR },
          include: ['test/**/*.test.{ts,tsx}'],
          exclude: ['test/slow/**', 'test/interop/**', ...PROCESSES],
          setupFiles: ['test/seed.ts'],
          execArgv,
          // The sources are loaded once a worker, and not once a file: a third of the time of the pure rooms.
          isolate: false,
          // One for each processor: many tests wait for a process that they started.
          maxWorkers: '100%',
          // Only what hangs: a busy machine may take many times as long as an idle one.
          testTimeout: 60_000,
        },
      },
      // Minutes of property tests, and tests that need a program of the machine (a browser, Redis).
      {
        test: {
          name: 'slow',
          globalSetup: ['test/clean.ts'],
          env: { NODE_OPTIONS, TMPDIR },
          setupFiles: ['test/seed.ts'],
          execArgv,
          include: ['test/slow/**/*.test.ts'],
          exclude: ['test/slow/computing/**', ...WAITING],
          testTimeout: 600_000,
          hookTimeout: 120_000,
        },
      },
      // What computes in one process for minutes, a file on each processor.
      {
        test: {
          name: 'computing',
          globalSetup: ['test/clean.ts'],
          env: { NODE_OPTIONS, TMPDIR },
          setupFiles: ['test/seed.ts'],
          execArgv,
          include: ['test/slow/computing/**/*.test.ts', ...WAITING],
          maxWorkers: '100%',
          testTimeout: 600_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'processes',
          env: { NODE_OPTIONS, TMPDIR },
          setupFiles: ['test/seed.ts'],
          execArgv,
          include: PROCESSES,
          // After the others, as they wait for processes that would wait for processors.
          sequence: { groupOrder: 1 },
          testTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'long',
          include: MORE_RUNS,
          setupFiles: ['test/seed.ts'],
          execArgv,
          env: { NODE_OPTIONS, TMPDIR, OPENACTIVE_ICAL_RUNS: process.env.OPENACTIVE_ICAL_RUNS ?? '4' },
          isolate: false,
          maxWorkers: '100%',
          testTimeout: 600_000,
        },
      },
      // What is the same whichever database holds the store, with PostgreSQL.
      {
        test: {
          name: 'postgres',
          globalSetup: ['test/clean.ts'],
          include: ON_POSTGRES,
          setupFiles: ['test/seed.ts'],
          execArgv,
          env: { NODE_OPTIONS, TMPDIR, TEST_DATABASE: 'postgres' },
          isolate: false,
          maxWorkers: '100%',
          testTimeout: 600_000,
        },
      },
      // Other people's calendar programs, installed by `.ci/run`.
      {
        test: {
          name: 'interop',
          include: ['test/interop/judges/*.test.ts'],
          globalSetup: ['test/interop/prepare.ts'],
          testTimeout: 600_000,
          hookTimeout: 300_000,
        },
      },
      // Real clients, which need none of what is prepared for the engines.
      {
        test: {
          name: 'clients',
          include: ['test/interop/clients/**/*.test.ts'],
          testTimeout: 600_000,
          hookTimeout: 300_000,
        },
      },
    ],
  },
});
