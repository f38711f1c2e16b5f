import { closeSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { etagHash } from '../calendars/entry.ts';
import { safeLink } from '../links.ts';
import type { ImageFacts } from './formats.ts';

/** The address of an image on this origin, and its facts. */

/** Collections whose records have images. */
export type Illustrated = 'series' | 'facilities';

/** The name of an image, by its address in the data. */
export function imageHash(address: string): string {
  return etagHash(new TextEncoder().encode(address));
}

export interface ImageAddress {
  kind: Illustrated;
  key: string;
  hash: string;
}

const ADDRESS = /^\/images\/(series|facilities)\/([a-z0-9]{1,64})\/([\w-]{22})$/;

/** The image at a path; undefined for other paths. */
export function imageAt(path: string): ImageAddress | undefined {
  const [, kind, key = '', hash = ''] = ADDRESS.exec(path) ?? [];
  return kind === undefined ? undefined : { kind: kind as Illustrated, key, hash };
}

/** An image on a page; its size is known after the first request. */
export interface ShownImage {
  /** The path on this origin, without the base address. */
  path: string;
  width?: number;
  height?: number;
}

/** The image of an address. `folder`: of the cached images; undefined: no facts are known. */
export function shownImage(
  kind: Illustrated,
  key: string,
  image: string | undefined,
  folder: string | undefined,
): ShownImage | undefined {
  const address = safeLink(image);
  if (address === undefined) return undefined;
  const hash = imageHash(address);
  const facts = folder === undefined ? undefined : factsIn(join(folder, hash));
  const path = `/images/${kind}/${key}/${hash}`;
  return facts === undefined ? { path } : { path, width: facts.width, height: facts.height };
}

/** Octets of the header in front of the image: its facts as JSON, padded with blanks. */
export const HEADER_BYTES = 96;

/** The header of a cached image. */
export function headerOf(facts: ImageFacts): Buffer {
  return Buffer.from(JSON.stringify(facts).padEnd(HEADER_BYTES));
}

/** Reads the facts of a cached image. @throws SyntaxError: the octets have no such header */
export function readHeader(bytes: Buffer): ImageFacts {
  return JSON.parse(bytes.toString('latin1', 0, HEADER_BYTES)) as ImageFacts;
}

function factsIn(file: string): ImageFacts | undefined {
  let handle: number | undefined;
  try {
    handle = openSync(file, 'r');
    const bytes = Buffer.alloc(HEADER_BYTES);
    readSync(handle, bytes, 0, HEADER_BYTES, 0);
    return readHeader(bytes);
  } catch {
    return undefined;
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
}
