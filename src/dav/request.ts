import { LIMITS } from '../limits.ts';
import type { Instant } from '../time/instant.ts';
import { Refusal, unreadable } from './refusal.ts';

/** An HTTP request as the server passes it to this room. */
export interface DavRequest {
  method: string;
  /** The path of the request, percent-encoded, without the path of the base address. */
  path: string;
  header(name: string): string | undefined;
  body: string;
  /** The time of the request. */
  at: Instant;
}

/** The path of an address in a header, without the path of the base address; undefined: the address is of another service. */
export function ownPath(
  address: string,
  { header }: Pick<DavRequest, 'header'>,
  { base, prefix }: { base: string; prefix: string },
): string | undefined {
  const url = URL.parse(address, base);
  const hosts = [new URL(base).host, header('host')];
  if (url === null || !hosts.includes(url.host) || !url.pathname.startsWith(`${prefix}/`)) return undefined;
  return url.pathname.slice(prefix.length);
}

/** The answer. `body`: a large one is in pieces, and never one text. */
export interface DavAnswer {
  status: number;
  headers: Record<string, string>;
  body: string | readonly Uint8Array<ArrayBuffer>[];
}

export type Depth = 0 | 1 | 'infinity';

/** The Depth of a request (RFC 4918 10.2); undefined: the header is absent. */
export function depthOf(request: Pick<DavRequest, 'header'>): Depth | undefined {
  const text = request.header('depth')?.trim().toLowerCase();
  if (text === undefined) return undefined;
  if (text === '0' || text === '1') return text === '0' ? 0 : 1;
  if (/^1\s*,\s*noroot$/.test(text)) return 1;
  if (/^infinity(?:\s*,\s*noroot)?$/.test(text)) return 'infinity';
  throw unreadable(`Depth must be 0, 1 or infinity, not "${text.slice(0, 40)}".`);
}

/** The preferences of a client (RFC 8144, and before it `Brief: t` and `Depth: 1,noroot` of Exchange). */
export interface Preferences {
  /** Whether missing properties are left out. */
  minimal: boolean;
  /** Whether the collection itself is left out, so that its members alone are listed. */
  noRoot: boolean;
}

export function preferencesOf(request: Pick<DavRequest, 'header'>): Preferences {
  const prefer = (request.header('prefer') ?? '').toLowerCase().slice(0, 1000);
  const brief = (request.header('brief') ?? '').trim().toLowerCase();
  const depth = request.header('depth') ?? '';
  return {
    minimal: brief === 't' || /(?:^|[,;\s])return\s*=\s*"?minimal"?(?:$|[,;\s])/.test(prefer),
    noRoot: /(?:^|[,;\s])depth-noroot(?:$|[,;\s])/.test(prefer) || /,\s*noroot\s*$/i.test(depth),
  };
}

/** The header that names the preferences followed (RFC 8144 2.1). */
export function appliedHeader({ minimal, noRoot }: Preferences): Record<string, string> {
  const applied = [...(minimal ? ['return=minimal'] : []), ...(noRoot ? ['depth-noroot'] : [])];
  return applied.length === 0 ? {} : { 'Preference-Applied': applied.join(', ') };
}

/**
 * The text of a body. Octets are counted as they arrive, because Content-Length may be wrong.
 *
 * @throws Refusal: it is too long (413), or no UTF-8 or UTF-16
 */
export async function bodyOf(body: ReadableStream<Uint8Array> | null): Promise<string> {
  const most = LIMITS.dav.requestBytes;
  const pieces: Uint8Array[] = [];
  let octets = 0;
  for await (const piece of body ?? []) {
    octets += piece.length;
    if (octets > most) throw new Refusal(413, `The body may have at most ${most / 1024} KB.`);
    pieces.push(piece);
  }
  return decoded(Buffer.concat(pieces));
}

function decoded(bytes: Uint8Array): string {
  try {
    return new TextDecoder(encodingOf(bytes), { fatal: true }).decode(bytes);
  } catch {
    throw unreadable('The body must be UTF-8, or UTF-16 with a byte order mark.');
  }
}

/** A byte order mark decides before the charset parameter and the XML declaration (RFC 7303 3). */
function encodingOf([first, second]: Uint8Array): string {
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  return first === 0xff && second === 0xfe ? 'utf-16le' : 'utf-8';
}
