import { createHash } from 'node:crypto';
import type { PoolClient } from 'pg';
import { StoreError } from '../../errors.ts';
import { LIMITS } from '../../limits.ts';
import { HOLDERS, type RecordWatch } from '../contract/index.ts';
import { changedSince, FACILITY, PLACE, SERIES, SESSION } from '../sql/changed-records.ts';
import { PostgresConnection } from './connection.ts';
import { databaseName, postgresFault } from './faults.ts';
import { readingPool, withPool, writingPool } from './pools.ts';

/**
 * The watch of records (`sql/changed-records.ts`), as SQLite has it (`sqlite/watch.ts`), by triggers of statements: a page is few
 * statements of many rows.
 *
 * Numbers come from the row of `record_watch`, which stays locked until the transaction that took them has ended. So they are
 * committed in their order, whoever writes, and who has read up to one misses nothing before it. A sequence would give numbers in
 * the order in which they are asked for.
 */

const ADD = `
CREATE OR REPLACE FUNCTION record_change_add(idents text[], kinds smallint[], parents bigint[]) RETURNS void
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE before bigint;
BEGIN
  IF coalesce(cardinality(idents), 0) = 0 THEN RETURN; END IF;
  UPDATE record_watch SET last = last + cardinality(idents) RETURNING last - cardinality(idents) INTO before;
  INSERT INTO record_change (key, kind, n, ident, parent)
    SELECT DISTINCT ON (t.ident, t.kind) sha256(convert_to(t.ident, 'UTF8')), t.kind, before + t.at, t.ident, t.parent
    FROM unnest(idents, kinds, parents) WITH ORDINALITY AS t (ident, kind, parent, at)
    ORDER BY t.ident, t.kind, t.at DESC
    ON CONFLICT (key, kind) DO UPDATE SET n = excluded.n, parent = excluded.parent;
END $$;`;

/** Notes the rows of a query, in the order of records. */
const note = (rows: string): string => `
  PERFORM record_change_add(array_agg(ident ORDER BY id), array_agg(kind ORDER BY id), array_agg(parent ORDER BY id)) FROM (${rows}) t;`;

/** What takes its details from an EventSeries or a Place is as good as written when that is (semantics 2). */
const dependents = (ids: string): string =>
  note(`SELECT r.id, s.ident, r.kind, r.parent FROM (
    SELECT c.id FROM record c WHERE c.parent IN (${ids}) AND c.kind IN (${SERIES}, ${FACILITY}) AND c.item IS NOT NULL
    UNION SELECT c.id FROM record c WHERE c.place IN (${ids}) AND c.item IS NOT NULL
  ) d JOIN record r ON r.id = d.id JOIN record_body s ON s.record = r.id`);

const OTHER_BODY = 'new_rows n JOIN old_rows o ON o.record = n.record AND n.body IS DISTINCT FROM o.body';

/** Whether a series may be of a type that holds its sessions: its text is packed (`sql/body-text.ts`), and read no further. */
const mayHold = (row: string): string =>
  `coalesce(replace(${row}.body, chr(1), ${row}.ident) ~ '${HOLDERS.join('|')}', false)`;

interface Trigger {
  name: string;
  table: 'record' | 'record_body';
  on: 'INSERT' | 'UPDATE' | 'DELETE';
  work: string;
}

/** The body is written before its record, and deleted after it: the last of two triggers knows the newest parent. */
const TRIGGERS: readonly Trigger[] = [
  {
    name: 'record_change_insert',
    table: 'record',
    on: 'INSERT',
    work:
      note(
        'SELECT n.id, s.ident, n.kind, n.parent FROM new_rows n JOIN record_body s ON s.record = n.id WHERE n.item IS NOT NULL',
      ) + dependents(`SELECT n.id FROM new_rows n WHERE n.kind IN (${SERIES}, ${PLACE}) AND n.item IS NOT NULL`),
  },
  {
    name: 'record_change_update',
    table: 'record',
    on: 'UPDATE',
    work: note(`SELECT n.id, s.ident, n.kind, coalesce(n.parent, o.parent) AS parent
      FROM new_rows n JOIN old_rows o ON o.id = n.id AND (n.item, n.parent, n.zone) IS DISTINCT FROM (o.item, o.parent, o.zone)
      JOIN record_body s ON s.record = n.id`),
  },
  {
    name: 'record_change_delete',
    table: 'record',
    on: 'DELETE',
    work: note(
      'SELECT o.id, s.ident, o.kind, o.parent FROM old_rows o JOIN record_body s ON s.record = o.id WHERE o.item IS NOT NULL',
    ),
  },
  {
    name: 'record_change_body',
    table: 'record_body',
    on: 'UPDATE',
    work:
      note(`SELECT r.id, n.ident, r.kind, r.parent FROM ${OTHER_BODY} JOIN record r ON r.id = n.record`) +
      dependents(`SELECT n.record FROM ${OTHER_BODY}`) +
      // Sessions are published within some series and beside others.
      note(`SELECT r.id, s.ident, r.kind, r.parent FROM ${OTHER_BODY} AND (${mayHold('n')} OR ${mayHold('o')})
        JOIN record r ON r.parent = n.record AND r.kind = ${SESSION} AND r.item IS NOT NULL JOIN record_body s ON s.record = r.id`),
  },
];

const TABLES_OF = {
  INSERT: 'NEW TABLE AS new_rows',
  UPDATE: 'OLD TABLE AS old_rows NEW TABLE AS new_rows',
  DELETE: 'OLD TABLE AS old_rows',
} as const;

const trigger = ({ name, table, on, work }: Trigger): string => `
CREATE OR REPLACE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN${work}
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER ${name} AFTER ${on} ON ${table} REFERENCING ${TABLES_OF[on]} FOR EACH STATEMENT EXECUTE FUNCTION ${name}();`;

/** Readers go on meanwhile: they would wait for a trigger that is dropped. */
const MAKE = ADD + TRIGGERS.map(trigger).join('');
const RELEASE = createHash('sha256').update(MAKE).digest('hex');
const COMMENTS = TRIGGERS.map(({ name, table }) => `COMMENT ON TRIGGER ${name} ON ${table} IS '${RELEASE}';`).join('');
const DISABLE = TRIGGERS.map(({ name, table }) => `ALTER TABLE ${table} DISABLE TRIGGER ${name};`).join('');
/** A row where there is a watch with all triggers of this release. */
const IS_OF_RELEASE = `SELECT 1 FROM record_watch WHERE name IS NOT NULL AND ${TRIGGERS.length} = (
  SELECT count(*) FROM pg_trigger WHERE tgrelid IN ('record'::regclass, 'record_body'::regclass) AND tgenabled = 'O'
    AND obj_description(oid, 'pg_trigger') = '${RELEASE}')`;

/** Everything there is, as if it had just been written. */
const FILL = `DELETE FROM record_change;
INSERT INTO record_change (key, kind, n, ident, parent)
  SELECT sha256(convert_to(s.ident, 'UTF8')), r.kind, w.last + row_number() OVER (ORDER BY r.id), s.ident, r.parent
  FROM record_watch w, record r JOIN record_body s ON s.record = r.id WHERE r.item IS NOT NULL;
UPDATE record_watch SET last = coalesce((SELECT max(n) FROM record_change), last), name = gen_random_uuid()::text;`;

/** Nobody writes records meanwhile. */
const BEGIN = `BEGIN; SET LOCAL lock_timeout = ${LIMITS.lockMs}; UPDATE store SET writes = writes + 1; LOCK TABLE record, record_body IN SHARE ROW EXCLUSIVE MODE`;

/** Begins to follow every record, or stops. One that goes on gets the triggers of this release. */
async function setWatch(client: PoolClient, wanted: boolean): Promise<void> {
  const isSo = async (sql: string) => (await client.query(sql)).rowCount !== 0;
  const isWatched = () => isSo('SELECT 1 FROM record_watch WHERE name IS NOT NULL');
  if (wanted ? await isSo(IS_OF_RELEASE) : !(await isWatched())) return;
  await client.query(BEGIN);
  const goesOn = await isWatched();
  await client.query(MAKE + COMMENTS);
  if (wanted && !goesOn) await client.query(FILL);
  // Numbers go on: what was seen of one watch is never above those of the next.
  if (!wanted) await client.query(`${DISABLE} UPDATE record_watch SET name = NULL; DELETE FROM record_change`);
  await client.query('COMMIT');
}

function changeWatch(url: string, wanted: boolean): Promise<void> {
  return withPool(writingPool, url, async (pool) => {
    const client = await pool.connect();
    try {
      await setWatch(client, wanted);
    } finally {
      // With whatever was not committed.
      client.release(true);
    }
  });
}

/** Opens the watch of a database that is there. @throws StoreError */
export async function openPostgresWatch(url: string): Promise<RecordWatch> {
  await changeWatch(url, true);
  const pool = await readingPool(url);
  const db = new PostgresConnection(pool, new Map(), (error) => postgresFault(error, databaseName(url)));
  const current = async () => String((await db.get('SELECT name FROM record_watch'))?.[0]);
  const name = await current();
  return {
    name,
    async since(after, limit) {
      const changed = await changedSince(db, after, limit);
      if (changed.length === 0 && (await current()) !== name) throw new StoreError(ENDED);
      return changed;
    },
    close: () => pool.end(),
  };
}

const ENDED =
  'Another process has ended the watch of records, for its settings do not have republish. Give all processes the same settings, and start this one again.';

/** @throws StoreError */
export function endPostgresWatch(url: string): Promise<void> {
  return changeWatch(url, false);
}
