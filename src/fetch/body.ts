/** Reads the bodies of responses: bounds their octets, decodes large ones, discards unwanted ones. */

import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress, createGunzip } from 'node:zlib';
import type { Dispatcher } from 'undici';
import { BodyError, BodyTooLargeError, FetchError } from '../errors.ts';
import { LIMITS } from '../limits.ts';
import { asFetchError, type Deadline } from './deadline.ts';
import { type Body, type Coding, UndecodableError } from './decode.ts';

/** Discards a body, and ignores its errors. */
export function discard(response: Dispatcher.ResponseData): void {
  response.body.on('error', () => {});
  response.body.destroy();
}

/**
 * Reads a body, and counts its octets as they stream. A Content-Length is only a hint, unless it exceeds the limit. A body
 * that is small on the wire stays encoded. A larger one is decoded as it streams, so that a bomb ends at the limit.
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

/** Joins the pieces of a stream, up to the first that exceeds `most`. */
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
  // A buffer of its own, which can be transferred to a thread.
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

/** The known sizes of a body in octets: `announced` on the wire, `limit` after decoding. */
interface BodySize {
  limit: number;
  coding: Coding;
  announced: number | undefined;
}

/** The size of a body, kept before its octets go to a thread that decodes them. */
export function sizeOf({ bytes, coding, limit }: Body): BodySize {
  return { limit, coding, announced: bytes.length };
}

/** Turns an UndecodableError of a body into an error of its request; other errors stay. */
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

/** The value of a header; several values are joined by commas. */
export function headerText(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join(', ') : value;
}
