import fc from 'fast-check';

/** Any text, lone surrogates included, with many Latin characters. The `binary` unit of fast-check needs a second to begin. */
export function anyText(maxLength: number): fc.Arbitrary<string> {
  const point = fc.oneof({ arbitrary: fc.nat(0x250), weight: 3 }, fc.nat(0x3000), fc.nat(0x10_ffff));
  return fc.array(point, { maxLength }).map((points) => String.fromCodePoint(...points));
}
