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
  const response = await fetch(url, { redirect: 'manual' });
  const { status, headers } = response;
  return { status, etag: headers.get('etag'), lastModified: headers.get('last-modified'), body: await response.text() };
}

/** The first line in which two answers differ; undefined: they are the same. */
export function difference(before: Answer, after: Answer): string | undefined {
  for (const part of ['status', 'etag', 'lastModified'] as const) {
    if (part !== 'etag' && before[part] !== after[part]) return `${part}: ${before[part]} | ${after[part]}`;
  }
  const [old, now] = [before.body.split('\r\n'), after.body.split('\r\n')];
  for (let line = 0; line < Math.max(old.length, now.length); line += 1)
    if (old[line] !== now[line]) return `line ${line + 1}: ${old[line]} | ${now[line]}`;
  return before.etag === after.etag ? undefined : `etag: ${before.etag} | ${after.etag}`;
}
