import type { Connection } from '../connection.ts';

/**
 * FTS5 writes each transaction's documents as a segment of its own, and each question of words opens every segment. It brings
 * four of a size together by itself; here all of them become one, where there is time for it.
 */

/** Pages that a slice writes, of about 4 KB: some ten milliseconds. */
const SLICE = 200;
/** Segments are brought together when all but the longest are so large a part of it: each document is written few times more. */
const PART = 4;
/** A merge that has changed fewer rows has done nothing (sqlite.org/fts5.html, 6.8). */
const LEAST_CHANGES = 2;

export class Segments {
  readonly #db: Connection;
  /** A merge of all of them was begun. */
  #isBegun = false;

  constructor(db: Connection) {
    this.#db = db;
  }

  /** One slice, in a transaction of the caller's. Returns whether there is more to do. */
  bringTogether(): boolean {
    if (!this.#isBegun && !this.#areMany()) return false;
    const before = this.#changes();
    this.#db.run("INSERT INTO search_text (search_text, rank) VALUES ('merge', ?)", this.#isBegun ? SLICE : -SLICE);
    this.#isBegun = this.#changes() - before >= LEAST_CHANGES;
    return this.#isBegun;
  }

  #areMany(): boolean {
    const lengths = this.#db.all('SELECT count(*) FROM search_text_idx GROUP BY segid').map(([pages]) => Number(pages));
    const longest = Math.max(0, ...lengths);
    const others = lengths.reduce((sum, pages) => sum + pages, -longest);
    return lengths.length > 1 && others * PART >= longest;
  }

  #changes(): number {
    return Number(this.#db.get('SELECT total_changes()')?.[0]);
  }
}
