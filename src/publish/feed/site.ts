import { LIMITS } from '../../limits.ts';
import type { ChangeLog, LogEntry } from '../../store/index.ts';
import { catalogJsonLd, type DatasetAbout, datasetJsonLd } from './dataset.ts';

interface SiteOptions {
  log: ChangeLog;
  /** The feeds, by the last part of their address. */
  names: readonly string[];
  /** The public address of the site, without a slash at its end. */
  base: string;
  /** The description, read for every page for people, because sources of republished data come and go. */
  about: () => Promise<DatasetAbout>;
  /** The description of a publisher's dataset, whose feeds the log names `{dataset}/{feed}`; undefined: its sources have gone. */
  aboutPublisher?: (dataset: string, address: string) => Promise<DatasetAbout | undefined>;
}

/** The request for a page of a feed (RPDE 1.0, "Incrementing Unique Change Number"). Without `after` it is the first page. */
interface PageRequest {
  after: number | undefined;
  limit: number;
}

/** The published feeds, with their page and catalogue: a server mounts them at `{base}/rpde/`. */
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
    /** The version of a page, without the page. */
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
    /** The dataset of one publisher, or of all, with the feeds that have ever had an object. */
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
    /** The catalogue of the publishers' datasets, each with its name and licence; undefined without several publishers. */
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

/** The address of a page, in one spelling, because readers know the last page by a `next` equal to its own address. */
function pageAddress(address: string, { after, limit }: PageRequest): string {
  const query = new URLSearchParams({
    ...(after !== undefined && { afterChangeNumber: String(after) }),
    ...(limit !== LIMITS.pageItems && { limit: String(limit) }),
  });
  return query.size === 0 ? address : `${address}?${query}`;
}

/**
 * The JSON of a page. Data is inserted as the stored text. Pure: the same entries give the same octets, so that caches can
 * compare validators. `next`: the address of the next page.
 */
export function pageText(entries: readonly LogEntry[], next: string, license: string): string {
  const items = entries.map(itemText).join(',\n');
  const body = items === '' ? '[]' : `[\n${items}\n]`;
  return `{"next":${JSON.stringify(next)},\n"items":${body},\n"license":${JSON.stringify(license)}}\n`;
}

/** The JSON of an item. `modified` is the change number, which grows with every change as RPDE demands. A tombstone has no data. */
function itemText({ number, kind, id, data }: LogEntry): string {
  const state = data === undefined ? 'deleted' : 'updated';
  const head = `{"state":"${state}","kind":${JSON.stringify(kind)},"id":${JSON.stringify(id)},"modified":${number}`;
  return data === undefined ? `${head}}` : `${head},"data":${data}}`;
}
