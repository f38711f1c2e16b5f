import { expect, test } from 'vitest';
import { openStore } from '../../../src/store/index.ts';
import { RpdePublisher } from '../../harvest/rpde-publisher.ts';
import { cli } from '../io.ts';
import { rig } from '../rig.ts';

const { data, closing } = rig();

/** The publishers of two feeds of two origins. */
async function publishers(same: (urls: string[]) => string | undefined): Promise<(number | undefined)[]> {
  const [a, b] = [await RpdePublisher.open(), await RpdePublisher.open()];
  closing.push(
    () => a.close(),
    () => b.close(),
  );
  const folder = data();
  const value = same([a.url, b.url].map((url) => new URL(url).origin));
  const env = value === undefined ? {} : { OPENACTIVE_ICAL_SAME_PUBLISHER: value };
  const ran = await cli(['sync', '--data', folder, '--feed', a.url, '--feed', b.url], { env });
  expect(ran).toMatchObject({ code: 0 });
  const store = await openStore({ data: folder });
  closing.push(() => store.close());
  return (await store.read.feeds()).map(({ publisherId }) => publisherId);
}

test.each<[string, (urls: string[]) => string | undefined, boolean]>([
  ['is not set: two origins are two', () => undefined, false],
  ['names both: they are one', (urls) => JSON.stringify([urls]), true],
  ['names both with a slash at the end: they are one', (urls) => JSON.stringify([urls.map((url) => `${url}/`)]), true],
  ['names others: they are two', ([url]) => JSON.stringify([[url, 'https://else.example']]), false],
])('samePublisher %s', async (_name, same, isOne) => {
  const [one, other] = await publishers(same);
  expect(one === other).toBe(isOne);
});
