/** Bodies of answers as they come: counted, decoded where they are large, let go of. */

import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress, createGunzip } from 'node:zlib';
import type { Dispatcher } from 'undici';
import { BodyError, BodyTooLargeError, FetchError } from '../errors.ts';
import { LIMITS } from '../limits.ts';
import { type Deadline, inWords } from './deadline.ts';
import { type Body, type Coding, UndecodableError } from './decode.ts';

type Answer = Dispatcher.ResponseData;

/** Lets go of a body nobody reads. Its errors concern nobody. */
export function discard(answer: Answer): void {
  answer.body.on('error', () => {});
  answer.body.destroy();
}

/**
 * The body, counted while it streams: a Content-Length is only a hint. What is small on the wire is left as it came; a
 * larger one is decoded as it streams, so that a bomb goes off at the limit and not at its end.
 * @throws BodyTooLargeError, BodyError, ConnectionError, FetchTimeoutError
 */
export async function bodyOf(answer: Answer, url: URL, limit: number, deadline: Deadline): Promise<Body> {
  const contentType = headerText(answer.headers['content-type']) ?? '';
  const coding = codingOf(answer, url);
  try {
    const most = coding === '' ? limit : Math.min(limit, LIMITS.codedBytes);
    const coming = answer.body[Symbol.asyncIterator]();
    const { bytes, over } = await collect(coming, most);
    if (!over) return { bytes, coding, contentType, limit };
    if (coding === '') throw tooLarge(url, limit);
    const rest = Readable.from(following(bytes, coming));
    const whole = await pipeline(rest, decoder(coding), (source: AsyncIterable<Uint8Array>) => collect(source, limit));
    if (whole.over) throw tooLarge(url, limit);
    return { bytes: whole.bytes, coding: '', contentType, limit };
  } catch (error) {
    discard(answer);
    if (error instanceof FetchError) throw error;
    deadline.throwIfOver();
    throw inWords(error, url);
  }
}

async function collect(
  source: AsyncIterable<Uint8Array> | AsyncIterator<Uint8Array>,
  most: number,
): Promise<{ bytes: Uint8Array<ArrayBuffer>; over: boolean }> {
  const coming = 'next' in source ? source : source[Symbol.asyncIterator]();
  const pieces: Uint8Array[] = [];
  let size = 0;
  while (size <= most) {
    const { done, value } = await coming.next();
    if (done) break;
    size += value.length;
    pieces.push(value);
  }
  // Memory of its own, which can be given to another thread.
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return { bytes, over: size > most };
}

async function* following(first: Uint8Array, coming: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield first;
  for (let next = await coming.next(); !next.done; next = await coming.next()) yield next.value;
}

function codingOf(answer: Answer, url: URL): Coding {
  const coding = (headerText(answer.headers['content-encoding']) ?? '').trim().toLowerCase();
  if (coding === '' || coding === 'identity') return '';
  if (coding === 'gzip' || coding === 'x-gzip') return 'gzip';
  if (coding === 'br') return 'br';
  discard(answer);
  throw new BodyError(url, `the body is encoded as ${JSON.stringify(coding.slice(0, 40))}, which was not asked for`);
}

const decoder = (coding: Coding) => (coding === 'br' ? createBrotliDecompress() : createGunzip());

/** What decoding the body of this address threw, as an error of the request. */
export function bodyError(error: unknown, url: string, limit: number): unknown {
  if (!(error instanceof UndecodableError)) return error;
  const address = new URL(url);
  return error.tooLarge
    ? tooLarge(address, limit)
    : new BodyError(address, 'the body does not decompress', { cause: error.cause });
}

function tooLarge(url: URL, limit: number): BodyTooLargeError {
  return new BodyTooLargeError(url, `more than ${limit} bytes`);
}

/** A header's value; where it came more than once, all of them. */
export function headerText(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join(', ') : value;
}
