/** `callers.ts URL`: twenty callers who ask for everything of hostile items, one answer after the other, until told to stop. */

const [url = ''] = process.argv.slice(2);
const CALLERS = 20;
const statuses: Record<string, number> = {};
let isStopped = false;

interface Listing {
  items: { key: string }[];
}

async function keys(kind: string): Promise<string[]> {
  const { items } = (await (await fetch(`${url}/api/${kind}?q=Hostile`)).json()) as Listing;
  return items.map(({ key }) => key);
}

/** Never the same twice: what is asked for again might be held. */
function addresses(series: readonly string[], venues: readonly string[], turn: number): string[] {
  const from = new Date(Date.UTC(2026, 11, 1) + (turn % 20_000) * 86_400_000).toISOString().slice(0, 10);
  return [
    ...series.flatMap((key) => [
      `/api/series/${key}/explain?from=${from}&limit=1000`,
      `/series/${key}/explain`,
      `/series/${key}.ics?x=${turn}`,
    ]),
    ...venues.flatMap((path) => [
      `/${path}/freebusy.ics?from=${from}`,
      `/api/${path}/hours?from=${from}`,
      `/${path}`,
      `/${path}.ics?x=${turn}`,
    ]),
    `/?q=hostile+${turn}`,
    `/api/series?q=a+b+c+d+${turn}`,
  ];
}

async function call(caller: number, series: readonly string[], venues: readonly string[]): Promise<void> {
  for (let turn = caller; !isStopped; turn += CALLERS) {
    const all = addresses(series, venues, turn);
    const response = await fetch(url + all[turn % all.length]);
    await response.arrayBuffer();
    statuses[response.status] = (statuses[response.status] ?? 0) + 1;
  }
}

process.on('message', () => {
  isStopped = true;
});
const [series, places, facilities] = await Promise.all(['series', 'places', 'facilities'].map(keys));
const venues = [
  ...(places ?? []).map((key) => `places/${key}`),
  ...(facilities ?? []).map((key) => `facilities/${key}`),
];
await Promise.all(Array.from({ length: CALLERS }, (_, caller) => call(caller, series ?? [], venues)));
process.send?.(statuses);
process.disconnect();
