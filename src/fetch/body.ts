/** Bodies of responses as they come: counted, decoded where they are large, let go of. */

import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress, createGunzip } from 'node:zlib';
import type { Dispatcher } from 'undici';
import { BodyError, BodyTooLargeError, FetchError } from '../errors.ts';
import { LIMITS } from '../limits.ts';
import { asFetchError, type Deadline } from './deadline.ts';
import { type Body, type Coding, UndecodableError } from './decode.ts';

/** Lets go of a body nobody reads. Its errors concern nobody. */
export function discard(response: Dispatcher.ResponseData): void {
  response.body.on('error', () => {});
  response.body.destroy();
}

/**
 * The body, counted while it streams: a Content-Length is only a hint, and believed where it says "too large". What is small on
 * the wire is left as it came. A larger one is decoded as it streams, so that a bomb goes off at the limit and not at its end.
 * @throws BodyTooLargeError, BodyError, ConnectionError, FetchTimeoutError
 */
export async function bodyOf(
  response: Dispatcher.ResponseData,
  url: URL,
  limit: number,
  deadline: Deadline,
): Promise<Body> {
  const contentType = headerText(response.headers['content-type']) ?? '';
  const coding = codingOf(response, url);
  const announced = announcedSize(response);
  const size = { limit, coding, announced };
  try {
    if (coding === '' && announced !== undefined && announced > limit) throw tooLarge(url, size);
    const most = coding === '' ? limit : Math.min(limit, LIMITS.codedBytes);
    const first = await gather(response.body.iterator({ destroyOnReturn: false }), most);
    if (!first.over) return { bytes: first.bytes, coding, contentType, limit };
    if (coding === '') throw tooLarge(url, size);
    const bytes = await pipeline(
      Readable.from(concatenated(first.bytes, response.body)),
      decoder(coding),
      // Only a sink that throws ends the streams before it: one that stops reading leaves `pipeline` waiting for ever.
      async (source: AsyncIterable<Uint8Array>) => {
        const whole = await gather(source, limit);
        if (whole.over) throw tooLarge(url, size);
        return whole.bytes;
      },
      { signal: deadline.signal },
    );
    return { bytes, coding: '', contentType, limit };
  } catch (error) {
    discard(response);
    if (error instanceof FetchError) throw error;
    deadline.throwIfOver();
    throw asFetchError(error, url);
  }
}

/** The pieces as one, or as many of them as are just too many. */
async function gather(
  source: AsyncIterable<Uint8Array>,
  most: number,
): Promise<{ bytes: Uint8Array<ArrayBuffer>; over: boolean }> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of source) {
    size += piece.length;
    pieces.push(piece);
    if (size > most) break;
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

async function* concatenated(first: Uint8Array, rest: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield first;
  yield* rest;
}

function announcedSize({ headers }: Dispatcher.ResponseData): number | undefined {
  const text = headerText(headers['content-length']) ?? '';
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

function codingOf(response: Dispatcher.ResponseData, url: URL): Coding {
  const coding = (headerText(response.headers['content-encoding']) ?? '').trim().toLowerCase();
  if (coding === '' || coding === 'identity') return '';
  if (coding === 'gzip' || coding === 'x-gzip') return 'gzip';
  if (coding === 'br') return 'br';
  discard(response);
  throw new BodyError(url, `the body is encoded as ${JSON.stringify(coding.slice(0, 40))}, which was not asked for`);
}

const decoder = (coding: Coding) => (coding === 'br' ? createBrotliDecompress() : createGunzip());

/** How large a body is, as far as it is known: `announced` on the wire, `limit` decoded. */
interface BodySize {
  limit: number;
  coding: Coding;
  announced: number | undefined;
}

/** The size of a body, kept before its octets go to a thread that decodes them. */
export function sizeOf({ bytes, coding, limit }: Body): BodySize {
  return { limit, coding, announced: bytes.length };
}

/** What decoding the body of this address threw, as an error of the request. */
export function bodyError(error: unknown, url: string, size: BodySize): unknown {
  if (!(error instanceof UndecodableError)) return error;
  const address = new URL(url);
  return error.tooLarge
    ? tooLarge(address, size)
    : new BodyError(address, 'the body does not decompress', { cause: error.cause });
}

function tooLarge(url: URL, { limit, coding, announced }: BodySize): BodyTooLargeError {
  const sent = announced === undefined ? '' : `${announced} bytes of `;
  const facts =
    coding !== ''
      ? `${sent}${coding === 'br' ? 'brotli' : coding} that decode to more than ${limit} bytes`
      : announced !== undefined && announced > limit
        ? `${announced} bytes (Content-Length), more than ${limit} bytes`
        : `more than ${limit} bytes`;
  return new BodyTooLargeError(url, `the body is too large: ${facts}, the most that is read`);
}

/** A header's value; where it came more than once, all of them. */
export function headerText(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join(', ') : value;
}
