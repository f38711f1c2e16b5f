/** The end of the process, whatever is under way. */

/**
 * Ends the process with a code. `process.exit` waits for calls of the system that have begun: a name server or a disk that
 * does not answer would hold it up. Where there are such calls the process is replaced by one that only ends.
 * @param atOnce takes it for granted that there are
 */
export function leave(code: number, atOnce = false): void {
  if (atOnce || process.getActiveResourcesInfo().some((name) => CALLS.test(name))) replaced(code);
  process.exit(code);
}

/** Requests that a thread of libuv's pool works at: files and names. */
const CALLS = /^(?:FSReq|GetAddrInfoReq|GetNameInfoReq)/;

function replaced(code: number): void {
  try {
    process.execve?.(process.execPath, [process.execPath, '-e', `process.exit(${code})`], {});
  } catch {
    // Not on this system: as it ends there.
  }
}
