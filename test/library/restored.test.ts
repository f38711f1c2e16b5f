import { afterEach, beforeEach, expect, test } from 'vitest';
import type { StoredLibrary } from '../../src/library/library.ts';
import { libraryOver, openLibrary } from '../../src/library/stored-library.ts';
import { keyOf } from '../../src/opportunity/identity.ts';
import type { Reader } from '../../src/store/index.ts';
import { type Rig, rig } from '../harvest/rig.ts';
import { item } from '../server/stored-rig.ts';

/** A process that serves while its database is brought back from a copy, and is harvested again. */

const ID = 'https://example.org/series/1';
const called = (name: string) =>
  item('SessionSeries', '1', {
    '@id': ID,
    name,
    subEvent: [{ '@type': 'ScheduledSession', startDate: '2026-12-01T18:00:00Z', duration: 'PT1H' }],
  });

/** The database before, and the one that was brought back: the library reads what `read` is. */
let [before, after]: Rig[] = [];
let read: Reader;
let library: StoredLibrary;
const heard: (readonly string[] | 'all')[] = [];

beforeEach(async () => {
  [before, after] = [await rig(), await rig()];
  for (const one of [before, after]) await one.feed([called('Yoga')]);
  await before.feed([called('Yoga at nine')]);
  after.clock.now += 3_600_000;
  read = before.store.read;
  const reader = new Proxy({} as Reader, {
    get: (_, name) => Reflect.get(read, name).bind(read),
  });
  const options = { ...before.options, rendering: 'test' };
  const { epoch } = await openLibrary(before.store, options);
  library = libraryOver({ read: reader, troubles: before.store.troubles }, options, epoch);
  library.onChange((names) => heard.push(names));
  await library.poll();
  heard.length = 0;
});

afterEach(async () => {
  await before?.close();
  await after?.close();
});

const summary = async () => {
  const collection = await library.objects.collection(`series/${keyOf('series', ID)}`);
  return collection?.members[0]?.events[0]?.summary;
};

test('announces everything anew, and then what changes', async () => {
  read = (after as Rig).store.read;
  await library.poll();
  expect(heard).toEqual(['all']);
  await after?.feed([called('Yoga at ten')]);
  await library.poll();
  expect(heard).toEqual(['all', expect.arrayContaining([keyOf('series', ID)])]);
});

test('gives no objects of before, though changes are numbered alike', async () => {
  expect(await summary()).toBe('Yoga at nine');
  await after?.feed([called('Yoga at ten')]);
  read = (after as Rig).store.read;
  expect(await summary()).toBe('Yoga at ten');
});
