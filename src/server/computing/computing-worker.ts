/** The thread behind `computeOnThreads`: one question, one answer. */

import { parentPort, type Transferable, workerData } from 'node:worker_threads';
import { messageOf, StoreError } from '../../errors.ts';
import { type CalendarName, libraryOver, SYNC_LIMITS } from '../../library/index.ts';
import { LIMITS } from '../../limits.ts';
import { giveWay } from '../../process/priority.ts';
import { META, openReader, openSyncHistories } from '../../store/index.ts';
import type { Instant } from '../../time/instant.ts';
import { useVocabularies } from '../../vocabulary/shipped.ts';
import type { EntrySource } from '../calendars/entry.ts';
import { type Renderer, RenderFailure, renderCalendar, rendererOf } from '../calendars/renderer.ts';
import type { Log } from '../operations/log.ts';
import { Meters } from '../operations/meters.ts';
import { type AnswerOptions, answersOf } from './answers.ts';
import type { CloneableError, Logged, ThreadLibrary, WorkerReply, WorkerRequest } from './computing.ts';

const { library: opened, ...given } = workerData as Pick<AnswerOptions, 'baseUrl' | 'brand' | 'images' | 'gzip'> & {
  library: ThreadLibrary;
};

giveWay();
let clock: Instant = 0;
let logged: Logged[] = [];
const meters = new Meters();
const now = () => clock;
const logAs = (level: keyof Log) => (facts: object, message: string) => {
  const cloneable = Object.entries(facts).map(([name, value]) => [
    name,
    value instanceof Error ? cloneableError(value) : value,
  ]);
  logged.push({ level, facts: Object.fromEntries(cloneable), message });
};
const log: Log = { info: logAs('info'), warn: logAs('warn'), error: logAs('error') };
let opening: ReturnType<typeof open> | undefined;

parentPort?.on('message', (question: WorkerRequest) => void respond(question));

async function open() {
  const store = await openReader(opened.store);
  const library = libraryOver(store, { ...opened.options, now }, opened.epoch, {
    kept: {
      histories: openSyncHistories(opened.store.data, SYNC_LIMITS),
      onFault: (error) =>
        log.warn({ error: messageOf(error) }, 'What collections hold could not be kept: clients will load them again.'),
    },
  });
  // Where the vocabularies cannot be read, the question fails too, and reports the fault.
  await store.read.meta(META.vocabularies).then(useVocabularies, () => {});
  const renderer = rendererOf(library, renderCalendar);
  return { store, renderer, answers: answersOf({ ...given, library, renderer, meters, log, now }) };
}

/**
 * Opens the library; after a failure, with the next question. Where a silent database made the failure, the next questions fail
 * at once for a while, so that they do not wait as long. @throws StoreError
 */
function ready(): ReturnType<typeof open> {
  const begun = performance.now();
  opening ??= open().catch((error: unknown) => {
    const again = () => {
      opening = undefined;
    };
    if (performance.now() - begun < LIMITS.awayTryMs) again();
    else setTimeout(again, LIMITS.awayTryMs);
    throw error;
  });
  return opening;
}

async function respond(question: WorkerRequest): Promise<void> {
  clock = question.now;
  const answer = await answerTo(question).catch((error: unknown) => ({ fault: cloneableError(error) }));
  const { rendered, failure, response } = answer as WorkerReply;
  const bytes = [rendered?.source, failure?.sound].flatMap((source) => (source ? [source.identity, source.gzip] : []));
  const transfer: Transferable[] = [...bytes.map(({ buffer }) => buffer), ...(response ? [response.body] : [])];
  const met = (await opening?.catch(() => undefined))?.store.troubles.take();
  parentPort?.postMessage(
    { ...answer, ...(met && { trouble: cloneableTrouble(met) }), counted: meters.take(), logged },
    transfer,
  );
  logged = [];
}

async function answerTo({ calendar, request, base }: WorkerRequest): Promise<Omit<WorkerReply, 'counted' | 'logged'>> {
  const { renderer, answers } = await ready();
  if (calendar !== undefined) return renderedOf(renderer, calendar);
  if (request === undefined) return {};
  const { url, ...init } = request;
  const response = await answers(new Request(url, init), base);
  return {
    response: { status: response.status, headers: [...response.headers], body: await response.arrayBuffer() },
  };
}

async function renderedOf(renderer: Renderer, name: CalendarName): Promise<Pick<WorkerReply, 'rendered' | 'failure'>> {
  try {
    const rendered = await renderer.calendar(name);
    return { rendered: rendered && { ...rendered, source: own(rendered.source) } };
  } catch (error) {
    if (!(error instanceof RenderFailure)) throw error;
    return { failure: { cause: cloneableError(error.cause), sound: error.sound && own(error.sound) } };
  }
}

/** A source with octets in buffers of their own, because only such buffers may be transferred. */
function own(source: EntrySource): EntrySource {
  const alone = (bytes: EntrySource['identity']) =>
    bytes.byteLength === bytes.buffer.byteLength ? bytes : (new Uint8Array(bytes) as EntrySource['identity']);
  return { ...source, identity: alone(source.identity), gzip: alone(source.gzip) };
}

function cloneableTrouble({ message, trouble = 'damaged', cure }: StoreError): NonNullable<WorkerReply['trouble']> {
  return { message, trouble, cure };
}

function cloneableError(error: unknown): CloneableError {
  const stack = error instanceof Error ? error.stack : undefined;
  const ofStore = error instanceof StoreError && { store: { trouble: error.trouble, cure: error.cure } };
  return { message: messageOf(error), stack, ...ofStore };
}
