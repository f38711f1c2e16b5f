/** The door on a thread of its own: one page's text in, one prepared page out (door.ts). */

import { parentPort } from 'node:worker_threads';
import type { CleanOptions } from '../opportunity/clean.ts';
import { Memory } from '../opportunity/memory.ts';
import { PageError, type PageProblem, parsePage, rawData } from '../opportunity/page.ts';
import { type Body, textOf, UndecodableError } from './decode.ts';
import { type Parcel, packed } from './parcel.ts';
import { prepareWith } from './prepared.ts';

export interface Question {
  text: string | Body;
  options: CleanOptions;
}

/** `problem`: the text is no page; `undecodable`: there is no text. Classes do not survive the way between threads; `fault` is what nobody foresaw. */
export type Answer =
  | { parcel: Parcel }
  | { problem: PageProblem; message: string; cause: unknown }
  | { undecodable: Pick<UndecodableError, 'tooLarge' | 'cause'> }
  | { fault: unknown };

const memory = new Memory();

parentPort?.on('message', ({ text, options }: Question) => {
  const said = answer(text, options);
  parentPort?.postMessage(
    said,
    'parcel' in said ? said.parcel.bundles.map(({ data }) => data.buffer as ArrayBuffer) : [],
  );
});

function pack(text: string, options: CleanOptions): Parcel {
  return packed(prepareWith(parsePage(text, true), options, (item) => item.raw ?? rawData(item)));
}

function answer(text: string | Body, options: CleanOptions): Answer {
  try {
    return { parcel: pack(textOf(text), { ...options, memory }) };
  } catch (error) {
    if (error instanceof PageError) return { problem: error.code, message: error.message, cause: error.cause };
    if (error instanceof UndecodableError) return { undecodable: { tooLarge: error.tooLarge, cause: error.cause } };
    return { fault: error };
  }
}
