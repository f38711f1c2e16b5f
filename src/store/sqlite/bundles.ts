import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';

/**
 * Raw item data is kept in bundles of a few dozen items, compressed together. Items of one feed repeat each other (organiser,
 * place, description), so a bundle is a fraction of the same items compressed one by one, and one call a bundle costs
 * less than one call an item (`npm run bench -- bundles` prints both).
 */

/** Items in a bundle: reading one item back unpacks a whole bundle, so it stays small. */
export const BUNDLE_ITEMS = 64;

// Level 1: the higher ones cost the ingest more than the disk they save (bench "bundles").
const OPTIONS = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

/** JSON text never holds a bare line feed, so one separates the items. */
export function pack(raws: readonly string[]): Uint8Array {
  return zstdCompressSync(raws.join('\n'), OPTIONS);
}

/** The items of a bundle, by slot. */
export function unpack(data: Uint8Array): string[] {
  return zstdDecompressSync(data).toString('utf8').split('\n');
}
