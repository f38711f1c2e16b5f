import type { LogEntry } from '../../store/index.ts';

/** What was asked of a feed (RPDE 1.0, "Incrementing Unique Change Number"). `after` undefined: from the beginning of time. */
export interface PageRequest {
  after: number | undefined;
  limit: number;
}

/** A page as it is sent. */
export interface PageText {
  text: string;
  /** Nothing is on it, and `next` is its own address: the end of the feed, until there is news. */
  last: boolean;
}

export interface PageFrame {
  /** Address of the page that follows the entries. */
  next: string;
  license: string;
}

/**
 * The JSON of a page. Data is put in as the text that it is stored as. Pure: the same entries give the same bytes, so what is held in
 * caches can be compared by its validators.
 */
export function pageText(entries: readonly LogEntry[], { next, license }: PageFrame): PageText {
  const items = entries.map(itemText).join(',\n');
  const body = items === '' ? '[]' : `[\n${items}\n]`;
  return {
    text: `{"next":${JSON.stringify(next)},\n"items":${body},\n"license":${JSON.stringify(license)}}\n`,
    last: entries.length === 0,
  };
}

/** `modified` is the change number: it grows with every change, which is all that RPDE asks of it. A tombstone has no data. */
function itemText({ number, kind, id, data }: LogEntry): string {
  const state = data === undefined ? 'deleted' : 'updated';
  const head = `{"state":"${state}","kind":${JSON.stringify(kind)},"id":${JSON.stringify(id)},"modified":${number}`;
  return data === undefined ? `${head}}` : `${head},"data":${data}}`;
}
