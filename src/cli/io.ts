/** The outside world of a command, so that tests run it without a process. */

import type { ChildProcess } from 'node:child_process';
import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import type { Settings } from '../config.ts';
import { publicUrl, SourceError, type StoreTrouble } from '../errors.ts';
import { createClient } from '../fetch/index.ts';
import { LIMITS } from '../limits.ts';
import { jsonFileError } from '../opportunity/page/file-error.ts';
import { PageError } from '../opportunity/page/page.ts';
import { readRefusal } from '../process/folder.ts';
import type { UnderWay } from '../process/under-way.ts';
import type { StoreVersions } from '../store/index.ts';

import { userAgent } from './package.ts';

export { UsageError } from '../errors.ts';

export interface Io {
  /** Writes text, or octets of UTF-8. Resolves when the pipe has room again: await it between large pieces. */
  stdout: (piece: string | Uint8Array) => void | Promise<void>;
  stderr: (text: string) => void;
  stdin: AsyncIterable<Uint8Array>;
  /** Milliseconds since 1970: the only clock of a command. */
  now(): number;
  env: Readonly<Record<string, string | undefined>>;
  /** The base of relative paths; absent: the working directory of the process. */
  folder?: string;
  /** Columns of the terminal behind stderr; absent: not a terminal. */
  columns?: number | undefined;
  /** Columns of the terminal behind stdout; absent: not a terminal, and nothing is cut to fit. */
  width?: number | undefined;
  /** Operations under way, named where the command does not end. */
  underWay: UnderWay;
  /** Aborts on SIGINT or SIGTERM. */
  signal: AbortSignal;
  /** Starts this command line as a harvester in another process; absent: `serve` harvests in its own. */
  fork?: () => ChildProcess;
  /** The parent, where this process is such a harvester. */
  parent?: Parent | undefined;
}

interface ReadOptions {
  /** Most bytes after decoding. */
  limit?: number;
  /** Lets a redirect lead to an address that is not public (`--allow-private`). */
  allowPrivate?: boolean;
}

/**
 * The whole text of a FILE, an http(s) URL or standard input (`-`), at most `limit` bytes.
 * @throws SourceError that names the source, FetchError for addresses
 */
export async function readSource(source: string, io: Io, options: ReadOptions = {}): Promise<string> {
  const limit = options.limit ?? LIMITS.inputBytes;
  if (source === '-') return fromInput(() => readStream(io.stdin, INPUT, limit));
  if (isUrl(source)) return readUrl(source, io, limit, options.allowPrivate ?? false);
  return fromFile(source, limit, () => readStream(createReadStream(source), source, limit));
}

/**
 * Reads the text of a source with `read`.
 * @throws SourceError that names the file and the line, where `read` throws a PageError; as `readSource`
 */
export async function readSourceAs<T>(
  source: string,
  io: Io,
  read: (text: string) => T,
  options?: ReadOptions,
): Promise<T> {
  const text = await readSource(source, io, options);
  try {
    return read(text);
  } catch (error) {
    if (!(error instanceof PageError)) throw error;
    if (isUrl(source)) throw new SourceError(`${publicUrl(source)}: ${error.message}`, { cause: error });
    throw jsonFileError(source === '-' ? 'standard input' : source, text, error);
  }
}

/** Whether a source is an address to fetch rather than a path. */
export function isUrl(source: string): boolean {
  return /^https?:\/\//i.test(source);
}

/**
 * The feed that a source is read as, from which stand-in ids are made: every file is one feed, so that its path changes no
 * UID.
 */
export function feedOf(source: string): string {
  return isUrl(source) ? source : 'file:';
}

/** Whether a source is an address of a scheme that is not read, and no path. */
export function isOtherScheme(source: string): boolean {
  return /^[a-z][a-z\d+.-]+:\/\//i.test(source) && !isUrl(source);
}

/** The octets of standard input, for a caller that detects the encoding. @throws SourceError where they are too many */
export function readInputOctets({ stdin }: Io): Promise<Uint8Array> {
  return fromInput(async () => {
    const pieces: Uint8Array[] = [];
    let size = 0;
    for await (const piece of stdin) {
      size += piece.length;
      if (size > LIMITS.inputBytes) throw tooLarge(INPUT, LIMITS.inputBytes);
      pieces.push(piece);
    }
    return Buffer.concat(pieces);
  });
}

const INPUT = 'standard input';

/** Reads standard input, which may be a folder, or closed. @throws SourceError */
async function fromInput<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw error instanceof SourceError ? error : new SourceError(`${INPUT}: ${readRefusal(error)}`, { cause: error });
  }
}

/** The octets of a file, for a caller that detects the encoding. @throws SourceError that names the file */
export async function readOctets(path: string): Promise<Uint8Array> {
  return fromFile(path, LIMITS.inputBytes, () => readFile(path));
}

async function fromFile<T>(path: string, limit: number, read: () => Promise<T>): Promise<T> {
  try {
    const found = await stat(path);
    if (found.isDirectory()) throw new SourceError(`${path}: is a folder, a file is needed here`);
    if (found.size > limit) throw tooLarge(path, limit);
    return await read();
  } catch (error) {
    if (error instanceof SourceError) throw error;
    const why = isOtherScheme(path) ? 'is no file, and of addresses only http and https are read' : readRefusal(error);
    throw new SourceError(`${path}: ${why}`, { cause: error });
  }
}

/** Reads an address, which may be private, because the person who runs the command named it; a redirect may not. */
async function readUrl(url: string, io: Io, limit: number, allowPrivate: boolean): Promise<string> {
  const client = createClient({ userAgent: userAgent(), named: [url], allowPrivate, now: io.now });
  try {
    const response = await client.get(url, { bytes: limit, signal: io.signal });
    return response.changed ? response.text : '';
  } finally {
    await client.close();
  }
}

async function readStream(stream: AsyncIterable<Uint8Array | string>, name: string, limit: number): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let size = 0;
  for await (const piece of stream) {
    const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece;
    size += bytes.length;
    if (size > limit) throw tooLarge(name, limit);
    text += decoder.decode(bytes, { stream: true });
  }
  return text + decoder.decode();
}

function tooLarge(name: string, limit: number): SourceError {
  return new SourceError(
    `${name}: is larger than ${Math.floor(limit / 1024 / 1024)} MB, the most that is read at once`,
  );
}

/** A message from the harvester. `writes`: its transactions so far; `retries`: those that were begun anew. */
export interface HarvesterMessage {
  /** Folders have been read: there is something to serve. */
  ready?: true;
  /** Another process harvests the store, and this one waits until that ends. */
  waits?: true;
  /** Calendars in the store have changed. */
  changed?: true;
  /** The newest versions, and the milliseconds for which they may be trusted. */
  versions?: { value: StoreVersions; ms: number };
  /** The trouble of the store. */
  trouble?: { message: string; trouble: StoreTrouble; cure: string | undefined } | 'over';
  /** Messages to the webhook, and failed tries of them. */
  notices?: { delivered: number; failed: number };
  writes: number;
  retries?: number;
}

/** The parent process, for the command of a harvester. */
export interface Parent {
  settings: Promise<Settings>;
  send(message: HarvesterMessage): void;
}
