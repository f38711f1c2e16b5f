import { expect, test } from 'vitest';
import { bundled, rebundled, unpack } from '../../../src/store/bundles.ts';

const long = 'x'.repeat(5000);
const texts = Array.from(
  { length: 150 },
  (_, n) => `{"n":${n},"name":"Bowls – süß 🎳","of":"${n % 3 === 0 ? long : ''}"}`,
);

test('each text of a bundle is found by its slot, alone', () => {
  const places = bundled(texts);
  expect(new Set(places.map(({ bundle }) => bundle)).size).toBe(3);
  for (const [n, { bundle, slot }] of places.entries()) expect(unpack(bundle.data)(slot)).toBe(texts[n]);
});

test('a slot behind the last one has no text', () => {
  const [{ bundle } = { bundle: undefined }] = bundled(['{}', 'null']);
  const textIn = unpack(bundle?.data as Uint8Array);
  expect([0, 1, 2, 64].map(textIn)).toEqual(['{}', 'null', undefined, undefined]);
});

test('texts as UTF-8 make the same bundle', () => {
  const [one] = bundled(texts.map((text) => Buffer.from(text)));
  expect(unpack(one?.bundle.data as Uint8Array)(63)).toBe(texts[63]);
});

test('what few want of a bundle is bundled anew', () => {
  const places = bundled(texts.slice(0, 64));
  const [last] = rebundled(places.slice(63));
  expect(last).not.toBe(places[63]);
  expect(last?.bundle.size).toBe(1);
  expect(unpack(last?.bundle.data as Uint8Array)(0)).toBe(texts[63]);
});
