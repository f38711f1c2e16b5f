/** The format and size of an image, by its header, which is read in bounded steps. Nothing is decoded. */

export interface ImageFacts {
  type: 'image/jpeg' | 'image/png' | 'image/webp' | 'image/gif' | 'image/avif';
  width: number;
  height: number;
}

/** A photograph of the largest cameras in use; a browser that decodes it needs four octets a pixel. */
const MOST_PIXELS = 40_000_000;

/** The facts of an image; undefined: an unknown format, damaged, or too many pixels. SVG is refused, as it may hold scripts. */
export function imageIn(bytes: Uint8Array): ImageFacts | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (const read of READERS) {
    try {
      const found = read(view);
      if (found !== undefined) return isSound(found) ? found : undefined;
    } catch (error) {
      // The octets end before the header does.
      if (!(error instanceof RangeError)) throw error;
    }
  }
  return undefined;
}

function isSound({ width, height }: ImageFacts): boolean {
  return width > 0 && height > 0 && width * height <= MOST_PIXELS;
}

type FormatReader = (view: DataView) => ImageFacts | undefined;

function png(view: DataView): ImageFacts | undefined {
  if (view.getUint32(0) !== 0x89504e47 || view.getUint32(4) !== 0x0d0a1a0a || !isText(view, 12, 'IHDR'))
    return undefined;
  return { type: 'image/png', width: view.getUint32(16), height: view.getUint32(20) };
}

function gif(view: DataView): ImageFacts | undefined {
  if (!isText(view, 0, 'GIF87a') && !isText(view, 0, 'GIF89a')) return undefined;
  return { type: 'image/gif', width: view.getUint16(6, true), height: view.getUint16(8, true) };
}

/** The segments up to the frame header (SOF). */
function jpeg(view: DataView): ImageFacts | undefined {
  if (view.getUint16(0) !== 0xffd8) return undefined;
  for (let at = 2; ; ) {
    if (view.getUint8(at) !== 0xff) return undefined;
    const code = view.getUint8(at + 1);
    if (code === 0xff) at += 1;
    else if (isFrame(code))
      return { type: 'image/jpeg', width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
    else if (code === 0x01 || (code >= 0xd0 && code <= 0xd7)) at += 2;
    else {
      const length = view.getUint16(at + 2);
      if (length < 2) return undefined;
      at += 2 + length;
    }
  }
}

/** SOF0 to SOF15 without DHT, JPG and DAC. */
function isFrame(code: number): boolean {
  return code >= 0xc0 && code <= 0xcf && code !== 0xc4 && code !== 0xc8 && code !== 0xcc;
}

function webp(view: DataView): ImageFacts | undefined {
  if (!isText(view, 0, 'RIFF') || !isText(view, 8, 'WEBP')) return undefined;
  const type = 'image/webp';
  if (isText(view, 12, 'VP8X')) {
    return { type, width: 1 + uint24(view, 24), height: 1 + uint24(view, 27) };
  }
  if (isText(view, 12, 'VP8L') && view.getUint8(20) === 0x2f) {
    const sizes = view.getUint32(21, true);
    return { type, width: 1 + (sizes & 0x3fff), height: 1 + ((sizes >>> 14) & 0x3fff) };
  }
  if (!isText(view, 12, 'VP8 ') || view.getUint16(23) !== 0x9d01 || view.getUint8(25) !== 0x2a) return undefined;
  return { type, width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
}

/** The largest of the sizes (`ispe`) among the properties of its items: parts and thumbnails are smaller. */
function avif(view: DataView): ImageFacts | undefined {
  if (!isText(view, 4, 'ftyp') || !brandsOf(view).some((brand) => brand === 'avif' || brand === 'avis'))
    return undefined;
  const whole = { from: 0, to: view.byteLength };
  const meta = boxes(view, whole).find(({ name }) => name === 'meta');
  const properties = meta && boxes(view, { ...meta, from: meta.from + 4 }).find(({ name }) => name === 'iprp');
  const container = properties && boxes(view, properties).find(({ name }) => name === 'ipco');
  const sizes = container ? boxes(view, container).filter(({ name }) => name === 'ispe') : [];
  const [largest] = sizes
    .map(({ from }) => ({ width: view.getUint32(from + 4), height: view.getUint32(from + 8) }))
    .toSorted((a, b) => b.width * b.height - a.width * a.height);
  return largest && { type: 'image/avif', ...largest };
}

function brandsOf(view: DataView): string[] {
  const end = Math.min(view.getUint32(0), view.byteLength - 3, 256);
  const brands: string[] = [];
  for (let at = 8; at < end; at += 4) brands.push(textAt(view, at, 4));
  return brands;
}

interface Box {
  name: string;
  /** The begin of its content. */
  from: number;
  to: number;
}

/** ISO base media file format: boxes of 32-bit sizes. Others end the list. */
function boxes(view: DataView, { from, to }: Pick<Box, 'from' | 'to'>): Box[] {
  const found: Box[] = [];
  for (let at = from; at + 8 <= to && found.length < MOST_BOXES; ) {
    const size = view.getUint32(at);
    if (size < 8 || at + size > to) break;
    found.push({ name: textAt(view, at + 4, 4), from: at + 8, to: at + size });
    at += size;
  }
  return found;
}

const MOST_BOXES = 200;

const READERS: readonly FormatReader[] = [png, jpeg, webp, gif, avif];

function uint24(view: DataView, at: number): number {
  return view.getUint16(at, true) + view.getUint8(at + 2) * 0x10000;
}

function textAt(view: DataView, at: number, length: number): string {
  return String.fromCharCode(...Array.from({ length }, (_, index) => view.getUint8(at + index)));
}

function isText(view: DataView, at: number, text: string): boolean {
  return textAt(view, at, text.length) === text;
}
