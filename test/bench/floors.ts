/** What must hold, in one table: `npm run bench` fails when a measurement misses its line. */
export const FLOORS = {
  /** Of JSON.parse of the same pages plus a bare upsert of the same rows. */
  ingest: { least: 0.4 },
  /** Megabytes resident while ingesting the same pages. */
  ingestMemory: { most: 400 },
  /** Of @openactive/harvesting-utils, which keeps what it harvests in memory. */
  sync: { least: 2 },
  /** Times the cost in a store of ten thousand items. */
  change: { most: 1.5 },
  /** Of ical-generator for the same events. */
  render: { least: 5 },
  /** Of rrule, for plain daily and weekly rules. */
  expandPlain: { least: 10 },
  /** Of rrule, for all other rules. */
  expandOther: { least: 1 },
  /** Of opening_hours.js, for a year of one place. */
  hours: { least: 10 },
  /** Of a bare node:http server that sends the same bytes. */
  http: { least: 0.85 },
  /** Times the idle median, of what is cached while everything else is busy. */
  busy: { most: 20 },
  /** Of the quicker of Radicale and Xandikos. */
  dav: { least: 5 },
  /** Of the same two, for what nobody has asked in the same way before: its thread gives way to all other work. */
  davNew: { least: 1 },
  /** Times the rows of the same page, by their keys. */
  search: { most: 10 },
  /** Times a series' calendar that is not held. */
  place: { most: 20 },
} as const;
