import { SEED } from '../sql/tags.ts';
import { SEARCH_SCHEMA } from './search/schema.ts';

/**
 * The tables of a PostgreSQL store, as SQLite has them (`sqlite/schema.ts`). Texts are ordered by octets, as in SQLite, with
 * any collation of the database.
 */
const inOctetOrder = (sql: string): string => sql.replaceAll('TEXT', 'text COLLATE "C"');

/**
 * Statements that migrate a database of each version to the next; `MIGRATIONS[0]` is for an empty one. All data stays.
 * A migration that was released is never changed; add new ones at the end.
 */
export const MIGRATIONS: readonly string[] = [
  inOctetOrder(`
-- schema: migrations that were made. writes: grows with each transaction, which holds the row: one at a time writes.
CREATE TABLE store (schema integer NOT NULL, writes bigint NOT NULL) WITH (fillfactor = 10);
INSERT INTO store (schema, writes) VALUES (0, 0);
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL);
INSERT INTO meta (key, value) VALUES ('${SEED}', floor(random() * 4294967296)::bigint::text);

-- publisher_id: whose feed it is (join/publishers.ts); 0: it is being forgotten. listed: a dataset site names the address.
CREATE TABLE feed (
  id bigint PRIMARY KEY, url TEXT NOT NULL,
  name TEXT, publisher TEXT, publisher_url TEXT, license TEXT, cursor TEXT, state TEXT,
  live bigint NOT NULL DEFAULT 0, deleted bigint NOT NULL DEFAULT 0, findings bigint NOT NULL DEFAULT 0,
  publisher_id bigint NOT NULL DEFAULT 0, listed smallint NOT NULL DEFAULT 0,
  bytes bigint NOT NULL DEFAULT 0,
  -- An index by order has no room for the longest addresses.
  EXCLUDE USING hash (url WITH =)
);
CREATE TABLE publisher (id bigint PRIMARY KEY, key TEXT NOT NULL, EXCLUDE USING hash (key WITH =));

CREATE TABLE page_finding (feed bigint NOT NULL, cursor TEXT NOT NULL, findings TEXT NOT NULL);
CREATE INDEX page_finding_feed ON page_finding (feed);

-- The items that a pass from a feed's start has met, as bits: a row for some thousands of them, gone when the pass is over.
CREATE TABLE seen (feed bigint NOT NULL, chunk bigint NOT NULL, bits bytea NOT NULL, PRIMARY KEY (feed, chunk));

CREATE TABLE bundle (id bigint PRIMARY KEY, live bigint NOT NULL, data bytea NOT NULL);
-- It is compressed already.
ALTER TABLE bundle ALTER COLUMN data SET STORAGE EXTERNAL;

CREATE TABLE item (
  id bigint PRIMARY KEY, feed bigint NOT NULL, kind TEXT NOT NULL, rpde_id TEXT NOT NULL,
  modified TEXT NOT NULL, hash TEXT, bundle bigint, slot integer, findings TEXT, tag bigint NOT NULL DEFAULT 0
);
CREATE INDEX item_tag ON item (feed, tag);
CREATE INDEX item_findings ON item (feed, id) WHERE findings IS NOT NULL;

-- Losses that wait for somebody (aside.ts).
CREATE TABLE aside (
  item bigint PRIMARY KEY, feed bigint NOT NULL, modified TEXT NOT NULL, hash TEXT, raw TEXT,
  calendars integer NOT NULL, sessions integer NOT NULL
);
CREATE INDEX aside_feed ON aside (feed);

-- publisher_id: whose the record is and all that hangs on it. strays: what others hang on it is kept apart, under rows of its own.
-- zone: of sessions whose times name no zone, the one they were read in; empty: the configured default.
CREATE TABLE record (
  id bigint PRIMARY KEY, kind smallint NOT NULL, tag bigint NOT NULL,
  parent bigint, place bigint, venue bigint, item bigint, rank integer, start bigint, "end" bigint, cancelled smallint,
  hash TEXT, sequence integer NOT NULL DEFAULT 0, changed bigint NOT NULL DEFAULT 0,
  publisher_id bigint, strays smallint, zone TEXT
) WITH (fillfactor = 90);
CREATE INDEX record_tag ON record (tag);
CREATE INDEX record_item ON record (item) WHERE item IS NOT NULL;
CREATE INDEX record_parent ON record (parent, kind, start) WHERE parent IS NOT NULL;
CREATE INDEX record_place ON record (place) WHERE place IS NOT NULL;
CREATE INDEX record_venue ON record (venue) WHERE venue IS NOT NULL;
CREATE INDEX record_stub ON record (kind) WHERE item IS NULL;
CREATE INDEX record_cancelled ON record (start) WHERE cancelled = 1;
CREATE INDEX record_zone ON record (parent) WHERE zone IS NOT NULL;
-- Written before record and deleted after it: triggers on record read the identity here (watch.ts).
CREATE TABLE record_body (record bigint PRIMARY KEY, ident TEXT NOT NULL, body TEXT);
-- What records are found by besides their @id (join/keys.ts): tags, for keys are always compared whole.
CREATE TABLE record_key (tag bigint NOT NULL, record bigint NOT NULL, PRIMARY KEY (tag, record));
CREATE INDEX record_key_record ON record_key (record);

-- refused: another publisher may speak of the record, and this one may not.
CREATE TABLE claim (
  record bigint NOT NULL, item bigint NOT NULL, rank integer NOT NULL, refused smallint NOT NULL DEFAULT 0,
  PRIMARY KEY (record, item)
);
CREATE INDEX claim_item ON claim (item);

CREATE TABLE calendar (
  record bigint NOT NULL, part TEXT NOT NULL, kind smallint NOT NULL, key TEXT NOT NULL, state TEXT NOT NULL,
  revision integer NOT NULL, changed bigint NOT NULL, seq bigint NOT NULL,
  name TEXT NOT NULL, search TEXT NOT NULL, header TEXT NOT NULL, events TEXT, tail TEXT, deleted_at bigint, moved_to TEXT,
  sessions integer NOT NULL, rolling smallint NOT NULL, findings TEXT
);
CREATE UNIQUE INDEX calendar_record ON calendar (record, part);
CREATE UNIQUE INDEX calendar_key ON calendar (key, part);
CREATE UNIQUE INDEX calendar_seq ON calendar (seq);
CREATE INDEX calendar_name ON calendar (kind, name, key) WHERE state = 'live' AND part = '';
CREATE INDEX calendar_rolling ON calendar (record) WHERE rolling = 1;
CREATE INDEX calendar_deleted ON calendar (deleted_at) WHERE state = 'deleted';

-- Generated occurrences, each with the row of the session that replaces it.
CREATE TABLE occurrence (
  series bigint NOT NULL, start bigint NOT NULL, schedule integer NOT NULL,
  "end" bigint NOT NULL, session bigint, stamp TEXT NOT NULL,
  PRIMARY KEY (series, start, schedule)
);
CREATE INDEX occurrence_session ON occurrence (series, session) WHERE session IS NOT NULL;

-- What changed of the dates of a series with one revision, at the place where it was then.
CREATE TABLE change (id bigint PRIMARY KEY, series bigint NOT NULL, venue bigint, at bigint NOT NULL, text TEXT NOT NULL);
CREATE INDEX change_series ON change (series);
CREATE INDEX change_venue ON change (venue) WHERE venue IS NOT NULL;
CREATE INDEX change_at ON change (at);
-- Lists that people keep. edit_hash: of the key that may change one. asked: when somebody last asked for it. seq: orders changes.
CREATE TABLE kept_list (
  token TEXT PRIMARY KEY, edit_hash TEXT NOT NULL, content TEXT NOT NULL,
  revision integer NOT NULL, changed bigint NOT NULL, asked bigint NOT NULL, seq bigint NOT NULL
);
CREATE UNIQUE INDEX kept_list_seq ON kept_list (seq);
CREATE INDEX kept_list_asked ON kept_list (asked);


${SEARCH_SCHEMA}`),
  inOctetOrder(`
-- Who harvests which origin until when; token: how often it was taken (leases.ts).
CREATE TABLE lease (name TEXT PRIMARY KEY, holder TEXT NOT NULL, token bigint NOT NULL, until timestamptz NOT NULL);
-- Processes that harvest, and until when that is known.
CREATE TABLE harvester (holder TEXT PRIMARY KEY, until timestamptz NOT NULL);
`),
  // New bodies are packed from this version on, which no earlier release reads (`packedBody`); stored ones stay as they are.
  '',
  inOctetOrder(`
-- What was harvested as feeds, where it is published anew (change-log.ts). type: \`slots\` of \`publisher/slots\`.
CREATE TABLE republished (
  number bigint PRIMARY KEY, feed TEXT NOT NULL, id TEXT NOT NULL, kind TEXT NOT NULL, data TEXT, hash TEXT, deleted_at bigint,
  type TEXT GENERATED ALWAYS AS (substr(feed, strpos(feed, '/') + 1)) STORED
);
CREATE UNIQUE INDEX republished_feed ON republished (feed, number);
CREATE INDEX republished_type ON republished (type, number);
-- An index by order has no room for the longest ids.
CREATE INDEX republished_id ON republished USING hash (id);
CREATE INDEX republished_deleted ON republished (deleted_at) WHERE deleted_at IS NOT NULL;
CREATE TABLE republished_value (key TEXT PRIMARY KEY, value TEXT NOT NULL);
INSERT INTO republished_value (key, value) VALUES ('last', '0');

-- The number of each record's last change, where somebody follows them (watch.ts). key: SHA-256 of ident, which may be long.
CREATE TABLE record_change (
  key bytea NOT NULL, kind smallint NOT NULL, n bigint NOT NULL, ident TEXT NOT NULL, parent bigint, PRIMARY KEY (key, kind)
);
CREATE UNIQUE INDEX record_change_n ON record_change (n);
-- name: of the watch, NULL: there is none. last: the last number given.
CREATE TABLE record_watch (name TEXT, last bigint NOT NULL);
INSERT INTO record_watch (last) VALUES (0);
`),
  `
-- named: the series that a session names which may have one of its own. own, price: what is searched of a session itself.
ALTER TABLE record ADD COLUMN named bigint, ADD COLUMN own smallint, ADD COLUMN price double precision;
UPDATE record SET named = venue, venue = NULL WHERE kind = 1 AND venue IS NOT NULL;
CREATE INDEX record_named ON record (named) WHERE named IS NOT NULL;
CREATE INDEX record_own ON record (parent) WHERE own = 1;
-- The lowest price that one of the sessions of a series says itself.
CREATE TABLE session_price (series bigint PRIMARY KEY, price double precision NOT NULL);
CREATE INDEX session_price_price ON session_price (price);
ALTER TABLE search_terms ADD COLUMN added TEXT;
`,
  // An empty database has tags of `tagInBlock` from this version on, which no earlier release knows.
  `
INSERT INTO meta (key, value) SELECT 'tag-blocks', '1' WHERE NOT EXISTS (SELECT 1 FROM item) AND NOT EXISTS (SELECT 1 FROM record);
`,
];

export const SCHEMA_VERSION = MIGRATIONS.length;
