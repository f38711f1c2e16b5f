import { FIELDS, type Field, type SearchDocument } from '../../../search/document.ts';
import type { Connection } from '../connection.ts';
import { orNull } from '../rows.ts';
import { storedTerms } from './stored-terms.ts';
import { keyTerms } from './terms.ts';

/** Documents into the index. The caller has a transaction. */

const NAMES = Object.keys(FIELDS) as Field[];

const SAVE =
  'INSERT INTO search (record, kind, zone, latitude, longitude, age_min, age_max, gender, price, online) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)';
const SAVE_TERMS = 'INSERT INTO search_terms (record, terms) VALUES (?, ?)';
const SAVE_TEXT = `INSERT INTO search_text (rowid, ${NAMES.join(', ')}, keys) VALUES (?, ${NAMES.map(() => '?').join(', ')}, ?)`;
const SAVE_POSITION = 'INSERT INTO search_near (record, south, north, west, east) VALUES (?1, ?2, ?2, ?3, ?3)';

/** Takes the place of the document that the record had. */
export function saveDocument(db: Connection, record: number, kind: number, document: SearchDocument): void {
  dropDocument(db, record);
  const { fields, age, gender, latitude, longitude } = document;
  const keys = keyTerms(document).join(' ');
  db.run(
    SAVE,
    record,
    kind,
    orNull(document.zone),
    orNull(latitude),
    orNull(longitude),
    orNull(age?.min),
    orNull(age?.max),
    orNull(gender),
    orNull(lowestPrice(document)),
    document.online ? 1 : 0,
  );
  db.run(SAVE_TERMS, record, storedTerms(fields, keys));
  db.run(SAVE_TEXT, record, ...NAMES.map((name) => fields[name]), keys);
  if (latitude !== undefined && longitude !== undefined) db.run(SAVE_POSITION, record, latitude, longitude);
}

export function dropDocument(db: Connection, record: number): void {
  if (db.get('SELECT 1 FROM search WHERE record = ?', record) === undefined) return;
  for (const sql of [
    'DELETE FROM search WHERE record = ?',
    'DELETE FROM search_terms WHERE record = ?',
    'DELETE FROM search_text WHERE rowid = ?',
    'DELETE FROM search_near WHERE record = ?',
  ])
    db.run(sql, record);
}

/** Words and zones of many documents at once: most of them are there already. */
export function saveWords(db: Connection, documents: readonly SearchDocument[]): void {
  const save = (into: string, values: ReadonlySet<string>) =>
    values.size > 0 && db.run(`INSERT OR IGNORE INTO ${into} FROM json_each(?)`, JSON.stringify([...values]));
  save('search_word (length, word) SELECT length(value), value', new Set(documents.flatMap(({ words }) => words)));
  save('search_zone (zone) SELECT value', new Set(documents.flatMap(({ zone }) => zone ?? [])));
}

/** Every document, at the start of a rebuild. */
export function clearDocuments(db: Connection): void {
  for (const table of ['search', 'search_terms', 'search_near', 'search_word', 'search_zone'])
    db.run(`DELETE FROM ${table}`);
  db.run("INSERT INTO search_text (search_text) VALUES ('delete-all')");
}

function lowestPrice({ free, prices }: SearchDocument): number | undefined {
  if (free) return 0;
  return prices.length === 0 ? undefined : Math.min(...prices.map(({ min }) => min));
}
