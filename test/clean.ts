import pg from 'pg';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** In the names of all schemas that a run of tests makes. */
    run: string;
  }
}

/** Of a run that was killed nobody takes the schemas away but a later one. */
const OLD_MS = 6 * 3_600_000;

/** Takes away what tests left in the PostgreSQL of `TEST_POSTGRES_URL`: those that failed, and runs that were killed. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const run = Date.now().toString(36);
  project.provide('run', run);
  await dropSchemas((made) => Date.now() - Number.parseInt(made, 36) > OLD_MS);
  return () => dropSchemas((made) => made === run);
}

/** Schemas are named `test_RUN_…`, and RUN is the time at which a run began. */
async function dropSchemas(isOver: (run: string) => boolean): Promise<void> {
  const { TEST_POSTGRES_URL: url } = process.env;
  if (url === undefined || url === '') return;
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string }>(
      "SELECT nspname AS name FROM pg_namespace WHERE nspname ~ '^test_[0-9a-z]+_[0-9a-f]+$'",
    );
    for (const { name } of rows)
      if (isOver(name.split('_')[1] ?? '')) await client.query(`DROP SCHEMA ${name} CASCADE`);
  } finally {
    await client.end();
  }
}
