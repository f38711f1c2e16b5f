import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { imageIn } from '../../../src/server/images/formats.ts';
import { avif, gif, jpeg, png, webp } from './made.ts';

const ALL: [name: string, type: string, bytes: Uint8Array][] = [
  ['PNG', 'image/png', png(640, 400)],
  ['GIF', 'image/gif', gif(640, 400)],
  ['baseline JPEG', 'image/jpeg', jpeg(640, 400, 0xc0)],
  ['progressive JPEG', 'image/jpeg', jpeg(640, 400)],
  ['lossy WebP', 'image/webp', webp.lossy(640, 400)],
  ['lossless WebP', 'image/webp', webp.lossless(640, 400)],
  ['extended WebP', 'image/webp', webp.extended(640, 400)],
  ['AVIF', 'image/avif', avif(640, 400)],
];

describe('an image is known by its octets', () => {
  test.each(ALL)('%s', (_name, type, bytes) => {
    expect(imageIn(bytes)).toEqual({ type, width: 640, height: 400 });
  });

  test.each<[name: string, bytes: Uint8Array]>([
    ['nothing', new Uint8Array()],
    ['SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)" width="9" height="9"/>')],
    ['HTML', Buffer.from('<!doctype html><script>alert(1)</script>')],
    ['HEIC', avif(640, 400, 'heic')],
    ['no width', png(0, 400)],
    ['too many pixels', png(10_000, 10_000)],
    ['a JPEG without a frame', Buffer.from([0xff, 0xd8, 0xff, 0xd9, 0xff, 0xc4, 0, 0])],
    ['a JPEG that begins twice', Buffer.from([0xff, 0xd8, ...Array.from({ length: 9000 }, () => 0xff)])],
    ['boxes of no size', Buffer.from([...avif(1, 1).subarray(0, 24), ...Array.from({ length: 400 }, () => 0)])],
  ])('%s is none', (_name, bytes) => {
    expect(imageIn(bytes)).toBeUndefined();
  });

  it('ends with whatever octets come', () => {
    const part = fc.constantFrom(...ALL.map(([, , bytes]) => bytes));
    fc.assert(
      fc.property(part, fc.nat(), fc.uint8Array({ maxLength: 200 }), (bytes, at, more) => {
        imageIn(bytes.subarray(0, at % bytes.length));
        imageIn(Buffer.concat([bytes.subarray(0, at % bytes.length), more]));
      }),
      { numRuns: 300 },
    );
  });
});
