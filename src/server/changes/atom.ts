import {
  type ChangeEntry,
  type ChangeFeed,
  entryWords,
  firstWords,
  type Publisher,
  uuidOf,
} from '../../library/index.ts';
import type { Instant } from '../../time/instant.ts';
import { type Links, safeLink } from '../links.ts';

/** Changes as an Atom feed (RFC 4287). Publishers' texts are escaped, and characters beyond XML left out. */

type Collection = 'series' | 'places';

/** The path of a feed of changes. */
export const changesPath = (kind: Collection, key: string): string => `/changes/${kind}/${key}.atom`;

/** A feed of changes as an Atom document. */
export function atomOf(kind: Collection, { head, name, publisher, entries }: ChangeFeed, links: Links): string {
  const page = `${links.base}/${kind}/${head.key}`;
  const license = safeLink(publisher?.license);
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en-GB">',
    `<id>urn:uuid:${uuidOf(`changes ${kind} ${head.key}`)}</id>`,
    element('title', `Changes: ${name}`),
    `<updated>${timeText(entries[0]?.at ?? head.changedAt)}</updated>`,
    author(publisher),
    ...(license === undefined ? [] : [element('rights', license)]),
    link('self', 'application/atom+xml', links.base + changesPath(kind, head.key)),
    link('alternate', 'text/html', page),
    ...entries.flatMap((entry) => atomEntry(entry, kind, links)),
    '</feed>',
    '',
  ].join('\n');
}

function atomEntry(entry: ChangeEntry, kind: Collection, links: Links): string[] {
  const { id, at, series, name, publisher } = entry;
  const words = entryWords(entry);
  // The feed of a place has many series; the feed of a series has its name already.
  const of = kind === 'places' ? series.name : name;
  const more = [...(name === undefined || kind === 'series' ? [] : [name]), ...firstWords(entry)];
  return [
    '<entry>',
    `<id>urn:uuid:${id}</id>`,
    element('title', of ? `${of}: ${words}` : words),
    `<updated>${timeText(at)}</updated>`,
    ...(kind === 'places' ? [author(publisher)] : []),
    link('alternate', 'text/html', `${links.base}/series/${series.key}`),
    element('content', [series.name, words, ...more].filter(Boolean).join('\n'), ' type="text"'),
    '</entry>',
  ];
}

const timeText = (at: Instant): string => new Date(at).toISOString().replace('.000Z', 'Z');

/** The author, which an Atom feed must have, also without a publisher in the data. */
function author(publisher: Publisher | undefined): string {
  const uri = safeLink(publisher?.url);
  const name = publisher?.name || 'A publisher of open data';
  return `<author>${element('name', name)}${uri === undefined ? '' : element('uri', uri)}</author>`;
}

function link(rel: string, type: string, href: string): string {
  return `<link rel="${rel}" type="${type}" href="${escaped(href)}"/>`;
}

function element(name: string, text: string, attributes = ''): string {
  return `<${name}${attributes}>${escaped(text)}</${name}>`;
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
/** Characters beyond XML 1.0 (section 2.2). */
const NO_XML = /[^\t\n\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;

function escaped(text: string): string {
  return text
    .toWellFormed()
    .replace(NO_XML, '')
    .replace(/[&<>"]/g, (one) => ENTITIES[one] ?? '');
}
