/** What a program takes at a time: seconds on any clock, and megabytes of each kind. */
export interface Sample {
  at: number;
  resident: number;
  used: number;
}

/**
 * Megabytes by which a kind grew from the first sample to the last: the median of the slopes between all pairs
 * (Theil-Sen), times the duration. A leak counts in full; bodies held for a moment, and one step up or down, hardly do.
 */
export function growthOf(samples: readonly Sample[], kind: 'resident' | 'used'): number {
  const duration = (samples.at(-1)?.at ?? 0) - (samples[0]?.at ?? 0);
  const slopes = samples.flatMap((one, index) =>
    samples.slice(index + 1).map((other) => (other[kind] - one[kind]) / (other.at - one.at)),
  );
  return Math.round(median(slopes) * duration);
}

/** @throws RangeError when there is none: too short a run shows nothing */
function median(numbers: readonly number[]): number {
  const middle = numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];
  if (middle === undefined) throw new RangeError('Growth needs two samples.');
  return middle;
}
