import { describe, expect, it, test } from 'vitest';
import { readXml } from '../../src/dav/xml/read.ts';
import { Random } from '../generate/random.ts';
import { event, FakeObjects, plainly } from './fake.ts';
import { sync, textIn } from './rig.ts';

/** sync-collection (RFC 6578): a client that syncs has what a full listing has, whatever came between. */

const PATH = '/dav/series/c/';
const START = Date.UTC(2026, 10, 23, 18);

interface Synced {
  status: number;
  changed: Map<string, string>;
  removed: string[];
  isCut: boolean;
  token: string;
}

async function syncOnce(objects: FakeObjects, token: string, limit?: number): Promise<Synced> {
  const more = limit === undefined ? '' : `<limit><nresults>${limit}</nresults></limit>`;
  const { status, text } = await plainly(objects, 'REPORT', PATH, { body: sync(token, more), headers: { depth: '0' } });
  const root = readXml(text);
  const changed = new Map<string, string>();
  const removed: string[] = [];
  let isCut = false;
  for (const response of root?.children.filter(({ local }) => local === 'response') ?? []) {
    const href = textIn(response, 'href');
    const own = textIn(response, 'status');
    if (own.includes(' 507 ')) {
      expect(href).toBe(PATH);
      isCut = true;
    } else if (own.includes(' 404 ')) removed.push(href.slice(PATH.length));
    else changed.set(href.slice(PATH.length), /<D:getetag>([^<]*)</.exec(text.slice(text.indexOf(href)))?.[1] ?? '');
  }
  return { status, changed, removed, isCut, token: root === undefined ? '' : textIn(root, 'sync-token') };
}

/** A client that applies what it is sent. */
class Client {
  token = '';
  readonly held = new Map<string, string>();

  async sync(objects: FakeObjects, limit?: number): Promise<number> {
    for (let rounds = 1; ; rounds += 1) {
      const { status, changed, removed, isCut, token } = await syncOnce(objects, this.token, limit);
      expect(status).toBe(207);
      if (limit !== undefined) expect(changed.size + removed.length).toBeLessThanOrEqual(limit);
      if (this.token === '') expect(removed).toEqual([]);
      for (const [name, etag] of changed) this.held.set(name, etag);
      for (const name of removed) this.held.delete(name);
      this.token = token;
      if (!isCut) return rounds;
      expect(rounds).toBeLessThan(1000);
    }
  }
}

async function listed(objects: FakeObjects): Promise<Map<string, string>> {
  return (await syncOnce(objects, '')).changed;
}

/** `hexadecimal.ics`, as the library names objects. */
const nameOf = (number: number): string => `${number.toString(16).padStart(4, '0')}.ics`;

function changeSome(objects: FakeObjects, random: Random, times: number): void {
  for (let turn = 0; turn < times; turn += 1) {
    const name = nameOf(random.int(0, 60));
    if (random.chance(0.4)) objects.remove(name);
    else objects.put(name, [event(name, START + random.int(0, 1000) * 3_600_000)]);
  }
}

describe('a sync', () => {
  test('from any earlier state is a full listing, over 1,000 changes', async () => {
    const objects = new FakeObjects();
    const random = new Random(17);
    const clients: Client[] = [];
    for (let round = 0; round < 100; round += 1) {
      changeSome(objects, random, 10);
      const client = new Client();
      await client.sync(objects);
      clients.push(client);
      if (round % 10 < 8) continue;
      const all = await listed(objects);
      for (const one of clients.slice(-random.int(1, clients.length))) {
        await one.sync(objects);
        expect(new Map([...one.held].sort())).toEqual(all);
      }
    }
  });

  test('cut short as often as you like, with changes between, ends equal too', async () => {
    for (let seed = 1; seed <= 40; seed += 1) {
      const objects = new FakeObjects();
      const random = new Random(seed);
      changeSome(objects, random, 80);
      const client = new Client();
      const states = [objects.snapshot()];
      for (let round = 0; round < 12; round += 1) {
        // One answer of a cut sync at a time, and changes between them.
        const { changed, removed, token, status } = await syncOnce(objects, client.token, random.int(1, 9));
        expect(status).toBe(207);
        for (const [name, etag] of changed) client.held.set(name, etag);
        for (const name of removed) client.held.delete(name);
        client.token = token;
        if (random.chance(0.5)) changeSome(objects, random, random.int(1, 6));
        // A state that was there before comes again.
        if (random.chance(0.2)) objects.restore(random.pick(states));
        states.push(objects.snapshot());
      }
      await client.sync(objects, 7);
      await client.sync(objects);
      expect(new Map([...client.held].sort())).toEqual(await listed(objects));
    }
  });

  // The token of the last part named the state of the first one: once the calendar was in it again, nothing was removed.
  test('in parts, with an object that comes meanwhile and goes again, ends equal too', async () => {
    const objects = new FakeObjects();
    for (let n = 0; n < 6; n += 1) objects.put(nameOf(n), [event(`${n}`, START)]);
    const client = new Client();
    const cut = await syncOnce(objects, '', 3);
    for (const [name, etag] of cut.changed) client.held.set(name, etag);
    client.token = cut.token;
    objects.put(nameOf(9), [event('9', START)]);
    await client.sync(objects, 3);
    objects.remove(nameOf(9));
    await client.sync(objects);
    expect(new Map([...client.held].sort())).toEqual(await listed(objects));
  });

  test('with nothing new has no response, and the same token', async () => {
    const objects = new FakeObjects();
    objects.put('a.ics', [event('a', START)]);
    const first = await syncOnce(objects, '');
    const second = await syncOnce(objects, first.token);
    expect([second.changed.size, second.removed, second.token]).toEqual([0, [], first.token]);
  });

  test('in parts says so each time but the last', async () => {
    const objects = new FakeObjects();
    for (let n = 0; n < 10; n += 1) objects.put(nameOf(n), [event(`${n}`, START)]);
    expect(await new Client().sync(objects, 3)).toBe(4);
    expect(await new Client().sync(objects, 10)).toBe(1);
  });

  test('getctag and sync-token move with the state, and not without', async () => {
    const objects = new FakeObjects();
    const ctag = async () =>
      /<CS:getctag>([^<]*)</.exec(
        (
          await plainly(objects, 'PROPFIND', PATH, {
            headers: { depth: '0' },
            body: '<propfind xmlns="DAV:"><prop><getctag xmlns="http://calendarserver.org/ns/"/></prop></propfind>',
          })
        ).text,
      )?.[1];
    objects.put('a.ics', [event('a', START)]);
    const before = await ctag();
    expect(await ctag()).toBe(before);
    objects.put('a.ics', [event('a', START + 1000)]);
    expect(await ctag()).not.toBe(before);
  });
});

describe('a token', () => {
  const objects = new FakeObjects();
  objects.put('a.ics', [event('a', START)]);
  const good = async () => (await syncOnce(objects, '')).token;

  it('is a URI under whatever base address', async () => {
    const body = sync('');
    const { text } = await plainly(objects, 'REPORT', PATH, { body, base: 'http://localhost:8080/x' });
    const token = /<D:sync-token>([^<]*)</.exec(text)?.[1] ?? '';
    expect(URL.parse(token)?.href).toBe(token);
    expect((await syncOnce(objects, token)).status).toBe(207);
  });

  it.each<[what: string, token: (good: string) => string]>([
    ['forgotten', () => 'https://c.example/ns/sync/0123456789abcdef/s1'],
    ['of another calendar', (token) => token.replace(/sync\/./, 'sync/0')],
    ['that names no state', (token) => `${token}x`],
    ['bare', () => '5f2c8e1a-2b5b-4d6c-9d3e-1a2b3c4d5e6f'],
    ['too long', (token) => token + '0'.repeat(1000)],
    ['of a part of a state that was never there', (token) => token.replace(/[^/]+$/, 'zzz/zzzz/-')],
    ['that ends with a name', (token) => `${token}/a.ics`],
    ['of an odd shape', (token) => `${token}/../..`],
    ['with text of others', () => 'opaquetoken]]&gt;&lt;x/&gt;'],
  ])('%s is refused, and clients begin again', async (_, made) => {
    const { status, text } = await plainly(objects, 'REPORT', PATH, { body: sync(made(await good())) });
    expect(status).toBe(403);
    expect(readXml(text)?.children.map(({ local }) => local)).toEqual(['valid-sync-token']);
  });

  it('is refused when its state is forgotten', async () => {
    const own = new FakeObjects();
    own.put('a.ics', [event('a', START)]);
    const { state } = own;
    const { token } = await syncOnce(own, '');
    own.put('b.ics', [event('b', START)]);
    own.forget(state);
    expect((await syncOnce(own, token)).status).toBe(403);
  });
});

describe('the request of a sync', () => {
  const objects = new FakeObjects();
  objects.put('a.ics', [event('a', START)]);
  const root = (inner: string): string =>
    `<sync-collection xmlns="DAV:">${inner}<prop><getetag/></prop></sync-collection>`;
  it.each<[what: string, body: string, depth: string | undefined, status: number]>([
    ['of the RFC', root('<sync-token/><sync-level>1</sync-level>'), '0', 207],
    ['without Depth', root('<sync-token/><sync-level>1</sync-level>'), undefined, 207],
    ['with Depth 1', root('<sync-token/><sync-level>1</sync-level>'), '1', 207],
    ['of a draft, without a level', root('<sync-token/>'), '1', 207],
    ['for all levels', root('<sync-token/><sync-level>infinite</sync-level>'), '0', 207],
    ['with Depth infinity', root('<sync-token/><sync-level>1</sync-level>'), 'infinity', 400],
    ['with another level', root('<sync-token/><sync-level>2</sync-level>'), '0', 400],
    ['without a token', root('<sync-level>1</sync-level>'), '0', 400],
    [
      'with more results wanted than there can be',
      root('<sync-token/><sync-level>1</sync-level><limit><nresults>1000000000000</nresults></limit>'),
      '0',
      207,
    ],
    [
      'with no results wanted',
      root('<sync-token/><sync-level>1</sync-level><limit><nresults>0</nresults></limit>'),
      '0',
      400,
    ],
    [
      'with results that are no number',
      root('<sync-token/><sync-level>1</sync-level><limit><nresults>all</nresults></limit>'),
      '0',
      400,
    ],
  ])('%s', async (_, body, depth, status) => {
    const headers = depth === undefined ? {} : { depth };
    expect((await plainly(objects, 'REPORT', PATH, { body, headers })).status).toBe(status);
  });
});
