/** Decodes the bodies of responses. This file loads no HTTP client, because the thread that reads pages loads it. */

import { isUtf8 } from 'node:buffer';
import { TextDecoder } from 'node:util';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { OpenactiveIcalError } from '../errors.ts';

/** A body that was read to its end, and is not decoded yet, so that a thread can decode it. */
export interface Body {
  bytes: Uint8Array<ArrayBuffer>;
  coding: Coding;
  contentType: string;
  /** Most bytes after decoding. */
  limit: number;
}

export type Coding = '' | 'gzip' | 'br';

/** The error of a body that cannot be decoded. `cause` is the error of the decoder. */
export class UndecodableError extends OpenactiveIcalError {
  readonly tooLarge: boolean;

  constructor(tooLarge: boolean, options?: ErrorOptions) {
    super(tooLarge ? 'the body is too large' : 'the body does not decompress', options);
    this.tooLarge = tooLarge;
  }
}

/** The text of a body, without a byte order mark. @throws UndecodableError */
export function textOf(body: string | Body): string {
  return typeof body === 'string'
    ? body
    : decoded(body)
        .text()
        .replace(/^\uFEFF/, '');
}

/** The octets of a body. @throws UndecodableError */
export function octetsOf({ bytes, coding, limit }: Body): Uint8Array<ArrayBuffer> {
  if (coding === '') return bytes;
  const options = { maxOutputLength: limit };
  try {
    return coding === 'br' ? brotliDecompressSync(bytes, options) : gunzipSync(bytes, options);
  } catch (cause) {
    throw new UndecodableError((cause as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE', { cause });
  }
}

/** A body, decompressed: `utf8` for reading in pieces, `text` for reading as a whole. */
interface Decoded {
  /** The text as UTF-8; undefined: the octets have another coding, and only `text` decodes them. */
  utf8: Buffer | undefined;
  text(): string;
}

/** @throws UndecodableError */
export function decoded(body: string | Body): Decoded {
  if (typeof body === 'string') {
    return { utf8: body.isWellFormed() ? Buffer.from(body) : undefined, text: () => body };
  }
  const bytes = octetsOf(body);
  const decoder = decoderFor(body.contentType);
  const isPlain = decoder.encoding === 'utf-8' && isUtf8(bytes);
  return {
    utf8: isPlain ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length) : undefined,
    text: () => decoder.decode(bytes),
  };
}

/** A byte order mark stays in the text: a page that has one has a finding. */
const WITH_BOM = { ignoreBOM: true };

/** The charset of a Content-Type; undefined: it has none. */
export function charsetOf(contentType: string): string | undefined {
  return /;\s*charset="?([\w-]{1,40})/i.exec(contentType.slice(0, 200))?.[1];
}

/** The decoder of a Content-Type's charset; UTF-8 for none and for unknown ones. */
function decoderFor(contentType: string): TextDecoder {
  const charset = charsetOf(contentType) ?? 'utf-8';
  try {
    return new TextDecoder(charset, WITH_BOM);
  } catch {
    return new TextDecoder('utf-8', WITH_BOM);
  }
}
