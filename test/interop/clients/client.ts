import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FROM, TO } from '../cases.ts';
import { differences, type Row } from '../rows.ts';
import { isShown, Subscribed, type Subscription, shown, until } from './subscribed.ts';

/** A real client: a person subscribes it to a calendar, and it asks again from time to time. */
export interface Client {
  subscribe(url: string): Promise<void>;
  refresh(url: string): Promise<void>;
  shows(url: string, from: string, to: string): Promise<Row[]>;
  close(): Promise<void> | void;
}

export interface ClientOptions {
  start(): Promise<Client> | Client;
  /** Asks with the validators of its copy, and takes 304 for an answer. */
  revalidates: boolean;
  /** Shows events that are gone from a calendar until it is started again; the ledger says why. */
  remembers?: boolean;
}

/** First fetch, a change in the feed, and a refresh that brings nothing new: the client always shows what `expand` says. */
export function followsChanges({ start, revalidates, remembers = false }: ClientOptions): void {
  let feed: Subscribed;
  let client: Client;

  beforeAll(async () => {
    feed = await Subscribed.start();
    client = await start();
  });

  afterAll(async () => {
    await client?.close();
    await feed?.stop();
  });

  async function expectShown(rowsOf: (one: Subscription) => Row[]): Promise<void> {
    const wrong: Record<string, string[]> = {};
    for (const one of feed.subscriptions) {
      const ours = shown(rowsOf(one));
      let found: string[] = [];
      const isRight = async () => {
        const rows = await client.shows(one.url, FROM, TO);
        const text = remembers ? await (await fetch(one.url)).text() : '';
        found = differences(ours, shown(rows.filter(({ uid }) => !remembers || text.includes(uid))));
        return found.length === 0;
      };
      await until('it is shown', isRight).catch(() => {
        wrong[one.id] = found;
      });
    }
    expect(wrong).toEqual({});
  }

  describe('a subscription', () => {
    test('has enough to show', () => {
      expect(feed.subscriptions.length).toBeGreaterThan(9);
      expect(feed.subscriptions.flatMap(({ before }) => before).filter(isShown).length).toBeGreaterThan(400);
    });

    test('shows what expand says', async () => {
      for (const { url } of feed.subscriptions) await client.subscribe(url);
      await expectShown(({ before }) => before);
    });

    test('shows what expand says after the feed has changed', async () => {
      await feed.change();
      for (const { url } of feed.subscriptions) await client.refresh(url);
      await expectShown(({ after }) => after);
    });

    if (revalidates)
      test('is answered 304 when nothing has changed, and stays as it is', async () => {
        const counts = new Map(feed.subscriptions.map(({ url }) => [url, feed.counter.of(url).length]));
        for (const { url } of feed.subscriptions) await client.refresh(url);
        await until('each has asked again', () =>
          feed.subscriptions.every(({ url }) => feed.counter.of(url).length > (counts.get(url) as number)),
        );
        const answers = feed.subscriptions.map(({ url }) => feed.counter.of(url).at(-1));
        expect(answers.map((answer) => answer?.status)).toEqual(answers.map(() => 304));
        await expectShown(({ after }) => after);
      });
  });
}

/** The same client at the address that CalDAV has for each series. */
export function overDav(client: Client): Client {
  const dav = (url: string) => url.replace(/\/series\/([a-z0-9]+)\.ics$/, '/dav/series/$1/');
  return {
    subscribe: (url) => client.subscribe(dav(url)),
    refresh: (url) => client.refresh(dav(url)),
    shows: (url, from, to) => client.shows(dav(url), from, to),
    close: () => client.close(),
  };
}
