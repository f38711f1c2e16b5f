import { html } from 'hono/html';
import { licenseName } from '../../calendar/wording/attribution.ts';
import { jsonText } from '../../opportunity/item/json.ts';
import { safeLink } from '../links.ts';
import { linked, type Markup } from './frame/markup.tsx';
import { plainPage } from './frame/plain.tsx';

export type JsonLd = Readonly<Record<string, unknown>>;

/** The data of the page at the address that `publish` prints. */
export interface PublisherHome {
  name: string;
  /** `/rpde/` of the base. */
  dataset: string;
  feeds: readonly { address: string; live: number }[];
  /** Addresses or files, without secrets; `trouble`: what is wrong with one. */
  sources: readonly { name: string; trouble?: string | undefined }[];
  findings: Readonly<Record<string, number>>;
}

/**
 * The dataset page: JSON-LD for catalogues and harvesters, and the same in words for people. It needs no other file, because
 * `publish --out` writes it too.
 */
export async function datasetPage(dataset: JsonLd): Promise<string> {
  const publisher = dataset.publisher as { name?: string; url?: string } | undefined;
  const license = jsonText(dataset.license);
  const body = html`<h1>${jsonText(dataset.name)}</h1>
    <p>${jsonText(dataset.description)}</p>
    <dl>
      <dt>Publisher</dt><dd>${linked(publisher?.name ?? jsonText(dataset.name), publisher?.url)}</dd>
      <dt>Licence</dt><dd><a href="${safeLink(license) ?? ''}" rel="license">${licenseName(license)}</a></dd>
      <dt>Format</dt><dd><a href="https://openactive.io/realtime-paged-data-exchange/">RPDE 1.0</a> pages of
        <a href="https://openactive.io/modelling-opportunity-data/">OpenActive opportunity data</a></dd>
    </dl>
    <h2>Feeds</h2>
    <ul>${list(dataset.distribution).map((one) => html`<li>${linked(jsonText(one.name), jsonText(one.contentUrl))}</li>`)}</ul>
    ${partList(list(dataset.hasPart))}
    ${sourceList(list(dataset.isBasedOn))}
    <p>Attribution: <q>Source: ${linked(publisher?.name ?? jsonText(dataset.name), jsonText(dataset.url))}</q></p>`;
  return plainPage(jsonText(dataset.name), body, dataset);
}

/** Links to the dataset of each publisher, which has its own licence. */
function partList(parts: readonly JsonLd[]): Markup {
  if (parts.length === 0) return html``;
  return html`<h2>By publisher</h2>
    <ul>${parts.map(({ name, url }) => html`<li>${linked(jsonText(name), jsonText(url))}</li>`)}</ul>`;
}

function sourceList(sources: readonly JsonLd[]): Markup {
  if (sources.length === 0) return html``;
  // A publisher with several feeds is named once.
  const lines = sources.map(({ publisher, license, url }) => {
    const { name = '', url: page } = (publisher ?? {}) as { name?: string; url?: string };
    return { name, page: page ?? jsonText(url), licence: safeLink(jsonText(license)) };
  });
  const distinct = new Map(lines.map((line) => [JSON.stringify(line), line]));
  const items = [...distinct.values()].map(({ name, page, licence }) => {
    return html`<li>${linked(name, page)}${licence && html`, licensed under <a href="${licence}">${licenseName(licence)}</a>`}</li>`;
  });
  return html`<h2>Made from the data of</h2><ul>${items}</ul>`;
}

/** The page at the address that `publish` prints. */
export async function publisherPage({ name, dataset, feeds, sources, findings }: PublisherHome): Promise<string> {
  const counts = Object.entries(findings).map(([severity, count]) => `${severity} ${count}`);
  const body = html`<h1>${name}</h1>
    <p>These calendars are published as OpenActive feeds. Give <a href="${dataset}">the dataset page</a> to whoever wants to use the data.</p>
    <h2>Feeds</h2>
    <ul>${feeds.map(({ address, live }) => html`<li><a href="${address}">${address}</a> (${live})</li>`)}</ul>
    <h2>Calendars</h2>
    <ul>${sources.map((one) => html`<li><bdi>${one.name}</bdi>${one.trouble && html`: <span class="cancelled">${one.trouble}</span>`}</li>`)}</ul>
    <p>Findings: ${counts.length === 0 ? 'none' : counts.join(', ')}</p>`;
  return plainPage(name, body);
}

function list(value: unknown): readonly JsonLd[] {
  return Array.isArray(value) ? (value as JsonLd[]) : [];
}
