import fc from 'fast-check';
import { expect, test } from 'vitest';
import { contrast, hexOf, lightnessOf, withLightness } from '../../../../src/server/pages/frame/colours.ts';
import { themeOf, tokensOf } from '../../../../src/server/pages/frame/theme.ts';

const GROUNDS = { light: ['#f3f5fa', '#ffffff'], dark: ['#0c0f1e', '#161a2f'] };

const colour = fc
  .tuple(fc.nat(255), fc.nat(255), fc.nat(255))
  .map((parts) => hexOf(parts.map((part) => part / 255) as unknown as [number, number, number]));

function holds(accent: string | undefined): void {
  const theme = themeOf(accent);
  for (const scheme of ['light', 'dark'] as const) {
    const { accent: shown, on, wash, hero } = theme[scheme];
    for (const ground of [...GROUNDS[scheme], wash]) expect(contrast(shown, ground)).toBeGreaterThanOrEqual(4.5);
    expect(contrast(on, shown)).toBeGreaterThanOrEqual(4.5);
    expect(contrast('#ffffff', hero)).toBeGreaterThanOrEqual(7);
  }
}

test('our own colours can be read', () => holds(undefined));

test('so can those of any accent', () => {
  fc.assert(fc.property(colour, holds), { numRuns: 300 });
});

test.each(['#000000', '#ffffff', '#ffff00', '#0b6338', '#fff'])('of %s too', holds);

test('an accent that can be read stays as it is', () => {
  expect(themeOf('#0b6338').light.accent).toBe('#0b6338');
  expect(themeOf('#0b6338').note).toMatch(/^#0b6338 is shown as #[0-9a-f]{6} in the dark scheme/);
});

test('contrast and lightness are those of WCAG and OKLCH', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21, 5);
  expect(contrast('#767676', '#ffffff')).toBeCloseTo(4.54, 2);
  expect(lightnessOf('#ffffff')).toBeCloseTo(1, 3);
  // CSS Color 4: red is oklch(0.628 0.258 29.2).
  expect(lightnessOf('#ff0000')).toBeCloseTo(0.628, 3);
  expect(withLightness('#2440cc', lightnessOf('#2440cc'))).toBe('#2440cc');
});

test('one scheme alone, or both', () => {
  expect(tokensOf(themeOf())).toContain('@media(prefers-color-scheme:dark)');
  expect(tokensOf(themeOf(), 'dark')).not.toContain('@media');
});
