import { describe, expect, it } from 'vitest';
import type { ChangeEntry } from '../../../src/library/index.ts';
import { setUp } from '../fake.ts';

const at = Date.UTC(2026, 10, 20, 9);
const entry = (over: Partial<ChangeEntry> = {}): ChangeEntry => ({
  id: '0f1e2d3c-4b5a-8978-8695-a4b3c2d1e0f0',
  at,
  series: { key: 'k1', name: 'Yoga' },
  zone: 'Europe/London',
  what: 'moved',
  start: Date.UTC(2026, 10, 24, 19),
  was: Date.UTC(2026, 10, 24, 18),
  ...over,
});

function served(...entries: ChangeEntry[]) {
  const it = setUp();
  it.library.commit('k1', 'Yoga');
  it.library.commit('places/p1/all', 'Harbour Lane');
  it.library.noted.set('series/k1', entries);
  it.library.noted.set('places/p1', entries);
  return it;
}

describe('Atom feeds of changes', () => {
  it('say in words what changed of a series', async () => {
    const { app } = served(entry(), entry({ what: 'cancelled', was: undefined as never, at: at - 1000 }));
    const response = await app.request('/changes/series/k1.atom');
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/atom+xml; charset=utf-8');
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    const text = await response.text();
    expect(text).toContain('<title>Changes: Yoga</title>');
    expect(text).toContain('<updated>2026-11-20T09:00:00Z</updated>');
    expect(text).toContain('<author><name>Everyone Active</name><uri>https://everyone.example/</uri></author>');
    expect(text).toContain('<id>urn:uuid:0f1e2d3c-4b5a-8978-8695-a4b3c2d1e0f0</id>');
    expect(text).toContain('<title>Moved: Tue 24 Nov 18:00 is now 19:00</title>');
    expect(text).toMatch(/<link rel="self" type="application\/atom\+xml" href="[^"]+\/changes\/series\/k1\.atom"\/>/);
    expect(text).toMatch(/<link rel="alternate" type="text\/html" href="[^"]+\/series\/k1"\/>/);
  });

  it('name the series where they are of a place', async () => {
    const { app } = served(entry());
    const text = await (await app.request('/changes/places/p1.atom')).text();
    expect(text).toContain('<title>Yoga: Moved: Tue 24 Nov 18:00 is now 19:00</title>');
  });

  it('list the first of many', async () => {
    const first = [{ what: 'removed' as const, start: Date.UTC(2026, 10, 24, 18) }];
    const { app } = served(entry({ what: 'many', start: undefined as never, counts: { removed: 25 }, first }));
    const text = await (await app.request('/changes/series/k1.atom')).text();
    expect(text).toContain('Yoga\n25 dates changed: 25 removed\nRemoved: Tue 24 Nov 18:00');
  });

  it('keep hostile names inert', async () => {
    const name = '</title><script>alert(1)</script>&\u0000\u0008\ud800 "x"';
    const { app } = served(entry({ series: { key: 'k1', name }, place: name, wasPlace: ']]>' }));
    const text = await (await app.request('/changes/places/p1.atom')).text();
    expect(text).not.toMatch(/<script|\]\]>/);
    expect([...text].filter((one) => one < ' ' && one !== '\n')).toEqual([]);
    expect(text).toContain('&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt;&amp;\ufffd &quot;x&quot;');
  });

  it('are valid while nothing changed', async () => {
    const { app } = served();
    const text = await (await app.request('/changes/series/k1.atom')).text();
    expect(text).toContain('<updated>2026-11-21T09:29:01.789Z</updated>');
    expect(text).not.toContain('<entry>');
  });

  it('are revalidated by their tag', async () => {
    const { app, library } = served(entry());
    const first = await app.request('/changes/series/k1.atom');
    const tag = first.headers.get('etag') ?? '';
    const ask = (method: string) =>
      app.request('/changes/series/k1.atom', { method, headers: { 'If-None-Match': tag } });
    expect((await ask('GET')).status).toBe(304);
    library.noted.set('series/k1', []);
    expect((await ask('GET')).status).toBe(200);
    const head = await ask('HEAD');
    expect([head.status, await head.text()]).toEqual([200, '']);
    expect((await ask('OPTIONS')).status).toBe(204);
    expect((await ask('POST')).status).toBe(405);
  });

  it('move, end and are unknown as calendars do', async () => {
    const { app, library } = served();
    library.commit('k1', 'Yoga', { state: 'gone', movedTo: 'k2' });
    const moved = await app.request('/changes/series/k1.atom');
    expect([moved.status, moved.headers.get('location')]).toEqual([308, '/open/changes/series/k2.atom']);
    library.commit('k1', 'Yoga', { state: 'gone' });
    expect((await app.request('/changes/series/k1.atom')).status).toBe(410);
    for (const path of ['series/none.atom', 'series/K1.atom', 'places/x.atom', 'series/k1', 'series/..%2Fk1.atom'])
      expect((await app.request(`/changes/${path}`)).status).toBe(404);
  });
});
