import { FLOORS } from './floors.ts';
import { type Bench, holds, type Measurement } from './measure.ts';

/**
 * `npm run bench [-- NAME…] [--quick] [--series=NUMBER] [--store=FOLDER]`: every measurement with its rival in the same run,
 * as ratios. 1,213,000 series are made of 4 million items; a folder that is named keeps them for the next run. Absolute figures are of this machine and this hour; the ratios are what can be compared. Exit code 1 when one misses its floor (floors.ts).
 */
const BENCHES: Record<string, () => Promise<Bench>> = {
  expand: async () => (await import('./rows/expand.ts')).expandBench,
  rules: async () => (await import('./rows/rules.ts')).rulesBench,
  hours: async () => (await import('./rows/hours.ts')).hoursBench,
  render: async () => (await import('./rows/render.ts')).renderBench,
  http: async () => httpBench,
  busy: async () => (await import('./rows/busy.ts')).busyBench,
  ingest: async () => (await import('./rows/ingest.ts')).ingestBench,
  sync: async () => (await import('./rows/sync.ts')).syncBench,
  change: async () => (await import('./rows/change.ts')).changeBench,
  dav: async () => (await import('./rows/dav.ts')).davBench,
  search: async () => (await import('./rows/search.ts')).searchBench,
  place: async () => (await import('./rows/place.ts')).placeBench,
};

/** The server's own measurement in this table's terms. */
const httpBench: Bench = async () => {
  const { bench } = await import('./rows/http.ts');
  return (await bench()).map(({ name, ratio, ours, rival }) => ({
    name: `http ${name}`,
    value: ratio,
    floor: FLOORS.http,
    ours: `${(ours / 1000).toFixed(1)} k requests/s`,
    rival: `bare node:http ${(rival / 1000).toFixed(1)} k requests/s`,
  }));
};

function line(cells: readonly string[], widths: readonly number[]): string {
  return cells
    .map((cell, index) => cell.padEnd(widths[index] as number))
    .join('  ')
    .trimEnd();
}

function table(measurements: readonly Measurement[]): string {
  const rows = measurements.map((one) => [
    one.name,
    one.value.toFixed(2),
    'least' in one.floor ? `≥ ${one.floor.least}` : `≤ ${one.floor.most}`,
    holds(one) ? 'holds' : 'MISSED',
    one.ours,
    one.rival,
  ]);
  const all = [['measurement', 'value', 'floor', '', 'ours', 'rival'], ...rows];
  const widths = all[0]?.map((_, column) => Math.max(...all.map((row) => (row[column] as string).length))) ?? [];
  return all.map((row) => line(row, widths)).join('\n');
}

async function main(args: readonly string[]): Promise<number> {
  const quick = args.includes('--quick');
  const given = (name: string) => args.find((arg) => arg.startsWith(`--${name}=`))?.slice(name.length + 3);
  const options = { quick, series: Number(given('series')) || undefined, store: given('store') };
  const names = args.filter((arg) => !arg.startsWith('--'));
  const unknown = names.filter((name) => !(name in BENCHES));
  if (unknown.length > 0) {
    console.error(`There is no bench ${unknown.join(', ')}: choose among ${Object.keys(BENCHES).join(', ')}.`);
    return 2;
  }
  const measurements: Measurement[] = [];
  for (const [name, load] of Object.entries(BENCHES)) {
    if (names.length > 0 && !names.includes(name)) continue;
    const bench = await load();
    measurements.push(...(await bench({ ...options, note: (text) => console.error(`${name}: ${text}`) })));
  }
  console.log(table(measurements));
  const missed = measurements.filter((one) => !holds(one));
  console.log(missed.length === 0 ? 'every floor holds' : `missed: ${missed.map((one) => one.name).join(', ')}`);
  return missed.length === 0 ? 0 : 1;
}

process.exitCode = await main(process.argv.slice(2));
