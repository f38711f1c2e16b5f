import { expect } from 'vitest';
import { thingOf } from '../../../src/library/lists/list.ts';
import { tokenOf } from '../../../src/library/lists/token.ts';
import { rollForward } from '../../../src/revision/roll.ts';
import { Random } from '../../generate/random.ts';
import { rig, servedBy, withoutStamps } from '../../harvest/rig.ts';
import { type Served, served } from '../stored-rig.ts';
import { componentsOf, OBSERVER, POLICIES, type Policy, Subscriber } from './subscriber.ts';
import { type Size, World } from './world.ts';

const DAY = 86_400_000;
/** Larger ones are followed one by one: each of several would be made again on every day. */
const MOST_MERGED = 100;

interface Following {
  name: string;
  /** Looks after every change: what comes back as it was is a change for others, and none for it. */
  observer: boolean;
  policy: Policy;
  subscriber: Subscriber;
}

/** Days of random changes, followed by a subscriber of each kind to each calendar; then everybody is asked what they have. */
export async function followed(seed: number, days: number, size: Size = { series: 1, sessions: 100 }): Promise<void> {
  const random = new Random(seed + 1);
  const world = new World(seed, size);
  const one = await served();
  try {
    await one.feed(...world.all());
    const followers = await subscribers(one, size.sessions <= MOST_MERGED);
    for (let day = 0; day < days; day += 1) {
      one.rig.clock.now += random.int(1, DAY / 1000 - 3600) * 1000;
      const items = world.day(one.rig.clock.now);
      if (items.length > 0) await one.feed(...items);
      await observed(followers);
      await one.roll(1);
      await observed(followers);
      for (const { subscriber } of followers) if (random.chance(0.3)) await subscriber.visit();
    }
    for (const each of followers) await judged(one, each);
    await sameAsFromScratch(one, world);
  } finally {
    await one.close();
  }
}

async function subscribers(one: Served, withMerged: boolean): Promise<Following[]> {
  const urls: string[] = [];
  for (const kind of ['series', 'place', 'facility'] as const) {
    for (const { key } of await one.rig.store.read.calendars({ kind, limit: 1000 })) {
      if (kind === 'series') urls.push(`/series/${key}.ics`);
      else {
        const base = `/${kind === 'place' ? 'places' : 'facilities'}/${key}`;
        urls.push(
          `${base}.ics`,
          ...['availability', 'freebusy', 'hours', 'sessions'].map((part) => `${base}/${part}.ics`),
        );
      }
    }
  }
  if (withMerged) urls.push(...merged(urls));
  const follow = (url: string, name: string, policy: Policy, observer = false): Following => ({
    name: `${name} ${url}`,
    observer,
    policy,
    subscriber: new Subscriber(url, policy, (path, headers) => asked(one, path, headers)),
  });
  const policies = Object.entries(POLICIES);
  return urls.flatMap((url) => [
    ...policies.map(([name, policy]) => follow(url, name, policy)),
    follow(url, 'observer', OBSERVER, true),
  ]);
}

/** Calendars of several things: all, some with a place, and searches that find all or some dates of a series. */
function merged(urls: readonly string[]): string[] {
  const things = urls.flatMap((url) => thingOf(url.slice(1).replace('.ics', '')) ?? []);
  const some = things.filter((_, index) => index % 3 === 0);
  return [
    `/my/${tokenOf(things.filter(({ kind }) => kind === 'series'))}.ics`,
    `/my/${tokenOf(some)}.ics?prefix=place`,
    `/my/${tokenOf([...some, { kind: 'search', query: 'day=tue' }])}.ics`,
    '/search.ics',
    '/search.ics?day=mon,tue,wed&after=09:00',
    '/search.ics?q=leisure&before=18:00',
  ];
}

/** A search has single events of a rule: they move with it. */
const holdsSearch = (url: string) => url.startsWith('/search') || /Q[0-9a-f]+_/.test(url);

/** A 410 is only for what was withdrawn ninety days ago (semantics 6). */
async function asked(one: Served, path: string, headers: Record<string, string>): Promise<Response> {
  const response = await one.app.request(path, { headers });
  if (response.status === 410) {
    const key = /^\/\w+\/(\w+)/.exec(path)?.[1] as string;
    const row = await one.rig.store.read.calendarByKey(key);
    expect(row?.deletedAt, path).toBeLessThan(one.rig.clock.now - 89 * DAY);
  }
  return response;
}

async function observed(followers: readonly Following[]): Promise<void> {
  for (const { observer, name, subscriber } of followers) {
    if (!observer) continue;
    await subscriber.visit();
    if (holdsSearch(subscriber.url)) continue;
    expect([subscriber.idle, name], 'components that moved although they say the same').toEqual([[], name]);
  }
}

async function judged(one: Served, { name, policy, subscriber }: Following): Promise<void> {
  await subscriber.visit();
  // It saw a 410 and never asks again, whatever became of the calendar: `asked` has looked whether that was right.
  if (subscriber.disabled) return;
  const fresh = await one.app.request(subscriber.url);
  if (fresh.status !== 200) expect([fresh.status, name]).toEqual([404, name]);
  else {
    const right = [...componentsOf(await one.rendered(subscriber.url), policy.unit)].map(([uid, { text }]) => [
      uid,
      text,
    ]);
    expect([...subscriber.held].map(([uid, { text }]) => [uid, text]).sort(), name).toEqual(right.sort());
  }
}

/** The live calendars are those of a store that only ever saw the newest items. */
async function sameAsFromScratch(one: Served, world: World): Promise<void> {
  const other = await rig();
  try {
    other.clock.now = one.rig.clock.now;
    Object.assign(other.options, { cleanOptions: one.rig.options.cleanOptions });
    await other.feed(world.all());
    await rollForward(other.store, other.options);
    const [ours, theirs] = await Promise.all([one.rig, other].map(({ store, options }) => servedBy(store, options)));
    expect(withoutStamps(ours as Map<string, string>)).toEqual(withoutStamps(theirs as Map<string, string>));
  } finally {
    await other.close();
  }
}
