import { describe, expect, test } from 'vitest';
import { brandFiles, logoOf } from '../../../../src/server/pages/frame/brand.ts';
import { siteOf } from '../../../../src/server/pages/frame/site.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

function png(width: number, height: number): Uint8Array<ArrayBuffer> {
  const view = new DataView(new ArrayBuffer(33));
  for (const [at, value] of [0x89504e47, 0x0d0a1a0a, 13, 0x49484452, width, height].entries())
    view.setUint32(at * 4, value);
  return new Uint8Array(view.buffer);
}

describe('a logo is known by its content, and shown 32 px high', () => {
  test.each<[title: string, file: Uint8Array<ArrayBuffer>, type: string, width: number]>([
    ['a PNG', png(200, 100), 'image/png', 64],
    ['a very wide PNG', png(4000, 100), 'image/png', 192],
    ['an SVG with a viewBox', bytes('<svg xmlns="x" viewBox="0 0 60 20"></svg>'), 'image/svg+xml', 96],
    ['an SVG with width and height', bytes('<?xml version="1.0"?><svg width="40px" height="20">'), 'image/svg+xml', 64],
    ['an SVG that says nothing', bytes('<svg>'), 'image/svg+xml', 32],
  ])('%s', (_, file, type, width) => {
    const { logo, shown } = logoOf(file);
    expect([logo.type, shown.width, shown.height]).toEqual([type, width, 32]);
    expect(shown.path).toMatch(/^\/brand\/[0-9a-f]{16}\.(?:png|svg)$/);
  });

  test.each(['', '<html><body>', 'GIF89a', '\u0089PNG'])('%j is none', (text) => {
    expect(() => logoOf(bytes(text))).toThrow(TypeError);
  });
});

test('logo and icon are served, and nothing in them runs', async () => {
  const { logo, shown } = logoOf(bytes('<svg viewBox="0 0 1 1"><script>alert(1)</script></svg>'));
  const files = brandFiles(siteOf('https://c.example', { logo: shown, accent: '#0b6338' }), logo);
  for (const path of [shown.path, '/favicon.svg']) {
    const response = files.get(path)?.();
    expect(response?.headers.get('content-security-policy')).toContain('sandbox');
    expect(response?.headers.get('content-type')).toBe('image/svg+xml');
  }
  expect(await files.get('/favicon.svg')?.().text()).toContain('fill="#');
});
