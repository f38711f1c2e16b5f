import { Random } from './random.ts';
import type { RpdeJson } from './series.ts';

type Data = Record<string, unknown>;
const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/;

/** The items of a series with sessions that do not say all of their time, or replace their instance without its `@id`. */
export function loosened(seed: number, items: readonly RpdeJson[]): RpdeJson[] {
  const random = new Random(seed * 31 + 7);
  const embedded = new Set(items.flatMap(({ data }) => ((data?.subEvent as Data[]) ?? []).map((one) => one['@id'])));
  const copies = Map.groupBy(items, ({ kind, id }) => `${kind} ${id}`);
  return items.map((item) => {
    const { data, kind, id } = item;
    const isPlain = data?.superEvent !== undefined && data.eventSchedule === undefined && data.startDate !== undefined;
    if (!isPlain || embedded.has(data['@id']) || copies.get(`${kind} ${id}`)?.length !== 1) return item;
    return { ...item, data: loose(random, data, `${seed}/${id}`) };
  });
}

function loose(r: Random, data: Data, name: string): Data {
  const { '@id': id, startDate, endDate, duration, ...rest } = data;
  const named = TIME.exec(id as string)?.[0];
  const times = { startDate, ...(endDate !== undefined && { endDate }), duration };
  switch (r.weighted({ same: 4, startless: 3, endless: 2, near: 2, nameless: 2, renamed: 2, far: 1 })) {
    case 'startless':
      return { ...rest, '@id': id, ...(r.chance(0.5) && { duration }) };
    case 'endless':
      return { ...rest, '@id': id, startDate };
    case 'near':
      return {
        ...rest,
        '@id': (id as string).replaceAll(new RegExp(TIME, 'g'), (at) => at.replace('Z', '.000Z')),
        ...times,
      };
    case 'nameless':
      return { ...rest, ...times };
    case 'renamed':
      if (named === undefined) return data;
      return { ...rest, '@id': `https://new.example.org/${name}`, ...times, previousStartDate: named };
    case 'far':
      return { ...rest, '@id': id, startDate, duration, endDate: `2031${(startDate as string).slice(4)}` };
    case 'same':
      return data;
  }
}
