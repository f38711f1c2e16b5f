import { encodeHash, type SessionDocument, type SessionWriter } from '../../contract/index.ts';
import { type Database, LISTED, type Update, upsert } from '../database.ts';
import { orNull, SERIES, SESSION, zonedSession } from '../rows.ts';
import { SEARCH, searchRow, termsRow } from '../search/document-rows.ts';
import type { IndexedDocument, SearchIndex } from '../search-index.ts';

const SAVE_TIMES: Update = { table: 'record', set: ['start', 'end', 'zone'], key: ['id'] };
const STAMP: Update = { table: 'record', set: ['hash', 'sequence', 'changed'], key: ['id'] };
const SAVE_OCCURRENCE = upsert(
  'occurrence',
  ['series', 'start', 'schedule'],
  ['series', 'start', 'schedule', 'end', 'session', 'stamp'],
);

const SAVE_PRICE = upsert('session_price', ['series'], ['series', 'price']);
const PRICES = `INSERT INTO session_price (series, price)
  SELECT r.parent, min(r.price) FROM json_each(?) t CROSS JOIN record r ON r.parent = t.value
    WHERE r.kind = ${SESSION} AND r.price IS NOT NULL AND r.item IS NOT NULL GROUP BY r.parent`;

/** Keeps times, stamps, search documents and prices of sessions, and the occurrences of series. */
export function sessionWriter(db: Database, index: SearchIndex): SessionWriter {
  return {
    async zonedSessions(parents) {
      const sql = `SELECT r.id, r.place, r.start, r."end", r.zone, r.parent, s.body, s.ident FROM json_each(?) t CROSS JOIN record r ON r.parent = t.value
        CROSS JOIN record_body s ON s.record = r.id WHERE r.zone IS NOT NULL AND r.item IS NOT NULL`;
      return (await db.all(sql, JSON.stringify(parents))).map(zonedSession);
    },

    async saveTimes(rows) {
      const cells = rows.map(({ id, start, end, zone }) => [orNull(start), orNull(end), orNull(zone), id]);
      await db.update(SAVE_TIMES, cells);
    },

    async ownSessions(series) {
      const sql = `SELECT r.id FROM json_each(?) t CROSS JOIN record r ON r.parent = t.value
        WHERE r.own = 1 AND r.item IS NOT NULL ORDER BY r.parent, r.id`;
      return (await db.all(sql, JSON.stringify(series))).map((c) => Number(c[0]));
    },

    async venuesOfSessions(series) {
      if (series.length === 0) return [];
      const sql = `SELECT DISTINCT r.venue FROM json_each(?) t CROSS JOIN record r ON r.parent = t.value
        WHERE r.own = 1 AND r.venue IS NOT NULL AND r.item IS NOT NULL`;
      return (await db.all(sql, JSON.stringify(series))).map((c) => Number(c[0]));
    },

    saveSessionDocuments: (sessions, documents) => saveSessionDocuments(db, index, sessions, documents),

    async countSessionPrices(series) {
      const listed = JSON.stringify(series);
      await db.run(`DELETE FROM session_price WHERE series IN ${LISTED}`, listed);
      await db.run(PRICES, listed);
    },

    async lowerSessionPrices(prices) {
      if (prices.size === 0) return;
      const sql = `SELECT series, price FROM session_price WHERE series IN ${LISTED}`;
      const stored = new Map((await db.all(sql, JSON.stringify([...prices.keys()]))) as [number, number][]);
      const isLower = ([series, price]: [number, number]) => price < (stored.get(series) ?? Number.POSITIVE_INFINITY);
      await db.insert(SAVE_PRICE, [...prices].filter(isLower));
    },

    async stampSessions(stamps) {
      const cells = stamps.map(({ hash, sequence, changed, id }) => [encodeHash(hash), sequence, changed, id]);
      await db.update(STAMP, cells);
    },

    async replaceOccurrences(series, stamp, rows) {
      const cells = rows.map((row) => [series, row.start, row.schedule, row.end, orNull(row.session), stamp]);
      await db.insert(SAVE_OCCURRENCE, cells);
      await db.run('DELETE FROM occurrence WHERE series = ? AND stamp <> ?', series, stamp);
    },

    async seriesWithCancelled(from, to) {
      const own = 'SELECT parent FROM record WHERE cancelled = 1 AND start >= ?1 AND start < ?2 AND parent IS NOT NULL';
      const inherited = `SELECT b.id FROM (WITH RECURSIVE below (id) AS (
          SELECT id FROM record WHERE cancelled = 1 AND start IS NULL
          UNION SELECT s.id FROM below b JOIN record s ON s.parent = b.id AND s.kind = ${SERIES}
        ) SELECT id FROM below) b
        WHERE EXISTS (SELECT 1 FROM record r WHERE r.parent = b.id AND r.start >= ?1 AND r.start < ?2)`;
      return (await db.all(`${own} UNION ${inherited} ORDER BY 1`, from, to)).map((c) => Number(c[0]));
    },
  };
}

async function saveSessionDocuments(
  db: Database,
  index: SearchIndex,
  sessions: readonly number[],
  documents: readonly SessionDocument[],
): Promise<void> {
  if (sessions.length === 0) return;
  const columns = SEARCH.columns.map((column) => `s.${column}`).join(', ');
  const sql = `SELECT ${columns}, d.terms, d.added FROM json_each(?) t CROSS JOIN search s ON s.record = t.value
    CROSS JOIN search_terms d ON d.record = s.record`;
  const stored = new Map((await db.all(sql, JSON.stringify(sessions))).map((c) => [Number(c[0]), JSON.stringify(c)]));
  const indexed = documents.map((one): IndexedDocument => ({ ...one, kind: 'session' }));
  const isNew = (one: IndexedDocument) =>
    stored.get(one.record) !== JSON.stringify([...searchRow(one), ...termsRow(one).slice(1)]);
  const kept = new Set(documents.map(({ record }) => record));
  await index.drop([...stored.keys()].filter((record) => !kept.has(record)));
  await index.save(indexed.filter(isNew));
}
