import { HOLDERS, type RecordWatch } from '../contract/index.ts';
import { changedSince, FACILITY, PLACE, SERIES, SESSION } from '../sql/changed-records.ts';
import { BODY_TEXT, Connection } from './connection.ts';

/** The watch of records (`sql/changed-records.ts`) in SQLite, by triggers of rows. */

const LAST = '(SELECT coalesce(max(n), 0) FROM record_change)';

const INDEX = 'CREATE UNIQUE INDEX record_change_n ON record_change (n);';
const TABLE = `
CREATE TABLE record_change (ident TEXT NOT NULL, kind INTEGER NOT NULL, n INTEGER NOT NULL, parent INTEGER, PRIMARY KEY (ident, kind)) WITHOUT ROWID;
${INDEX}`;

/** Triggers of rows. A body is written before its record and deleted after it, so that the later trigger has the new parent. */
const TRIGGERS = `
CREATE TRIGGER record_change_insert AFTER INSERT ON record WHEN new.item IS NOT NULL BEGIN
  INSERT OR REPLACE INTO record_change (ident, kind, n, parent)
    SELECT ident, new.kind, ${LAST} + 1, new.parent FROM record_body WHERE record = new.id;
END;
CREATE TRIGGER record_change_body AFTER UPDATE OF body ON record_body WHEN new.body IS NOT old.body BEGIN
  INSERT OR REPLACE INTO record_change (ident, kind, n, parent)
    SELECT new.ident, kind, ${LAST} + 1, parent FROM record WHERE id = new.record;
END;
CREATE TRIGGER record_change_update AFTER UPDATE OF item, parent, zone ON record
  WHEN new.item IS NOT old.item OR new.parent IS NOT old.parent OR new.zone IS NOT old.zone BEGIN
  INSERT OR REPLACE INTO record_change (ident, kind, n, parent)
    SELECT ident, new.kind, ${LAST} + 1, coalesce(new.parent, old.parent) FROM record_body WHERE record = new.id;
END;
CREATE TRIGGER record_change_delete AFTER DELETE ON record WHEN old.item IS NOT NULL BEGIN
  INSERT OR REPLACE INTO record_change (ident, kind, n, parent)
    SELECT ident, old.kind, ${LAST} + 1, old.parent FROM record_body WHERE record = old.id;
END;
`;

/** A trigger that touches all records that inherit from a written EventSeries or Place (semantics 2). */
function dependents(name: string, id: string, event: string): string {
  return `
CREATE TRIGGER record_change_by_${name} AFTER ${event} BEGIN
  INSERT OR REPLACE INTO record_change (ident, kind, n, parent)
    SELECT s.ident, r.kind, ${LAST} + row_number() OVER (), r.parent FROM (
      SELECT id FROM record WHERE parent = ${id} AND kind IN (${SERIES}, ${FACILITY}) AND item IS NOT NULL
      UNION
      SELECT id FROM record WHERE place = ${id} AND item IS NOT NULL
    ) d JOIN record r ON r.id = d.id JOIN record_body s ON s.record = d.id;
END;
`;
}

const holder = (row: 'new' | 'old'): string =>
  `coalesce(json_extract(${BODY_TEXT}(${row}.body, ${row}.ident), '$.type') IN (${HOLDERS.map((type) => `'${type}'`).join(', ')}), 0)`;

/** A trigger that touches the sessions of a series that becomes a holder, or is one no longer (`HOLDERS`). */
const PARTS = `
CREATE TRIGGER record_change_parts AFTER UPDATE OF body ON record_body
  WHEN ${holder('new')} <> ${holder('old')} BEGIN
  INSERT OR REPLACE INTO record_change (ident, kind, n, parent)
    SELECT s.ident, r.kind, ${LAST} + row_number() OVER (), r.parent FROM record r JOIN record_body s ON s.record = r.id
      WHERE r.parent = new.record AND r.kind = ${SESSION} AND r.item IS NOT NULL;
END;
`;

const DEPENDENTS = [
  PARTS,
  dependents('insert', 'new.id', `INSERT ON record WHEN new.kind IN (${SERIES}, ${PLACE}) AND new.item IS NOT NULL`),
  dependents('update', 'new.record', 'UPDATE OF body ON record_body WHEN new.body IS NOT old.body'),
].join('');

/** Touches every record, when a watch begins. */
const FILL =
  'INSERT INTO record_change (ident, kind, n, parent) SELECT s.ident, r.kind, row_number() OVER (ORDER BY r.id), r.parent FROM record r JOIN record_body s ON s.record = r.id WHERE r.item IS NOT NULL';

/** The key of `meta` for the name of a watch, new at each beginning: numbers of two watches cannot be compared. */
const WATCH = 'watch';

/** The table of a watch up to schema version 4. A migration cannot test whether there is one. */
const EARLIER = 'touched';
const RENAME = `
DROP INDEX IF EXISTS ${EARLIER}_n;
ALTER TABLE ${EARLIER} RENAME TO record_change;
${INDEX}`;

/** Restores a watch after a migration, which may have renamed its table, and dropped triggers with replaced tables. */
export function restoreWatch(connection: Connection): void {
  if (isTable(connection, EARLIER)) {
    dropTriggers(connection, EARLIER);
    connection.db.exec(RENAME);
  }
  if (!isTable(connection, 'record_change')) return;
  dropTriggers(connection);
  connection.db.exec(`${TRIGGERS}${DEPENDENTS}`);
}

function isTable(connection: Connection, name: string): boolean {
  return connection.get("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?", name) !== undefined;
}

function dropTriggers({ db }: Connection, prefix = 'record_change'): void {
  const triggers = db
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'trigger' AND name LIKE ?")
    .all(`${prefix}_%`);
  for (const { name } of triggers) db.exec(`DROP TRIGGER ${String(name)}`);
}

/** Begins or ends the watch, unless it is in that state. */
function setWatch(connection: Connection, wanted: boolean): void {
  const { db } = connection;
  db.exec('BEGIN IMMEDIATE');
  const found = isTable(connection, 'record_change');
  if (wanted && !found) {
    db.exec(`${TABLE}${TRIGGERS}${DEPENDENTS}${FILL};`);
    db.exec(`INSERT OR REPLACE INTO meta (key, value) VALUES ('${WATCH}', hex(randomblob(8)))`);
  } else if (!wanted && found) {
    dropTriggers(connection);
    db.exec(`DROP TABLE record_change; DELETE FROM meta WHERE key = '${WATCH}'`);
  }
  db.exec('COMMIT');
}

/** Opens the watch of an existing database. */
export function openSqliteWatch(file: string): RecordWatch {
  const writing = new Connection(file);
  setWatch(writing, true);
  writing.close();
  const db = new Connection(file, { readOnly: true });
  return {
    name: String(db.get('SELECT value FROM meta WHERE key = ?', WATCH)?.[0]),
    since: (after, limit) => changedSince(db, after, limit),
    close: async () => db.close(),
  };
}

export function endSqliteWatch(file: string): void {
  const writing = new Connection(file);
  setWatch(writing, false);
  writing.close();
}
