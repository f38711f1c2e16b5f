import { defined } from '../../opportunity/records.ts';
import { FEED_TYPE } from '../contract.ts';

/** The description of a dataset, whose page leads catalogues and harvesters to its feeds. */
export interface DatasetAbout {
  name: string;
  description: string;
  /** Address of the licence of the data. */
  license: string;
  publisher: Organisation;
  /** The address for questions about the data. */
  contact?: string | undefined;
  documentation?: string | undefined;
  /** Publishers whose data is republished, and whose licences demand a credit. */
  sources?: readonly DatasetSource[];
}

interface Organisation {
  /** Undefined: its feeds do not name their publisher. */
  name: string | undefined;
  url?: string | undefined;
  email?: string | undefined;
}

/** A feed that the data comes from. */
export interface DatasetSource {
  publisher: Organisation;
  license?: string | undefined;
  /** Address of the feed. */
  url: string;
}

/** The media type in the form that OpenActive's catalogue crawlers expect. */
const ENCODING = 'application/vnd.openactive.rpde+json; version=1';

/** The addresses of the page and feeds, on a server or for files to be put on one. */
interface DatasetAddresses {
  dataset: string;
  catalog: string;
  /** Feeds, each with its name and the address of its first page. */
  feeds: readonly (readonly [name: string, address: string])[];
}

/** The JSON-LD of the dataset page, in the form of OpenActive's dataset site template. Pure. */
export function datasetJsonLd(about: DatasetAbout, at: DatasetAddresses): Record<string, unknown> {
  const url = at.dataset;
  return {
    '@context': ['https://schema.org/', 'https://openactive.io/'],
    '@type': 'Dataset',
    '@id': url,
    url,
    name: about.name,
    description: about.description,
    keywords: ['OpenActive', 'Sports', 'Physical Activity', 'Sessions', 'Activities'],
    license: about.license,
    inLanguage: ['en-GB'],
    schemaVersion: 'https://openactive.io/modelling-opportunity-data/2.0/',
    documentation: about.documentation ?? 'https://developer.openactive.io/',
    ...(about.contact !== undefined && { discussionUrl: about.contact }),
    publisher: organisation(about.publisher),
    ...(about.sources !== undefined && { isBasedOn: about.sources.map(source) }),
    includedInDataCatalog: at.catalog,
    distribution: at.feeds.map(distribution),
  };
}

/** A catalogue of datasets by their addresses, for harvesters that begin with one. Pure. */
export function catalogJsonLd(
  { name, license, publisher }: DatasetAbout,
  { datasets, catalog }: { datasets: readonly string[]; catalog: string },
): Record<string, unknown> {
  return {
    '@context': 'https://schema.org/',
    '@type': 'DataCatalog',
    '@id': catalog,
    name,
    license,
    publisher: organisation(publisher),
    dataset: datasets,
  };
}

function organisation({ name, url, email }: Organisation): Record<string, unknown> {
  return { '@type': 'Organization', ...defined({ name, url, email }) };
}

function source({ publisher, license, url }: DatasetSource): Record<string, unknown> {
  return { '@type': 'DataFeed', ...defined({ url, publisher: organisation(publisher), license }) };
}

function distribution([feed, address]: readonly [name: string, address: string]): Record<string, unknown> {
  // Harvesters choose feeds by their type.
  const type = FEED_TYPE[feed as keyof typeof FEED_TYPE];
  return {
    '@type': 'DataDownload',
    name: type,
    additionalType: `https://openactive.io/${type}`,
    encodingFormat: ENCODING,
    contentUrl: address,
  };
}
