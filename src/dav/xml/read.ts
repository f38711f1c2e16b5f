import { SaxesParser } from 'saxes';
import { LIMITS } from '../../limits.ts';
import { Refusal, unreadable } from '../refusal.ts';
import type { Name } from './names.ts';

/** An element of a request, with its namespace resolved. */
export interface Element extends Name {
  /** Attributes without a namespace, by name. */
  attributes: ReadonlyMap<string, string>;
  children: Element[];
  /** The text of the element itself, without that of its children. */
  text: string;
}

/**
 * The root element of a body; undefined: the body is empty. Entities other than the five of XML, a DOCTYPE, and bodies
 * deeper or larger than real requests are refused while they are read (SECURITY.md, "CalDAV").
 *
 * @throws Refusal
 */
export function readXml(text: string): Element | undefined {
  if (text.trim() === '') return undefined;
  try {
    return rootOf(text);
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw unreadable(`The body is not well-formed XML with namespaces: ${firstLine(error)}`);
  }
}

function firstLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n')[0]?.slice(0, 200) ?? '';
}

function rootOf(text: string): Element | undefined {
  const parser = new SaxesParser({ xmlns: true });
  const open: Element[] = [];
  let root: Element | undefined;
  let count = 0;
  const addText = (piece: string): void => {
    const parent = open.at(-1);
    if (parent !== undefined) parent.text += piece;
  };
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('doctype', () => {
    throw unreadable('A DOCTYPE is not read here: send the body without it.');
  });
  parser.on('opentag', ({ uri, local, attributes }) => {
    const { depth, elements } = LIMITS.dav;
    if (open.length >= depth) throw tooMuch(`elements ${depth} deep`);
    if (++count > elements) throw tooMuch(`${elements} elements`);
    const all = Object.values(attributes);
    if (all.length > LIMITS.dav.attributes) throw tooMuch(`${LIMITS.dav.attributes} attributes of one element`);
    const plain = all.filter((attribute) => attribute.uri === '').map(({ name, value }) => [name, value] as const);
    const element: Element = { ns: uri, local, attributes: new Map(plain), children: [], text: '' };
    open.at(-1)?.children.push(element);
    root ??= element;
    open.push(element);
  });
  parser.on('closetag', () => open.pop());
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.write(text).close();
  return root;
}

function tooMuch(limit: string): Refusal {
  return new Refusal(413, `The body may have at most ${limit}: send several smaller requests.`);
}

/** The first child of a name. */
export function childOf(element: Element, ns: string, local: string): Element | undefined {
  return element.children.find((child) => child.local === local && child.ns === ns);
}

export function childrenOf(element: Element, ns: string, local: string): Element[] {
  return element.children.filter((child) => child.local === local && child.ns === ns);
}
