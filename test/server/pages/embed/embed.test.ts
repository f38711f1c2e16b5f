import { describe, expect, test } from 'vitest';
import { contrast } from '../../../../src/server/pages/frame/colours.ts';
import { setUp } from '../../fake.ts';
import { AT, HOUR, place, series } from '../../made.ts';

const NASTY = '</style><script>alert(1)</script>';

function withSamples(name = 'Gentle yoga') {
  const { library, app } = setUp();
  library.commit('abc', 'Yoga');
  library.commit('places/p1/all', 'Hall');
  library.pages.set('abc', series({ details: { name, activity: ['Yoga'] }, publisher: { name: 'The Fit Barn' } }));
  library.dates.set('abc', {
    dates: [
      { start: AT + HOUR, end: AT + 2 * HOUR, status: 'EventScheduled' },
      { start: AT + 25 * HOUR, status: 'EventCancelled', was: AT + 26 * HOUR },
    ],
    zone: 'Europe/London',
  });
  library.venues.set('places/p1', place({ name }));
  const entry = {
    seriesKey: 'abc',
    name,
    start: AT + HOUR,
    status: 'EventScheduled' as const,
    family: 'mind' as const,
  };
  library.on = {
    entries: [entry, { ...entry, start: AT + 25 * HOUR, placesLeft: 0 }],
    publishers: [{ name: 'The Fit Barn' }],
  };
  library.search.items = [
    {
      start: AT + HOUR,
      end: AT + HOUR,
      zone: 'Europe/London',
      name,
      status: 'EventScheduled',
      series: { key: 'abc', id: 'x', name },
      place: { name: 'Town Hall' },
      activity: [{ name: 'Yoga' }],
      details: {},
      rows: { series: 1 },
    },
  ];
  return { library, app, get: async (path: string) => app.request(path) };
}

const PATHS = ['/embed/series/abc', '/embed/places/p1', '/embed/search?q=yoga'];

describe.each(PATHS)('%s', (path) => {
  test('may be framed, and has no script', async () => {
    const { headers, status } = await withSamples().get(path);
    expect(status).toBe(200);
    expect(headers.get('x-frame-options')).toBeNull();
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain('frame-ancestors *');
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain('script-src');
    expect(policy).not.toContain('unsafe');
  });

  test('is 304 for who has it', async () => {
    const { get, app } = withSamples();
    const tag = (await get(path)).headers.get('etag') ?? '';
    expect(tag).toMatch(/^"[\w-]{43}"$/);
    expect((await app.request(path, { headers: { 'if-none-match': tag } })).status).toBe(304);
  });

  test('is what is on by day, without a header; every link opens in the whole window', async () => {
    const text = await (await withSamples().get(path)).text();
    expect(text).toContain('<body class="embed">');
    expect(text).not.toMatch(/<script|<header|<nav|<footer|<iframe| style="/);
    const links = [...text.matchAll(/<a [^>]*>/g)].map(([link]) => link);
    expect(links.length).toBeGreaterThan(2);
    for (const link of links) expect(link).toContain('target="_top"');
    expect(text).toContain('Today, Sat 21 Nov');
    expect(text).toContain('href="/open/series/abc"');
    expect(text).toContain('Data: ');
  });

  test('a hostile name stays a name', async () => {
    const text = await (await withSamples(NASTY).get(path)).text();
    expect(text).not.toContain('<script');
    expect(text.match(/<\/style>/g)).toHaveLength(1);
  });

  test('in one scheme alone, or as the device prefers', async () => {
    const style = async (theme: string) =>
      (await (await withSamples().get(`${path}${path.includes('?') ? '&' : '?'}theme=${theme}`)).text()).split(
        '</style>',
      )[0] ?? '';
    expect(await style('dark')).toContain('color-scheme:dark;');
    expect(await style('dark')).not.toContain('prefers-color-scheme');
    expect(await style('light')).toContain('color-scheme:light;');
    for (const theme of ['auto', 'nonsense']) expect(await style(theme)).toContain('prefers-color-scheme:dark');
  });
});

test.each(PATHS)('%s: what is elsewhere has its own time, and says so', async (path) => {
  const { library, get } = withSamples();
  const zone = 'America/New_York';
  library.dates.set('abc', { ...library.dates.get('abc'), zone });
  library.venues.set('places/p1', place({ zone }));
  const [london] = library.search.items;
  library.search.items = [london, { ...london, zone, place: { name: 'Central Park' } }] as typeof library.search.items;
  const text = (await (await get(path)).text()).replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');
  expect(text).toMatch(/\b05:\d\d.*\(New York time\)/);
  if (path.includes('search')) expect(text).toMatch(/10:\d\d Gentle yoga Town Hall/);
});

test.each(['/embed/places/p1', '/embed/search?q=yoga'])(
  '%s: a day that is cut has a link to its rest',
  async (path) => {
    const { library, get } = withSamples();
    const [item] = library.search.items;
    library.search.items = Array.from({ length: 41 }, () => item) as typeof library.search.items;
    library.on = { ...library.on, until: AT + 26 * HOUR };
    const text = await (await get(path)).text();
    const [href, day] = path.includes('places')
      ? ['/open/places/p1?week=2026-11-22#timetable', 'Sun 22 Nov']
      : ['/open/search?from=2026-11-21&amp;q=yoga', 'Sat 21 Nov'];
    expect(text).toContain(`<a href="${href}" target="_top">More on ${day}</a>`);
    expect(text.match(/<li/g)?.length).toBeLessThanOrEqual(40);
    library.search.items = library.search.items.slice(0, 40);
    const { until: _, ...whole } = library.on;
    library.on = whole;
    expect(await (await get(path)).text()).not.toContain('More on');
  },
);

test('of data without a publisher the licence stands alone', async () => {
  const { library, get } = withSamples();
  const license = 'https://creativecommons.org/licenses/by/4.0/';
  library.on = { entries: [], publishers: [{ name: '', license }] };
  expect(await (await get('/embed/places/p1')).text()).toMatch(/<bdi><\/bdi><a [^>]*>CC BY 4.0<\/a><\/p>/);
});

describe('the accent', () => {
  const accent = async (value: string) => {
    const { headers, text } = await (async () => {
      const response = await withSamples().get(`/embed/places/p1?theme=light&accent=${value}`);
      return { headers: response.headers, text: await response.text() };
    })();
    return { found: /--accent:(#[0-9a-f]{3,6})/.exec(text)?.[1] ?? '', policy: headers.get('content-security-policy') };
  };

  test('is taken where it can be read, else moved until it can', async () => {
    expect((await accent('0b6338')).found).toBe('#0b6338');
    for (const value of ['ffff00', 'ffffff', 'FF8800'])
      expect(contrast((await accent(value)).found, '#f3f5fa')).toBeGreaterThanOrEqual(4.5);
  });

  test('its style sheet is the only one that the policy allows', async () => {
    expect((await accent('0b6338')).policy).not.toBe((await accent('ff8800')).policy);
  });

  test.each(['', 'red', '%230b6338', '0b6338;}', 'abc', 'javascript:alert(1)'])('%s is none', async (value) => {
    expect((await accent(value)).found).toBe('#2440cc');
  });
});

test('everything else is not framed', async () => {
  const { get } = withSamples();
  for (const path of ['/', '/places/p1', '/series/abc', '/embed', '/embed/facilities/f1']) {
    const { headers } = await get(path);
    expect([path, headers.get('x-frame-options')]).toEqual([path, 'DENY']);
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  }
});

test.each([
  ['the mode', { attendance: 'online' as const }, true],
  ['a virtual location alone', { virtualLocation: { name: 'Teams' } }, true],
  ['a virtual location beside a place', { virtualLocation: { name: 'Teams' }, location: { name: 'Town Hall' } }, false],
])('what is online alone is Online, and not at a hall: by %s', async (_, details, isOnline) => {
  const { library, get } = withSamples();
  library.search.items = library.search.items.map((item) => ({ ...item, details }));
  const text = await (await get('/embed/search?q=yoga')).text();
  expect([text.includes('Online'), text.includes('Town Hall')]).toEqual([isOnline, !isOnline]);
});

describe('where nothing is', () => {
  test('a key that is not known: a line, 404, which may be framed', async () => {
    for (const path of ['/embed/series/zzz', '/embed/places/zzz', '/embed/places/P"1']) {
      const response = await withSamples().get(path);
      expect(response.status).toBe(404);
      expect(response.headers.get('x-frame-options')).toBeNull();
      expect(await response.text()).toContain('This timetable is not here any more');
    }
  });

  test('withdrawn: 410, as its page', async () => {
    const { library, get } = withSamples();
    for (const state of ['deleted', 'gone'] as const) {
      library.commit('abc', 'Yoga', { state });
      library.commit('places/p1/all', 'Hall', { state });
      for (const path of ['/embed/series/abc', '/embed/places/p1']) {
        const response = await get(path);
        expect([path, state, response.status]).toEqual([path, state, 410]);
        expect(await response.text()).toContain('This timetable is not here any more');
      }
    }
  });

  test('nothing on: nothing to subscribe to', async () => {
    const { library, get } = withSamples();
    library.on = { entries: [], publishers: [] };
    library.venues.set('places/p1', place({ upcoming: [] }));
    library.search.items = [];
    for (const path of ['/embed/places/p1', '/embed/search']) {
      const text = await (await get(path)).text();
      expect(text).toContain('Nothing is on in the next days.');
      expect(text).not.toContain('Subscribe');
    }
  });

  test('moved: to the embed of what it is now, in the same colours', async () => {
    const { library, get } = withSamples();
    library.commit('places/p1/all', 'Hall', { movedTo: 'p2' });
    const { headers, status } = await get('/embed/places/p1?theme=dark');
    expect([status, headers.get('location')]).toEqual([308, '/open/embed/places/p2?theme=dark']);
  });

  test('filters that cannot be read are 400', async () => {
    expect((await withSamples().get('/embed/search?colour=red')).status).toBe(400);
    expect((await withSamples().get('/embed/search?q=yoga&theme=dark&accent=0b6338')).status).toBe(200);
  });
});

test('a series is a list of dates, which name it only where they are called otherwise', async () => {
  const { library, get } = withSamples('Gentle yoga');
  const date = { start: AT + HOUR, end: AT + 2 * HOUR, status: 'EventScheduled' as const };
  const dates = [date, { ...date, start: AT + 25 * HOUR, end: AT + 26 * HOUR, name: 'Yoga at dusk' }];
  library.dates.set('abc', { zone: 'Europe/London', dates });
  const text = await (await get('/embed/series/abc')).text();
  const [, body = ''] = /<main[^>]*>([\s\S]*)<\/main>/.exec(text) ?? [];
  expect(body).not.toContain('<h2');
  expect(body.match(/<ol/g)).toHaveLength(1);
  expect(body.match(/Gentle yoga/g)).toHaveLength(1);
  expect(body).toMatch(/>Today, Sat 21 Nov<\/a>[\s\S]*>Tomorrow, Sun 22 Nov<\/a> *<small><bdi>Yoga at dusk</);
});

test('room and leader are in a line below the name, with the place where there are several', async () => {
  const { library, get } = withSamples();
  const [entry] = library.on.entries;
  library.on = { entries: [{ ...entry, room: 'Studio 1', leader: ['Priya'] }], publishers: [] } as typeof library.on;
  expect(await (await get('/embed/places/p1')).text()).toContain(
    '<small> <bdi>Studio 1 · with\u00a0Priya</bdi></small>',
  );
  const [item] = library.search.items;
  library.search.items = [{ ...item, details: { leader: ['Priya'] } }] as typeof library.search.items;
  expect(await (await get('/embed/search?q=yoga')).text()).toContain(
    '<small> <bdi>Town Hall</bdi> · <bdi>with\u00a0Priya</bdi></small>',
  );
});

test('what is subscribed to is chosen on the page, which opens its sheet', async () => {
  const text = await (await withSamples().get('/embed/places/p1')).text();
  expect(text).toContain('href="/open/places/p1?subscribe" target="_top"');
  expect(await (await withSamples().get('/embed/search?q=yoga')).text()).toContain(
    'href="/open/search?q=yoga&amp;subscribe"',
  );
});

test('one line of HTML is offered on the page of a series and of a place, as text', async () => {
  for (const path of ['/series/abc', '/places/p1']) {
    const text = await (await withSamples(NASTY).get(path)).text();
    const [, line = ''] = /<input id="embed-line" readonly="" value="([^"]*)"/.exec(text) ?? [];
    expect(line).toContain(`&lt;iframe src=&quot;https://calendars.example/open/embed${path}&quot;`);
    // Escaped once for the page, and once for the page it is pasted into.
    expect(line).toContain('title=&quot;&amp;lt;/style&amp;gt;');
  }
});
