import { aggregateKey } from '../../../join/keys.ts';
import { forKind, kindNumber } from '../rows.ts';
import { SqliteFeedWriter } from './feed-writer.ts';

const SERIES = kindNumber('series');
const SESSION = kindNumber('session');
const FACILITY = kindNumber('facility');
const KIND_AND_IDENT = 'SELECT kind, ident FROM record JOIN record_body ON record = id WHERE id = ?';
const HANGING = forKind((kind) => `SELECT id FROM record WHERE parent = ? AND kind = ${kind}`);
const PLACED = `SELECT DISTINCT CASE kind WHEN ${SERIES} THEN id ELSE parent END FROM record WHERE place = ? AND kind IN (${SERIES}, ${SESSION})`;

/** How records find each other besides by their rows. */
export class SqliteKeyWriter extends SqliteFeedWriter {
  async saveKeys(rows: readonly { record: number; keys: readonly string[] }[]): Promise<void> {
    for (const { record, keys } of rows) {
      this.db.run('DELETE FROM record_key WHERE record = ?', record);
      for (const key of keys)
        this.db.run('INSERT OR IGNORE INTO record_key (tag, record) VALUES (?, ?)', this.keyTag(key), record);
    }
  }

  async dependents(record: number): Promise<{ series: number[]; facilities: number[] }> {
    const row = this.db.get(KIND_AND_IDENT, record);
    if (row?.[0] === FACILITY) {
      const courts = await this.recordsByKey('facility', [aggregateKey(String(row[1]))], -1);
      return { series: [], facilities: courts.map(({ id }) => id) };
    }
    const ids = (sql: string): number[] =>
      this.db.all(sql, record).flatMap(([id]) => (typeof id === 'number' ? [id] : []));
    return {
      series: [...ids(HANGING.series), ...ids(PLACED)],
      facilities: ids(HANGING.facility),
    };
  }
}
