import { afterEach, beforeEach, describe, expect, it, test } from 'vitest';
import { libraryOver } from '../../../src/library/stored-library.ts';
import { createApp } from '../../../src/server/app.ts';
import { CalendarCache } from '../../../src/server/cache/cache.ts';
import { renderCalendar } from '../../../src/server/calendars/renderer.ts';
import { computeHere } from '../../../src/server/computing/computing.ts';
import { silent } from '../../../src/server/operations/log.ts';
import { Meters } from '../../../src/server/operations/meters.ts';
import { openReader } from '../../../src/store/index.ts';
import { item, type Served, served } from '../stored-rig.ts';

/** Lists that are kept: made, changed, asked for and forgotten, over HTTP. */

const DAY = 86_400_000;

let one: Served;
beforeEach(async () => {
  one = await served();
});
afterEach(() => one.close());

const json = { 'content-type': 'application/json' };
const form = { 'content-type': 'application/x-www-form-urlencoded' };

const send = (path: string, method: string, body: unknown) =>
  one.app.request(path, { method, headers: json, body: JSON.stringify(body) });

const got = (token: string, headers: Record<string, string> = {}) =>
  one.app.request(`/my/${token}`, { headers: { accept: 'application/json', ...headers } });

interface Made {
  token: string;
  editKey: string;
  things: string[];
  calendar: string;
}

const SEARCHES = Array.from({ length: 11 }, (_, at) => `search?maxPrice=${at + 1}`);

async function made(body: object): Promise<Made> {
  const response = await send('/my', 'POST', body);
  expect([response.status, response.headers.get('cache-control')]).toEqual([201, 'no-store']);
  return (await response.json()) as Made;
}

async function session(name: string, hour: number): Promise<string> {
  const id = `https://x.example/${name}`;
  const startDate = `2026-12-01T${hour}:00:00Z`;
  await one.feed(
    item('SessionSeries', name, { '@id': id, name }),
    item('ScheduledSession', `${name}-1`, { '@id': `${id}/1`, superEvent: id, startDate, duration: 'PT1H' }),
  );
  return `series/${await one.library.keyOfId('series', id)}`;
}

describe('a kept list', () => {
  it('has an address that stays while its content changes, for who has its key', async () => {
    const [yoga, judo] = [await session('Yoga', 18), await session('Judo', 19)];
    const { token, editKey, ...list } = await made({ things: [yoga, yoga], name: 'Sport' });
    expect(token).toMatch(/^k[\w-]{22}$/);
    expect(editKey).toMatch(/^[\w-]{22}$/);
    expect(list).toEqual({
      things: [yoga],
      name: 'Sport',
      page: `https://c.example/my/${token}`,
      calendar: `https://c.example/my/${token}.ics`,
    });
    const first = await one.app.request(`/my/${token}.ics`);
    const date = first.headers.get('last-modified') as string;
    expect(await first.text()).toMatch(/X-WR-CALNAME:Sport\r\n[\s\S]*SUMMARY:Yoga\r\n/);
    one.rig.clock.now += 60_000;
    expect((await send(`/my/${token}`, 'PUT', { edit: editKey, things: [judo] })).status).toBe(200);
    const next = await one.app.request(`/my/${token}.ics`, { headers: { 'if-modified-since': date } });
    const text = await next.text();
    expect([next.status, text.includes('SUMMARY:Judo'), text.includes('SUMMARY:Yoga')]).toEqual([200, true, false]);
    expect(Date.parse(next.headers.get('last-modified') as string)).toBeGreaterThan(Date.parse(date));
    // Yoga was changed long before: without it Last-Modified is not what it was before it.
    const since = next.headers.get('last-modified') as string;
    expect((await one.app.request(`/my/${token}.ics`, { headers: { 'if-modified-since': since } })).status).toBe(304);
  });

  it('moves its events on where it shows them otherwise, and only then', async () => {
    const yoga = await session('Yoga', 18);
    const { token, editKey } = await made({ things: [yoga] });
    const event = async () => {
      const text = await one.text(`/my/${token}.ics`);
      const [, sequence, modified] = /SEQUENCE:(\d+)[\s\S]*?LAST-MODIFIED:(\w+)/.exec(text) ?? [];
      return { sequence: Number(sequence), modified: modified ?? '' };
    };
    const edit = async (body: object) => {
      one.rig.clock.now += 60_000;
      expect((await send(`/my/${token}`, 'PUT', { edit: editKey, things: [yoga], ...body })).status).toBe(200);
      return event();
    };
    const first = await event();
    expect(await edit({ name: 'Sport' })).toEqual(first);
    const prefixed = await edit({ prefix: 'place' });
    expect(prefixed.sequence).toBe(first.sequence + 1);
    expect(prefixed.modified > first.modified).toBe(true);
    expect(await edit({ prefix: 'place', name: 'Other' })).toEqual(prefixed);
    const back = await edit({ cancelled: '0' });
    expect(back.sequence).toBe(prefixed.sequence + 1);
    expect(back.modified > prefixed.modified).toBe(true);
  });

  it('is changed by a form, a field at a time, and leads to its page', async () => {
    const [yoga, judo] = [await session('Yoga', 18), await session('Judo', 19)];
    const response = await one.app.request('/my', {
      method: 'POST',
      headers: form,
      body: new URLSearchParams({ things: yoga, name: 'Sport', prefix: 'place' }).toString(),
    });
    expect(response.status).toBe(303);
    const [, token = '', edit = ''] =
      /^\/my\/([\w-]+)\?edit=([\w-]+)&subscribe$/.exec(response.headers.get('location') as string) ?? [];
    const change = (fields: Record<string, string>) =>
      one.app.request(`/my/${token}`, {
        method: 'POST',
        headers: form,
        body: new URLSearchParams({ edit, ...fields }).toString(),
      });
    expect((await change({ add: judo })).status).toBe(303);
    expect(await one.library.chosenList(token)).toMatchObject({ name: 'Sport', prefix: 'place', things: [{}, {}] });
    expect((await change({ cancelled: '0' })).status).toBe(303);
    expect(await one.library.chosenList(token)).toMatchObject({ name: 'Sport', cancelled: false });
    expect((await change({ remove: yoga, name: '', prefix: '', cancelled: '1' })).status).toBe(303);
    expect(await one.library.chosenList(token)).toEqual({ things: [{ kind: 'series', key: judo.slice(7) }] });
  });

  it.each([
    ['keeps its name where one that is too long is sent', 'a'.repeat(101), 400, 'Sport'],
    ['has a name of a hundred characters', 'a'.repeat(100), 200, 'a'.repeat(100)],
    ['has no name of control characters alone', '\u0000\u0001', 200, 'My list'],
    ['has none of their number in its name', 'Yoga\u0000\u0085 and\u0007more', 200, 'Yoga and more'],
  ])('%s', async (_, name, status, shown) => {
    const { token, editKey } = await made({ things: [await session('Yoga', 18)], name: 'Sport' });
    expect((await send(`/my/${token}`, 'PUT', { editKey, name })).status).toBe(status);
    const text = (await one.text(`/my/${token}.ics`)).replaceAll('\r\n ', '');
    expect(/X-WR-CALNAME:(.*)\r/.exec(text)?.[1]).toBe(shown);
  });

  it('is changed by nobody without its key', async () => {
    const yoga = await session('Yoga', 18);
    const { token } = await made({ things: [yoga] });
    const other = await made({ things: [yoga] });
    for (const edit of [undefined, '', 'x', other.editKey, token])
      expect((await send(`/my/${token}`, 'PUT', { edit, things: [] })).status).toBe(403);
    expect((await one.library.chosenList(token))?.things).toHaveLength(1);
    const row = await one.rig.store.read.keptList(other.token);
    expect(JSON.stringify(row)).not.toContain(other.editKey);
  });

  test.each([
    ['names another list', { 'if-match': '"nope"' }],
    ['names it weakly', { 'if-match': 'W/TAG' }],
    ['wants none', { 'if-none-match': '*' }],
    ['wants any but it', { 'if-none-match': '"nope", W/TAG' }],
    ['wants it as it was long before', { 'if-unmodified-since': 'Sat, 01 Jan 2000 00:00:00 GMT' }],
  ])('stays as it is for who %s', async (_, conditions) => {
    const { token, editKey } = await made({ things: ['series/a'] });
    const tag = (await got(token)).headers.get('etag') ?? '';
    const headers = {
      ...json,
      ...Object.fromEntries(Object.entries(conditions).map(([name, value]) => [name, value.replace('TAG', tag)])),
    };
    for (const method of ['PUT', 'POST']) {
      const body = JSON.stringify({ editKey, things: ['series/b'] });
      const refused = await one.app.request(`/my/${token}`, { method, headers, body });
      expect([refused.status, refused.headers.get('etag')]).toEqual([412, null]);
      // What is wrong without a condition is as wrong with one (RFC 9110 13.2.1).
      expect((await one.app.request(`/my/${token}`, { method, headers, body: '{"editKey":"x"}' })).status).toBe(403);
    }
    expect((await one.library.chosenList(token))?.things).toEqual([{ kind: 'series', key: 'a' }]);
  });

  it('is got as JSON, and changed by the first alone of two who have it', async () => {
    const response = await send('/my', 'POST', { things: ['series/a'], name: 'Sport' });
    const { editKey, ...list } = (await response.json()) as Made;
    const first = await got(list.token);
    expect(await first.json()).toEqual(list);
    expect(first.headers.get('vary')).toContain('Accept');
    const tag = response.headers.get('etag') as string;
    expect([first.headers.get('etag'), response.headers.get('location')]).toEqual([
      tag,
      `https://c.example/my/${list.token}`,
    ]);
    const change = (things: string[], etag: string) =>
      one.app.request(`/my/${list.token}`, {
        method: 'PUT',
        headers: { ...json, 'if-match': `"other", ${etag}` },
        body: JSON.stringify({ editKey, things }),
      });
    const both = await Promise.all([change(['series/b'], tag), change(['series/c'], tag)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 412]);
    const changed = both.find(({ status }) => status === 200) as Response;
    const now = await got(list.token);
    expect([changed.headers.get('etag'), changed.headers.get('content-location')]).toEqual([
      now.headers.get('etag'),
      `https://c.example/my/${list.token}`,
    ]);
    expect(await changed.json()).toEqual(await now.json());
    expect((await change(['series/d'], changed.headers.get('etag') as string)).status).toBe(200);
    const known = await got(list.token, { 'if-none-match': (await got(list.token)).headers.get('etag') as string });
    expect(known.status).toBe(304);
  });

  it('has a strong tag for who takes gzip, however long it is', async () => {
    const things = Array.from({ length: 100 }, (_, at) => `series/${'a'.repeat(20)}${at}`);
    const { token } = await made({ things });
    const { headers } = await got(token, { 'accept-encoding': 'gzip' });
    expect(headers.get('etag')).toBe((await got(token)).headers.get('etag'));
  });

  it('is a problem as JSON where there is none, and a page for who wants pages', async () => {
    const { token } = await made({ things: ['series/a'] });
    expect((await got(`k${'a'.repeat(22)}`)).headers.get('content-type')).toMatch(/^application\/problem\+json/);
    const page = await got(token, { accept: 'text/html, application/json;q=0.9' });
    expect([page.headers.get('content-type'), page.headers.get('vary')]).toEqual([
      expect.stringContaining('text/html'),
      expect.stringContaining('Accept'),
    ]);
  });

  test.each([
    ['nothing', '', json, 400],
    ['no object', '7', json, 400],
    ['things that are none', '{"things":["people/x"]}', json, 400],
    ['a search that cannot be read', '{"things":["search?colour=red"]}', json, 400],
    ['too many things', JSON.stringify({ things: Array.from({ length: 101 }, (_, at) => `series/a${at}`) }), json, 400],
    ['eleven searches', JSON.stringify({ things: SEARCHES }), json, 400],
    ['ten searches and one more', JSON.stringify({ things: SEARCHES.slice(1), add: SEARCHES.slice(0, 1) }), json, 400],
    ['eleven searches in a form', SEARCHES.map((one) => `things=${encodeURIComponent(one)}`).join('&'), form, 400],
    ['a name of 101 characters', JSON.stringify({ things: ['series/a'], name: 'a'.repeat(101) }), json, 400],
    ['such a name in a form', `things=series/a&name=${'a'.repeat(101)}`, form, 400],
    ['no things', '{}', json, 400],
    ['an empty list of things', '{"things":[]}', json, 400],
    ['a form with nothing in it', 'name=Sport', form, 400],
    ['a token of which something was changed', '{"token":"1Stut2uzagjvasqayr_00000000"}', json, 400],
    ['such a token in a form', 'token=1Stut2uzagjvasqayr_00000000', form, 400],
    ['more than a list can be', JSON.stringify({ name: 'a'.repeat(16_400) }), json, 413],
    ['text', 'things=series/a', { 'content-type': 'text/plain' }, 415],
    [
      'a form that a script of another site sends as text',
      '{"things":[]}',
      { 'content-type': 'text/plain;application/json' },
      415,
    ],
  ])('is not made of %s', async (_, body, headers, status) => {
    const response = await one.app.request('/my', { method: 'POST', headers, body });
    expect(response.status).toBe(status);
    expect((await response.text()).trim().split('\n')).toHaveLength(1);
  });

  it('is written down as asked for once a day, and goes when nobody asked for 400 days', async () => {
    const yoga = await session('Yoga', 18);
    const [asked, left] = [await made({ things: [yoga] }), await made({ things: [yoga] })];
    const time = async ({ token }: Made) => (await one.rig.store.read.keptList(token))?.asked;
    const began = (await time(asked)) as number;
    const ask = async () => {
      expect((await one.app.request(`/my/${asked.token}.ics`)).status).toBe(200);
    };
    // It is noted beside the answer, whenever the database has read the list and written it.
    const isNoted = () => expect.poll(() => time(asked)).toBe(one.rig.clock.now);
    await ask();
    await isNoted();
    expect(began).toBeLessThan(one.rig.clock.now - 390 * DAY);
    one.rig.clock.now += 300 * DAY;
    await ask();
    await isNoted();
    const noted = await time(asked);
    one.rig.clock.now += 60_000;
    await ask();
    expect(await time(asked)).toBe(noted);
    one.rig.clock.now += 101 * DAY;
    await made({ things: [yoga] });
    expect([await time(asked), await time(left)]).toEqual([noted, undefined]);
    expect((await one.app.request(`/my/${left.token}.ics`)).status).toBe(404);
  });
});

describe('a list that nobody has asked for', () => {
  it('goes after two days, and one that somebody asked for does not', async () => {
    const yoga = await session('Yoga', 18);
    const [asked, left] = [await made({ things: [yoga] }), await made({ things: [yoga] })];
    expect((await one.app.request(`/my/${asked.token}.ics`)).status).toBe(200);
    const kept = ({ token }: Made) => one.rig.store.read.keptList(token);
    await expect.poll(async () => (await kept(asked))?.asked).toBe(one.rig.clock.now);
    one.rig.clock.now += 2 * DAY - 60_000;
    await made({ things: [yoga] });
    expect(await kept(left)).toMatchObject({ token: left.token });
    one.rig.clock.now += 120_000;
    await made({ things: [yoga] });
    expect([await kept(left), await kept(asked)]).toEqual([undefined, expect.objectContaining({ token: asked.token })]);
  });
});

describe('a process beside it', () => {
  async function beside() {
    const store = await openReader(one.rig);
    const library = libraryOver(
      store,
      { ...one.rig.options, now: () => one.rig.clock.now, rendering: 'test' },
      one.library.epoch,
    );
    const given = {
      baseUrl: 'https://c.example',
      gzip: true,
      meters: new Meters(),
      log: silent,
      now: () => one.rig.clock.now,
    };
    const { renderer, answer } = computeHere(library, renderCalendar, given);
    const cache = new CalendarCache({ library, renderer, log: silent, limitBytes: 10_000_000, now: given.now });
    return { store, library, app: createApp({ ...given, library, cache, answer }) };
  }

  it('that only reads keeps no list and says so, serves those there are, and hears of their changes', async () => {
    const [yoga, judo] = [await session('Yoga', 18), await session('Judo', 19)];
    const { token, editKey } = await made({ things: [yoga] });
    const { store, library, app } = await beside();
    await library.poll();
    const keep = (headers: Record<string, string>) => app.request('/my', { method: 'POST', headers, body: '' });
    const [refused, shown] = [await keep(json), await keep(form)];
    const why = expect.stringMatching(/^Lists cannot be kept here/);
    expect([refused.status, await refused.json()]).toEqual([503, expect.objectContaining({ detail: why })]);
    expect([shown.status, await shown.text()]).toEqual([503, why]);
    const first = await app.request(`/my/${token}.ics`);
    expect(await first.text()).toBe(await one.text(`/my/${token}.ics`));
    one.rig.clock.now += 5000;
    await send(`/my/${token}`, 'PUT', { edit: editKey, things: [judo] });
    await library.poll();
    const [ours, theirs] = [await app.request(`/my/${token}.ics`), await one.app.request(`/my/${token}.ics`)];
    expect(await ours.text()).toContain('SUMMARY:Judo');
    expect(ours.headers.get('last-modified')).toBe(theirs.headers.get('last-modified'));
    expect(ours.headers.get('etag')).toBe(theirs.headers.get('etag'));
    await store.close();
  });
});
