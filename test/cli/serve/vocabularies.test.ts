import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  followVocabularies,
  keepVocabularies,
  useKeptVocabularies,
  vocabularyTurn,
} from '../../../src/cli/serve/vocabularies.ts';
import { beginRebuild, rebuildIfNeeded, rebuildSlice } from '../../../src/harvest/ingest/rebuild.ts';
import { verifyStore } from '../../../src/harvest/ingest/verify.ts';
import { META } from '../../../src/store/index.ts';
import { activityList, documentOf, LISTS, useVocabularies } from '../../../src/vocabulary/shipped.ts';
import { type Rig, rig } from '../../harvest/rig.ts';

/** Newer vocabularies, from an address that the test answers for, to what is searched. */

const LIST = 'https://openactive.io/activity-list';
interface Document {
  id: string;
  concept: object[];
}

let one: Rig;
beforeEach(async () => {
  one = await rig();
  await rebuildIfNeeded(one.store, one.options);
});
afterEach(async () => {
  useVocabularies(undefined);
  await one.close();
});

/** What the addresses give: the lists that ship, as `change` leaves them. */
function served(change: (document: Document) => unknown = (document) => document) {
  const asked: string[] = [];
  const get = async (url: string) => {
    asked.push(url);
    const list = LISTS.find(({ id }) => url.startsWith(`${id}/`));
    const given = change(documentOf((list as (typeof LISTS)[number]).shipped()) as Document);
    const text = typeof given === 'string' ? given : JSON.stringify(given);
    return { changed: true as const, url, text, contentType: 'application/ld+json' };
  };
  return { asked, get };
}

const withZorbing = (document: Document) =>
  document.id === LIST
    ? { ...document, concept: [...document.concept, { id: '#zorbing', prefLabel: 'Zorbing', broader: [GYM] }] }
    : document;
const GYM = activityList().byLabel('Gymnastics')?.id;
const kept = () => one.store.read.meta(META.newerVocabularies);

test('the three addresses are asked, and lists that are those of the program are not kept', async () => {
  const { asked, get } = served();
  expect(await keepVocabularies(one.store, { get })).toBe(false);
  expect(asked).toEqual([
    `${LIST}/activity-list.jsonld`,
    'https://openactive.io/facility-types/facility-types.jsonld',
    'https://openactive.io/accessibility-support/accessibility-support.jsonld',
  ]);
  expect(await kept()).toBeUndefined();
});

test.each<[string, (document: Document) => unknown, RegExp]>([
  ['a page', () => '<!doctype html>', /activity-list\.jsonld is no list of concepts/],
  ['another list', () => ({ id: 'https://a.example/', concept: [{ id: '#1', prefLabel: 'X' }] }), /is no list of/],
  [
    'a part of the list',
    (document) => ({ ...document, concept: document.concept.slice(0, 9) }),
    /has 9 concepts, where/,
  ],
])('%s is not kept', async (_name, change, message) => {
  await expect(keepVocabularies(one.store, served(change))).rejects.toThrow(message);
  expect(await kept()).toBeUndefined();
});

test('where one address fails, nothing is kept', async () => {
  const { asked, get } = served(withZorbing);
  const failing = (url: string) => (asked.length === 2 ? Promise.reject(new Error('no answer')) : get(url));
  await expect(keepVocabularies(one.store, { get: failing })).rejects.toThrow('no answer');
  expect(await kept()).toBeUndefined();
});

test('what the addresses fail of is one line of the log, until it is something else', async () => {
  let message = 'no answer';
  const get = (url: string) => (message === '' ? served(withZorbing).get(url) : Promise.reject(new Error(message)));
  const lines: string[] = [];
  const turn = vocabularyTurn(one.store, { get }, { info: (line: unknown) => lines.push(String(line)) });
  for (const next of ['no answer', 'no answer', 'status 500', '', '']) {
    message = next;
    await turn();
  }
  expect(lines).toEqual([
    'Vocabularies of OpenActive stay as they are: no answer',
    'Vocabularies of OpenActive stay as they are: status 500',
    'Vocabularies of OpenActive have changed: they are used from the next start.',
  ]);
});

test('vocabularies: false asks nobody, and a start asks nobody either', async () => {
  const silent = { info: expect.fail } as never;
  await followVocabularies({ vocabularies: false, contact: undefined }, one.store, silent, {} as never);
  const stopper = new AbortController();
  const io = { now: () => one.clock.now, signal: stopper.signal } as never;
  const running = followVocabularies({ vocabularies: true, contact: undefined }, one.store, silent, io);
  stopper.abort(new Error('stopped'));
  await running;
  expect(await kept()).toBeUndefined();
});

test('a newer list is used from the next start, for documents and for what is asked', async () => {
  const data = {
    '@type': 'SessionSeries',
    '@id': 'https://a.example/1',
    name: 'Fun',
    activity: [{ prefLabel: 'Zorbing' }],
  };
  await one.feed([{ state: 'updated', kind: 'SessionSeries', id: 1, modified: 1, data }]);
  const isFoundBy = (key: string) => one.store.read.countFound({ kind: 'series', keys: { activities: [key] } }, 9);
  const searched = async () => Promise.all(['zorbing', `${LIST}#zorbing`, `${GYM}`].map(isFoundBy));
  expect(await searched()).toEqual([1, 0, 0]);
  expect(await keepVocabularies(one.store, served(withZorbing))).toBe(true);
  // Asked again, it is known.
  expect(await keepVocabularies(one.store, served(withZorbing))).toBe(false);
  expect(activityList().byLabel('Zorbing')).toBeUndefined();
  expect(await searched()).toEqual([1, 0, 0]);

  await one.reopen();
  await useKeptVocabularies(one.store);
  expect(activityList().byLabel('Zorbing')).toBeUndefined();
  expect(await rebuildIfNeeded(one.store, one.options)).toBe(true);
  expect(await searched()).toEqual([0, 1, 1]);
  expect(await rebuildIfNeeded(one.store, one.options)).toBe(false);

  // Another process reads the same.
  useVocabularies(undefined);
  const scratch = await mkdtemp(join(tmpdir(), 'openactive-ical-'));
  const { differences } = await verifyStore(one, scratch, one.options, async () => {});
  await rm(scratch, { recursive: true });
  expect(differences).toEqual([]);
  useVocabularies(undefined);
  await useKeptVocabularies(one.store);
  expect(activityList().byLabel('Zorbing')?.id).toBe(`${LIST}#zorbing`);
});

test('of several processes that harvest none goes on with the lists that it began with', async () => {
  const series = (id: number) => {
    const named = { '@type': 'SessionSeries', '@id': `https://a.example/${id}`, name: 'Fun' };
    const data = { ...named, activity: [{ prefLabel: 'Zorbing' }] };
    return { state: 'updated' as const, kind: 'SessionSeries', id, modified: id, data };
  };
  const isFoundBy = (key: string) => one.store.read.countFound({ kind: 'series', keys: { activities: [key] } }, 9);
  const searched = async () => Promise.all(['zorbing', `${LIST}#zorbing`, `${GYM}`].map(isFoundBy));
  await one.feed([series(1)]);
  await keepVocabularies(one.store, served(withZorbing));
  // One starts, and another has read no list since.
  const rebuilding = await beginRebuild(one.store, one.options);
  useVocabularies(undefined);
  await one.feed([series(2)]);
  while (rebuilding && (await rebuildSlice(one.store, one.options, 1))) {
    useVocabularies(undefined);
    await one.feed([series(3)]);
  }
  useVocabularies(undefined);
  await one.feed([series(4)]);
  expect(await searched()).toEqual([0, 4, 4]);
});

test('a list that its address takes back is taken back', async () => {
  await keepVocabularies(one.store, served(withZorbing));
  await rebuildIfNeeded(one.store, one.options);
  expect(activityList().byLabel('Zorbing')).toBeDefined();
  expect(await keepVocabularies(one.store, served())).toBe(true);
  await rebuildIfNeeded(one.store, one.options);
  expect(activityList().byLabel('Zorbing')).toBeUndefined();
});
