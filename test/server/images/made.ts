/** Headers of images, as their formats have them; nothing after them. */

type Bytes = Uint8Array<ArrayBuffer>;

const bytesOf = (...parts: (string | number[] | Uint8Array)[]): Bytes =>
  new Uint8Array(
    Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part)))),
  );

const u16 = (value: number) => [value >> 8, value & 255];
const u32 = (value: number) => [...u16(value >>> 16), ...u16(value & 0xffff)];
const le16 = (value: number) => u16(value).reverse();
const le24 = (value: number) => [value & 255, (value >> 8) & 255, value >> 16];

export function png(width: number, height: number): Bytes {
  return bytesOf([0x89], 'PNG\r\n', [0x1a, 0x0a], u32(13), 'IHDR', u32(width), u32(height), [8, 2, 0, 0, 0], u32(0));
}

export function gif(width: number, height: number): Bytes {
  return bytesOf('GIF89a', le16(width), le16(height), [0, 0, 0]);
}

/** With a segment of an application, a fill octet and a table before the frame. */
export function jpeg(width: number, height: number, frame = 0xc2): Bytes {
  const app = [0xff, 0xe1, ...u16(6), 1, 2, 3, 4];
  const table = [0xff, 0xff, 0xc4, ...u16(3), 0];
  return bytesOf([0xff, 0xd8], app, table, [0xff, frame, ...u16(11), 8, ...u16(height), ...u16(width), 1, 1, 17, 0]);
}

const riff = (...parts: (string | number[])[]) => bytesOf('RIFF', u32(0), 'WEBP', ...parts, new Uint8Array(16));

export const webp = {
  lossy: (width: number, height: number) =>
    riff('VP8 ', u32(0), [0, 0, 0], [0x9d, 0x01, 0x2a], le16(width), le16(height)),
  lossless: (width: number, height: number) =>
    riff('VP8L', u32(0), [0x2f], u32((width - 1) | ((height - 1) << 14)).reverse()),
  extended: (width: number, height: number) => riff('VP8X', u32(0), [0, 0, 0, 0], le24(width - 1), le24(height - 1)),
};

const box = (name: string, ...parts: (string | number[] | Uint8Array)[]) => {
  const content = bytesOf(...parts);
  return bytesOf(u32(content.length + 8), name, content);
};
const sized = (width: number, height: number) => box('ispe', u32(0), u32(width), u32(height));

export function avif(width: number, height: number, brand = 'avif'): Bytes {
  const properties = box('iprp', box('ipco', sized(16, 16), box('pixi', [0]), sized(width, height)));
  return bytesOf(
    box('ftyp', 'mif1', u32(0), 'miaf', brand),
    box('free', [1, 2]),
    box('meta', u32(0), box('hdlr', [0]), properties),
  );
}
