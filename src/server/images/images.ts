import type { Context } from 'hono';
import { matchingTag } from '../../entity-tags.ts';
import { messageOf } from '../../errors.ts';
import type { Library } from '../../library/index.ts';
import { LIMITS } from '../../limits.ts';
import { line, otherMethod } from '../calendars/calendars.ts';
import { FOR_EVER, retry } from '../lifetimes.ts';
import { safeLink } from '../links.ts';
import type { Log } from '../operations/log.ts';
import { type ImageAddress, imageHash } from './address.ts';
import type { Image, ImageCache } from './cache.ts';
import { imageIn } from './formats.ts';

/**
 * Images of publishers on this origin, so that publishers do not learn who reads a page, and nothing but an image comes
 * through. Only the image of a live record is fetched, once, at its first request.
 */

export interface ImageOptions {
  library: Pick<Library, 'image'>;
  cache: ImageCache;
  /** The guarded client. @throws what the client throws */
  download(url: string, bytes: number): Promise<Uint8Array<ArrayBuffer>>;
  log: Log;
  now(): number;
}

/** The images of live records, fetched at their first request. */
export class Images {
  readonly #options: ImageOptions;
  /** Fetches under way, by name. */
  readonly #fetches = new Map<string, Promise<Image | undefined>>();
  /** Until when an address without an image is not fetched again. */
  readonly #failed = new Map<string, number>();

  constructor(options: ImageOptions) {
    this.#options = options;
  }

  /** The answer for an image. `mayFetch`: called before a fetch; seconds to wait, or undefined. */
  async answer(
    c: Context,
    { kind, key, hash }: ImageAddress,
    mayFetch?: () => Promise<number | undefined>,
  ): Promise<Response> {
    const { method } = c.req;
    if (method !== 'GET' && method !== 'HEAD') return otherMethod(method);
    const address = safeLink(await this.#options.library.image(kind, key));
    if (address === undefined || imageHash(address) !== hash) return none();
    const tag = `"${hash}"`;
    const asked = c.req.header('if-none-match');
    const stored = await this.#options.cache.get(hash);
    if (stored !== undefined && asked !== undefined && matchingTag(asked, [tag]))
      return new Response(null, { status: 304, headers: { ...FOR_EVER, ETag: tag } });
    if (stored !== undefined) return imageResponse(stored, tag, method);
    if (this.#isFailed(hash)) return none();
    const seconds = this.#fetches.has(hash) ? undefined : await mayFetch?.();
    if (seconds !== undefined)
      return line(429, 'So many images in one minute are too many.', 'no-store', retry(seconds).headers);
    if (!this.#fetches.has(hash) && this.#fetches.size >= LIMITS.imagesAtOnce)
      return line(503, 'Too many images are fetched just now.', 'no-store', retry(5).headers);
    const image = await this.#fetched(hash, address);
    return image === undefined ? none() : imageResponse(image, tag, method);
  }

  #isFailed(hash: string): boolean {
    const until = this.#failed.get(hash);
    if (until === undefined || until > this.#options.now()) return until !== undefined;
    this.#failed.delete(hash);
    return false;
  }

  #fetched(hash: string, address: string): Promise<Image | undefined> {
    const running = this.#fetches.get(hash);
    if (running !== undefined) return running;
    const fetching = this.#downloaded(hash, address).finally(() => this.#fetches.delete(hash));
    this.#fetches.set(hash, fetching);
    return fetching;
  }

  async #downloaded(hash: string, address: string): Promise<Image | undefined> {
    const { download, cache, log, now } = this.#options;
    try {
      const bytes = await download(address, LIMITS.imageBytes);
      const facts = imageIn(bytes);
      if (facts !== undefined) {
        const image = { ...facts, bytes };
        await cache.put(hash, image);
        return image;
      }
      log.info({ hash }, 'What a record names as its image is none.');
    } catch (error) {
      log.info({ hash, error: messageOf(error) }, 'An image could not be fetched.');
    }
    if (this.#failed.size >= MOST_FAILED) this.#failed.clear();
    this.#failed.set(hash, now() + LIMITS.imageRetryMs);
    return undefined;
  }
}

const MOST_FAILED = 10_000;

/** Headers for an image opened as a document: without scripts, origin and requests. */
const INERT = {
  'Content-Security-Policy': "default-src 'none'; sandbox",
  'X-Content-Type-Options': 'nosniff',
  'Cross-Origin-Resource-Policy': 'cross-origin',
};

function imageResponse({ bytes, type }: Image, tag: string, method: string): Response {
  const length = String(bytes.length);
  return new Response(method === 'HEAD' ? null : bytes, {
    headers: { ...FOR_EVER, ...INERT, ETag: tag, 'Content-Type': type, 'Content-Length': length },
  });
}

function none(): Response {
  return line(404, 'There is no such image here.', 'public, max-age=3600');
}
