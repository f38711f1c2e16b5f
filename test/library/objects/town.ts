import { expect } from 'vitest';
import type { StoredLibrary } from '../../../src/library/library.ts';
import type { KeptLists } from '../../../src/library/lists/kept.ts';
import { tokenOf } from '../../../src/library/lists/token.ts';
import { calendarName } from '../../../src/library/objects/objects.ts';
import { SYNC_LIMITS } from '../../../src/library/objects/states.ts';
import { libraryOver, openLibrary } from '../../../src/library/stored-library.ts';
import { keyOf } from '../../../src/opportunity/identity.ts';
import { rollForward } from '../../../src/revision/roll.ts';
import { renderCalendar } from '../../../src/server/calendars/renderer.ts';
import { openSyncHistories, type SyncHistories } from '../../../src/store/index.ts';
import type { Step } from '../../generate/plain.ts';
import { Random } from '../../generate/random.ts';
import { type Rig, rig } from '../../harvest/rig.ts';
import { take } from '../../revision/steps.ts';
import { SyncClient } from './client.ts';
import { eventsIn, textOf } from './octets.ts';

const BASE = 'https://plain.example.org';
const DAY = 86_400_000;
const SERIES = [1, 2, 3, 4]
  .flatMap((n) => [`${BASE}/series/${n}`, `${BASE}/moved/${n}`])
  .map((id) => keyOf('series', id));
const PLACE = keyOf('place', `${BASE}/place`);
const LIST = tokenOf([
  { kind: 'series', key: SERIES[0] as string },
  { kind: 'places', key: PLACE },
  { kind: 'search', query: 'after=12:00' },
]);

const NAMES = [
  ...SERIES.map((key) => `series/${key}`),
  `places/${PLACE}`,
  'search/day=mon,wed,fri',
  'search/q=same',
  `my/${LIST}`,
];

/** A service that is started anew now and then, with clients that come back with any state. */
class Town {
  readonly one: Rig;
  readonly clients: SyncClient[];
  readonly #random: Random;
  readonly #etags = new Map<string, string>();
  readonly #octets = new Map<string, string>();
  #rendering = 0;
  #histories: SyncHistories | undefined;
  library!: StoredLibrary;

  constructor(one: Rig, random: Random) {
    this.one = one;
    this.#random = random;
    this.clients = NAMES.map((name) => new SyncClient(name));
  }

  async start(): Promise<void> {
    await this.#histories?.close();
    this.#histories = openSyncHistories(this.one.data, SYNC_LIMITS);
    const kept = {
      histories: this.#histories,
      onFault: (error: unknown) => {
        throw error;
      },
    };
    const options = { ...this.one.options, rendering: `rendering ${this.#rendering}` };
    const { epoch } = await openLibrary(this.one.store, options);
    this.library = libraryOver(this.one.store, options, epoch, { kept, lists: this.one.store });
  }

  /** Clients for whatever calendars have come. */
  async meet(): Promise<void> {
    const known = new Set(this.clients.map(({ name }) => name));
    for (const [kind, collection] of [
      ['series', 'series'],
      ['place', 'places'],
    ] as const)
      for (const { key } of await this.one.store.read.calendars({ kind, limit: 1_000 }))
        if (!known.has(`${collection}/${key}`)) this.clients.push(new SyncClient(`${collection}/${key}`));
  }

  /** A list that its owner changes. */
  async addKept(): Promise<void> {
    const { token, editKey } = await (this.library.lists as KeptLists).make({
      things: [{ kind: 'places', key: PLACE }],
    });
    this.clients.push(new SyncClient(`my/${token}`));
    this.#edit = () =>
      this.library.lists?.change(token, editKey, {
        things: this.#random.some(SERIES, 3).map((key) => ({ kind: 'series', key })),
        ...(this.#random.chance(0.5) && { prefix: 'place' as const }),
      });
  }

  #edit: () => Promise<unknown> | undefined = () => undefined;

  /** What no feed says. */
  async happen(): Promise<void> {
    const what = this.#random.weighted({ nothing: 12, edit: 2, restart: 1, settings: 0.5, back: 0.5 });
    if (what === 'edit') await this.#edit();
    if (what === 'settings') this.#rendering += 1;
    if (what === 'restart' || what === 'settings') await this.start();
    if (what === 'back') {
      this.one.clock.now -= this.#random.int(1, 40) * DAY;
      await rollForward(this.one.store, this.one.options);
    }
  }

  /** What each collection holds, without what tells its history. */
  async syncAll(): Promise<Map<string, string[]>> {
    const found = new Map<string, string[]>();
    for (const client of this.clients) {
      const collection = await client.sync(this.library.objects, this.one.clock.now);
      if (collection === undefined) continue;
      const texts = collection.members.map(textOf);
      for (const [at, { name, etag }] of collection.members.entries())
        this.#judgeEtag(`${name} ${etag}`, name + texts[at]);
      found.set(
        client.name,
        texts.map((text) => text.replace(/^(SEQUENCE|DTSTAMP|LAST-MODIFIED):.*\r\n/gm, '')),
      );
    }
    return found;
  }

  /** Another ETag exactly where octets are others. */
  #judgeEtag(etag: string, octets: string): void {
    expect(this.#octets.get(etag) ?? octets).toBe(octets);
    expect(this.#etags.get(octets) ?? etag).toBe(etag);
    this.#octets.set(etag, octets);
    this.#etags.set(octets, etag);
  }

  /** The .ics and the objects hold the same VEVENTs. */
  async judgeOctets({ name }: SyncClient): Promise<void> {
    const stored = await this.library.calendar(calendarName(name) as string);
    const collection = await this.library.objects.collection(name);
    const whole = stored === undefined ? '' : new TextDecoder().decode(renderCalendar(stored));
    expect(eventsIn((collection?.members ?? []).map(textOf).join(''))).toEqual(eventsIn(whole));
  }

  async close(): Promise<void> {
    await this.#histories?.close();
    await this.one.close();
  }
}

/**
 * Steps of a history, each followed by clients that come back with an earlier state, and at the end with every one that they
 * ever had. What they have then is the full listing, or `changes` says that the state is too old.
 */
export async function lived(seed: number, steps: readonly Step[]): Promise<SyncClient[]> {
  const random = new Random(seed);
  const town = new Town(await rig(), random);
  try {
    await town.start();
    await town.addKept();
    for (const step of steps) {
      const before = step.what === 'rebuild' ? await town.syncAll() : undefined;
      await take(town.one, step);
      await town.meet();
      // What is made anew of the same data holds the same. Where two items speak of one session, its SEQUENCE may move.
      if (before !== undefined) expect(await town.syncAll()).toEqual(before);
      if (random.chance(0.3)) await town.syncAll();
      await town.happen();
      await town.syncAll();
      for (const client of town.clients)
        if (client.states.length > 0)
          await client.syncFrom(random.pick(client.states), town.library.objects, town.one.clock.now);
      for (const client of town.clients) await town.judgeOctets(client);
    }
    for (const client of town.clients)
      for (const state of client.states) await client.syncFrom(state, town.library.objects, town.one.clock.now);
    return town.clients;
  } finally {
    await town.close();
  }
}

/** Items, and what else happens. */
export const changesIn = (steps: readonly Step[]): number =>
  steps.reduce((sum, step) => sum + (step.what === 'page' ? step.items.length : 1), 0);
