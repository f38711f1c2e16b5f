import { readFile } from 'node:fs/promises';
import type { Settings } from '../../config.ts';
import { ConfigError, messageOf } from '../../errors.ts';

/** Larger logos are pictures of another purpose. */
const MOST_BYTES = 200_000;

/**
 * The brand as pages show it, with the octets of its logo.
 * @throws ConfigError where the logo cannot be read, or is neither SVG nor PNG
 */
export async function openBrand({ brand: { logo: file, ...given }, defaultTimezone: zone }: Settings) {
  const brand = { ...given, zone };
  if (file === undefined) return { brand };
  const { logoOf } = await import('../../server/index.ts');
  try {
    const bytes = new Uint8Array(await readFile(file));
    if (bytes.length > MOST_BYTES) throw new Error(`it has more than ${MOST_BYTES} bytes`);
    const { logo, shown } = logoOf(bytes);
    return { brand: { ...brand, logo: shown }, logo };
  } catch (error) {
    throw new ConfigError([`brand.logo is ${JSON.stringify(file)}: ${messageOf(error)}`]);
  }
}
