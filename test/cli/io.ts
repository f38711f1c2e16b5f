/** The outside world of a command, in memory. */

import type { Io } from '../../src/cli/io.ts';
import { run } from '../../src/cli/run.ts';
import { underWay } from '../../src/process/under-way.ts';

export interface Ran {
  code: number;
  out: string;
  err: string;
}

export interface World {
  env?: Record<string, string>;
  /** Pieces of standard input. */
  stdin?: (string | Uint8Array)[];
  folder?: string;
  columns?: number;
  width?: number;
  now?: () => number;
  signal?: AbortSignal;
  /** Sees each piece of standard output as it comes. */
  onOut?: (text: string) => void;
  /** The same of standard error. */
  onErr?: (text: string) => void;
}

export function testIo(world: World = {}): Io & { out: () => string; err: () => string } {
  let out = '';
  const decoder = new TextDecoder();
  let err = '';
  return {
    stdout: (piece) => {
      const text = typeof piece === 'string' ? piece : decoder.decode(piece, { stream: true });
      out += text;
      world.onOut?.(text);
    },
    stderr: (text) => {
      err += text;
      world.onErr?.(text);
    },
    stdin: (async function* () {
      for (const piece of world.stdin ?? []) yield typeof piece === 'string' ? new TextEncoder().encode(piece) : piece;
    })(),
    now: world.now ?? Date.now,
    env: world.env ?? {},
    folder: world.folder ?? '/nowhere',
    columns: world.columns,
    width: world.width,
    underWay: underWay(),
    signal: world.signal ?? new AbortController().signal,
    out: () => out,
    err: () => err,
  };
}

/** Runs a command line. */
export async function cli(argv: readonly string[], world: World = {}): Promise<Ran> {
  const io = testIo(world);
  const code = await run(argv, io);
  return { code, out: io.out(), err: io.err() };
}
