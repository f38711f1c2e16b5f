/** Questions to a PostgreSQL store of which each answer is a row that should not be there. */

const missing = (table: string, column: string, of: string, key = 'id') =>
  `SELECT t.* FROM ${table} t WHERE ${column} IS NOT NULL AND NOT EXISTS (SELECT 1 FROM ${of} o WHERE o.${key} = t.${column})`;
const twice = (table: string, columns: string) =>
  `SELECT ${columns}, count(*) FROM ${table} GROUP BY ${columns} HAVING count(*) > 1`;

export const ORPHANS: Readonly<Record<string, string>> = {
  'items without a feed': missing('item', 'feed', 'feed'),
  'items without the bundle of their raw data': missing('item', 'bundle', 'bundle'),
  'bundles that count other items': `SELECT b.id, b.live, count(i.id) FROM bundle b LEFT JOIN item i ON i.bundle = b.id
    GROUP BY b.id, b.live HAVING b.live <> count(i.id)`,
  'items that are there twice': twice('item', 'feed, rpde_id'),
  'feeds that are there twice': twice('feed', 'url'),
  'feeds that count other items': `SELECT f.url, f.live, count(i.bundle) FROM feed f LEFT JOIN item i ON i.feed = f.id
    GROUP BY f.url, f.live HAVING f.live <> count(i.bundle)`,
  'records without an item': missing('record', 'item', 'item'),
  'records without a body': missing('record', 'id', 'record_body', 'record'),
  'bodies without a record': missing('record_body', 'record', 'record'),
  'records that are there twice': `SELECT r.kind, r.publisher_id, b.ident, count(*) FROM record r JOIN record_body b ON b.record = r.id
    GROUP BY 1, 2, 3 HAVING count(*) > 1`,
  'keys without a record': missing('record_key', 'record', 'record'),
  'records without their parent': missing('record', 'parent', 'record'),
  'records without their place': missing('record', 'place', 'record'),
  'claims without a record': missing('claim', 'record', 'record'),
  'claims without an item': missing('claim', 'item', 'item'),
  'occurrences without a series': missing('occurrence', 'series', 'record'),
  'occurrences without their session': missing('occurrence', 'session', 'record'),
  'marks of passes that are over': `SELECT * FROM seen`,
  'losses that wait without an item': missing('aside', 'item', 'item'),
};
