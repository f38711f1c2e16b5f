/** How often a property is tried: OPENACTIVE_ICAL_RUNS multiplies it. */
export function runs(numRuns: number): { numRuns: number } {
  return { numRuns: numRuns * Number(process.env.OPENACTIVE_ICAL_RUNS ?? 1) };
}
