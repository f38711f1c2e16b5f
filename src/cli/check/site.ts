/** `check` of an address that turns out to be a dataset site, whose feeds are checked then. */

import { DatasetError, OpenactiveIcalError, publicUrl } from '../../errors.ts';
import { textOf } from '../../fetch/decode.ts';
import { type Dataset, type ReadPage, readSite } from '../../harvest/index.ts';
import { USUAL_FEED_TYPES } from '../../opportunity/feed-types.ts';
import { parsePage } from '../../opportunity/page/page.ts';

/** Thrown where an address has a dataset site and no page of a feed. */
export class SiteFound extends OpenactiveIcalError {
  readonly datasets: readonly Dataset[];

  constructor(url: string, datasets: readonly Dataset[]) {
    super(`${publicUrl(url)}: is a dataset site`);
    this.datasets = datasets;
  }
}

/** Reads pages. @throws SiteFound for a dataset site */
export function pageOrSite(url: string): ReadPage {
  return async (body) => {
    const text = textOf(body);
    try {
      return parsePage(text);
    } catch (error) {
      const datasets = datasetsIn(text, url);
      throw datasets.length > 0 ? new SiteFound(url, datasets) : error;
    }
  };
}

function datasetsIn(text: string, url: string): Dataset[] {
  try {
    return readSite(text, url).datasets;
  } catch (error) {
    if (error instanceof DatasetError) return [];
    throw error;
  }
}

/** The feeds to check, each with its dataset, and the names of others: feeds of Slots, which are most of all items. */
export function feedsToCheck(datasets: readonly Dataset[]): { feeds: Map<string, string>; leftOut: string[] } {
  const all = datasets.flatMap((dataset) => dataset.feeds.map((feed) => ({ feed, dataset: dataset.url })));
  const checked = all.filter(({ feed: { type } }) => type === undefined || USUAL_FEED_TYPES.includes(type));
  const leftOut = all.filter((one) => !checked.includes(one)).map(({ feed: { name, type } }) => name ?? type ?? '');
  return { feeds: new Map(checked.map(({ feed, dataset }) => [feed.url, dataset])), leftOut };
}
