import fc from 'fast-check';

/** Any text, rich in what breaks calendars, pages and parsers. */
export const nasty = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.string({
    unit: fc.constantFrom(
      ...'aZ9 \\;,:"^=<&>{}[]\r\n\t\0\u0007\u007f\u0085\u2028\u2029\ufeff\ufffe\ud800\udc00é–太🏸א',
    ),
    maxLength: 200,
  }),
  fc.constantFrom(
    '\r\nEND:VEVENT\r\nBEGIN:VALARM',
    'x\nATTENDEE:mailto:a@b',
    '\\n\\,\\;',
    '🏸'.repeat(80),
    '<p>Bring &amp; <b>share</b></p>',
    '\u202eright to left',
  ),
);

/** A text damaged in a few places: bytes changed, taken out, doubled, put elsewhere. */
export function damaged(text: string): fc.Arbitrary<Buffer> {
  const bytes = Buffer.from(text);
  const at = fc.nat(Math.max(0, bytes.length - 1));
  const wound: fc.Arbitrary<(b: Buffer) => Buffer> = fc.oneof(
    fc.tuple(at, fc.nat(255)).map(([index, byte]) => (b: Buffer) => {
      const copy = Buffer.from(b);
      copy[index % Math.max(1, copy.length)] = byte;
      return copy;
    }),
    fc.tuple(at, fc.nat(40)).map(
      ([index, length]) =>
        (b: Buffer) =>
          Buffer.concat([b.subarray(0, index), b.subarray(index + length)]),
    ),
    fc.tuple(at, fc.nat(200)).map(([index, length]) => (b: Buffer) => {
      const piece = b.subarray(index, index + length);
      return Buffer.concat([b.subarray(0, index), piece, piece, b.subarray(index + length)]);
    }),
    fc.tuple(at, nasty).map(
      ([index, piece]) =>
        (b: Buffer) =>
          Buffer.concat([b.subarray(0, index), Buffer.from(piece), b.subarray(index)]),
    ),
    at.map((index) => (b: Buffer) => b.subarray(0, index)),
  );
  return fc
    .array(wound, { minLength: 1, maxLength: 5 })
    .map((wounds) => wounds.reduce<Buffer>((b, hurt) => hurt(b), bytes));
}
