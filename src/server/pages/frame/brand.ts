import { createHash } from 'node:crypto';
import { DAY, FOR_EVER } from '../../lifetimes.ts';
import { favicon } from './icons.tsx';
import type { Brand, Site } from './site.ts';

/** The operator's logo, and the icon of the site, as files. */

export interface Logo {
  type: string;
  bytes: Uint8Array<ArrayBuffer>;
}

/** The height of a logo on the band, and its greatest width, in CSS pixels. */
const HEIGHT = 32;
const MOST_WIDTH = 192;
/** Headers of images, under which a script in an SVG does not run when a browser opens it by itself. */
const INERT = {
  'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
  'X-Content-Type-Options': 'nosniff',
};
const SVG = 'image/svg+xml';

/**
 * A logo from its octets, SVG or PNG by content, and its path and size for pages.
 * @throws TypeError where it is neither
 */
export function logoOf(bytes: Uint8Array<ArrayBuffer>): { logo: Logo; shown: NonNullable<Brand['logo']> } {
  const size = pngSize(bytes) ?? svgSize(bytes);
  if (size === undefined) throw new TypeError('The logo must be an SVG or a PNG.');
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 16);
  const width = Math.min(MOST_WIDTH, Math.max(1, Math.round((HEIGHT * size.width) / size.height)));
  const shown = { path: `/brand/${hash}.${size.isPng ? 'png' : 'svg'}`, width, height: HEIGHT };
  return { logo: { type: size.isPng ? 'image/png' : SVG, bytes }, shown };
}

interface Size {
  width: number;
  height: number;
  isPng: boolean;
}

function pngSize(bytes: Uint8Array<ArrayBuffer>): Size | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 24 || view.getUint32(0) !== 0x89504e47 || view.getUint32(12) !== 0x49484452) return undefined;
  const [width, height] = [view.getUint32(16), view.getUint32(20)];
  return width > 0 && height > 0 ? { width, height, isPng: true } : undefined;
}

/** The size by viewBox, else by width and height; a square where the SVG has neither. */
function svgSize(bytes: Uint8Array<ArrayBuffer>): Size | undefined {
  const [tag] = /<svg\b[^>]*>/.exec(new TextDecoder().decode(bytes.subarray(0, 10_000))) ?? [];
  if (tag === undefined) return undefined;
  const box = /viewBox="[-\d.e]+[\s,]+[-\d.e]+[\s,]+([\d.]+)[\s,]+([\d.]+)"/.exec(tag);
  const part = (name: string) => new RegExp(`\\s${name}="([\\d.]+)(?:px)?"`).exec(tag)?.[1];
  const [width, height] = [Number(box?.[1] ?? part('width')), Number(box?.[2] ?? part('height'))];
  return width > 0 && height > 0 ? { width, height, isPng: false } : { width: 1, height: 1, isPng: false };
}

/** `/favicon.svg`, `/favicon.ico` and the logo: what each address answers. */
export function brandFiles({ brand, theme }: Site, logo: Logo | undefined): Map<string, () => Response> {
  const icon = favicon(theme.light.hero);
  const files = new Map([
    ['/favicon.svg', () => new Response(icon, { headers: { 'Content-Type': SVG, ...DAY, ...INERT } })],
    ['/favicon.ico', () => new Response(null, { status: 204, headers: DAY })],
  ]);
  if (brand.logo === undefined || logo === undefined) return files;
  const headers = { 'Content-Type': logo.type, ...FOR_EVER, ...INERT };
  return files.set(brand.logo.path, () => new Response(logo.bytes, { headers }));
}
