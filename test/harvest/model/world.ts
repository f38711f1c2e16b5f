import type { Random } from '../../generate/random.ts';
import { type RpdeJson, randomFeed } from '../../generate/series.ts';
import { RpdePublisher } from '../rpde-publisher.ts';

const DAY = 86_400_000;
/** As long as RPDE asks for tombstones to be kept. */
const KEPT = 7 * DAY;

/** A publisher with a feed of series and one of sessions, and all that was ever deleted from them. */
export class World {
  readonly feeds: readonly [series: RpdePublisher, sessions: RpdePublisher];
  readonly #random: Random;
  readonly #all: RpdeJson[];
  readonly #deletedAt = new Map<string, number>();
  /** `kind id` of everything that was deleted at some time. */
  readonly everDeleted = new Set<string>();

  private constructor(random: Random, feeds: World['feeds'], all: RpdeJson[]) {
    this.#random = random;
    this.feeds = feeds;
    this.#all = all;
  }

  static async open(random: Random, seed: number): Promise<World> {
    const feeds = [
      await RpdePublisher.open({ limit: random.int(3, 40) }),
      await RpdePublisher.open({ limit: random.int(3, 40), kind: 'ScheduledSession' }),
    ] as const;
    // One item of each key: what random feeds hold of older copies is another matter.
    const all = new Map(
      randomFeed(seed, seed % 4 === 0 ? 60 : 5)
        .filter(({ data }) => data !== undefined)
        .map((item) => [`${item.kind} ${item.id}`, item]),
    );
    const world = new World(random, feeds, [...all.values()]);
    for (const item of world.#all) if (random.chance(0.7)) world.#put(item, item.data as object);
    return world;
  }

  async close(): Promise<void> {
    for (const feed of this.feeds) await feed.close();
  }

  /** Some items change, some go, some come (back). */
  change(now: number): void {
    for (let count = this.#random.int(1, 12); count > 0; count -= 1) {
      const item = this.#random.pick(this.#all);
      if (this.#random.chance(0.3)) this.#delete(item, now);
      else this.#put(item, this.#changed(item));
    }
  }

  /** Nearly everything goes. */
  purge(now: number): void {
    for (const item of this.#all) if (this.#random.chance(0.9)) this.#delete(item, now);
  }

  /** Tombstones older than seven days. */
  forget(now: number): void {
    for (const [key, at] of this.#deletedAt) {
      if (now - at <= KEPT) continue;
      this.#deletedAt.delete(key);
      const [kind = '', id = ''] = key.split(' ');
      this.#feedOf(kind).forget(id, kind);
    }
  }

  #feedOf(kind: string): RpdePublisher {
    return this.feeds[kind === 'SessionSeries' || kind === 'CourseInstance' ? 0 : 1];
  }

  #put(item: RpdeJson, data: object): void {
    this.#deletedAt.delete(`${item.kind} ${item.id}`);
    this.#feedOf(item.kind).put(item.id, data, item.kind);
  }

  #delete({ kind, id }: RpdeJson, now: number): void {
    const key = `${kind} ${id}`;
    const feed = this.#feedOf(kind);
    if (!feed.items().some((one) => one.kind === kind && one.id === id && one.data !== undefined)) return;
    this.#deletedAt.set(key, now);
    this.everDeleted.add(key);
    feed.delete(id, kind);
  }

  #changed(item: RpdeJson): object {
    const data = structuredClone(item.data) as Record<string, unknown>;
    const what = this.#random.int(0, 3);
    if (what === 0) data.name = `Named ${this.#random.int(0, 99)}`;
    if (what === 1 && item.kind === 'ScheduledSession') data.eventStatus = 'https://schema.org/EventCancelled';
    if (what === 2) data.description = `Told ${this.#random.int(0, 99)}`;
    return data;
  }
}
