import { LIMITS } from '../../limits.ts';
import type { ChangeLog, LogEntry } from '../../store/index.ts';
import { catalogJsonLd, type DatasetAbout, datasetJsonLd } from './dataset.ts';

export interface SiteOptions {
  log: ChangeLog;
  /** The feeds there are, by the last part of their address. */
  names: readonly string[];
  /** Address under which the site is reached, without a slash at its end. */
  base: string;
  /** Asked for with every page for people: what is published anew has sources that come and go. */
  about: () => Promise<DatasetAbout>;
}

/** What was asked of a feed (RPDE 1.0, "Incrementing Unique Change Number"). `after` undefined: from the beginning of time. */
interface PageRequest {
  after: number | undefined;
  limit: number;
}

/** The published feeds with the page and the catalogue that lead to them: what a server mounts at `{base}/rpde/`. */
export type PublishedSite = ReturnType<typeof publishedSite>;

export function publishedSite({ log, names, base, about }: SiteOptions) {
  const at = { dataset: `${base}/rpde/`, catalog: `${base}/rpde/catalog.jsonld` };
  const license = async () => (await about()).license;
  return {
    names,
    /** Tells one state of a page from another without making it. */
    async stamp(feed: string, { after = 0, limit }: PageRequest) {
      const { count, last } = await log.stamp(feed, after, limit);
      return `${count}-${last}-${await license()}`;
    },
    async page(feed: string, asked: PageRequest) {
      const entries = await log.page(feed, asked.after ?? 0, asked.limit);
      const after = entries.at(-1)?.number ?? asked.after;
      const next = pageAddress(feedAddress(base, feed), { ...asked, after });
      // Without entries `next` is the page's own address: the end of the feed, until there is news.
      return { text: pageText(entries, next, await license()), last: entries.length === 0 };
    },
    /** With the feeds that anything was ever published in. */
    async dataset() {
      const stamps = await Promise.all(names.map((feed) => log.stamp(feed, 0, 1)));
      const begun = names.filter((_feed, index) => stamps[index]?.count !== 0);
      const feeds = begun.map((name): [string, string] => [name, feedAddress(base, name)]);
      return datasetJsonLd(await about(), { ...at, feeds });
    },
    catalog: async () => catalogJsonLd(await about(), at),
  };
}

export function feedAddress(base: string, feed: string): string {
  return `${base}/rpde/${feed}`;
}

/** In one spelling, whatever was asked: the last page is known by `next` being its own address to the letter. */
function pageAddress(address: string, { after, limit }: PageRequest): string {
  const query = new URLSearchParams({
    ...(after !== undefined && { afterChangeNumber: String(after) }),
    ...(limit !== LIMITS.pageItems && { limit: String(limit) }),
  });
  return query.size === 0 ? address : `${address}?${query}`;
}

/**
 * The JSON of a page. Data is put in as the text that it is stored as. Pure: the same entries give the same bytes, so what is held in
 * caches can be compared by its validators. `next`: the address of the page that follows.
 */
export function pageText(entries: readonly LogEntry[], next: string, license: string): string {
  const items = entries.map(itemText).join(',\n');
  const body = items === '' ? '[]' : `[\n${items}\n]`;
  return `{"next":${JSON.stringify(next)},\n"items":${body},\n"license":${JSON.stringify(license)}}\n`;
}

/** `modified` is the change number: it grows with every change, which is all that RPDE asks of it. A tombstone has no data. */
function itemText({ number, kind, id, data }: LogEntry): string {
  const state = data === undefined ? 'deleted' : 'updated';
  const head = `{"state":"${state}","kind":${JSON.stringify(kind)},"id":${JSON.stringify(id)},"modified":${number}`;
  return data === undefined ? `${head}}` : `${head},"data":${data}}`;
}
