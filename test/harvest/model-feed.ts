/** A publisher's RPDE feed in memory: it can forget, lose, move and break like a real one. */

import type { Feed } from '../../src/harvest/feed/crawl.ts';
import type { FetchedPage, Unchanged } from '../../src/harvest/feed/source.ts';
import { parsePage } from '../../src/opportunity/page/page.ts';
import type { RpdeJson } from '../generate/series.ts';

export interface ModelFeed extends Feed {
  /** As the publisher has them, by id. */
  items: Map<string, RpdeJson>;
  /** Cursors that were asked, since the last look. */
  asked: (string | null)[];
  /** Called before each answer; what it throws is the answer. */
  before: (cursor: string | null) => void;
  size: number;
  /** The end is never told: the last page names itself. */
  endless: boolean;
  put(...items: RpdeJson[]): void;
  /** Says that they are deleted. */
  remove(...ids: (string | number)[]): void;
  /** They are no longer there, and nothing tells: the time of their tombstones is over. */
  vanish(...ids: (string | number)[]): void;
}

export function modelFeed(url: string, size = 10): ModelFeed {
  const items = new Map<string, RpdeJson>();
  let clock = 1_000_000_000_000;
  const stamped = (item: RpdeJson) => {
    items.delete(String(item.id));
    items.set(String(item.id), { ...item, modified: ++clock });
  };
  const self: ModelFeed = {
    items,
    asked: [],
    before: () => {},
    size,
    endless: false,
    put: (...all) => all.forEach(stamped),
    remove(...ids) {
      for (const id of ids) {
        const { data: _, ...rest } = items.get(String(id)) as RpdeJson;
        stamped({ ...rest, state: 'deleted' });
      }
    },
    vanish(...ids) {
      for (const id of ids) items.delete(String(id));
    },
    meta: { publisher: 'Example Leisure' },
    source: {
      url,
      forgets: true,
      describe: () => url,
      page: async (cursor): Promise<FetchedPage | Unchanged> => {
        self.asked.push(cursor);
        self.before(cursor);
        const after = Number(/after=(\d+)$/.exec(cursor ?? '')?.[1] ?? 0);
        const rows = [...items.values()].filter(({ modified }) => modified > after).slice(0, self.size);
        const last = rows.at(-1);
        const next = last === undefined ? (cursor ?? url) : `${url}?after=${last.modified}`;
        const page = parsePage(JSON.stringify({ next, license: 'https://licence.example', items: rows }));
        if (last === undefined && self.endless) return { unchanged: false, page, next, end: false, stuck: 'no end' };
        return { unchanged: false, page, next, end: last === undefined };
      },
    },
  };
  return self;
}

/** So many plain sessions of series of their own. */
export function sessions(from: number, count: number, name = 'Swim'): RpdeJson[] {
  return Array.from({ length: count }, (_, index) => {
    const id = from + index;
    return {
      state: 'updated',
      kind: 'SessionSeries',
      id: `s${id}`,
      modified: 1,
      data: {
        '@type': 'SessionSeries',
        '@id': `https://feeds.example.org/series/${id}`,
        name: `${name} ${id}`,
        subEvent: [
          {
            '@type': 'ScheduledSession',
            '@id': `https://feeds.example.org/series/${id}/1`,
            startDate: '2026-12-01T18:00:00Z',
            duration: 'PT1H',
          },
        ],
      },
    };
  });
}
