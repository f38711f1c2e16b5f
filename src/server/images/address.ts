import { closeSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { etagHash } from '../calendars/entry.ts';
import { safeLink } from '../links.ts';
import type { ImageFacts } from './formats.ts';

/** Where an image stands on our own origin, and what is known of it. */

/** Collections whose records have images. */
export type Illustrated = 'series' | 'facilities';

/** The name of an image by the address that the data has for it. */
export function imageHash(address: string): string {
  return etagHash(new TextEncoder().encode(address));
}

export interface ImageAddress {
  kind: Illustrated;
  key: string;
  hash: string;
}

const ADDRESS = /^\/images\/(series|facilities)\/([a-z0-9]{1,64})\/([\w-]{22})$/;

export function imageAt(path: string): ImageAddress | undefined {
  const [, kind, key = '', hash = ''] = ADDRESS.exec(path) ?? [];
  return kind === undefined ? undefined : { kind: kind as Illustrated, key, hash };
}

/** An image as a page shows it; its size is known once it was asked for. */
export interface ShownImage {
  /** A path of ours, without the base address. */
  path: string;
  width?: number;
  height?: number;
}

/** `folder`: of the cached images; undefined: nothing is known of them here. */
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

/** Octets before those of the image: what it is, as JSON, filled up with blanks. */
export const HEADER_BYTES = 96;

export function headerOf(facts: ImageFacts): Buffer {
  return Buffer.from(JSON.stringify(facts).padEnd(HEADER_BYTES));
}

/** @throws SyntaxError where the octets are none of ours */
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
