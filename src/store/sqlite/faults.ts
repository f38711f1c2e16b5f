import { StoreError } from '../../errors.ts';

/** Primary result codes (sqlite.org/rescode.html) in words, with the cure. */
const WORDS: Record<number, string> = {
  5: 'another process has kept it locked for too long; it is tried again later',
  6: 'another process has kept it locked for too long; it is tried again later',
  7: 'there is not enough memory',
  8: 'it cannot be written; check who owns the --data folder, and whether its disk is writable',
  10: 'reading or writing its file failed; check the disk of the --data folder',
  11: 'it is damaged; put it aside and start anew, or bring back a copy',
  13: 'the disk is full; make room on the disk of the --data folder, and it goes on by itself',
  14: 'its file cannot be opened; check that the --data folder exists and can be written',
  26: 'it is not a database; choose another --data folder',
};

const LOCKED = 5;

/** What the database threw, in words that help; what is not its own stays as it is. */
export function storeFault(error: unknown, file: string): unknown {
  const code = codeOf(error);
  if (code === undefined || !(error instanceof Error)) return error;
  return new StoreError(`The database ${file} failed: ${WORDS[code] ?? error.message}.`, { cause: error });
}

export function isLocked(error: unknown): boolean {
  return codeOf(error) === LOCKED;
}

function codeOf(error: unknown): number | undefined {
  const { code, errcode } = (error ?? {}) as { code?: unknown; errcode?: unknown };
  // The low byte is the primary code; the others tell where.
  return code === 'ERR_SQLITE_ERROR' && typeof errcode === 'number' ? errcode & 0xff : undefined;
}
