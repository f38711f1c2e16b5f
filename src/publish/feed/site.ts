import type { ChangeLog } from '../../store/index.ts';
import { catalogJsonLd, type DatasetAbout, type DatasetAddresses, datasetJsonLd } from './dataset.ts';
import { feedAddress, type PublishedFeeds, publishedFeeds } from './feeds.ts';

export interface SiteOptions {
  log: ChangeLog;
  names: readonly string[];
  base: string;
  /** Asked for with every page for people: what is published anew has sources that come and go. */
  about: () => Promise<DatasetAbout>;
}

/** The published feeds with the page and the catalogue that lead to them: what a server mounts. */
export interface PublishedSite extends PublishedFeeds {
  dataset(): Promise<Record<string, unknown>>;
  catalog(): Promise<Record<string, unknown>>;
}

/** Everything at `{base}/rpde/…`. */
export function publishedSite({ log, names, base, about }: SiteOptions): PublishedSite {
  const feeds = publishedFeeds({ log, names, base, license: async () => (await about()).license });
  const at = { dataset: `${base}/rpde/`, catalog: `${base}/rpde/catalog.jsonld` };
  return {
    ...feeds,
    async dataset() {
      const begun = await feeds.begun();
      const addresses = begun.map((name): [string, string] => [name, feedAddress(base, name)]);
      const where: DatasetAddresses = { ...at, feeds: addresses };
      return datasetJsonLd(await about(), where);
    },
    catalog: async () => catalogJsonLd(await about(), at),
  };
}
