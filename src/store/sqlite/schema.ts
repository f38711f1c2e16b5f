import { BLOCKS, SEED } from '../sql/tags.ts';
import { SEARCH_SCHEMA } from './search/schema.ts';

/**
 * The embedded database. Indexes have integers and short keys. Raw data is in compressed bundles beside the items
 * (bundles.ts), so that an item's row stays small. The text of a record has a table of its own too, because owners and stamps
 * change all the time. A page of the file has room for fifty narrow rows or five wide ones.
 */
export const SCHEMA_VERSION = 9;

export const SCHEMA = `
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
INSERT INTO meta (key, value) VALUES ('${SEED}', abs(random() % 4294967296)), ('${BLOCKS}', '1');

-- publisher_id: whose feed it is (join/publishers.ts); 0: it is being forgotten. listed: a dataset site names the address.
CREATE TABLE feed (
  id INTEGER PRIMARY KEY, url TEXT NOT NULL UNIQUE,
  name TEXT, publisher TEXT, publisher_url TEXT, license TEXT, cursor TEXT, state TEXT,
  live INTEGER NOT NULL DEFAULT 0, deleted INTEGER NOT NULL DEFAULT 0, findings INTEGER NOT NULL DEFAULT 0,
  publisher_id INTEGER NOT NULL DEFAULT 0, listed INTEGER NOT NULL DEFAULT 0,
  bytes INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE publisher (id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE);

CREATE TABLE page_finding (feed INTEGER NOT NULL, cursor TEXT NOT NULL, findings TEXT NOT NULL, PRIMARY KEY (feed, cursor)) WITHOUT ROWID;

-- The items that a pass from a feed's start has met, as bits: a row for some thousands of them, gone when the pass is over.
CREATE TABLE seen (feed INTEGER NOT NULL, chunk INTEGER NOT NULL, bits BLOB NOT NULL, PRIMARY KEY (feed, chunk)) WITHOUT ROWID;

CREATE TABLE bundle (id INTEGER PRIMARY KEY, live INTEGER NOT NULL, data BLOB NOT NULL);

CREATE TABLE item (
  id INTEGER PRIMARY KEY, feed INTEGER NOT NULL, kind TEXT NOT NULL, rpde_id TEXT NOT NULL,
  modified TEXT NOT NULL, hash TEXT, bundle INTEGER, slot INTEGER, findings TEXT, tag INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX item_tag ON item (feed, tag);
CREATE INDEX item_findings ON item (feed, id) WHERE findings IS NOT NULL;

-- Losses that wait for somebody (sql/write/held.ts).
CREATE TABLE aside (
  item INTEGER PRIMARY KEY, feed INTEGER NOT NULL, modified TEXT NOT NULL, hash TEXT, raw TEXT,
  calendars INTEGER NOT NULL, sessions INTEGER NOT NULL
);
CREATE INDEX aside_feed ON aside (feed);

-- publisher_id: whose the record is and all that hangs on it. strays: what others hang on it is kept apart, under rows of its own.
-- zone: of sessions whose times name no zone, the one they were read in; empty: the configured default.
-- named: the series that a session names which may have one of its own. own, price: what is searched of a session itself.
CREATE TABLE record (
  id INTEGER PRIMARY KEY, kind INTEGER NOT NULL, tag INTEGER NOT NULL,
  parent INTEGER, place INTEGER, venue INTEGER, item INTEGER, rank INTEGER, start INTEGER, "end" INTEGER, cancelled INTEGER,
  hash TEXT, sequence INTEGER NOT NULL DEFAULT 0, changed INTEGER NOT NULL DEFAULT 0,
  publisher_id INTEGER, strays INTEGER, zone TEXT, named INTEGER, own INTEGER, price REAL
);
CREATE INDEX record_tag ON record (tag);
CREATE INDEX record_item ON record (item) WHERE item IS NOT NULL;
CREATE INDEX record_parent ON record (parent, kind, start) WHERE parent IS NOT NULL;
CREATE INDEX record_place ON record (place) WHERE place IS NOT NULL;
CREATE INDEX record_venue ON record (venue) WHERE venue IS NOT NULL;
CREATE INDEX record_stub ON record (kind) WHERE item IS NULL;
CREATE INDEX record_cancelled ON record (start) WHERE cancelled = 1;
CREATE INDEX record_zone ON record (parent) WHERE zone IS NOT NULL;
CREATE INDEX record_named ON record (named) WHERE named IS NOT NULL;
CREATE INDEX record_own ON record (parent) WHERE own = 1;
-- Written before record and deleted after it: triggers on record read the identity here (watch.ts). body: packed (sql/body-text.ts).
CREATE TABLE record_body (record INTEGER PRIMARY KEY, ident TEXT NOT NULL, body TEXT);
-- What records are found by besides their @id (join/keys.ts): tags, for keys are always compared whole.
CREATE TABLE record_key (tag INTEGER NOT NULL, record INTEGER NOT NULL, PRIMARY KEY (tag, record)) WITHOUT ROWID;
CREATE INDEX record_key_record ON record_key (record);

-- refused: another publisher may speak of the record, and this one may not.
CREATE TABLE claim (
  record INTEGER NOT NULL, item INTEGER NOT NULL, rank INTEGER NOT NULL, refused INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (record, item)
) WITHOUT ROWID;
CREATE INDEX claim_item ON claim (item);

CREATE TABLE calendar (
  record INTEGER NOT NULL, part TEXT NOT NULL, kind INTEGER NOT NULL, key TEXT NOT NULL, state TEXT NOT NULL,
  revision INTEGER NOT NULL, changed INTEGER NOT NULL, seq INTEGER NOT NULL,
  name TEXT NOT NULL, search TEXT NOT NULL, header TEXT NOT NULL, events TEXT, tail TEXT, deleted_at INTEGER, moved_to TEXT,
  sessions INTEGER NOT NULL, rolling INTEGER NOT NULL, findings TEXT
);
CREATE UNIQUE INDEX calendar_record ON calendar (record, part);
CREATE UNIQUE INDEX calendar_key ON calendar (key, part);
CREATE UNIQUE INDEX calendar_seq ON calendar (seq);
CREATE INDEX calendar_name ON calendar (kind, name, key) WHERE state = 'live' AND part = '';
CREATE INDEX calendar_rolling ON calendar (record) WHERE rolling = 1;
CREATE INDEX calendar_deleted ON calendar (deleted_at) WHERE state = 'deleted';

-- Generated occurrences, each with the row of the session that replaces it.
CREATE TABLE occurrence (
  series INTEGER NOT NULL, start INTEGER NOT NULL, schedule INTEGER NOT NULL,
  "end" INTEGER NOT NULL, session INTEGER, stamp TEXT NOT NULL,
  PRIMARY KEY (series, start, schedule)
) WITHOUT ROWID;
CREATE INDEX occurrence_session ON occurrence (series, session) WHERE session IS NOT NULL;

-- What changed of the dates of a series with one revision, at the place where it was then.
CREATE TABLE change (id INTEGER PRIMARY KEY, series INTEGER NOT NULL, venue INTEGER, at INTEGER NOT NULL, text TEXT NOT NULL);
CREATE INDEX change_series ON change (series);
CREATE INDEX change_venue ON change (venue) WHERE venue IS NOT NULL;
CREATE INDEX change_at ON change (at);
-- Lists that people keep. edit_hash: of the key that may change one. asked: when somebody last asked for it. seq: orders changes.
CREATE TABLE kept_list (
  token TEXT PRIMARY KEY, edit_hash TEXT NOT NULL, content TEXT NOT NULL,
  revision INTEGER NOT NULL, changed INTEGER NOT NULL, asked INTEGER NOT NULL, seq INTEGER NOT NULL
) WITHOUT ROWID;
CREATE UNIQUE INDEX kept_list_seq ON kept_list (seq);
CREATE INDEX kept_list_asked ON kept_list (asked);

${SEARCH_SCHEMA}`;

/**
 * Statements that migrate a database of each version to the next; `MIGRATIONS[0]` is for version 1. All data stays.
 * A migration is never changed; add new ones at the end. That is why each is written out, and takes nothing from `SCHEMA`.
 */
export const MIGRATIONS = [
  `
ALTER TABLE calendar ADD COLUMN moved_to TEXT;
ALTER TABLE feed ADD COLUMN state TEXT;
ALTER TABLE feed ADD COLUMN live INTEGER NOT NULL DEFAULT 0;
ALTER TABLE feed ADD COLUMN deleted INTEGER NOT NULL DEFAULT 0;
ALTER TABLE feed ADD COLUMN findings INTEGER NOT NULL DEFAULT 0;
UPDATE feed SET live = counted.live, deleted = counted.deleted, findings = counted.findings
  FROM (SELECT feed, count(hash) AS live, count(*) - count(hash) AS deleted,
    coalesce(sum(json_array_length(findings)), 0) AS findings FROM item GROUP BY feed) AS counted
  WHERE counted.feed = feed.id;
UPDATE feed SET findings = findings + (
  SELECT coalesce(sum(json_array_length(p.findings)), 0) FROM page_finding p WHERE p.feed = feed.id);
-- The last time that anything changed is the best there is to tell how old a cursor is.
UPDATE feed SET state = json_object('state', 'reading', 'lastPage', changed, 'lastChange', changed)
  FROM (SELECT coalesce(max(changed), 0) AS changed FROM calendar)
  WHERE cursor IS NOT NULL;
CREATE TABLE seen (feed INTEGER NOT NULL, chunk INTEGER NOT NULL, bits BLOB NOT NULL, PRIMARY KEY (feed, chunk)) WITHOUT ROWID;
`,
  `
INSERT INTO meta (key, value) VALUES ('tags', abs(random() % 4294967296));
ALTER TABLE item ADD COLUMN tag INTEGER NOT NULL DEFAULT 0;
UPDATE item SET tag = tag_of(rpde_id, feed + (SELECT CAST(value AS INTEGER) FROM meta WHERE key = 'tags'));
DROP INDEX item_key;
CREATE INDEX item_tag ON item (feed, tag);
CREATE TABLE said (record INTEGER PRIMARY KEY, ident TEXT NOT NULL, body TEXT);
INSERT INTO said (record, ident, body) SELECT id, ident, body FROM record ORDER BY id;
CREATE TABLE narrow (
  id INTEGER PRIMARY KEY, kind INTEGER NOT NULL, tag INTEGER NOT NULL,
  parent INTEGER, place INTEGER, venue INTEGER, item INTEGER, rank INTEGER, start INTEGER, "end" INTEGER, cancelled INTEGER,
  hash TEXT, sequence INTEGER NOT NULL DEFAULT 0, changed INTEGER NOT NULL DEFAULT 0
);
INSERT INTO narrow (id, kind, tag, parent, place, venue, item, rank, start, "end", cancelled, hash, sequence, changed)
  SELECT id, kind, tag_of(ident, kind + (SELECT CAST(value AS INTEGER) FROM meta WHERE key = 'tags')), parent, place, venue, item, rank, start, "end", cancelled, hash, sequence, changed
  FROM record ORDER BY id;
-- With its indexes, and the triggers of a watch.
DROP TABLE record;
ALTER TABLE narrow RENAME TO record;
CREATE INDEX record_tag ON record (tag);
CREATE INDEX record_item ON record (item) WHERE item IS NOT NULL;
CREATE INDEX record_parent ON record (parent, kind, start) WHERE parent IS NOT NULL;
CREATE INDEX record_place ON record (place) WHERE place IS NOT NULL;
CREATE INDEX record_venue ON record (venue) WHERE venue IS NOT NULL;
CREATE INDEX record_stub ON record (kind) WHERE item IS NULL;
CREATE INDEX record_cancelled ON record (start) WHERE cancelled = 1;
DROP INDEX occurrence_start;
`,
  `
CREATE TABLE record_key (tag INTEGER NOT NULL, record INTEGER NOT NULL, PRIMARY KEY (tag, record)) WITHOUT ROWID;
CREATE INDEX record_key_record ON record_key (record);
CREATE TABLE aside (
  item INTEGER PRIMARY KEY, feed INTEGER NOT NULL, modified TEXT NOT NULL, hash TEXT, raw TEXT,
  calendars INTEGER NOT NULL, sessions INTEGER NOT NULL
);
CREATE INDEX aside_feed ON aside (feed);
ALTER TABLE occurrence RENAME TO earlier_occurrence;
CREATE TABLE occurrence (
  series INTEGER NOT NULL, start INTEGER NOT NULL, schedule INTEGER NOT NULL,
  "end" INTEGER NOT NULL, session INTEGER, stamp TEXT NOT NULL,
  PRIMARY KEY (series, start, schedule)
) WITHOUT ROWID;
CREATE INDEX occurrence_session ON occurrence (series, session) WHERE session IS NOT NULL;
-- Of no session, until the rebuild that new rules ask for says which.
INSERT INTO occurrence SELECT series, start, schedule, "end", CASE hidden WHEN 1 THEN 0 END, stamp FROM earlier_occurrence;
DROP TABLE earlier_occurrence;
-- Names that change are followed anew.
UPDATE meta SET value = hex(randomblob(8)) WHERE key = 'watch' AND EXISTS (SELECT 1 FROM said WHERE ident <> same_id(ident));
-- Ids are compared otherwise. Where another record has the identity already, later claims are claims on that one.
UPDATE said SET ident = same_id(ident) WHERE ident <> same_id(ident) AND NOT EXISTS (
  SELECT 1 FROM record r JOIN record o ON o.tag = tag_of(same_id(said.ident), r.kind + (SELECT CAST(value AS INTEGER) FROM meta WHERE key = 'tags')) AND o.kind = r.kind
    JOIN said s ON s.record = o.id
  WHERE r.id = said.record AND s.ident = same_id(said.ident));
UPDATE record SET tag = tag_of(s.ident, kind + (SELECT CAST(value AS INTEGER) FROM meta WHERE key = 'tags')) FROM said s
  WHERE s.record = id AND tag <> tag_of(s.ident, kind + (SELECT CAST(value AS INTEGER) FROM meta WHERE key = 'tags'));
-- Whose feeds and records these are.
CREATE TABLE publisher (id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE);
ALTER TABLE feed ADD COLUMN publisher_id INTEGER NOT NULL DEFAULT 0;
INSERT INTO publisher (key) SELECT publisher_key_of(url) FROM feed GROUP BY 1 ORDER BY min(id);
UPDATE feed SET publisher_id = publisher.id FROM publisher WHERE publisher.key = publisher_key_of(feed.url);
ALTER TABLE record ADD COLUMN publisher_id INTEGER;
ALTER TABLE record ADD COLUMN strays INTEGER;
ALTER TABLE record ADD COLUMN zone TEXT;
CREATE INDEX record_zone ON record (parent) WHERE zone IS NOT NULL;
UPDATE record SET publisher_id = feed.publisher_id FROM item JOIN feed ON feed.id = item.feed WHERE item.id = record.item;
-- What waits for a record was told apart by nobody: the rebuild with the rules of this release does.
UPDATE record SET publisher_id = (SELECT min(c.publisher_id) FROM record c WHERE c.parent = record.id) WHERE item IS NULL;
ALTER TABLE claim ADD COLUMN refused INTEGER NOT NULL DEFAULT 0;
-- What is stored of each feed.
ALTER TABLE feed ADD COLUMN bytes INTEGER NOT NULL DEFAULT 0;
UPDATE feed SET bytes = stored.bytes FROM (
  SELECT owned.feed, sum(length(b.data)) AS bytes
  FROM (SELECT DISTINCT feed, bundle FROM item WHERE bundle IS NOT NULL) AS owned JOIN bundle b ON b.id = owned.bundle
  GROUP BY owned.feed) AS stored
  WHERE stored.feed = feed.id;
UPDATE feed SET bytes = bytes + (SELECT coalesce(sum(length(p.findings)), 0) FROM page_finding p WHERE p.feed = feed.id);
ALTER TABLE feed ADD COLUMN listed INTEGER NOT NULL DEFAULT 0;
`,
  `
ALTER TABLE said RENAME TO record_body;
CREATE TABLE change (id INTEGER PRIMARY KEY, series INTEGER NOT NULL, venue INTEGER, at INTEGER NOT NULL, text TEXT NOT NULL);
CREATE INDEX change_series ON change (series);
CREATE INDEX change_venue ON change (venue) WHERE venue IS NOT NULL;
CREATE INDEX change_at ON change (at);
-- Lists that people keep. edit_hash: of the key that may change one. asked: when somebody last asked for it. seq: orders changes.
CREATE TABLE kept_list (
  token TEXT PRIMARY KEY, edit_hash TEXT NOT NULL, content TEXT NOT NULL,
  revision INTEGER NOT NULL, changed INTEGER NOT NULL, asked INTEGER NOT NULL, seq INTEGER NOT NULL
) WITHOUT ROWID;
CREATE UNIQUE INDEX kept_list_seq ON kept_list (seq);
CREATE INDEX kept_list_asked ON kept_list (asked);
CREATE TABLE search (
  record INTEGER PRIMARY KEY, kind INTEGER NOT NULL, zone TEXT, latitude REAL, longitude REAL,
  age_min REAL, age_max REAL, gender TEXT, price REAL, online INTEGER NOT NULL, activities TEXT NOT NULL
);
CREATE INDEX search_kind ON search (kind, record);
CREATE INDEX search_price ON search (kind, price) WHERE price IS NOT NULL;
CREATE INDEX search_gender ON search (kind, gender) WHERE gender IS NOT NULL;
CREATE INDEX search_online ON search (kind) WHERE online = 1;
CREATE VIRTUAL TABLE search_near USING rtree(record, south, north, west, east);
CREATE VIRTUAL TABLE search_text USING fts5(
  name, activity, place, town, category, broader, organizer, leader, level, description, keys,
  content = '', contentless_delete = 1, tokenize = "ascii tokenchars '_'"
);
CREATE TABLE search_word (length INTEGER NOT NULL, word TEXT NOT NULL, PRIMARY KEY (length, word)) WITHOUT ROWID;
CREATE INDEX record_start ON record (start) WHERE kind = 1 AND start IS NOT NULL;
CREATE INDEX occurrence_start ON occurrence (start, series);
CREATE INDEX record_long ON record (start) WHERE kind = 1 AND "end" - start > 10800000;
CREATE INDEX occurrence_long ON occurrence (start) WHERE "end" - start > 10800000;
-- The rebuild with the rules of this release makes the documents.
UPDATE calendar SET search = '';
`,
  `
DROP TABLE search;
DROP INDEX record_start;
DROP INDEX record_long;
DROP INDEX occurrence_start;
DROP INDEX occurrence_long;
CREATE TABLE search (
  record INTEGER PRIMARY KEY, kind INTEGER NOT NULL, zone TEXT, latitude REAL, longitude REAL,
  age_min REAL, age_max REAL, gender TEXT, price REAL, online INTEGER NOT NULL
);
CREATE TABLE search_terms (record INTEGER PRIMARY KEY, terms TEXT NOT NULL);
CREATE INDEX search_kind ON search (kind, record);
CREATE INDEX search_price ON search (kind, price) WHERE price IS NOT NULL;
CREATE INDEX search_gender ON search (kind, gender) WHERE gender IS NOT NULL;
CREATE INDEX search_online ON search (kind) WHERE online = 1;
DELETE FROM search_near;
INSERT INTO search_text (search_text) VALUES ('delete-all');
DELETE FROM search_word;
CREATE TABLE search_zone (zone TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE INDEX record_start ON record (start, "end", parent, cancelled) WHERE kind = 1 AND start IS NOT NULL AND item IS NOT NULL;
CREATE INDEX occurrence_start ON occurrence (start, "end", series, session);
CREATE INDEX record_long ON record (start, "end", parent, cancelled) WHERE kind = 1 AND "end" - start > 10800000 AND item IS NOT NULL;
CREATE INDEX occurrence_long ON occurrence (start, "end", series, session) WHERE "end" - start > 10800000;
CREATE INDEX record_long_parent ON record (parent, start, "end") WHERE kind = 1 AND "end" - start > 10800000;
CREATE INDEX occurrence_long_series ON occurrence (series, start, "end") WHERE "end" - start > 10800000;
-- The rebuild with the rules of this release makes the documents.
UPDATE calendar SET search = '';
`,
  // New bodies are packed from this version on, which no earlier release reads (`packedBody`); stored ones stay as they are.
  '',
  `
ALTER TABLE record ADD COLUMN named INTEGER;
ALTER TABLE record ADD COLUMN own INTEGER;
ALTER TABLE record ADD COLUMN price REAL;
ALTER TABLE search_terms ADD COLUMN added TEXT;
UPDATE record SET named = venue, venue = NULL WHERE kind = 1 AND venue IS NOT NULL;
CREATE INDEX record_named ON record (named) WHERE named IS NOT NULL;
CREATE INDEX record_own ON record (parent) WHERE own = 1;
CREATE TABLE session_price (series INTEGER PRIMARY KEY, price REAL NOT NULL);
CREATE INDEX session_price_price ON session_price (price);
`,
  // An empty database has tags of `tagInBlock` from this version on, which no earlier release knows.
  `
INSERT INTO meta (key, value) SELECT 'tag-blocks', '1' WHERE NOT EXISTS (SELECT 1 FROM item) AND NOT EXISTS (SELECT 1 FROM record);
`,
];
