import { DatabaseSync } from 'node:sqlite';
import { RECORD_KINDS } from '../../../opportunity/records.ts';
import { BODY_TEXT, readsBodies } from '../connection.ts';
import { storeFault } from '../faults.ts';

/** Differences of one kind: their number, and the names of the first. */
export interface Difference {
  what: string;
  count: number;
  examples: string[];
}

const EXAMPLES = 3;
const SESSION = RECORD_KINDS.indexOf('session');

/** The stored database is attached as `was`; the one made anew is `main`. Each query has a row with a name per difference. */
const KIND = `CASE r.kind ${RECORD_KINDS.map((kind, at) => `WHEN ${at} THEN '${kind}'`).join(' ')} END`;
const NAME = `${KIND} || ' ' || s.ident`;
const CALENDAR = "c.key || CASE c.part WHEN '' THEN '' ELSE '/' || c.part END";

/** Rows that only one of the two databases has. `same`: whether a row `o` of the other one has the same key. */
function only(
  schema: 'main' | 'was',
  { table, select, same }: { table: string; select: string; same: string },
): string {
  const other = schema === 'main' ? 'was' : 'main';
  return `SELECT ${select} FROM ${schema}.${table} WHERE NOT EXISTS (SELECT 1 FROM ${other}.${table.split(' ')[0]} o WHERE ${same})`;
}

const CLAIMS = {
  table: 'claim c',
  select: "'item ' || c.item || ' on record ' || c.record",
  same: 'o.record = c.record AND o.item = c.item',
};
const KEYS = { table: 'record_key k', select: "'record ' || k.record", same: 'o.tag = k.tag AND o.record = k.record' };

/** Rows of a search table with their records. Calendars have the hashes of all documents but those of sessions. */
const SEARCHED = (schema: string, table: 'search_terms t' | 'session_price t', key: string) =>
  `${schema}.${table} JOIN ${schema}.record_body s ON s.record = t.${key} JOIN ${schema}.record r ON r.id = s.record`;

const PUBLISHED = (table: string) =>
  `SELECT r.*, s.ident, ${BODY_TEXT}(s.body, s.ident) AS body FROM ${table}.record r JOIN ${table}.record_body s ON s.record = r.id WHERE r.item IS NOT NULL`;

const COLUMNS = [
  'publisher_id',
  'parent',
  'place',
  'venue',
  'named',
  'own',
  'price',
  'item',
  'rank',
  'start',
  '"end"',
  'zone',
  'cancelled',
  'tag',
  'body',
];

const QUERIES: readonly (readonly [what: string, sql: string])[] = [
  [
    'records that the raw items say and the store has not',
    `SELECT ${NAME} FROM main.record r JOIN main.record_body s ON s.record = r.id LEFT JOIN was.record o ON o.id = r.id
     WHERE r.item IS NOT NULL AND o.item IS NULL`,
  ],
  [
    'records that the store has and no raw item says',
    `SELECT ${NAME} FROM was.record r JOIN was.record_body s ON s.record = r.id LEFT JOIN main.record o ON o.id = r.id
     WHERE r.item IS NOT NULL AND o.item IS NULL`,
  ],
  ...COLUMNS.map(
    (column) =>
      [
        `records with another ${WORDS()[column] ?? column}`,
        `SELECT ${NAME} FROM (${PUBLISHED('was')}) r JOIN (${PUBLISHED('main')}) s ON s.id = r.id WHERE r.${column} IS NOT s.${column}`,
      ] as const,
  ),
  [
    'claims on records',
    `SELECT ${CLAIMS.select} FROM main.claim c LEFT JOIN was.claim o ON o.record = c.record AND o.item = c.item WHERE o.rank IS NOT c.rank OR o.refused IS NOT c.refused
     UNION ALL ${only('was', CLAIMS)}`,
  ],
  ['keys that records are found by', `${only('main', KEYS)} UNION ALL ${only('was', KEYS)}`],
  // Stamps are not compared: an item that was sent again unchanged moves none.
  [
    'occurrences',
    `SELECT s.ident || ' at ' || datetime(n.start / 1000, 'unixepoch') FROM main.occurrence n
       LEFT JOIN was.occurrence o ON o.series = n.series AND o.start = n.start AND o.schedule = n.schedule
       JOIN main.record_body s ON s.record = n.series
       WHERE o."end" IS NOT n."end" OR o.session IS NOT n.session
     UNION ALL SELECT coalesce(s.ident, n.series) || ' at ' || datetime(n.start / 1000, 'unixepoch') FROM was.occurrence n
       LEFT JOIN main.occurrence o ON o.series = n.series AND o.start = n.start AND o.schedule = n.schedule
       LEFT JOIN main.record_body s ON s.record = n.series WHERE o.series IS NULL`,
  ],
  [
    'calendars that are missing, or should not be there',
    `SELECT ${CALENDAR} FROM main.calendar c LEFT JOIN was.calendar o ON o.record = c.record AND o.part = c.part WHERE o.record IS NULL OR o.state <> c.state
     UNION ALL SELECT ${CALENDAR} FROM was.calendar c LEFT JOIN main.calendar o ON o.record = c.record AND o.part = c.part WHERE o.record IS NULL`,
  ],
  [
    'calendars that show something else',
    `SELECT ${CALENDAR} FROM was.calendar c JOIN main.calendar o ON o.record = c.record AND o.part = c.part AND o.state = c.state WHERE o.revision <> c.revision`,
  ],
  ...['key', 'name', 'search', 'findings', 'rolling'].map(
    (column) =>
      [
        `calendars with another ${column}`,
        `SELECT ${CALENDAR} FROM was.calendar c JOIN main.calendar o ON o.record = c.record AND o.part = c.part WHERE o.${column} IS NOT c.${column}`,
      ] as const,
  ),
  [
    'documents of sessions',
    `SELECT ${NAME} FROM ${SEARCHED('main', 'search_terms t', 'record')} LEFT JOIN was.search_terms o ON o.record = t.record
       WHERE r.kind = ${SESSION} AND o.terms IS NOT t.terms
     UNION ALL SELECT ${NAME} FROM ${SEARCHED('was', 'search_terms t', 'record')} LEFT JOIN main.search_terms o ON o.record = t.record
       WHERE r.kind = ${SESSION} AND o.record IS NULL`,
  ],
  [
    'lowest prices of sessions',
    `SELECT ${NAME} FROM ${SEARCHED('main', 'session_price t', 'series')} LEFT JOIN was.session_price o ON o.series = t.series
       WHERE o.price IS NOT t.price
     UNION ALL SELECT ${NAME} FROM ${SEARCHED('was', 'session_price t', 'series')} LEFT JOIN main.session_price o ON o.series = t.series
       WHERE o.series IS NULL`,
  ],
  [
    'findings of items',
    `SELECT n.kind || ' ' || n.rpde_id FROM main.item n JOIN was.item o ON o.id = n.id
     WHERE n.findings IS NOT o.findings AND ${inOneOrder('n.findings')} IS NOT ${inOneOrder('o.findings')}`,
  ],
  [
    'counts of feeds',
    `SELECT f.url FROM was.feed f LEFT JOIN (
       SELECT feed, count(hash) AS live, count(*) - count(hash) AS deleted FROM was.item GROUP BY feed
     ) n ON n.feed = f.id WHERE f.live <> coalesce(n.live, 0) OR f.deleted <> coalesce(n.deleted, 0)`,
  ],
];

function WORDS(): Readonly<Record<string, string>> {
  return {
    parent: 'series or place that they belong to',
    place: 'place that they take from',
    item: 'owner',
    publisher_id: 'publisher',
    '"end"': 'end',
    body: 'text',
  };
}

/** The sorted values of a JSON list: earlier releases stored findings in the order of arrival. */
function inOneOrder(list: string): string {
  return `(SELECT group_concat(value) FROM (SELECT value FROM json_each(${list}) ORDER BY value))`;
}

/** Compares two databases; each row is read once, and few are in memory. @throws StoreError */
export function differences(stored: string, anew: string): Difference[] {
  try {
    using db = new DatabaseSync(anew, { readOnly: true });
    readsBodies(db);
    db.prepare('ATTACH ? AS was').run(stored);
    return QUERIES.flatMap((query) => differencesOf(db, query));
  } catch (error) {
    throw storeFault(error, stored);
  }
}

function differencesOf(db: DatabaseSync, [what, sql]: (typeof QUERIES)[number]): Difference[] {
  const found: Difference = { what, count: 0, examples: [] };
  for (const row of db.prepare(sql).iterate()) {
    found.count += 1;
    if (found.examples.length < EXAMPLES) found.examples.push(String(Object.values(row)[0]));
  }
  return found.count === 0 ? [] : [found];
}
