import type { Connection } from '../connection.ts';

/**
 * Segments of FTS5. Each transaction writes its documents as a segment, and each query for words opens every segment. FTS5
 * merges four segments of one size by itself; here all of them are merged into one, where there is time.
 */

/** Pages of about 4 KB that one slice writes, in some ten milliseconds. */
const SLICE = 200;
/** Segments are merged once all but the longest have this part of its pages, so that documents are seldom written again. */
const PART = 4;
/** A merge that has changed fewer rows has done nothing (sqlite.org/fts5.html, 6.8). */
const LEAST_CHANGES = 2;

export function segmentMerger(db: Connection): () => boolean {
  /** Whether a merge of all segments was begun. */
  let isBegun = false;

  /** Merges one slice, in a transaction of the caller. Returns whether there is more to merge. */
  function bringTogether(): boolean {
    if (!isBegun && !areMany()) return false;
    const before = changes();
    db.run("INSERT INTO search_text (search_text, rank) VALUES ('merge', ?)", isBegun ? SLICE : -SLICE);
    isBegun = changes() - before >= LEAST_CHANGES;
    return isBegun;
  }

  function areMany(): boolean {
    const lengths = db.all('SELECT count(*) FROM search_text_idx GROUP BY segid').map(([pages]) => Number(pages));
    const longest = Math.max(0, ...lengths);
    const others = lengths.reduce((sum, pages) => sum + pages, -longest);
    return lengths.length > 1 && others * PART >= longest;
  }

  function changes(): number {
    return Number(db.get('SELECT total_changes()')?.[0]);
  }

  return bringTogether;
}
