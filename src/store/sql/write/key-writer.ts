import { aggregateKey } from '../../../join/keys.ts';
import { type Insert, LISTED } from '../database.ts';
import { forKind, kindNumber } from '../rows.ts';
import { SqlFeedWriter } from './feed-writer.ts';

const SAVE: Insert = { table: 'record_key', columns: ['tag', 'record'], key: ['tag', 'record'] };
const SERIES = kindNumber('series');
const SESSION = kindNumber('session');
const FACILITY = kindNumber('facility');
const KIND_AND_IDENT =
  'SELECT r.id, r.kind, s.ident FROM json_each(?) t CROSS JOIN record r ON r.id = t.value CROSS JOIN record_body s ON s.record = r.id';
const HANGING = forKind(
  (kind) => `SELECT r.id FROM json_each(?) t CROSS JOIN record r ON r.parent = t.value AND r.kind = ${kind}`,
);
const PLACED = `SELECT DISTINCT CASE r.kind WHEN ${SERIES} THEN r.id ELSE r.parent END
  FROM json_each(?) t CROSS JOIN record r ON r.place = t.value AND r.kind IN (${SERIES}, ${SESSION})`;

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

  async dependents(records: readonly number[]): Promise<{ series: number[]; facilities: number[] }> {
    if (records.length === 0) return { series: [], facilities: [] };
    const rows = await this.db.all(KIND_AND_IDENT, JSON.stringify(records));
    const aggregates = rows.filter(([, kind]) => kind === FACILITY);
    const courts = await this.recordsByKey(
      'facility',
      aggregates.map(([, , ident]) => aggregateKey(String(ident))),
      -1,
    );
    const others = JSON.stringify(rows.flatMap(([id, kind]) => (kind === FACILITY ? [] : Number(id))));
    const ids = async (sql: string): Promise<number[]> =>
      (await this.db.all(sql, others)).flatMap(([id]) => (typeof id === 'number' ? [id] : []));
    return {
      series: [...(await ids(HANGING.series)), ...(await ids(PLACED))],
      facilities: [...courts.map(({ id }) => id), ...(await ids(HANGING.facility))],
    };
  }
}
