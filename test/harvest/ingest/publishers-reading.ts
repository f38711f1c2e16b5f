import type { RpdeJson } from '../../generate/series.ts';

/** An independent reading of semantics 1.4, from what feeds sent. */

export interface Known {
  url: string;
  /** Its dataset; undefined: it was named by itself. */
  key: string | undefined;
}

interface Statement {
  kind: 'series' | 'session' | 'place' | 'group';
  id: string;
  name: string;
  own: boolean;
  modified: number;
  feed: number;
  item: string;
  parent?: string | undefined;
  place?: string | undefined;
}

type Data = Record<string, unknown>;

const host = (url: string): string => new URL(url).host;

export function expected(known: readonly Known[], sent: readonly { url: string; item: RpdeJson }[]): unknown {
  const publisher = known.map(({ url, key }) => key ?? host(url));
  const since = (feed: number): number => publisher.indexOf(publisher[feed] as string);
  const mayEver = (feed: number, id: string): boolean => {
    const at = known.flatMap(({ url }, index) => (host(url) === host(id) ? [publisher[index]] : []));
    return at.length === 0 || at.includes(publisher[feed]);
  };
  const statements = live(known, sent).flatMap(([feed, item]) => statementsOf(feed, item));
  const owners = new Map<string, Statement>();
  for (const one of statements.filter(({ feed, id }) => mayEver(feed, id))) {
    const name = `${one.kind} ${one.id}`;
    const other = owners.get(name);
    if (other === undefined || before(one, other)) owners.set(name, one);
  }

  function before(a: Statement, b: Statement): boolean {
    if (since(a.feed) !== since(b.feed)) return since(a.feed) < since(b.feed);
    if (a.own !== b.own) return a.own;
    if (a.modified !== b.modified) return a.modified > b.modified;
    const [x, y] = [a, b].map(({ feed, item }) => [known[feed]?.url as string, item].join(' ')) as [string, string];
    return x < y;
  }

  const together = (a: Statement, b: Statement): boolean => since(a.feed) === since(b.feed);
  const best = [...owners.values()];
  const of = (kind: Statement['kind']): Statement[] => best.filter((one) => one.kind === kind);
  const series = of('series').map((one) => {
    const parts = of('session').filter((session) => session.parent === one.id && together(session, one));
    return [one.id, { name: one.name, sessions: parts.map(({ name }) => name).sort() }];
  });
  const places = of('place').map((one) => {
    const at = of('series').filter((each) => each.place === one.id && together(each, one));
    return [one.id, { name: one.name, at: at.map(({ id }) => id).sort() }];
  });
  return { series: Object.fromEntries(series), places: Object.fromEntries(places) };
}

/** The newest copy of each item, the later one of two that are equally new. */
function live(known: readonly Known[], sent: readonly { url: string; item: RpdeJson }[]): [number, RpdeJson][] {
  const last = new Map<string, [number, RpdeJson]>();
  for (const { url, item } of sent) {
    const key = `${url} ${item.kind} ${item.id}`;
    const other = last.get(key)?.[1];
    if (other === undefined || Number(item.modified) >= Number(other.modified))
      last.set(key, [known.findIndex((feed) => feed.url === url), item]);
  }
  return [...last.values()].filter(([, { state }]) => state === 'updated');
}

function statementsOf(feed: number, { kind, id, modified, data }: RpdeJson): Statement[] {
  const from = { feed, modified: Number(modified), item: `${kind} ${id}` };
  const { name = '', ...all } = data as Data & { name?: string };
  const iri = all['@id'] as string;
  if (kind === 'Place') return [{ ...from, kind: 'place', id: iri, name, own: true }];
  if (kind === 'EventSeries') return [{ ...from, kind: 'series', id: iri, name, own: true }];
  if (kind === 'SessionSeries') return seriesStatements(from, data as Data, true);
  const parent = all.superEvent as string | Data;
  const embedded = typeof parent === 'string' ? [] : seriesStatements(from, parent, false);
  const series = typeof parent === 'string' ? parent : (parent['@id'] as string);
  return [{ ...from, kind: 'session', id: iri, name, own: true, parent: series }, ...embedded];
}

function seriesStatements(from: Pick<Statement, 'feed' | 'modified' | 'item'>, data: Data, own: boolean): Statement[] {
  const place = data.location as Data | undefined;
  const at = place?.['@id'] as string | undefined;
  const series: Statement = {
    ...from,
    kind: 'series',
    id: data['@id'] as string,
    name: data.name as string,
    own,
    place: at,
  };
  if (place === undefined) return [series];
  return [series, { ...from, kind: 'place', id: at as string, name: place.name as string, own: false }];
}
