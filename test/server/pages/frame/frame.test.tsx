import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { SearchForm } from '../../../../src/server/pages/frame/band.tsx';
import { type Page, pageResponse } from '../../../../src/server/pages/frame/document.tsx';
import { markupText } from '../../../../src/server/pages/frame/markup.tsx';
import { failureResponse } from '../../../../src/server/pages/frame/notice.tsx';
import { pageStyle } from '../../../../src/server/pages/frame/policy.ts';
import { SCRIPT } from '../../../../src/server/pages/frame/script.ts';
import { QrCode, SubscribeButton, type Subscription } from '../../../../src/server/pages/frame/sheet.tsx';
import { type Brand, isLocal, siteOf } from '../../../../src/server/pages/frame/site.ts';
import { AddButton } from '../../../../src/server/pages/frame/tray.tsx';

const CC_BY = 'https://creativecommons.org/licenses/by/4.0/';
const site = siteOf('https://c.example/open', { name: 'Active <b>Wexcombe' });

const sub: Subscription = {
  id: 'sub',
  title: 'Subscribe to this search',
  says: 'Yoga near Wexcombe.',
  address: 'https://c.example/open/search.ics?q=yoga&day=mon',
  name: 'Yoga',
  page: 'https://c.example/open/search?q=yoga&day=mon',
};

async function text(more: Partial<Page> = {}, brand?: Brand): Promise<string> {
  const page: Page = { title: 'Yoga', body: <h1>Yoga</h1>, publishers: [], ...more };
  return (await pageResponse(page, brand ? siteOf('https://c.example/open', brand) : site)).text();
}

test('the script and the style sheet stay small', () => {
  expect(Buffer.byteLength(SCRIPT)).toBeLessThan(3 * 1024);
  const parts = [
    ['find', 'tiles', 'rows', 'filters', 'sheet', 'tray'],
    ['plain', 'sheet', 'tray'],
  ] as const;
  for (const used of parts) expect(Buffer.byteLength(pageStyle(site.theme, used).text)).toBeLessThan(14 * 1024);
});

test.each([
  [[], ''],
  [[{ name: '', license: CC_BY }], 'Times and places come from open data under CC BY 4.0.'],
  [[{ name: 'Marlowe', license: CC_BY }], 'Times and places come from open data: Marlowe, under CC BY 4.0.'],
  [
    [{ name: '' }, { name: 'Marlowe' }, { name: 'Wexcombe' }].map((one) => ({ ...one, license: CC_BY })),
    'Times and places come from open data: Marlowe, Wexcombe, each under CC BY 4.0.',
  ],
])('the footer names publishers, and none that has no name', async (publishers, expected) => {
  const [, footer = ''] = (await text({ publishers })).split('<footer');
  const words = footer.replaceAll(/<[^>]*>/g, '').replaceAll(/\s+/g, ' ');
  expect(/Times and places.*?4\.0\./.exec(words)?.[0] ?? '').toBe(expected);
});

test('a page names its site, and the operator where there is one', async () => {
  const plain = await text();
  expect(plain).toContain('<title>Yoga – Active &lt;b&gt;Wexcombe</title>');
  expect(plain).not.toContain('Imprint');
  const branded = await text(
    {},
    {
      imprint: 'https://o.example/imprint',
      privacy: 'javascript:alert(1)',
      logo: { path: '/brand/1.svg', width: 90, height: 32 },
    },
  );
  expect(branded).toContain('<a href="https://o.example/imprint">Imprint</a>');
  expect(branded).not.toContain('javascript:');
  expect(branded).toContain('<img src="/open/brand/1.svg" width="90" height="32" alt=""/>');
});

test('what a page says of itself', async () => {
  const page = await text({
    description: ` Bring a mat.\n${'All welcome. '.repeat(40)}`,
    path: '/series/abc',
    image: 'https://c.example/open/images/1',
    calendars: ['https://c.example/open/series/abc.ics'],
    feeds: ['https://c.example/open/changes/series/abc.atom'],
    jsonLd: { name: '</script><script>alert(1)</script>' },
  });
  expect(/<meta name="description" content="(.*?)"/.exec(page)?.[1]).toMatch(/^Bring a mat\. All welcome\. .*…$/);
  expect(page).toContain('<link rel="canonical" href="https://c.example/open/series/abc"/>');
  expect(page).toContain('<meta property="og:image" content="https://c.example/open/images/1"/>');
  expect(page).toContain('<link rel="alternate" type="application/atom+xml"');
  expect(page).toContain('{"name":"\\u003c/script>\\u003cscript>alert(1)\\u003c/script>"}');
});

test('the emblem has the colour of the words beside it, also where colours are forced', async () => {
  const [drawn = ''] = /<svg viewBox="0 0 28 28".*?<\/svg>/.exec(await text()) ?? [];
  expect(drawn).toContain('stroke="currentColor"');
  expect(drawn).not.toContain('#fff');
});

test('a page that failed has no address of its own, and is not listed', async () => {
  const page = await text({ status: 404, path: '/x' });
  expect(page).toContain('<meta name="robots" content="noindex"/>');
  expect(page).not.toContain('canonical');
});

describe('the Subscribe sheet', () => {
  test('has every way, with its sentence', async () => {
    const page = await text({ subscriptions: [sub], body: <SubscribeButton id="sub" /> });
    for (const said of [
      'webcal://c.example/open/search.ics?q=yoga&amp;day=mon',
      'Needs a computer',
      'at most a day',
      'https://c.example/open/search.ics?q=yoga&amp;day=mon&amp;download=1',
      'value="https://c.example/open/search.ics?q=yoga&amp;day=mon"',
      'popovertarget="sub" commandfor="sub" command="show-modal"',
      'commandfor="sub" command="close"',
      'QR code of this page’s address',
    ])
      expect(page).toContain(said);
    for (const host of ['calendar.google.com', 'outlook.live.com', 'outlook.office.com']) expect(page).toContain(host);
  });

  test('its QR code is a path of lines, and absent for what is no address or too long', async () => {
    const drawn = await markupText(<QrCode text="https://c.example/series/abc?subscribe" />);
    expect(drawn).toMatch(/viewBox="-1 -1 31 31"/);
    expect(drawn).toMatch(/d="(M\d+ \d+\.5h\d+)+"/);
    expect(QrCode({ text: 'javascript:alert(1)' })).toBeNull();
    expect(QrCode({ text: `https://c.example/${'x'.repeat(700)}` })).toBeNull();
  });
});

test('a symbol stands in the page once, and only where it is used', async () => {
  const page = await text({ body: <AddButton site={site} entry="series/abc" name="<i>Yoga" /> });
  expect(page.match(/<symbol id="i-plus"/g)).toHaveLength(1);
  expect(page).not.toContain('<symbol id="i-phone"');
  expect(page).toContain('href="/open/my?add=series/abc"');
  expect(page).toContain('Add <bdi>&lt;i&gt;Yoga</bdi> to my list');
});

test('the search says what is wrong with a place', async () => {
  const form = await markupText(<SearchForm site={site} words={{ near: 'Wexcom', wrongNear: 'Not known here.' }} />);
  expect(form).toContain('aria-describedby="near-wrong"');
  expect(form).toContain('<p class="wrong" id="near-wrong">Not known here.</p>');
});

test('a fault has a number, and the policy of its own style', async () => {
  const response = await failureResponse(site, { status: 500, number: '123456', words: 'Try again in 5 minutes.' });
  const page = await response.text();
  expect(page).toContain('<code>123456</code>');
  expect(page).toContain('The page could not be made. Try again in 5 minutes.');
  expect(page).toContain('href=""><bdi>Try again</bdi>');
  const [, style = ''] = /<style>([\s\S]*?)<\/style>/.exec(page) ?? [];
  const hash = createHash('sha256').update(style).digest('base64');
  expect(response.headers.get('content-security-policy')).toContain(`style-src 'sha256-${hash}'`);
});

test('a page says to strangers that its addresses lead to this machine alone', async () => {
  const said = 'Addresses here work only on this machine.';
  const page: Page = { title: 'x', body: <h1>x</h1>, publishers: [] };
  expect(await (await pageResponse(page, siteOf('http://localhost:8080', {}, true))).text()).toContain(said);
  expect(await (await pageResponse(page, siteOf('http://localhost:8080'))).text()).not.toContain(said);
  for (const name of ['localhost', '127.0.0.1', '[::1]', 'a.localhost']) expect(isLocal(name)).toBe(true);
  for (const name of ['localhost.example', '128.0.0.1', 'c.example', '10.0.0.1']) expect(isLocal(name)).toBe(false);
});
