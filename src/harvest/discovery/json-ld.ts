/** Reads the JSON-LD of pages: objects, and properties in any spelling of their names. Pure. */

import { Parser } from 'htmlparser2';
import { LIMITS } from '../../limits.ts';
import { toLine } from '../../opportunity/item/text.ts';
import { bareName } from '../../opportunity/item/vocabulary.ts';

export type Node = Readonly<Record<string, unknown>>;

export interface JsonLd {
  /** Objects at the top, in lists and graphs, and in `mainEntity` and `about`. */
  nodes: Node[];
  /** Objects by `@id`, for references to them. */
  byId: ReadonlyMap<string, Node>;
  /** The text is a page for people, not JSON. */
  html: boolean;
  /** Scripts of JSON-LD found, and those that are not JSON. */
  scripts: number;
  broken: number;
}

/** Reads a page, or plain JSON. The text decides which, because servers send either under any Content-Type. */
export function jsonLdOf(text: string): JsonLd {
  const html = !/^[\s\uFEFF]*[[{]/.test(text);
  const sources = html ? scriptsOf(text) : [text];
  const nodes: Node[] = [];
  let broken = 0;
  for (const source of sources) {
    const value = parsed(source);
    if (value === undefined) broken += 1;
    else collect(value, 0, nodes);
  }
  const byId = new Map(nodes.flatMap((node): [string, Node][] => entryOf(node)));
  return { nodes, byId, html, scripts: html ? sources.length : 0, broken };
}

function entryOf(node: Node): [string, Node][] {
  const id = idOf(node);
  // An object with `@id` alone is a reference: it describes nothing.
  return id === undefined || Object.keys(node).length === 1 ? [] : [[id, node]];
}

/** The contents of `<script type="application/ld+json">`, anywhere in a page. */
function scriptsOf(html: string): string[] {
  const found: string[] = [];
  let inside: string[] | undefined;
  const parser = new Parser({
    onopentag(name, attributes) {
      if (name === 'script' && /^\s*application\/ld\+json\b/i.test(attributes.type ?? '')) inside = [];
    },
    ontext(piece) {
      inside?.push(piece);
    },
    onclosetag(name) {
      if (name !== 'script' || inside === undefined) return;
      found.push(inside.join(''));
      inside = undefined;
    },
  });
  parser.write(html);
  parser.end();
  return found;
}

function parsed(source: string): unknown {
  // Some templates still wrap scripts in comments, as browsers of the last century needed.
  const text = source
    .replace(/^[\s\uFEFF]*(?:\/\/)?\s*<!(?:--|\[CDATA\[)/, '')
    .replace(/(?:\/\/)?\s*(?:--|\]\])>\s*$/, '');
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    return undefined;
  }
}

/** Properties with the objects that a page is about. */
const ABOUT = ['@graph', 'mainEntity', 'about'];

function collect(value: unknown, depth: number, nodes: Node[]): void {
  if (depth > LIMITS.jsonLdDepth) return;
  if (Array.isArray(value)) {
    for (const one of value) collect(one, depth + 1, nodes);
  } else if (isNode(value)) {
    nodes.push(value);
    for (const name of ABOUT) for (const inner of valuesOf(value, name)) collect(inner, depth + 1, nodes);
  }
}

export function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** `name` as old and new contexts write it; a keyword also by its alias without `@`. */
function spellings(name: string): readonly string[] {
  if (name.startsWith('@')) return [name, name.slice(1)];
  return [name, `schema:${name}`, `https://schema.org/${name}`, `http://schema.org/${name}`];
}

/** The values of a property, one or many. */
export function valuesOf(node: Node, name: string): readonly unknown[] {
  for (const key of spellings(name)) {
    const value = Object.hasOwn(node, key) ? node[key] : undefined;
    if (value !== undefined && value !== null) return Array.isArray(value) ? value.flat(2) : [value];
  }
  return [];
}

/** The first value of a property that is a text, as one clean line. */
export function lineOf(node: Node, name: string): string | undefined {
  for (const value of valuesOf(node, name)) {
    const text = isNode(value) ? value['@value'] : value;
    const line = typeof text === 'string' ? toLine(text).text : '';
    if (line !== '') return line;
  }
  return undefined;
}

/** An address or identifier: the text itself, or the `url`, `@value` or `@id` of an object. */
export function addressIn(value: unknown): string | undefined {
  if (typeof value === 'string') return value.trim() === '' ? undefined : value.trim();
  if (!isNode(value)) return undefined;
  const text = [...valuesOf(value, 'url'), value['@value'], idOf(value)].find((one) => typeof one === 'string');
  return text?.trim();
}

export function idOf(node: Node): string | undefined {
  return valuesOf(node, '@id').find((id) => typeof id === 'string');
}

/** Whether an object is of a type, in any spelling. */
export function isA(node: Node, type: string): boolean {
  return valuesOf(node, '@type').some((name) => typeof name === 'string' && bareName(name) === type);
}
