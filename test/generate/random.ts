/**
 * A small seeded generator of random numbers (mulberry32), so that a failing case is named by its seed alone and is
 * the same on every machine.
 */
export class Random {
  #state: number;

  constructor(seed: number) {
    // Neighbouring seeds must not give neighbouring first values.
    this.#state = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) >>> 0;
    this.next();
    this.next();
  }

  /** A number in [0, 1). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let t = this.#state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  }

  /** An integer in [low, high], both ends included. */
  int(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1));
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(list: readonly T[]): T {
    return list[this.int(0, list.length - 1)] as T;
  }

  /** One of the entries, each as likely as its weight. */
  among<T>(entries: readonly (readonly [weight: number, value: T])[]): T {
    let left = this.next() * entries.reduce((sum, [weight]) => sum + weight, 0);
    for (const [weight, value] of entries) {
      left -= weight;
      if (left < 0) return value;
    }
    return (entries.at(-1) as readonly [number, T])[1];
  }

  /** One of the names, each as likely as its weight. */
  weighted<K extends string>(weights: Readonly<Record<K, number>>): K {
    return this.among((Object.keys(weights) as K[]).map((name) => [weights[name], name] as const));
  }

  /** `count` different entries, in the order of the list. */
  some<T>(list: readonly T[], count: number): T[] {
    const chosen = new Set(this.shuffle([...list.keys()]).slice(0, count));
    return list.filter((_, index) => chosen.has(index));
  }

  /** The same entries in another order (a new array). */
  shuffle<T>(list: readonly T[]): T[] {
    const out = [...list];
    for (let i = out.length - 1; i > 0; i--) {
      const j = this.int(0, i);
      [out[i], out[j]] = [out[j] as T, out[i] as T];
    }
    return out;
  }
}
