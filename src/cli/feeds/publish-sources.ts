/** The calendars for `publish`: files, folders of them, and addresses. */

import type { BigIntStats } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { FetchError, messageOf, publicUrl, SourceError } from '../../errors.ts';
import {
  type Body,
  bodyError,
  type Client,
  charsetOf,
  type HostQueue,
  octetsOf,
  sizeOf,
  waitAfter,
} from '../../fetch/index.ts';
import { decodedCalendar } from '../../ical/decode.ts';
import { LIMITS } from '../../limits.ts';
import { readRefusal } from '../../process/folder.ts';
import type { SourceReading, SourceState } from '../../publish/index.ts';
import { type Io, isOtherScheme, readInputOctets, readOctets } from '../io.ts';

export interface SourcesOptions {
  client: Client;
  /** One request at a time to each host: a club's ten calendars are on one. */
  queue: HostQueue;
  io: Io;
  /** Milliseconds between two visits to an address. */
  pollMs: number;
  state(id: string): Promise<SourceState>;
  /** The last calendars of a folder, remembered across restarts. */
  folder: {
    remembered(path: string): Promise<string[]>;
    remember(path: string, calendars: readonly string[]): Promise<void>;
  };
}

/** The state of a source at its last reading. */
interface LastReading {
  /** A text that changes whenever the content of a file may have changed. */
  version?: string;
  /** The source had an error: it is read again although its time and size are the same. */
  trouble: boolean;
  failures: number;
  /** The time of the next reading, also of an unchanged source. */
  due: number;
}

/** Reads sources that have changed or are due; all others are `unchanged`. */
export class CalendarSources {
  readonly #places: readonly string[];
  readonly #options: SourcesOptions;
  readonly #known = new Map<string, LastReading>();
  readonly #webcals = new Set<string>();

  /** `places`: as given on the command line. */
  constructor(places: readonly string[], options: SourcesOptions) {
    this.#places = places;
    this.#options = options;
  }

  /** One reading for each present calendar, in the order of places; those of a folder by name. A bad one does not reject. */
  async read(): Promise<SourceReading[]> {
    const ids = new Set((await Promise.all(this.#places.map((place) => this.#idsOf(place)))).flat());
    if (ids.size > LIMITS.calendarFiles) {
      throw new SourceError(`there are ${ids.size} calendars; at most ${LIMITS.calendarFiles} are published at once`);
    }
    const names = namesOf([...ids], this.#options.io.folder ?? process.cwd());
    return Promise.all(
      [...ids].map(async (id) => ({ id, name: names.get(id) as string, got: await this.#readSource(id) })),
    );
  }

  /** Notes the troubles of a round, by the names of its readings. */
  keepRound(readings: readonly SourceReading[], troubles: ReadonlyMap<string, string>): void {
    for (const { id, name } of readings) {
      const known = this.#known.get(id);
      if (known !== undefined) known.trouble = troubles.has(name);
    }
  }

  async #idsOf(place: string): Promise<string[]> {
    if (isAddress(place)) {
      const id = place.replace(/^webcals?:/i, 'https:');
      if (id !== place) this.#webcals.add(id);
      return [id];
    }
    if (place === INPUT || isOtherScheme(place)) return [place];
    const path = resolve(this.#options.io.folder ?? process.cwd(), place);
    const found = await stat(path).catch(() => undefined);
    if (found?.isDirectory() === false) return [path];
    return this.#calendarsIn(path, await readdir(path).catch(() => []));
  }

  /**
   * Lists the calendars of a folder anew each time. A folder that is empty or absent may be a missing disk: it stands for the
   * last calendars that it had, which stay published.
   */
  async #calendarsIn(path: string, names: readonly string[]): Promise<string[]> {
    const { folder } = this.#options;
    const calendars = names
      .filter((name) => /\.ics$/i.test(name))
      .sort()
      .map((name) => join(path, name));
    if (calendars.length > 0) await folder.remember(path, calendars);
    const known = calendars.length > 0 ? calendars : await folder.remembered(path);
    return known.length > 0 ? known : [path];
  }

  async #readSource(id: string): Promise<SourceReading['got']> {
    const known = this.#known.get(id) ?? { trouble: false, failures: 0, due: 0 };
    this.#known.set(id, known);
    if (isAddress(id)) return this.#fromUrl(id, known);
    if (id === INPUT) return this.#fromInput(known);
    if (isOtherScheme(id)) return { trouble: 'of addresses only http, https and webcal are read' };
    return this.#fromFile(id, known);
  }

  /** Reads standard input once. */
  async #fromInput(known: LastReading): Promise<SourceReading['got']> {
    if (known.version !== undefined) return { unchanged: true };
    known.version = INPUT;
    try {
      return decodedCalendar(await readInputOctets(this.#options.io));
    } catch (error) {
      return { trouble: messageOf(error).replace('standard input: ', '') };
    }
  }

  async #fromFile(path: string, known: LastReading): Promise<SourceReading['got']> {
    const { io } = this.#options;
    const version = await stat(path, { bigint: true }).then(versionOf, () => 'missing');
    if (version === known.version && !(known.trouble && io.now() >= known.due)) return { unchanged: true };
    known.version = version;
    known.due = io.now() + AGAIN_MS;
    try {
      const isFolder = (await stat(path)).isDirectory();
      if (!isFolder) return decodedCalendar(await readOctets(path));
      await readdir(path);
      return { trouble: 'there are no calendars (*.ics) in this folder' };
    } catch (error) {
      // The name of the calendar is printed before this reason.
      return { trouble: readRefusal(error).replace(`${path}: `, '') };
    }
  }

  /** Reads an address by the guarded client, with the validators of the published text, and back-off after errors. */
  async #fromUrl(url: string, known: LastReading): Promise<SourceReading['got']> {
    const { client, queue, io, pollMs, state } = this.#options;
    if (io.now() < known.due) return { unchanged: true };
    const { good, etag, lastModified, doubtedSince } = await state(url);
    const validators = good !== undefined && doubtedSince === undefined ? { etag, lastModified } : {};
    try {
      const options = { ...validators, accept: 'text/calendar, */*;q=0.1', signal: io.signal };
      const response = await queue.run(new URL(url).host, () => client.request(url, options), io.signal);
      known.failures = 0;
      known.due = io.now() + pollMs;
      return response.changed ? { ...response, ...decodedBody(response.body, url) } : { unchanged: true };
    } catch (error) {
      io.signal.throwIfAborted();
      known.failures += 1;
      known.due = io.now() + Math.max(pollMs, waitAfter(error, known.failures, Math.random()));
      const more = this.#webcals.has(url)
        ? '; webcal is read as https: give the http address where there is no https'
        : '';
      return { trouble: `${reasonOf(error)}${more}` };
    }
  }
}

/** @throws FetchError for a body that does not decompress */
function decodedBody(body: Body, url: string): ReturnType<typeof decodedCalendar> {
  try {
    return decodedCalendar(octetsOf(body), charsetOf(body.contentType));
  } catch (error) {
    throw bodyError(error, url, sizeOf(body));
  }
}

/** The reason without the address: the name of the calendar shows the address without its key. */
function reasonOf(error: unknown): string {
  const text = messageOf(error);
  return error instanceof FetchError ? text.replace(`${error.url}: `, '') : text;
}

/** The place and id of standard input. */
const INPUT = '-';

/** Milliseconds after which an unchanged file with an error is read again. */
const AGAIN_MS = 60_000;

/** Whether a place is an address: http(s), or webcal, which is https with another name. */
export function isAddress(place: string): boolean {
  return /^(?:https?|webcals?):\/\//i.test(place);
}

function versionOf({ size, mtimeNs, ino }: BigIntStats): string {
  return `${size} ${mtimeNs} ${ino}`;
}

/** Distinct names of sources for people: the file, or the address without parts that may be keys. */
function namesOf(ids: readonly string[], folder: string): Map<string, string> {
  const taken = new Map<string, number>();
  return new Map(
    ids.map((id) => {
      const name = sourceName(id, folder);
      const count = (taken.get(name) ?? 0) + 1;
      taken.set(name, count);
      return [id, count === 1 ? name : `${name} (${count})`];
    }),
  );
}

function sourceName(id: string, folder: string): string {
  if (id === INPUT) return 'standard input';
  if (isOtherScheme(id)) return publicUrl(id);
  return isAddress(id) ? shownAddress(id) : relative(folder, id);
}

/** An address without long parts of its path: calendar services put the key of a private calendar there. */
function shownAddress(url: string): string {
  return publicUrl(url).replace(/\/(?:private-[^/]+|[\w-]{24,})(?=\/|$)/g, '/***');
}
