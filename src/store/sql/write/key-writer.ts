import { aggregateKey } from '../../../join/keys.ts';
import { type Insert, LISTED } from '../database.ts';
import { forKind, kindNumber } from '../rows.ts';
import { SqlFeedWriter } from './feed-writer.ts';

const SAVE: Insert = { table: 'record_key', columns: ['tag', 'record'], key: ['tag', 'record'] };
const SERIES = kindNumber('series');
const SESSION = kindNumber('session');
const FACILITY = kindNumber('facility');
const KIND_AND_IDENT = 'SELECT r.kind, s.ident FROM record r JOIN record_body s ON s.record = r.id WHERE r.id = ?';
const HANGING = forKind((kind) => `SELECT id FROM record WHERE parent = ? AND kind = ${kind}`);
const PLACED = `SELECT DISTINCT CASE kind WHEN ${SERIES} THEN id ELSE parent END FROM record WHERE place = ? AND kind IN (${SERIES}, ${SESSION})`;

/** How records find each other besides by their rows. */
export class SqlKeyWriter extends SqlFeedWriter {
  async saveKeys(rows: readonly { record: number; keys: readonly string[] }[]): Promise<void> {
    await this.db.run(
      `DELETE FROM record_key WHERE record IN ${LISTED}`,
      JSON.stringify(rows.map(({ record }) => record)),
    );
    await this.db.insert(
      SAVE,
      rows.flatMap(({ record, keys }) => keys.map((key) => [this.keyTag(key), record])),
    );
  }

  async dependents(record: number): Promise<{ series: number[]; facilities: number[] }> {
    const row = await this.db.get(KIND_AND_IDENT, record);
    if (row?.[0] === FACILITY) {
      const courts = await this.recordsByKey('facility', [aggregateKey(String(row[1]))], -1);
      return { series: [], facilities: courts.map(({ id }) => id) };
    }
    const ids = async (sql: string): Promise<number[]> =>
      (await this.db.all(sql, record)).flatMap(([id]) => (typeof id === 'number' ? [id] : []));
    return {
      series: [...(await ids(HANGING.series)), ...(await ids(PLACED))],
      facilities: await ids(HANGING.facility),
    };
  }
}
