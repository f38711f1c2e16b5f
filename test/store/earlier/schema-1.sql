CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

CREATE TABLE feed (
  id INTEGER PRIMARY KEY, url TEXT NOT NULL UNIQUE,
  name TEXT, publisher TEXT, publisher_url TEXT, license TEXT, cursor TEXT
);

CREATE TABLE page_finding (feed INTEGER NOT NULL, cursor TEXT NOT NULL, findings TEXT NOT NULL, PRIMARY KEY (feed, cursor)) WITHOUT ROWID;

CREATE TABLE bundle (id INTEGER PRIMARY KEY, live INTEGER NOT NULL, data BLOB NOT NULL);

CREATE TABLE item (
  id INTEGER PRIMARY KEY, feed INTEGER NOT NULL, kind TEXT NOT NULL, rpde_id TEXT NOT NULL,
  modified TEXT NOT NULL, hash TEXT, bundle INTEGER, slot INTEGER, findings TEXT
);
CREATE UNIQUE INDEX item_key ON item (feed, rpde_id, kind);
CREATE INDEX item_findings ON item (feed, id) WHERE findings IS NOT NULL;

CREATE TABLE record (
  id INTEGER PRIMARY KEY, kind INTEGER NOT NULL, ident TEXT NOT NULL,
  parent INTEGER, place INTEGER, venue INTEGER, item INTEGER, rank INTEGER, start INTEGER, "end" INTEGER, cancelled INTEGER,
  body TEXT, hash TEXT, sequence INTEGER NOT NULL DEFAULT 0, changed INTEGER NOT NULL DEFAULT 0
);
CREATE UNIQUE INDEX record_ident ON record (ident, kind);
CREATE INDEX record_item ON record (item) WHERE item IS NOT NULL;
CREATE INDEX record_parent ON record (parent, kind, start) WHERE parent IS NOT NULL;
CREATE INDEX record_place ON record (place) WHERE place IS NOT NULL;
CREATE INDEX record_venue ON record (venue) WHERE venue IS NOT NULL;
CREATE INDEX record_stub ON record (kind) WHERE body IS NULL;
CREATE INDEX record_cancelled ON record (start) WHERE cancelled = 1;

CREATE TABLE claim (record INTEGER NOT NULL, item INTEGER NOT NULL, rank INTEGER NOT NULL, PRIMARY KEY (record, item)) WITHOUT ROWID;
CREATE INDEX claim_item ON claim (item);

CREATE TABLE calendar (
  record INTEGER NOT NULL, part TEXT NOT NULL, kind INTEGER NOT NULL, key TEXT NOT NULL, state TEXT NOT NULL,
  revision INTEGER NOT NULL, changed INTEGER NOT NULL, seq INTEGER NOT NULL,
  name TEXT NOT NULL, search TEXT NOT NULL, header TEXT NOT NULL, events TEXT, tail TEXT, deleted_at INTEGER,
  sessions INTEGER NOT NULL, rolling INTEGER NOT NULL, findings TEXT
);
CREATE UNIQUE INDEX calendar_record ON calendar (record, part);
CREATE UNIQUE INDEX calendar_key ON calendar (key, part);
CREATE UNIQUE INDEX calendar_seq ON calendar (seq);
CREATE INDEX calendar_name ON calendar (kind, name, key) WHERE state = 'live' AND part = '';
CREATE INDEX calendar_rolling ON calendar (record) WHERE rolling = 1;
CREATE INDEX calendar_deleted ON calendar (deleted_at) WHERE state = 'deleted';

CREATE TABLE occurrence (
  series INTEGER NOT NULL, start INTEGER NOT NULL, schedule INTEGER NOT NULL,
  "end" INTEGER NOT NULL, hidden INTEGER NOT NULL, stamp TEXT NOT NULL,
  PRIMARY KEY (series, start, schedule)
) WITHOUT ROWID;
CREATE INDEX occurrence_start ON occurrence (start);
