/** How often random input is tried; OPENACTIVE_ICAL_RUNS multiplies it for a long night. */
export function runs(usual: number): number {
  const times = Number(process.env.OPENACTIVE_ICAL_RUNS ?? '1');
  return Math.ceil(usual * (Number.isFinite(times) && times > 0 ? times : 1));
}

/** Seeds of so many runs, from the first on. */
export function seeds(usual: number, first: number): number[] {
  return Array.from({ length: runs(usual) }, (_, at) => first + at);
}
