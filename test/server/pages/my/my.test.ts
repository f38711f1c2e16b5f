import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { CalendarHead } from '../../../../src/library/index.ts';
import type { Thing } from '../../../../src/library/lists/list.ts';
import { thingOf } from '../../../../src/library/lists/list.ts';
import { tokenOf } from '../../../../src/library/lists/token.ts';
import { item, type Served, served } from '../../stored-rig.ts';

/** The page of a list, as a browser without JavaScript goes through it. */

let one: Served;
beforeEach(async () => {
  one = await served();
});
afterEach(() => one.close());

const GONE: CalendarHead = { key: 'ended', kind: 'series', state: 'gone', revision: 1, changedAt: 0 };
const HOSTILE = '</script><img src=x onerror=alert(1)>"\'&‮';

async function session(name: string, startDate: string, over: Record<string, unknown> = {}): Promise<string> {
  const id = `https://x.example/${encodeURIComponent(name)}`;
  const at = { superEvent: id, startDate, duration: 'PT1H' };
  await one.feed(
    item('SessionSeries', name, {
      '@id': id,
      name,
      location: { '@type': 'Place', '@id': 'https://x.example/p', name: 'Town Hall' },
    }),
    item('ScheduledSession', `${name}-1`, { '@id': `${id}/1`, ...at, ...over }),
  );
  return `series/${await one.library.keyOfId('series', id)}`;
}

const token = (...texts: string[]) => tokenOf(texts.map((text) => thingOf(text) as Thing));
const path = (response: Response) => (response.headers.get('location') as string).replace('https://c.example', '');

async function page(address: string): Promise<string> {
  const response = await one.app.request(address);
  expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'private, no-cache']);
  return response.text();
}

describe('the list in an address', () => {
  it('says that it is empty, and where to look', async () => {
    const text = await page('/my');
    expect(text).toContain('Nothing is on this list yet');
    expect(text).not.toContain('Subscribe');
  });

  it('says whose times they are where the clocks are others', async () => {
    const schedule = {
      '@type': 'Schedule',
      repeatFrequency: 'P1W',
      byDay: ['https://schema.org/Tuesday'],
      startDate: '2026-01-06',
      startTime: '18:00',
      duration: 'PT1H',
      scheduleTimezone: 'America/New_York',
      scheduledEventType: 'ScheduledSession',
    };
    const id = 'https://x.example/abroad';
    await one.feed(item('SessionSeries', 'abroad', { '@id': id, name: 'Yoga', eventSchedule: [schedule] }));
    const text = await page(`/my?token=${token(`series/${await one.library.keyOfId('series', id)}`)}`);
    const words = text.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');
    expect(words).toContain('Every Tuesday, 18:00–19:00 (New York time)');
    expect(words).toMatch(/Tue 24 Nov 18:00 – to 19:00 \(New York time\)/);
  });

  it('grows and shrinks by links and buttons alone, and may be loaded again', async () => {
    const [yoga, judo] = [await session('Yoga', '2026-11-24T18:00:00Z'), await session('Judo', '2026-11-25T18:00:00Z')];
    const added = await one.app.request(`/my?add=${yoga}`);
    expect([added.status, path(added)]).toEqual([303, `/my?token=${token(yoga)}`]);
    const both = await one.app.request(`${path(added)}&add=${judo}&name=Sport&prefix=&prefix=place&mine=1`);
    expect(path(both)).toBe(`/my?token=${token(yoga, judo)}&name=Sport&prefix=place&mine=1`);
    const text = await page(path(both));
    expect(text).toContain('Two things, one calendar.');
    expect(text).toContain(`value="https://c.example/my/${token(yoga, judo)}.ics?name=Sport&amp;prefix=place"`);
    expect(text).toContain('name="mine" value="1"');
    expect(text).toMatch(/name="cancelled" value="1" checked/);
    const hidden = await one.app.request(`${path(added)}&name=&prefix=&cancelled=0&add=${judo}`);
    expect(path(hidden)).toBe(`/my?token=${token(yoga, judo)}&cancelled=0`);
    const unticked = await page(path(hidden));
    expect(unticked).toContain(`/my/${token(yoga, judo)}.ics?cancelled=0`);
    expect(unticked).toMatch(/name="cancelled" value="1"\/?>/);
    expect(text.indexOf('>Yoga<')).toBeLessThan(text.indexOf('>Judo<'));
    const at = ['id="name"', 'aria-label="Subscribe"', 'What it will show'].map((part) => text.indexOf(part));
    expect(at).toEqual([...at].sort((a, b) => a - b));
    expect(at).not.toContain(-1);
    expect(text).not.toContain('class="tray"');
    const fewer = await one.app.request(`${path(both)}&remove=${yoga}`);
    expect(path(fewer)).toBe(
      `/my?token=${token(judo)}&name=Sport&prefix=place&mine=1&removed=${encodeURIComponent(yoga)}`,
    );
    const none = path(await one.app.request(`/my?token=${token(judo)}&remove=${judo}`));
    expect(none).toBe(`/my?token=&removed=${encodeURIComponent(judo)}`);
    expect(await page('/my?token=')).toContain('Nothing is on this list yet');
  });

  it('puts back what was taken off, by a button', async () => {
    const [yoga, judo] = [await session('Yoga', '2026-11-24T18:00:00Z'), await session('Judo', '2026-11-25T18:00:00Z')];
    const undo = async (address: string) => /<form class="undo"[^>]*>.*?<\/form>/s.exec(await page(address))?.[0];
    const fewer = path(
      await one.app.request(`/my?token=${token(yoga, judo)}&name=Sport&cancelled=0&mine=1&remove=${yoga}`),
    );
    const form = (await undo(fewer)) ?? '';
    expect(form).toContain('<bdi>Yoga</bdi> is off the list.');
    const fields = [...form.matchAll(/name="(\w+)" value="([^"]*)"/g)].map(
      ([, name = '', value = '']) => [name, value] as const,
    );
    expect(path(await one.app.request(`/my?${new URLSearchParams(Object.fromEntries(fields))}`))).toBe(
      `/my?token=${token(judo, yoga)}&name=Sport&cancelled=0&mine=1`,
    );
    const last = (await undo(`/my?token=&removed=${encodeURIComponent(judo)}`)) ?? '';
    expect(last).toContain('Judo');
    expect(last).toContain('name="token" value=""');
    for (const address of [`/my?token=${token(judo)}&removed=${judo}`, `/my?token=${token(judo)}&removed=nothing`])
      expect(await undo(address)).toBeUndefined();
  });

  it('shows what the calendar will show: times, new times, what is cancelled, in the next 14 days', async () => {
    const things = [
      await session('Yoga', '2026-11-22T18:00:00Z', { eventStatus: 'https://schema.org/EventCancelled' }),
      await session('Judo', '2026-11-25T18:00:00Z', { remainingAttendeeCapacity: 0 }),
      await session('Boxing', '2026-12-25T18:00:00Z'),
    ];
    const text = await page(`/my?token=${token(...things)}`);
    const rows = [...text.matchAll(/<li class="pre[^"]*"><b>(.*?)<\/b>/g)].map(([, day]) => day);
    expect(rows).toEqual(['<span data-date="Sun 22 Nov"><span class="noprint">Tomorrow</span></span>', 'Wed 25 Nov']);
    expect(text).toMatch(/class="pre off"/);
    expect(text).toContain('Cancelled');
    expect(text).toContain('<span class="flag">Full</span>');
  });

  it('shows every date of a place in these days, with new times, and names who publishes what is on there', async () => {
    for (const hour of Array.from({ length: 25 }, (_, at) => at)) {
      const start = new Date(Date.UTC(2026, 10, 24, hour)).toISOString();
      const over = hour === 7 ? { previousStartDate: '2026-11-24T06:30:00Z' } : {};
      await session(`Yoga ${hour}`, start, over);
    }
    const key = `places/${await one.library.keyOfId('places', 'https://x.example/p')}`;
    const text = await page(`/my?token=${token(key)}`);
    expect(text.match(/<li class="pre/g)).toHaveLength(25);
    expect(text).toContain('<s>06:30</s>');
    const sought = await page(`/my?token=${token('search?q=yoga')}`);
    for (const one of [text, sought]) expect(one).toContain('Times and places come from open data');
  });

  it('shows each date of a series with a new @id once, where a search finds it too', async () => {
    const old = await session('Yoga', '2026-11-24T18:00:00Z');
    const id = 'https://x.example/yoga-again';
    const at = { superEvent: id, startDate: '2026-11-24T18:00:00Z', duration: 'PT1H' };
    await one.feed(
      item('SessionSeries', 'Yoga', { '@id': id, name: 'Yoga' }),
      item('ScheduledSession', 'Yoga-1', { '@id': `${id}/1`, ...at }),
    );
    expect((await one.library.head(old.replace('series/', '')))?.movedTo).toBeDefined();
    const text = await page(`/my?token=${token(old, 'search?q=yoga')}`);
    expect(text.match(/<li class="pre/g)).toHaveLength(1);
  });

  it('names what is not there any more, and a search in words', async () => {
    vi.spyOn(one.library, 'head').mockResolvedValue(GONE);
    const text = await page(`/my?token=${token('series/ended', 'search?day=sat,sun&q=swimming')}`);
    vi.restoreAllMocks();
    expect(text).toContain('Not here any more');
    expect(text).toContain('Search: swimming, weekends');
  });

  it('says that nothing is known of an address that never was one, and offers nothing for it', async () => {
    const text = await page(`/my?token=${token('series/unknown', 'places/unknown', 'facilities/unknown')}`);
    for (const kind of ['series', 'places', 'facilities']) {
      expect(text).toContain(`Nothing is known here of ${kind}/unknown`);
      expect(text).not.toContain(`href="/${kind}/unknown`);
    }
    expect(text).not.toMatch(/Subscribe|Not here any more|Ended|id="adr"|things, one calendar|id="name"/);
    expect(text).toContain('name="remove" value="series/unknown"');
    expect(await page(`/my?token=${token('series/unknown', 'search?q=yoga')}`)).toContain('Subscribe');
  });

  it('is not found by a token that is none', async () => {
    for (const address of ['/my?token=1Sabc_00000000', '/my/1Sabc_00000000', '/my/kAAAAAAAAAAAAAAAAAAAAAA', '/my/x'])
      expect((await one.app.request(address)).status).toBe(404);
    expect(path(await one.app.request(`/my/${token('series/a')}`))).toBe(`/my?token=${token('series/a')}`);
  });

  it('has nothing of a hostile name or parameter in it but text', async () => {
    const yoga = await session(HOSTILE, '2026-11-24T18:00:00Z');
    const text = await page(`/my?token=${token(yoga)}&name=${encodeURIComponent(HOSTILE)}`);
    expect(text).toContain('&lt;/script&gt;&lt;img');
    expect(text).not.toContain('<img src=x');
    expect(text.match(/<script>/g)).toHaveLength(2);
  });
});

describe('a kept list', () => {
  const form = (fields: Record<string, string>) => ({
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(fields).toString(),
  });

  it('is what Subscribe makes, with the sheet of an address that stays, and a link to change it by', async () => {
    const yoga = await session('Yoga', '2026-11-24T18:00:00Z');
    const judo = await session('Judo', '2026-11-24T18:00:00Z');
    const made = await one.app.request('/my', form({ token: token(yoga, judo), name: 'Sport' }));
    const [, kept = '', edit = ''] = /^\/my\/(k[\w-]+)\?edit=([\w-]+)&subscribe$/.exec(path(made)) ?? [];
    const text = await page(path(made));
    expect(text).toContain(`data-cal="https://c.example/my/${kept}.ics"`);
    expect(text).toContain(`href="https://c.example/my/${kept}?edit=${edit}"`);
    expect(text).toContain(`method="post" action="/my/${kept}"`);
    const changed = await one.app.request(`/my/${kept}`, form({ edit, remove: yoga, name: 'Judo club', prefix: '' }));
    const removed = `&removed=${encodeURIComponent(yoga)}`;
    expect([changed.status, path(changed)]).toEqual([303, `/my/${kept}?edit=${edit}${removed}`]);
    const fewer = await page(path(changed));
    expect(fewer).toContain('Judo club');
    expect(fewer).toMatch(/<form class="undo"[^>]*method="post".*?<bdi>Yoga<\/bdi> is off the list\./s);
    expect(await page(`/my/${kept}?${removed}`)).not.toContain('class="undo"');
    const again = await one.app.request(`/my/${kept}`, form({ edit, add: yoga }));
    expect(path(again)).toBe(`/my/${kept}?edit=${edit}`);
    expect(await page(path(again))).toContain('Two things, one calendar.');
  });

  it('is shown to others without its key, and nothing to change it by', async () => {
    const yoga = await session('Yoga', '2026-11-24T18:00:00Z');
    const made = await one.app.request('/my', form({ token: token(yoga) }));
    const text = await page(path(made).replace(/\?.*/, ''));
    expect(text).toContain('>Yoga<');
    for (const part of ['name="remove"', 'edit=', 'name="name"'])
      expect(text.replace(/<script>.*?<\/script>/gs, '')).not.toContain(part);
  });

  it('is shown to who has a wrong key as to others, with a sentence, and a form with it is answered with a page', async () => {
    const yoga = await session('Yoga', '2026-11-24T18:00:00Z');
    const made = await one.app.request('/my', form({ token: token(yoga) }));
    const bare = path(made).replace(/\?.*/, '');
    const text = await page(`${bare}?edit=wrong`);
    expect(text).toContain('This is not the key of this list.');
    expect(text).toContain('>Yoga<');
    for (const part of ['name="remove"', 'edit=wrong', 'value="wrong"', 'name="name"', 'data-key'])
      expect(text.replace(/<script>.*?<\/script>/gs, '')).not.toContain(part);
    expect(await page(path(made))).not.toContain('This is not the key of this list.');
    const { headers, ...sent } = form({ edit: 'wrong', remove: yoga });
    const asks = (accept: string) => one.app.request(bare, { ...sent, headers: { ...headers, accept } });
    const refused = await asks('text/html,application/xhtml+xml,*/*;q=0.8');
    expect([refused.status, refused.headers.get('content-type')]).toEqual([403, 'text/html; charset=utf-8']);
    expect(await refused.text()).toContain('<p>This is not the key of this list.</p>');
    expect(await (await asks('*/*')).text()).toBe('This is not the key of this list.\n');
    expect(await page(bare)).toContain('>Yoga<');
  });
});

/** Links of a page, as a browser reads them. */
const linksOf = (text: string) =>
  [...text.matchAll(/href="([^"]*)"/g)].map(([, href = '']) => href.replaceAll('&amp;', '&'));
const linkTo = (text: string, start: string) => linksOf(text).find((href) => href.startsWith(start)) as string;

describe('without JavaScript', () => {
  it('a list is found again on every way from it to the next +, with its name', async () => {
    const [yoga, judo] = [await session('Yoga', '2026-11-24T18:00:00Z'), await session('Judo', '2026-11-25T18:00:00Z')];
    const list = await page(`/my?token=${token(yoga)}&name=Sport`);
    const carried = `list=${encodeURIComponent(`${token(yoga)}?name=Sport`)}`;
    const more = linkTo(list, '/search');
    expect(more).toBe(`/search?${carried}`);
    const found = await page(more);
    const added = `/my?token=${token(yoga)}&name=Sport&add=${judo}`;
    expect(linksOf(found)).toContain(added);
    expect(path(await one.app.request(added))).toBe(`/my?token=${token(yoga, judo)}&name=Sport`);
    const place = `/places/${await one.library.keyOfId('places', 'https://x.example/p')}`;
    const pages = [`/?${carried}`, `/search?kind=places&${carried}`, `/${judo}?${carried}`, `${place}?${carried}`];
    for (const at of [...pages, `/search?q=judo&view=week&${carried}`, `/search?q=nothing&${carried}`]) {
      const text = await page(at);
      const ways = linksOf(text).filter((href) =>
        /^\/(?:$|\?|search|series\/\w+(?:[?#]|$)|places\/\w+(?:[?#]|$))/.test(href),
      );
      expect(ways.length).toBeGreaterThan(3);
      expect(ways.filter((href) => !href.includes(carried) || href.split('?').length > 2)).toEqual([]);
      const forms = [...text.matchAll(/<form.*?<\/form>/gs)].map(([one]) => one);
      for (const one of forms) expect(one).toContain(`name="list" value="${token(yoga)}?name=Sport"`);
      expect(text).not.toMatch(/rel="canonical" href="[^"]*list=/);
      expect(text).toContain('<meta name="robots" content="noindex"/>');
      expect(linksOf(text).filter((href) => href.includes('.ics') && href.includes(carried))).toEqual([]);
    }
    for (const at of [`/${judo}?${carried}`, `${place}?${carried}`])
      expect(linkTo(await page(at), '/my?token=')).toBe(`/my?token=${token(yoga)}&name=Sport`);
    expect(linkTo(await page(`/${judo}?${carried}`), '/my?token=')).not.toBe('');
  });

  it('what is no list, or too long for every link of a page, is not carried, and no search is refused for it', async () => {
    await session('Yoga', '2026-11-24T18:00:00Z');
    for (const list of ['', 'x', '1Sabc_00000000', HOSTILE, 'kAAAAAAAAAAAAAAAAAAAAAA', 'a'.repeat(3000)]) {
      const response = await one.app.request(`/search?list=${encodeURIComponent(list)}`);
      expect(response.status).toBe(200);
      const text = await response.text();
      expect(text).toContain('>Yoga<');
      expect(linksOf(text).filter((href) => href.includes('list='))).toEqual([]);
    }
  });

  it('a kept list is carried without its key', async () => {
    const yoga = await session('Yoga', '2026-11-24T18:00:00Z');
    const body = new URLSearchParams({ token: token(yoga) }).toString();
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const made = await one.app.request('/my', { method: 'POST', headers, body });
    expect(linkTo(await page(path(made)), '/search')).toBe(`/search?list=${token(yoga)}`);
  });
});
