/** Ends the process, whatever is under way. */

/**
 * Ends the process with a code. `process.exit` waits for system calls under way, and a name server or a disk may never
 * answer. Where there are such calls, the process is replaced by one that only ends.
 * @param atOnce assumes that there are such calls
 */
export function leave(code: number, atOnce = false): void {
  if (atOnce || process.getActiveResourcesInfo().some((name) => CALLS.test(name))) replaced(code);
  process.exit(code);
}

/** Requests in the thread pool of libuv: files and names. */
const CALLS = /^(?:FSReq|GetAddrInfoReq|GetNameInfoReq)/;

function replaced(code: number): void {
  try {
    process.execve?.(process.execPath, [process.execPath, '-e', `process.exit(${code})`], {});
  } catch {
    // A system without `execve`: `process.exit` ends the process.
  }
}
