/** Rounds in which the rivals take turns, medians, and the ratios that `npm run bench` prints. */

export interface Measurement {
  name: string;
  ours: string;
  rival: string;
  /** Ours over the rival's speed: above 1 we are faster. Or, for a limit, the value itself. */
  value: number;
  /** What the value must not fall below (`least`) or go above (`most`). */
  floor: { least: number } | { most: number };
}

export interface BenchOptions {
  quick: boolean;
  /** About so many in a store that is made for what is read of it. */
  series?: number | undefined;
  /** The data folder of such a store: made there, or made there before. */
  store?: string | undefined;
  note(line: string): void;
}

export type Bench = (options: BenchOptions) => Promise<Measurement[]>;

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  const high = sorted[Math.floor(middle)] as number;
  return sorted.length % 2 === 1 ? high : ((sorted[middle - 1] as number) + high) / 2;
}

/** Milliseconds that `work` takes. */
export async function timed(work: () => unknown): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/**
 * Medians of the times of both, in rounds of one another's neighbours, the order alternating: what the machine does to
 * one it does to the other. One unmeasured round warms both up. Before each turn the garbage of the last one is taken
 * away, where `node --expose-gc` allows it: who makes it pays for it.
 */
export async function versus(
  rounds: number,
  ours: () => unknown,
  rival: () => unknown,
): Promise<{ ours: number; rival: number }> {
  const times = { ours: [] as number[], rival: [] as number[] };
  for (let round = -1; round < rounds; round++) {
    const first = round % 2 === 0 ? 'ours' : 'rival';
    for (const who of first === 'ours' ? (['ours', 'rival'] as const) : (['rival', 'ours'] as const)) {
      globalThis.gc?.();
      const time = await timed(who === 'ours' ? ours : rival);
      if (round >= 0) times[who].push(time);
    }
  }
  return { ours: median(times.ours), rival: median(times.rival) };
}

/** A turn takes so much at least, for the system counts processor time by its own clock, which is coarser than one answer. */
const TURN_MS = 200;

/**
 * As `versus`, by the processor time of one call in milliseconds: what else the machine does is not in it. A turn is as many
 * calls as last long enough to be told.
 */
export async function versusProcessor(
  rounds: number,
  ours: () => unknown,
  rival: () => unknown,
): Promise<{ ours: number; rival: number }> {
  const times = { ours: [] as number[], rival: [] as number[] };
  for (let round = -1; round < rounds; round++) {
    for (const [who, work] of Object.entries({ ours, rival }) as ['ours' | 'rival', () => unknown][]) {
      globalThis.gc?.();
      const time = await processorTime(work);
      if (round >= 0) times[who].push(time);
    }
  }
  return { ours: median(times.ours), rival: median(times.rival) };
}

async function processorTime(work: () => unknown): Promise<number> {
  let calls = 0;
  const used = await workedFor(TURN_MS, async () => {
    await work();
    calls++;
  });
  return used / calls;
}

/** Again and again until so many milliseconds of processor time are used, however little of it others leave; returns how many were. */
export async function workedFor(ms: number, work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  for (;;) {
    await work();
    const { user, system } = process.cpuUsage(before);
    const used = (user + system) / 1000;
    if (used >= ms) return used;
  }
}

/** A rate in words: `12.3 k/s`. */
export function rate(count: number, ms: number, unit: string): string {
  const perSecond = (count / ms) * 1000;
  const shown = perSecond >= 1000 ? `${(perSecond / 1000).toFixed(1)} k` : perSecond.toFixed(perSecond < 10 ? 2 : 0);
  return `${shown} ${unit}/s`;
}

export function holds({ value, floor }: Measurement): boolean {
  return 'least' in floor ? value >= floor.least : value <= floor.most;
}
