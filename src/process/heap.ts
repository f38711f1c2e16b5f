import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

/**
 * Flags of V8 for a process that harvests. Where a machine has much memory, V8 sweeps the whole heap for the first time at half
 * a gigabyte, and then at four times what was in use: pages that have long been stored. So it does at 64 MB, and at twice.
 */
export const HEAP_FLAGS: readonly string[] = ['--initial-old-space-size=64', '--heap-growing-percent=100'];

/** Octets of V8's space for new objects that a page needs. */
const ENOUGH = 16 * 1024 * 1024;
let bounded = false;

/**
 * Ends the growth of the space for new objects. V8 doubles it up to 130 MB where much is made and soon dropped, as pages
 * are; taking them in is no quicker for it, and the memory is not given back. To be called now and then. There is a flag
 * for it at the start of a process, but a program is started in more ways than it can name.
 */
export function boundYoungSpace(): void {
  if (bounded) return;
  const young = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
  if (young === undefined || young.space_size < ENOUGH) return;
  setFlagsFromString('--semi-space-growth-factor=1');
  bounded = true;
}
