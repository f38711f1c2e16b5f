/**
 * Tables of the search index. A row of `search` is what filters read; `lexemes` finds it by the terms and keys of its document
 * (lexemes.ts). `search_terms` has those terms field by field, as `storedTerms` writes them, for phrases and ranks. All of them
 * are written and cleared together.
 */
export const SEARCH_SCHEMA = `
CREATE TABLE search (
  record bigint PRIMARY KEY, kind smallint NOT NULL, zone TEXT, latitude double precision, longitude double precision,
  age_min double precision, age_max double precision, gender TEXT, price double precision, online smallint NOT NULL,
  lexemes tsvector NOT NULL
);
CREATE TABLE search_terms (record bigint PRIMARY KEY, terms TEXT NOT NULL);
CREATE INDEX search_kind ON search (kind, record);
CREATE INDEX search_price ON search (kind, price) WHERE price IS NOT NULL;
CREATE INDEX search_gender ON search (kind, gender) WHERE gender IS NOT NULL;
CREATE INDEX search_online ON search (kind) WHERE online = 1;
CREATE INDEX search_near ON search USING gist (point(longitude, latitude));
CREATE INDEX search_lexemes ON search USING gin (lexemes);
-- Words of names, for those that are mistyped. A word stays when its last document goes: what is asked with it finds nothing.
CREATE TABLE search_word (length integer NOT NULL, word TEXT NOT NULL, PRIMARY KEY (length, word));
-- Zones of documents, for the instants that a local time may be. They stay likewise.
CREATE TABLE search_zone (zone TEXT PRIMARY KEY);
-- With what tells whose they are and whether they are over: most of what is read by start is not wanted.
CREATE INDEX record_start ON record (start, "end", parent, cancelled) WHERE kind = 1 AND start IS NOT NULL AND item IS NOT NULL;
CREATE INDEX occurrence_start ON occurrence (start, "end", series, session);
`;
