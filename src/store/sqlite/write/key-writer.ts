import { aggregateKey } from '../../../join/keys.ts';
import { kindNumber } from '../rows.ts';
import { SqliteFeedWriter } from './feed-writer.ts';

const SERIES = kindNumber('series');
const SESSION = kindNumber('session');
const FACILITY = kindNumber('facility');
const KIND_AND_IDENT = 'SELECT kind, ident FROM record JOIN record_body ON record = id WHERE id = ?';
const HANGING = 'SELECT id FROM record WHERE parent = ? AND kind = ?';
const PLACED =
  'SELECT DISTINCT CASE kind WHEN ? THEN id ELSE parent END FROM record WHERE place = ? AND kind IN (?, ?)';

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
    const ids = (sql: string, ...values: number[]): number[] =>
      this.db.all(sql, ...values).flatMap(([id]) => (typeof id === 'number' ? [id] : []));
    return {
      series: [...ids(HANGING, record, SERIES), ...ids(PLACED, SERIES, record, SERIES, SESSION)],
      facilities: ids(HANGING, record, FACILITY),
    };
  }
}
