CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

CREATE TABLE feed (
  id INTEGER PRIMARY KEY, url TEXT NOT NULL UNIQUE,
  name TEXT, publisher TEXT, publisher_url TEXT, license TEXT, cursor TEXT, state TEXT,
  live INTEGER NOT NULL DEFAULT 0, deleted INTEGER NOT NULL DEFAULT 0, findings INTEGER NOT NULL DEFAULT 0,
  publisher_id INTEGER NOT NULL DEFAULT 0, listed INTEGER NOT NULL DEFAULT 0,
  bytes INTEGER NOT NULL DEFAULT 0
);

CREATE TABLE publisher (id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE);

CREATE TABLE page_finding (feed INTEGER NOT NULL, cursor TEXT NOT NULL, findings TEXT NOT NULL, PRIMARY KEY (feed, cursor)) WITHOUT ROWID;

CREATE TABLE seen (feed INTEGER NOT NULL, chunk INTEGER NOT NULL, bits BLOB NOT NULL, PRIMARY KEY (feed, chunk)) WITHOUT ROWID;

CREATE TABLE bundle (id INTEGER PRIMARY KEY, live INTEGER NOT NULL, data BLOB NOT NULL);

CREATE TABLE item (
  id INTEGER PRIMARY KEY, feed INTEGER NOT NULL, kind TEXT NOT NULL, rpde_id TEXT NOT NULL,
  modified TEXT NOT NULL, hash TEXT, bundle INTEGER, slot INTEGER, findings TEXT, tag INTEGER NOT NULL DEFAULT 0
);

CREATE INDEX item_tag ON item (feed, tag);

CREATE INDEX item_findings ON item (feed, id) WHERE findings IS NOT NULL;

CREATE TABLE aside (
  item INTEGER PRIMARY KEY, feed INTEGER NOT NULL, modified TEXT NOT NULL, hash TEXT, raw TEXT,
  calendars INTEGER NOT NULL, sessions INTEGER NOT NULL
);

CREATE INDEX aside_feed ON aside (feed);

CREATE TABLE record (
  id INTEGER PRIMARY KEY, kind INTEGER NOT NULL, tag INTEGER NOT NULL,
  parent INTEGER, place INTEGER, venue INTEGER, item INTEGER, rank INTEGER, start INTEGER, "end" INTEGER, cancelled INTEGER,
  hash TEXT, sequence INTEGER NOT NULL DEFAULT 0, changed INTEGER NOT NULL DEFAULT 0,
  publisher_id INTEGER, strays INTEGER, zone TEXT
);

CREATE INDEX record_tag ON record (tag);

CREATE INDEX record_item ON record (item) WHERE item IS NOT NULL;

CREATE INDEX record_parent ON record (parent, kind, start) WHERE parent IS NOT NULL;

CREATE INDEX record_place ON record (place) WHERE place IS NOT NULL;

CREATE INDEX record_venue ON record (venue) WHERE venue IS NOT NULL;

CREATE INDEX record_stub ON record (kind) WHERE item IS NULL;

CREATE INDEX record_cancelled ON record (start) WHERE cancelled = 1;

CREATE INDEX record_zone ON record (parent) WHERE zone IS NOT NULL;

CREATE TABLE said (record INTEGER PRIMARY KEY, ident TEXT NOT NULL, body TEXT);

CREATE TABLE record_key (tag INTEGER NOT NULL, record INTEGER NOT NULL, PRIMARY KEY (tag, record)) WITHOUT ROWID;

CREATE INDEX record_key_record ON record_key (record);

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

CREATE TABLE occurrence (
  series INTEGER NOT NULL, start INTEGER NOT NULL, schedule INTEGER NOT NULL,
  "end" INTEGER NOT NULL, session INTEGER, stamp TEXT NOT NULL,
  PRIMARY KEY (series, start, schedule)
) WITHOUT ROWID;

CREATE INDEX occurrence_session ON occurrence (series, session) WHERE session IS NOT NULL;

CREATE TABLE touched (ident TEXT NOT NULL, kind INTEGER NOT NULL, n INTEGER NOT NULL, parent INTEGER, PRIMARY KEY (ident, kind)) WITHOUT ROWID;

CREATE UNIQUE INDEX touched_n ON touched (n);

CREATE TRIGGER touched_insert AFTER INSERT ON record WHEN new.item IS NOT NULL BEGIN
  INSERT OR REPLACE INTO touched (ident, kind, n, parent)
    SELECT ident, new.kind, (SELECT coalesce(max(n), 0) FROM touched) + 1, new.parent FROM said WHERE record = new.id;
END;

CREATE TRIGGER touched_said AFTER UPDATE OF body ON said WHEN new.body IS NOT old.body BEGIN
  INSERT OR REPLACE INTO touched (ident, kind, n, parent)
    SELECT new.ident, kind, (SELECT coalesce(max(n), 0) FROM touched) + 1, parent FROM record WHERE id = new.record;
END;

CREATE TRIGGER touched_update AFTER UPDATE OF item, parent, zone ON record
  WHEN new.item IS NOT old.item OR new.parent IS NOT old.parent OR new.zone IS NOT old.zone BEGIN
  INSERT OR REPLACE INTO touched (ident, kind, n, parent)
    SELECT ident, new.kind, (SELECT coalesce(max(n), 0) FROM touched) + 1, coalesce(new.parent, old.parent) FROM said WHERE record = new.id;
END;

CREATE TRIGGER touched_delete AFTER DELETE ON record WHEN old.item IS NOT NULL BEGIN
  INSERT OR REPLACE INTO touched (ident, kind, n, parent)
    SELECT ident, old.kind, (SELECT coalesce(max(n), 0) FROM touched) + 1, old.parent FROM said WHERE record = old.id;
END;

CREATE TRIGGER touched_parts AFTER UPDATE OF body ON said
  WHEN coalesce(json_extract(new.body, '$.type') IN ('Event', 'HeadlineEvent', 'CourseInstance'), 0) <> coalesce(json_extract(old.body, '$.type') IN ('Event', 'HeadlineEvent', 'CourseInstance'), 0) BEGIN
  INSERT OR REPLACE INTO touched (ident, kind, n, parent)
    SELECT s.ident, r.kind, (SELECT coalesce(max(n), 0) FROM touched) + row_number() OVER (), r.parent FROM record r JOIN said s ON s.record = r.id
      WHERE r.parent = new.record AND r.kind = 1 AND r.item IS NOT NULL;
END;

CREATE TRIGGER touched_by_insert AFTER INSERT ON record WHEN new.kind IN (0, 2) AND new.item IS NOT NULL BEGIN
  INSERT OR REPLACE INTO touched (ident, kind, n, parent)
    SELECT s.ident, r.kind, (SELECT coalesce(max(n), 0) FROM touched) + row_number() OVER (), r.parent FROM (
      SELECT id FROM record WHERE parent = new.id AND kind IN (0, 3) AND item IS NOT NULL
      UNION
      SELECT id FROM record WHERE place = new.id AND item IS NOT NULL
    ) d JOIN record r ON r.id = d.id JOIN said s ON s.record = d.id;
END;

CREATE TRIGGER touched_by_update AFTER UPDATE OF body ON said WHEN new.body IS NOT old.body BEGIN
  INSERT OR REPLACE INTO touched (ident, kind, n, parent)
    SELECT s.ident, r.kind, (SELECT coalesce(max(n), 0) FROM touched) + row_number() OVER (), r.parent FROM (
      SELECT id FROM record WHERE parent = new.record AND kind IN (0, 3) AND item IS NOT NULL
      UNION
      SELECT id FROM record WHERE place = new.record AND item IS NOT NULL
    ) d JOIN record r ON r.id = d.id JOIN said s ON s.record = d.id;
END;
