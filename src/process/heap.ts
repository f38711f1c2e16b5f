/** Flags and variables that bound the memory of a process that harvests. */

/**
 * Flags of V8 for a process that harvests. By default, on a machine with much memory, V8 sweeps the whole heap first at half
 * a gigabyte, and then at four times what was in use. Most of that is pages that are stored. These flags make it 48 MB
 * and 1.7 times: with 64 MB and twice, a harvest takes more memory and no less time. The space for new objects grows to
 * 130 MB by default, as pages are soon dropped, and is not given back. Taking pages in is no quicker with more than two
 * times 16 MB.
 */
export const HEAP_FLAGS: readonly string[] = [
  '--initial-old-space-size=48',
  '--heap-growing-percent=70',
  '--max-semi-space-size=16',
];

/**
 * Variables for the allocator of glibc, which reads them when a process starts; other systems ignore them. One arena serves
 * all threads, and blocks of 64 KB or more are given back when they are freed. By default each thread has an arena for
 * blocks of up to 32 MB, as bodies of pages are, and an arena keeps its memory. Variables that the operator sets win.
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
