import { Random } from './random.ts';
import type { RpdeJson } from './series.ts';

type Data = Record<string, unknown>;

const BASE = 'https://zoneless.example.org';
const DAY = 86_400_000;

/** Where places say that they are: by coordinates, by country, by neither. */
const WHERES: readonly Data[] = [
  { geo: { latitude: 40.42, longitude: -3.7 } },
  { geo: { latitude: 53.8, longitude: -1.55 } },
  { address: { addressCountry: 'IN' } },
  { address: { addressCountry: 'US' } },
  {},
];
const ZONES = ['Asia/Tokyo', 'America/New_York', undefined];

/**
 * Places, series and sessions whose times name no zone, each an item of its own, and their changes: they come late, go, come
 * back, and say another zone.
 */
export function zonelessHistory(seed: number, steps = 30): { all: RpdeJson[]; last: RpdeJson[] } {
  const random = new Random(seed * 31 + 7);
  const newest = new Map<string, RpdeJson>();
  const all: RpdeJson[] = [];
  for (let step = 0; step < steps; step += 1) {
    const [kind, id, data] = objectOf(random);
    const known = newest.get(`${kind} ${id}`);
    const gone = known?.data !== undefined && random.chance(0.25);
    const item: RpdeJson = gone
      ? { state: 'deleted', kind, id, modified: step + 1 }
      : { state: 'updated', kind, id, modified: step + 1, data };
    all.push(item);
    newest.set(`${kind} ${id}`, item);
  }
  return { all, last: [...newest.values()] };
}

function objectOf(r: Random): [kind: string, id: string, data: Data] {
  const n = r.int(1, 2);
  switch (r.weighted({ Place: 3, EventSeries: 1, SessionSeries: 3, ScheduledSession: 6, Event: 1 })) {
    case 'Place':
      return ['Place', `p${n}`, { ...place(n), ...r.pick(WHERES) }];
    case 'EventSeries':
      return ['EventSeries', 'g', { '@type': 'EventSeries', '@id': `${BASE}/g`, name: 'All', ...location(r) }];
    case 'SessionSeries':
      return ['SessionSeries', `s${n}`, series(r, n)];
    case 'Event':
      return [
        'Event',
        `e${n}`,
        { '@type': 'Event', '@id': `${BASE}/e/${n}`, name: 'Run', ...location(r), ...times(r) },
      ];
    case 'ScheduledSession':
      return session(r);
  }
}

function place(n: number): Data {
  return { '@type': 'Place', '@id': `${BASE}/p/${n}`, name: `Hall ${n}` };
}

function location(r: Random): Data {
  const n = r.int(1, 2);
  const how = r.weighted({ none: 3, named: 3, called: 1, described: 1 });
  if (how === 'none') return {};
  if (how === 'named') return { location: `${BASE}/p/${n}` };
  return { location: how === 'called' ? place(n) : { ...place(n), ...r.pick(WHERES) } };
}

function series(r: Random, n: number): Data {
  const scheduled = r.weighted({ none: 2, partial: 2, weekly: 3 });
  const scheduleTimezone = r.pick(ZONES);
  const partial = { '@type': 'PartialSchedule', scheduleTimezone };
  const weekly = {
    ...WEEKLY,
    scheduleTimezone,
    ...(r.chance(0.2) && { startDate: '2026-12-06T23:30:00Z' }),
    ...(r.chance(0.3) && { exceptDate: ['2026-12-21T18:00:00'] }),
    ...(r.chance(0.6) && { idTemplate: `${BASE}/x/${n}/{startDate}` }),
  };
  return {
    '@type': 'SessionSeries',
    '@id': `${BASE}/s/${n}`,
    name: `Class ${n}`,
    ...location(r),
    ...(r.chance(0.3) && { superEvent: `${BASE}/g` }),
    ...(scheduled !== 'none' && { eventSchedule: [scheduled === 'weekly' ? weekly : partial] }),
  };
}

const WEEKLY = {
  '@type': 'Schedule',
  repeatFrequency: 'P1W',
  repeatCount: 6,
  startDate: '2026-12-07',
  startTime: '18:00',
  endTime: '19:00',
  scheduledEventType: 'ScheduledSession',
};

function session(r: Random): [kind: string, id: string, data: Data] {
  const n = r.int(1, 5);
  // Two of them name no series; one has an `@id` that a Schedule may make.
  const generated = `${BASE}/x/1/2026-12-14T${r.pick(['18:00', '17:00', '12:30', '09:00'])}:00Z`;
  const own = n === 5 ? generated : `${BASE}/ss/${n}`;
  const data = {
    '@type': 'ScheduledSession',
    '@id': own,
    ...(n < 4 && { superEvent: r.chance(0.9) ? `${BASE}/s/${1 + (n % 2)}` : series(r, 1 + (n % 2)) }),
    ...(r.chance(0.2) && location(r)),
    ...times(r),
    ...(r.chance(0.2) && { eventStatus: 'https://schema.org/EventCancelled' }),
  };
  return ['ScheduledSession', `ss${n}`, data];
}

function times(r: Random): Data {
  const at = Date.UTC(2026, 11, 7, 18) + r.int(0, 8) * 7 * DAY;
  const text = (time: number) => new Date(time).toISOString().slice(0, 19) + (r.chance(0.15) ? 'Z' : '');
  return {
    startDate: text(at),
    ...(r.chance(0.6) ? { endDate: text(at + 3_600_000) } : { duration: 'PT1H' }),
    ...(r.chance(0.2) && { previousStartDate: text(at - 7 * DAY) }),
  };
}
