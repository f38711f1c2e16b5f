import { defineConfig } from 'vitest/config';

/** CI asks for each suite's counts in a file (`.ci/run`); people only read the summary. */
const report = process.env.CI_REPORT;

/**
 * With memory protection keys, V8 now and then loses count of the code of a process with several threads and WebAssembly,
 * and ends it ("Check failed: jit_page.has_value()"): a file of tests that did not fail would be missing.
 */
const execArgv = ['--no-memory-protection-keys'];

export default defineConfig({
  test: {
    reporters: report === undefined ? ['default'] : ['default', ['json', { outputFile: report }]],
    // A name that lists no file is a typing error, not a green run.
    passWithNoTests: false,
    projects: [
      {
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: ['test/slow/**', 'test/interop/**'],
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
          setupFiles: ['test/seed.ts'],
          execArgv,
          include: ['test/slow/**/*.test.ts'],
          testTimeout: 600_000,
          hookTimeout: 120_000,
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
          include: ['test/interop/clients/*.test.ts'],
          testTimeout: 600_000,
          hookTimeout: 300_000,
        },
      },
    ],
  },
});
