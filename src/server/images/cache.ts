import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BoundedMap } from '../../bounded-map.ts';
import { HEADER_BYTES, headerOf, readHeader } from './address.ts';
import type { ImageFacts } from './formats.ts';

/** The cache of publishers' images. */

export interface Image extends ImageFacts {
  bytes: Uint8Array<ArrayBuffer>;
}

/** Most octets on disk: some thousands of photographs as publishers have them. */
const DISK_BYTES = 256 * 1024 * 1024;
/** Most octets in memory, where no folder can be written. */
const MEMORY_BYTES = 32 * 1024 * 1024;
const OWNER_ONLY = 0o700;
const NAME = /^[\w-]{22}$/;

/**
 * Fetched images, by name: files in a folder with a limit of octets, from which the least recently requested go first. A file
 * that was deleted is fetched again. Without a writable folder images are kept in memory.
 */
export class ImageCache {
  readonly #folder: string | undefined;
  readonly #limit: number;
  /** Sizes of files; the order is that of their last use. */
  readonly #files = new Map<string, number>();
  readonly #memory: BoundedMap<Image>;
  #bytes = 0;
  #ready: Promise<boolean> | undefined;

  constructor(folder: string | undefined, limits: { disk?: number; memory?: number } = {}) {
    this.#folder = folder;
    this.#limit = limits.disk ?? DISK_BYTES;
    this.#memory = new BoundedMap(limits.memory ?? MEMORY_BYTES, ({ bytes }) => bytes.length);
  }

  async get(name: string): Promise<Image | undefined> {
    if (!(await this.#isOnDisk())) return this.#memory.get(name);
    try {
      const file = await readFile(this.#path(name));
      this.#use(name, file.length);
      return { ...readHeader(file), bytes: new Uint8Array(file.subarray(HEADER_BYTES)) };
    } catch {
      this.#forget(name);
      return undefined;
    }
  }

  async put(name: string, { bytes, ...facts }: Image): Promise<void> {
    if (!(await this.#isOnDisk())) return void this.#memory.set(name, { bytes, ...facts });
    const file = Buffer.concat([headerOf(facts), bytes]);
    const written = `${this.#path(name)}.${process.pid}`;
    try {
      await writeFile(written, file);
      await rename(written, this.#path(name));
    } catch {
      // The disk is full: the image is fetched again with the next request.
      await rm(written, { force: true }).catch(() => {});
      return;
    }
    this.#use(name, file.length);
    await this.#makeRoom();
  }

  async #makeRoom(): Promise<void> {
    for (const name of this.#files.keys()) {
      if (this.#bytes <= this.#limit) return;
      this.#forget(name);
      await rm(this.#path(name), { force: true });
    }
  }

  #use(name: string, size: number): void {
    this.#forget(name);
    this.#files.set(name, size);
    this.#bytes += size;
  }

  #forget(name: string): void {
    this.#bytes -= this.#files.get(name) ?? 0;
    this.#files.delete(name);
  }

  #path(name: string): string {
    return join(this.#folder ?? '', name);
  }

  #isOnDisk(): Promise<boolean> {
    this.#ready ??= this.#open();
    return this.#ready;
  }

  /** Reads the folder, the oldest files first, and deletes partial files of a killed process. */
  async #open(): Promise<boolean> {
    if (this.#folder === undefined) return false;
    try {
      await mkdir(this.#folder, { recursive: true, mode: OWNER_ONLY });
      await writeFile(join(this.#folder, '.probe'), '');
      const files: { name: string; size: number; at: number }[] = [];
      for (const name of await readdir(this.#folder)) {
        const { size, mtimeMs: at } = await stat(this.#path(name));
        if (NAME.test(name)) files.push({ name, size, at });
        else await rm(this.#path(name), { force: true });
      }
      for (const { name, size } of files.toSorted((a, b) => a.at - b.at)) this.#use(name, size);
      await this.#makeRoom();
      return true;
    } catch {
      return false;
    }
  }
}
