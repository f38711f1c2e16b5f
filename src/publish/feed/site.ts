import { LIMITS } from '../../limits.ts';
import type { ChangeLog, LogEntry } from '../../store/index.ts';
import { catalogJsonLd, type DatasetAbout, datasetJsonLd } from './dataset.ts';

interface SiteOptions {
  log: ChangeLog;
  /** The feeds there are, by the last part of their address. */
  names: readonly string[];
  /** Address under which the site is reached, without a slash at its end. */
  base: string;
  /** Asked for with every page for people: what is published anew has sources that come and go. */
  about: () => Promise<DatasetAbout>;
  /** What is known of the dataset of one publisher, whose feeds the log names `{dataset}/{feed}`; undefined: its sources have gone. */
  aboutPublisher?: (dataset: string, address: string) => Promise<DatasetAbout | undefined>;
}

/** What was asked of a feed (RPDE 1.0, "Incrementing Unique Change Number"). `after` undefined: from the beginning of time. */
interface PageRequest {
  after: number | undefined;
  limit: number;
}

/** The published feeds with the page and the catalogue that lead to them: what a server mounts at `{base}/rpde/`. */
export type PublishedSite = ReturnType<typeof publishedSite>;

/** Feeds are `session-series`, or of one publisher `{dataset}/session-series`. */
export function publishedSite({ log, names, base, about, aboutPublisher }: SiteOptions) {
  const catalog = `${base}/rpde/catalog.jsonld`;
  const root = `${base}/rpde/`;
  const ofPublisher = async (dataset: string) => aboutPublisher?.(dataset, root + dataset);
  const license = async (feed: string) => {
    const [dataset] = datasetOf(feed);
    return (dataset === undefined ? undefined : await ofPublisher(dataset))?.license ?? (await about()).license;
  };
  const datasets = async () => {
    const found = new Set((await log.feeds()).flatMap((feed) => datasetOf(feed)));
    const all = await Promise.all([...found].map(async (key) => [key, await ofPublisher(key)] as const));
    return all.flatMap(([key, one]) => (one === undefined ? [] : [{ '@id': root + key, name: one.name }]));
  };
  const begunFeeds = async (dataset: string | undefined) => {
    const feeds = await log.feeds();
    const isBegun = (name: string) => feeds.some((feed) => feed === name || (!dataset && feed.endsWith(`/${name}`)));
    const all = names.map((name) => ({ name, feed: dataset === undefined ? name : `${dataset}/${name}` }));
    return all
      .filter(({ feed }) => isBegun(feed))
      .map(({ name, feed }): [string, string] => [name, feedAddress(base, feed)]);
  };
  return {
    names,
    has: async (feed: string) => names.includes(feed) || (await log.feeds()).includes(feed),
    /** Tells one state of a page from another without making it. */
    async pageVersion(feed: string, { after = 0, limit }: PageRequest) {
      const { count, last } = await log.pageVersion(feed, after, limit);
      return `${count}-${last}-${await license(feed)}`;
    },
    async page(feed: string, asked: PageRequest) {
      const entries = await log.page(feed, asked.after ?? 0, asked.limit);
      const after = entries.at(-1)?.number ?? asked.after;
      const next = pageAddress(feedAddress(base, feed), { ...asked, after });
      // Without entries `next` is the page's own address: the end of the feed, until there is news.
      return { text: pageText(entries, next, await license(feed)), last: entries.length === 0 };
    },
    /** With the feeds that anything was ever published in: of everybody, or of one publisher. */
    async dataset(key?: string) {
      const described = key === undefined ? await about() : await ofPublisher(key);
      if (described === undefined) return undefined;
      const parts = key === undefined ? await datasets() : [];
      const hasPart = parts.map((part) => ({ '@type': 'Dataset', ...part, url: part['@id'] }));
      return {
        ...datasetJsonLd(described, { dataset: root + (key ?? ''), catalog, feeds: await begunFeeds(key) }),
        ...(hasPart.length > 0 && { hasPart }),
      };
    },
    /** A catalogue of the datasets of the publishers, each with its own name and licence, where there are several. */
    async catalog() {
      const parts = await datasets();
      return catalogJsonLd(await about(), {
        catalog,
        datasets: parts.length === 0 ? [root] : parts.map((part) => part['@id']),
      });
    },
  };
}

/** The dataset of `{dataset}/{feed}`. */
function datasetOf(feed: string): string[] {
  const end = feed.indexOf('/');
  return end === -1 ? [] : [feed.slice(0, end)];
}

export function feedAddress(base: string, feed: string): string {
  return `${base}/rpde/${feed}`;
}

/** The address of a page in one spelling: readers know the last page by a `next` that equals its own address. */
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
