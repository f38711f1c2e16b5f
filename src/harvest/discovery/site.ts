/**
 * Reads a dataset site or a data catalogue: its datasets with their feeds, and the addresses of other sites. Pure.
 *
 * A catalogue collection names catalogues (`hasPart`), a catalogue names datasets (`dataset`), a dataset site is a page
 * with a Dataset in it, whose `distribution` names the feeds. Each of the three may be embedded in place of its address.
 */

import { DatasetError, publicUrl } from '../../errors.ts';
import { targetUrl } from '../../fetch/index.ts';
import { LIMITS } from '../../limits.ts';
import { type FeedType, parseFeedType } from '../../opportunity/feed-types.ts';
import { webAddress } from '../../opportunity/item/values.ts';
import { addressIn, idOf, isA, isNode, type JsonLd, jsonLdOf, lineOf, type Node, valuesOf } from './json-ld.ts';

/** A feed as a dataset announces it. */
export interface DatasetFeed {
  url: string;
  /** Undefined: the site names no type, or one that is not known. */
  type?: FeedType | undefined;
  /** The feed's name on the site. */
  name?: string | undefined;
}

export interface Dataset {
  name?: string | undefined;
  /** The address that attribution links to. */
  url: string;
  publisher?: string | undefined;
  license?: string | undefined;
  feeds: DatasetFeed[];
  /** Names, or else formats, of distributions that are no open RPDE feeds. */
  others: string[];
}

export interface Site {
  datasets: Dataset[];
  /** Catalogues and dataset sites, to be read next. */
  links: string[];
}

/**
 * Reads what was found at an address.
 * @throws DatasetError when it names neither a feed nor a dataset nor a catalogue
 */
export function readSite(text: string, url: string): Site {
  const found = jsonLdOf(text);
  const site: Site = { datasets: [], links: [] };
  const reading = { url, found, site };
  for (const node of found.nodes) if (isA(node, 'Dataset')) takeDataset(node, reading);
  // A page with a dataset and the catalogue that lists it is a dataset site: the catalogue is not followed.
  if (site.datasets.some(({ feeds }) => feeds.length > 0)) return site;
  for (const node of found.nodes) if (isCatalog(node)) takeCatalog(node, reading, 0);
  if (site.links.length > 0 || site.datasets.some(({ feeds }) => feeds.length > 0)) return site;
  throw new DatasetError(`${publicUrl(url)}: ${whyNothing(found, site, text)}`);
}

interface SiteReading {
  url: string;
  found: JsonLd;
  site: Site;
}

/** Whether a node is a DataCatalog: by its type or, where it has none, by what it lists. */
function isCatalog(node: Node): boolean {
  if (valuesOf(node, '@type').length > 0) return isA(node, 'DataCatalog');
  return valuesOf(node, 'hasPart').length > 0 || valuesOf(node, 'dataset').length > 0;
}

function takeCatalog(node: Node, reading: SiteReading, depth: number): void {
  if (depth > LIMITS.jsonLdDepth) return;
  for (const part of [...valuesOf(node, 'hasPart'), ...valuesOf(node, 'dataset')]) {
    const inner = isNode(part) ? described(part, reading.found) : undefined;
    if (inner !== undefined && valuesOf(inner, 'distribution').length > 0) takeDataset(inner, reading);
    else if (inner !== undefined && isCatalog(inner)) takeOrLink(inner, reading, depth);
    else link(part, reading);
  }
}

/** A catalogue within a catalogue: taken as it stands if it lists something, else fetched. */
function takeOrLink(node: Node, reading: SiteReading, depth: number): void {
  const lists = valuesOf(node, 'hasPart').length + valuesOf(node, 'dataset').length > 0;
  if (lists) takeCatalog(node, reading, depth + 1);
  else link(node, reading);
}

function link(part: unknown, { url, site }: SiteReading): void {
  const address = addressIn(part);
  // A text that is no address is passed on too: its request fails, and that is reported.
  if (address !== undefined) site.links.push(URL.parse(address, url)?.href ?? address);
}

/** The description of an object on the page, where `node` is only a reference to it by `@id`; else `node`. */
function described(node: Node, found: JsonLd): Node {
  const id = Object.keys(node).length === 1 ? idOf(node) : undefined;
  return (id === undefined ? undefined : found.byId.get(id)) ?? node;
}

function takeDataset(node: Node, { url, found, site }: SiteReading): void {
  const publisher = valuesOf(node, 'publisher').find((one) => one !== '');
  const stated = isNode(publisher) ? described(publisher, found) : undefined;
  const license = addressIn(valuesOf(node, 'license')[0]);
  const dataset: Dataset = {
    name: lineOf(node, 'name'),
    url: webAddress(addressIn(valuesOf(node, 'url')[0]) ?? idOf(node) ?? '') ?? publicUrl(url),
    publisher:
      stated === undefined ? lineOf(node, 'publisher') : (lineOf(stated, 'name') ?? lineOf(stated, 'legalName')),
    license: license === undefined ? undefined : webAddress(license),
    feeds: [],
    others: [],
  };
  for (const one of valuesOf(node, 'distribution')) {
    if (isNode(one)) takeDownload(described(one, found), url, dataset);
  }
  site.datasets.push(dataset);
}

function takeDownload(download: Node, base: string, dataset: Dataset): void {
  const address = addressIn(valuesOf(download, 'contentUrl')[0] ?? valuesOf(download, 'url')[0]);
  const format = lineOf(download, 'encodingFormat') ?? lineOf(download, 'fileFormat') ?? '';
  const name = lineOf(download, 'name') ?? lineOf(download, 'identifier');
  const type = typeOf(download, name);
  const url = address === undefined ? undefined : feedAddress(address, base);
  if (url !== undefined && isRpde(format, type, name)) dataset.feeds.push({ url, type, name });
  else dataset.others.push((name ?? format) || 'a distribution without a name');
}

/** The address of a feed, without user and password: those that a site puts into an address are not used. */
function feedAddress(address: string, base: string): string | undefined {
  const url = URL.parse(address, base);
  if (url === null || !/^https?:$/.test(url.protocol)) return undefined;
  return targetUrl(url).href;
}

function typeOf(download: Node, name: string | undefined): FeedType | undefined {
  for (const value of valuesOf(download, 'additionalType')) {
    const type = parseFeedType(addressIn(value) ?? '');
    if (type !== undefined) return type;
  }
  return name === undefined ? undefined : parseFeedType(name);
}

/**
 * `application/vnd.openactive.rpde+json; version=1`, and before it `application/vnd.openactive+json; rpde=1.0, model=2.0`.
 * Plain JSON, or no format at all, counts where the type of the feed is known. Feeds of orders are not open.
 */
function isRpde(format: string, type: FeedType | undefined, name = ''): boolean {
  if (/booking/i.test(format) || /^order/i.test(name)) return false;
  if (/rpde|vnd\.openactive/i.test(format)) return true;
  return type !== undefined && /^(?:application\/(?:ld\+)?json\b.*)?$/i.test(format);
}

function whyNothing({ html, scripts, broken }: JsonLd, site: Site, text: string): string {
  if (site.datasets.length > 0) return 'the Dataset it describes has no distribution that is an RPDE feed';
  if (text.trim() === '') return 'the answer is empty';
  if (!html) return broken > 0 ? 'the answer is not JSON' : 'the JSON describes neither a Dataset nor a DataCatalog';
  if (scripts === 0) return 'the page has no JSON-LD in it (<script type="application/ld+json">), so it names no feed';
  if (broken === scripts) return 'the JSON-LD of the page is not JSON';
  return 'the JSON-LD of the page describes no Dataset';
}
