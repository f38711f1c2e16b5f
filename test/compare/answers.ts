/** What a program serves: its calendars by address, as far as a subscriber can tell one from another. */

export interface Answer {
  status: number;
  etag: string | null;
  lastModified: string | null;
  body: string;
}

const COLLECTIONS = ['series', 'places', 'facilities'] as const;
/** Calendars of a place or facility, besides the one of everything. */
const PARTS = ['availability', 'freebusy', 'hours', 'sessions'];

interface Listing {
  items: { key: string }[];
  next?: string;
}

/** The paths of all calendars that are listed. */
export async function calendarPaths(url: string): Promise<string[]> {
  const paths: string[] = [];
  for (const collection of COLLECTIONS) {
    for (let path: string | undefined = `/api/${collection}?limit=200`; path !== undefined; ) {
      const list: Listing = (await (await fetch(url + path)).json()) as Listing;
      for (const { key } of list.items) paths.push(...pathsOf(collection, key));
      const { next } = list;
      path = next === undefined ? undefined : new URL(next).pathname + new URL(next).search;
    }
  }
  return paths;
}

function pathsOf(collection: string, key: string): string[] {
  const path = `/${collection}/${key}`;
  return [`${path}.ics`, ...(collection === 'series' ? [] : PARTS.map((part) => `${path}/${part}.ics`))];
}

export async function answersOf(url: string, paths: readonly string[]): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (const path of paths) answers.push(await answerOf(url + path));
  return answers;
}

async function answerOf(url: string): Promise<Answer> {
  // Compressing them would take longer than all the rest.
  const response = await fetch(url, { redirect: 'manual', headers: { 'accept-encoding': 'identity' } });
  const { status, headers } = response;
  return { status, etag: headers.get('etag'), lastModified: headers.get('last-modified'), body: await response.text() };
}

export interface Difference {
  /** What differs first: `status`, the name of a property, or a header. */
  what: string;
  text: string;
}

/** Undefined: they are the same. */
export function difference(before: Answer, after: Answer): Difference | undefined {
  if (before.status !== after.status) return { what: 'status', text: `${before.status} | ${after.status}` };
  const [old, now] = [before.body.split('\r\n'), after.body.split('\r\n')];
  for (let line = 0; line < Math.max(old.length, now.length); line += 1) {
    const text = `line ${line + 1}: ${old[line]} | ${now[line]}`;
    if (old[line] !== now[line]) return { what: /^[\w-]*/.exec(old[line] ?? '')?.[0] ?? '', text };
  }
  for (const part of ['lastModified', 'etag'] as const)
    if (before[part] !== after[part]) return { what: part, text: `${before[part]} | ${after[part]}` };
  return undefined;
}
