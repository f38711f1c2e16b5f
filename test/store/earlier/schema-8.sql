CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

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
