/**
 * Tables of the search index. A row of `search` is what filters read, narrow because most of what is read by start is not
 * wanted. `search_terms` has the terms of the document as `storedTerms` writes them. `search_text` finds terms by the same row
 * id, a column for each field. The column `keys` has keys, and what a session adds to its series (`added`).
 * `search_near` has no sessions. All of them are written and cleared together (writing.ts).
 */
export const SEARCH_SCHEMA = `
CREATE TABLE search (
  record INTEGER PRIMARY KEY, kind INTEGER NOT NULL, zone TEXT, latitude REAL, longitude REAL,
  age_min REAL, age_max REAL, gender TEXT, price REAL, online INTEGER NOT NULL
);
CREATE TABLE search_terms (record INTEGER PRIMARY KEY, terms TEXT NOT NULL, added TEXT);
CREATE INDEX search_kind ON search (kind, record);
CREATE INDEX search_price ON search (kind, price) WHERE price IS NOT NULL;
CREATE INDEX search_gender ON search (kind, gender) WHERE gender IS NOT NULL;
CREATE INDEX search_online ON search (kind) WHERE online = 1;
CREATE VIRTUAL TABLE search_near USING rtree(record, south, north, west, east);
CREATE VIRTUAL TABLE search_text USING fts5(
  name, activity, place, town, category, broader, organizer, leader, level, description, keys,
  content = '', contentless_delete = 1, tokenize = "ascii tokenchars '_'"
);
-- The lowest price that one of the sessions of a series says itself.
CREATE TABLE session_price (series INTEGER PRIMARY KEY, price REAL NOT NULL);
CREATE INDEX session_price_price ON session_price (price);
-- Words of names, for those that are mistyped. A word stays when its last document goes: what is asked with it finds nothing.
CREATE TABLE search_word (length INTEGER NOT NULL, word TEXT NOT NULL, PRIMARY KEY (length, word)) WITHOUT ROWID;
-- Zones of documents, for the instants that a local time may be. They stay likewise.
CREATE TABLE search_zone (zone TEXT PRIMARY KEY) WITHOUT ROWID;
-- With what tells whose they are and whether they are over: most of what is read by start is not wanted.
CREATE INDEX record_start ON record (start, "end", parent, cancelled) WHERE kind = 1 AND start IS NOT NULL AND item IS NOT NULL;
CREATE INDEX occurrence_start ON occurrence (start, "end", series, session);
-- What is on for longer than three hours, for what is going on just now.
CREATE INDEX record_long ON record (start, "end", parent, cancelled) WHERE kind = 1 AND "end" - start > 10800000 AND item IS NOT NULL;
CREATE INDEX occurrence_long ON occurrence (start, "end", series, session) WHERE "end" - start > 10800000;
CREATE INDEX record_long_parent ON record (parent, start, "end") WHERE kind = 1 AND "end" - start > 10800000;
CREATE INDEX occurrence_long_series ON occurrence (series, start, "end") WHERE "end" - start > 10800000;
`;
