/** Memory of a process that harvests: what it is started with. */

/**
 * Flags of V8 for a process that harvests. Where a machine has much memory, V8 sweeps the whole heap for the first time at half
 * a gigabyte, and then at four times what was in use. Most of that is pages that have long been stored. So it does at 64 MB,
 * and at twice. Its space for new objects grows to 130 MB where much is made and soon dropped, as pages are, and is not given
 * back. Taking pages in is no quicker for more than two times 16 MB.
 */
export const HEAP_FLAGS: readonly string[] = [
  '--initial-old-space-size=64',
  '--heap-growing-percent=100',
  '--max-semi-space-size=16',
];

/**
 * Variables for the allocator of glibc, which reads them when a process starts. One arena serves all threads, and what has 64 KB
 * or more is given back when it is freed. By default each thread has an arena, and bodies of pages of up to 32 MB are put there:
 * what an arena once took it keeps. What the operator sets goes first; elsewhere they mean nothing.
 */
export function allocatorOf(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { MALLOC_ARENA_MAX, MALLOC_MMAP_THRESHOLD_, MALLOC_TRIM_THRESHOLD_ } = env;
  return {
    MALLOC_ARENA_MAX: MALLOC_ARENA_MAX ?? '1',
    MALLOC_MMAP_THRESHOLD_: MALLOC_MMAP_THRESHOLD_ ?? '65536',
    // Free memory at the end of the heap: without it every page would shrink the heap, and the next one grow it.
    MALLOC_TRIM_THRESHOLD_: MALLOC_TRIM_THRESHOLD_ ?? '2097152',
  };
}
