/** An RPDE feed at an http(s) address. */

import { publicUrl } from '../../errors.ts';
import { type Body, decoded } from '../../fetch/decode.ts';
import {
  authorizationOf,
  bodyError,
  type Client,
  freshnessOf,
  type HostQueue,
  sizeOf,
  targetUrl,
} from '../../fetch/index.ts';
import { parsePage } from '../../opportunity/page/page.ts';
import { stepAfter } from './next-page.ts';
import { cacheFindings, typeFindings } from './order-findings.ts';
import type { FeedSource, FetchedPage, ReadPage, Unchanged } from './source.ts';

interface HttpSourceOptions {
  url: string;
  headers?: Readonly<Record<string, string>> | undefined;
  client: Client;
  /** One request at a time to each host, in turns among its feeds. */
  queue: HostQueue;
  /** Origins that the operator named: `next` may lead there. */
  named: ReadonlySet<string>;
  /** Default: `parsePage`. */
  read?: ReadPage;
  /** The licence of pages that name none. */
  license?: () => string | undefined;
  /** Report Cache-Control headers that do not fit. `check` does; a feed that is harvested for ever needs no such advice. */
  judgeCaching?: boolean;
}

/** The validators of the last page of the last pass: while that page is unchanged, there is no news. */
interface Tail {
  cursor: string;
  etag: string | undefined;
  lastModified: string | undefined;
}

export function httpSource(options: HttpSourceOptions): FeedSource {
  const { headers = {}, client, queue, named, read = readHere } = options;
  const { url, authorization } = withoutPassword(options.url);
  const { origin } = new URL(url);
  const originHeaders = { ...headers, ...(authorization && { authorization }) };
  let tail: Tail | undefined;

  const request = (cursor: string, signal: AbortSignal | undefined) => {
    const known = tail?.cursor === cursor ? tail : undefined;
    return client.request(cursor, {
      // A page on another origin gets none of the headers of this feed, which hold its keys.
      ...(new URL(cursor).origin === origin && { headers: originHeaders }),
      etag: known?.etag,
      lastModified: known?.lastModified,
      ...(signal && { signal }),
    });
  };

  /** Fetches the page at a cursor, and checks where it leads. Without a cursor: the first page of the feed. */
  async function page(
    ...[cursor, signal, onStep, reserve]: Parameters<FeedSource['page']>
  ): Promise<FetchedPage | Unchanged> {
    const requestUrl = cursor ?? url;
    const { host } = new URL(requestUrl);
    // No limit: every feed of the host may come first, and each has its own deadline.
    onStep?.(`for its turn at ${host}`, Number.POSITIVE_INFINITY);
    const response = await queue.run(
      host,
      () => {
        onStep?.(`for an answer of ${publicUrl(requestUrl)}`);
        return request(requestUrl, signal);
      },
      signal,
    );
    const fresh = freshnessOf(response);
    if (!response.changed) return { unchanged: true, ...fresh };
    onStep?.('for other pages to be stored', Number.POSITIVE_INFINITY);
    await reserve?.(octetsIn(response.body), response.body.bytes.length);
    onStep?.(`for ${publicUrl(requestUrl)} to be read`);
    // The size is taken before the body goes to the thread, which takes its bytes.
    const size = sizeOf(response.body);
    const parsed = await read(response.body).catch((error: unknown) => {
      throw bodyError(error, response.url, size);
    });
    const { findings, ...step } = stepAfter(parsed, { requestUrl, responseUrl: response.url, named });
    const license = parsed.license ?? options.license?.();
    if (license !== undefined) parsed.license = license;
    if (options.judgeCaching) findings.push(...cacheFindings(response.cacheControl, step.end ? 'last' : 'before'));
    for (const finding of [...typeFindings(response.contentType), ...findings])
      parsed.findings.push({ item: '', finding });
    tail = step.end ? { cursor: step.next, etag: response.etag, lastModified: response.lastModified } : undefined;
    return { unchanged: false, page: parsed, ...step, ...fresh };
  }

  return { url, forgets: true, describe: () => publicUrl(url), page };
}

/** The ratio of the octets of a page's text to those of its compressed body. */
const COMPRESSED = 10;

/** The octets of the text, estimated before the body is decoded. */
function octetsIn({ bytes, coding }: Body): number {
  return bytes.length * (coding === '' ? 1 : COMPRESSED);
}

/** Reads a page on the thread of the caller. */
const readHere: ReadPage = async (body) => parsePage(decoded(body).text());

/** Moves user and password from the address, which is stored and shown, to a header. */
function withoutPassword(feedUrl: string): { url: string; authorization: string | undefined } {
  const url = new URL(feedUrl);
  return { url: targetUrl(url).href, authorization: authorizationOf(url) };
}
