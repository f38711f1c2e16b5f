import { afterEach, beforeEach, expect, test } from 'vitest';
import { Random } from '../generate/random.ts';
import { World } from '../server/subscribers/world.ts';
import { type DavRig, davServed, listOf, propfind, sync, textIn } from './rig.ts';

/** Clients that follow a publisher by sync tokens, some of them rarely, over the whole program and its store. */

const DAY = 86_400_000;
const ETAG = propfind('<D:prop><D:getetag/></D:prop>');

let one: DavRig;
beforeEach(async () => {
  one = await davServed();
});
afterEach(() => one.close());

/** Names and ETags of a whole listing; undefined: the calendar is not there any more. */
async function listing(path: string): Promise<Map<string, string> | undefined> {
  const answered = await one.ask('PROPFIND', path, { depth: '1', body: ETAG });
  if (answered.status !== 207) return undefined;
  const objects = [...answered.responses.values()].slice(1);
  return new Map(objects.map(({ href, props }) => [href, props.get(200)?.get('getetag')?.text ?? '']));
}

class Follower {
  readonly path: string;
  readonly held = new Map<string, string>();
  token = '';
  /** Answers that were by difference, and those that began again. */
  followed = 0;
  begun = 0;

  constructor(path: string) {
    this.path = path;
  }

  async sync(): Promise<void> {
    const answered = await one.ask('REPORT', this.path, { depth: '0', body: sync(this.token) });
    if (answered.status === 403 && this.token !== '') {
      this.token = '';
      this.held.clear();
      this.begun += 1;
      return this.sync();
    }
    expect(answered.status).toBe(207);
    this.followed += this.token === '' ? 0 : answered.responses.size;
    for (const { href, status, props } of answered.responses.values()) {
      if (status === 404) this.held.delete(href);
      else this.held.set(href, props.get(200)?.get('getetag')?.text ?? '');
    }
    this.token = answered.root === undefined ? '' : textIn(answered.root, 'sync-token');
  }
}

async function paths(): Promise<string[]> {
  const keys = async (kind: 'series' | 'places') =>
    (await one.library.keys(kind, { limit: 100 })).rows.map(({ key }) => key);
  const [series, places] = [await keys('series'), await keys('places')];
  const home = `/dav/my/${listOf(...series.map((key) => `series/${key}`), 'search?day=tue')}/`;
  const listed = await one.ask('PROPFIND', home, { depth: '1', body: ETAG });
  return [
    ...series.map((key) => `/dav/series/${key}/`),
    ...places.map((key) => `/dav/places/${key}/`),
    ...[...listed.responses.keys()].slice(-2),
  ];
}

test.each([1, 2])('they hold what a full listing has, day by day (%i)', async (seed) => {
  const random = new Random(seed);
  const world = new World(seed, { series: 2, sessions: 40 });
  await one.feed(...world.all());
  const followers = (await paths()).flatMap((path) => [new Follower(path), new Follower(path)]);
  for (const follower of followers) await follower.sync();
  let compared = 0;
  for (let day = 1; day <= 25; day += 1) {
    await one.feed(...world.day(Date.UTC(2026, 10, 21) + day * DAY));
    for (const follower of followers) {
      const all = await listing(follower.path);
      if (all === undefined || !random.chance(0.3)) continue;
      await follower.sync();
      expect(new Map([...follower.held].sort()), follower.path).toEqual(new Map([...all].sort()));
      compared += 1;
    }
  }
  expect(compared).toBeGreaterThan(100);
  expect(followers.reduce((sum, { followed }) => sum + followed, 0)).toBeGreaterThan(30);
  expect(followers.reduce((sum, { begun }) => sum + begun, 0)).toBe(0);
});
