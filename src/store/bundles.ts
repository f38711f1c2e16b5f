import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { damaged } from './trouble.ts';

/**
 * Raw data of items, compressed in bundles of a few dozen. Items of one feed repeat each other (organiser, place,
 * description). So a bundle is a fraction of the same items compressed one by one, and one call a bundle costs less than one
 * call an item.
 */
export interface Bundle {
  /** The number of texts. */
  size: number;
  data: Uint8Array;
}

/** One text of a bundle. */
export interface Bundled {
  bundle: Bundle;
  slot: number;
}

/** Items in a bundle, which is small because reading one item unpacks a whole bundle. */
const BUNDLE_ITEMS = 64;

// Level 1: the higher ones cost the ingest more than the disk they save.
const OPTIONS = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

/** Puts texts into bundles, in their order. Each is JSON in one line, so that a line feed separates them. */
export function bundled(raws: readonly (string | Uint8Array)[]): Bundled[] {
  const places: Bundled[] = [];
  for (let at = 0; at < raws.length; at += BUNDLE_ITEMS) {
    const part = raws.slice(at, at + BUNDLE_ITEMS);
    // A copy: the buffer of zlib is several times as large, and would be kept and sent as a whole.
    const bundle = { size: part.length, data: new Uint8Array(zstdCompressSync(joined(part), OPTIONS)) };
    for (const slot of part.keys()) places.push({ bundle, slot });
  }
  return places;
}

const LINE_FEED = 0x0a;

/** Joins texts by line feeds; those in UTF-8 are not decoded. */
function joined(raws: readonly (string | Uint8Array)[]): string | Uint8Array {
  if (raws.every(isText)) return raws.join('\n');
  const texts = raws.map(utf8Of);
  const bytes = Buffer.alloc(texts.reduce(withLength, -1), LINE_FEED);
  let at = 0;
  for (const text of texts) {
    bytes.set(text, at);
    at += text.length + 1;
  }
  return bytes;
}

const isText = (raw: string | Uint8Array) => typeof raw === 'string';
const utf8Of = (raw: string | Uint8Array) => (typeof raw === 'string' ? Buffer.from(raw) : raw);
const withLength = (sum: number, text: Uint8Array) => sum + 1 + text.length;

/** The usual octets of an unpacked bundle, so that zlib returns one piece and copies none. */
const USUAL_BYTES = 256 * 1024;

/** Unpacks a bundle. Returns its text by slot; only requested texts are decoded. */
export function unpack(data: Uint8Array): (slot: number) => string | undefined {
  const bytes = decompressed(data);
  const ends: number[] = [];
  for (let at = bytes.indexOf(LINE_FEED); at >= 0; at = bytes.indexOf(LINE_FEED, at + 1)) ends.push(at);
  ends.push(bytes.length);
  return (slot) => (slot in ends ? bytes.toString('utf8', (ends[slot - 1] ?? -1) + 1, ends[slot]) : undefined);
}

function decompressed(data: Uint8Array): Buffer {
  try {
    return zstdDecompressSync(data, { chunkSize: USUAL_BYTES });
  } catch (cause) {
    throw damaged(cause);
  }
}

/**
 * Bundles single texts, and bundles texts anew of which less than half a bundle is wanted. Otherwise a page that is read
 * again would leave a bundle for each changed item.
 */
export function rebundled(raws: readonly (string | Bundled)[]): Bundled[] {
  const wanted = new Map<Bundle, number>();
  for (const raw of raws) if (typeof raw !== 'string') wanted.set(raw.bundle, (wanted.get(raw.bundle) ?? 0) + 1);
  const texts = new Map<Bundle, ReturnType<typeof unpack>>();
  for (const [bundle, count] of wanted) if (count * 2 < bundle.size) texts.set(bundle, unpack(bundle.data));
  const textOf = (raw: string | Bundled): string | undefined =>
    typeof raw === 'string' ? raw : texts.get(raw.bundle)?.(raw.slot);
  const fresh = bundled(raws.map(textOf).filter((text) => text !== undefined)).values();
  return raws.map((raw) => (textOf(raw) === undefined ? raw : fresh.next().value) as Bundled);
}
