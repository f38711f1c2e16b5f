/** Bodies of answers: decoded, counted, let go of. */

import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { TextDecoder } from 'node:util';
import { createBrotliDecompress, createGunzip } from 'node:zlib';
import type { Dispatcher } from 'undici';
import { BodyError, BodyTooLargeError, FetchError } from '../errors.ts';
import { type Deadline, inWords } from './deadline.ts';

type Answer = Dispatcher.ResponseData;

/** Lets go of a body nobody reads. Its errors concern nobody. */
export function discard(answer: Answer): void {
  answer.body.on('error', () => {});
  answer.body.destroy();
}

/**
 * The decoded body, counted while it streams: a Content-Length is only a hint, and a bomb is small on the wire.
 * @throws BodyTooLargeError, BodyError, ConnectionError, FetchTimeoutError
 */
export async function bodyOf(answer: Answer, url: URL, limit: number, deadline: Deadline): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  const take = async (source: AsyncIterable<Uint8Array>) => {
    for await (const piece of source) {
      size += piece.length;
      if (size > limit) throw new BodyTooLargeError(url, `more than ${limit} bytes`);
      pieces.push(piece);
    }
  };
  const coding = codingOf(answer);
  try {
    await (coding === '' || coding === 'identity'
      ? pipeline(answer.body, take)
      : pipeline(answer.body, decoder(coding, url, answer.body), take));
  } catch (error) {
    if (error instanceof FetchError) throw error;
    deadline.throwIfOver();
    throw inWords(error, url);
  }
  return Buffer.concat(pieces, size);
}

function codingOf(answer: Answer): string {
  const value = answer.headers['content-encoding'];
  return (Array.isArray(value) ? value.join(', ') : (value ?? '')).trim().toLowerCase();
}

function decoder(coding: string, url: URL, source: Readable) {
  if (coding === 'gzip' || coding === 'x-gzip') return createGunzip();
  if (coding === 'br') return createBrotliDecompress();
  source.on('error', () => {});
  source.destroy();
  throw new BodyError(url, `the body is encoded as ${JSON.stringify(coding.slice(0, 40))}, which was not asked for`);
}

/** The decoder of a Content-Type's charset; UTF-8 for none and for unknown ones. */
export function decoderFor(contentType: string): TextDecoder {
  const charset = /;\s*charset="?([\w-]{1,40})/i.exec(contentType.slice(0, 200))?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(charset);
  } catch {
    return new TextDecoder();
  }
}
