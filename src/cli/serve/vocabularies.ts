/** Reads OpenActive's vocabularies from their addresses, for `serve`: a newer one is stored, and used from the next start. */

import type { Logger } from 'pino';
import type { Settings } from '../../config.ts';
import { messageOf, SourceError } from '../../errors.ts';
import { type Client, createClient } from '../../fetch/index.ts';
import { LIMITS } from '../../limits.ts';
import { sleep } from '../../process/stopping.ts';
import { META, type ReadStore, type Store } from '../../store/index.ts';
import { documentOf, LISTS, useVocabularies } from '../../vocabulary/shipped.ts';
import { Vocabulary } from '../../vocabulary/vocabulary.ts';
import type { Io } from '../io.ts';
import { userAgent } from '../package.ts';
import { every } from './every.ts';

/** The least share of the shipped concepts: a list with fewer is taken for a part. */
const FEWEST = 0.5;

/** Makes this process use the vocabularies with which the documents of the store were made. */
export async function useKeptVocabularies(store: Pick<ReadStore, 'read'>): Promise<void> {
  // The fault of a store that cannot be read is reported elsewhere.
  useVocabularies(await store.read.meta(META.vocabularies).catch(() => undefined));
}

/** Reads the vocabularies once a day until stopped, unless the settings turn it off. */
export async function followVocabularies(
  { vocabularies, contact }: Pick<Settings, 'vocabularies' | 'contact'>,
  store: Store,
  log: Logger,
  io: Io,
): Promise<void> {
  if (!vocabularies) return;
  await sleep(LIMITS.vocabulariesFirstMs, io.signal).catch(() => {});
  const client = createClient({ userAgent: userAgent(contact), now: io.now });
  try {
    await every(
      { task: 'to read vocabularies', ms: LIMITS.vocabulariesMs, turn: vocabularyTurn(store, client, log, io.signal) },
      log,
      io,
    );
  } finally {
    await client.close();
  }
}

/** A turn that reads the vocabularies, and logs the result where it is another than before. */
export function vocabularyTurn(
  store: Store,
  client: Pick<Client, 'get'>,
  log: Pick<Logger, 'info'>,
  signal?: AbortSignal,
): () => Promise<void> {
  let words: string | undefined;
  return async () => {
    const before = words;
    words = await keepVocabularies(store, client, signal).then(keptWords, staysWords);
    if (words !== undefined && words !== before && !signal?.aborted) log.info(words);
  };
}

function keptWords(isNew: boolean): string | undefined {
  return isNew ? 'Vocabularies of OpenActive have changed: they are used from the next start.' : undefined;
}

function staysWords(error: unknown): string {
  return `Vocabularies of OpenActive stay as they are: ${messageOf(error)}`;
}

/**
 * Stores the vocabularies of all addresses, where they differ from the stored ones. Returns whether they differ from those
 * in use.
 * @throws FetchError, SourceError; then none is stored
 */
export async function keepVocabularies(
  store: Store,
  client: Pick<Client, 'get'>,
  signal?: AbortSignal,
): Promise<boolean> {
  const documents: object[] = [];
  for (const list of LISTS) {
    const document = documentOf(await newest(list, client, signal));
    if (JSON.stringify(document) !== JSON.stringify(documentOf(list.shipped()))) documents.push(document);
  }
  const kept = JSON.stringify(documents);
  const used = (await store.read.meta(META.vocabularies)) ?? NONE;
  const before = (await store.read.meta(META.newerVocabularies)) ?? used;
  if (kept === before) return false;
  await store.write((tx) => tx.setMeta(META.newerVocabularies, kept));
  return kept !== used;
}

const NONE = '[]';

async function newest(
  list: (typeof LISTS)[number],
  client: Pick<Client, 'get'>,
  signal: AbortSignal | undefined,
): Promise<Vocabulary> {
  const { id } = list;
  const url = `${id}/${id.slice(id.lastIndexOf('/') + 1)}.jsonld`;
  const response = await client.get(url, { bytes: LIMITS.vocabularyBytes, ...(signal && { signal }) });
  const vocabulary = response.changed ? readText(response.text) : undefined;
  if (vocabulary?.id !== id) throw new SourceError(`${url} is no list of concepts of ${id}.`);
  const [found, known] = [vocabulary.concepts.length, list.shipped().concepts.length];
  if (found < FEWEST * known) throw new SourceError(`${url} has ${found} concepts, where ${known} are known.`);
  return vocabulary;
}

function readText(text: string): Vocabulary | undefined {
  try {
    return Vocabulary.read(JSON.parse(text));
  } catch {
    return undefined;
  }
}
