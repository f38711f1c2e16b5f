import { Random } from './random.ts';
import type { RpdeJson } from './series.ts';

type Data = Record<string, unknown>;

const DAY = 86_400_000;
const FIRST = Date.UTC(2026, 10, 1, 9);

/**
 * Items of the Event family: HeadlineEvents and CourseInstances with times, parts, both or neither, and single events.
 * @param nameless how many of the parts have no `@id`
 */
export function randomEvents(seed: number, count: number, nameless = 0): RpdeJson[] {
  const random = new Random(seed * 17 + 3);
  return Array.from({ length: count }, (_, index) => {
    const id = `https://events.example.org/${seed}/${index}`;
    const type = random.pick(['HeadlineEvent', 'HeadlineEvent', 'CourseInstance', 'Event']);
    const data = { '@type': type, '@id': id, name: `Event ${index}`, ...whole(random, type, id, nameless) };
    return { state: 'updated', kind: type, id: `${seed}-${index}`, modified: 1_800_000_000 + index, data };
  });
}

function whole(r: Random, type: string, id: string, nameless: number): Data {
  if (type === 'Event') return { ...times(r), ...state(r) };
  const own = r.chance(0.6) ? times(r) : {};
  const scheduled = r.chance(0.3);
  const parts = Array.from({ length: r.int(own.startDate === undefined ? 1 : 0, 4) }, (_, n) =>
    part(r, own, r.chance(nameless) ? undefined : `${id}/${n}`),
  );
  return {
    ...own,
    ...state(r),
    ...(scheduled && { eventSchedule: [schedule(r, id)] }),
    ...(parts.length > 0 && { subEvent: parts }),
  };
}

function part(r: Random, whole: Data, id: string | undefined): Data {
  const startless = r.chance(0.1);
  return {
    '@type': 'Event',
    ...(id !== undefined && { '@id': id }),
    ...(r.chance(0.5) && { name: `Part ${r.int(1, 9)}` }),
    ...(startless ? {} : r.chance(0.2) && whole.startDate !== undefined ? span(whole) : times(r)),
    ...state(r),
    ...(r.chance(0.2) && { 'beta:sportsActivityLocation': [{ type: 'SportsActivityLocation', name: 'Court 1' }] }),
    ...(r.chance(0.2) && { 'beta:virtualLocation': { type: 'VirtualLocation', url: 'https://video.example.org/1' } }),
  };
}

function span({ startDate, endDate, duration }: Data): Data {
  return { startDate, ...(endDate !== undefined && { endDate }), ...(duration !== undefined && { duration }) };
}

function times(r: Random): Data {
  const start = FIRST + r.int(0, 60) * DAY + r.int(0, 10) * 3_600_000;
  const text = new Date(start).toISOString().replace('.000', '');
  const day = text.slice(0, 10);
  switch (r.weighted({ hours: 5, days: 2, day: 2, endless: 1, long: 1 })) {
    case 'hours':
      return { startDate: text, duration: `PT${r.int(1, 5)}H` };
    case 'days':
      return { startDate: day, endDate: new Date(start + r.int(0, 3) * DAY).toISOString().slice(0, 10) };
    case 'day':
      return { startDate: day, ...(r.chance(0.5) && { duration: 'PT2H' }) };
    case 'endless':
      return { startDate: text };
    case 'long':
      return { startDate: text, endDate: new Date(start + 2 * DAY).toISOString() };
  }
}

function state(r: Random): Data {
  const status = r.weighted({ none: 4, EventScheduled: 2, EventCancelled: 2, EventPostponed: 1, EventRescheduled: 1 });
  const isMoved = status === 'EventRescheduled' || r.chance(0.1);
  return {
    ...(status !== 'none' && { eventStatus: `https://schema.org/${status}` }),
    ...(isMoved && { previousStartDate: new Date(FIRST + r.int(0, 60) * DAY).toISOString() }),
  };
}

function schedule(r: Random, id: string): Data {
  return {
    '@type': 'Schedule',
    repeatFrequency: 'P1D',
    repeatCount: r.int(1, 6),
    startDate: new Date(FIRST + r.int(0, 20) * DAY).toISOString().slice(0, 10),
    startTime: '09:00',
    endTime: '10:00',
    scheduleTimezone: 'Europe/London',
    scheduledEventType: 'Event',
    ...(r.chance(0.5) && { idTemplate: `${id}/{startDate}` }),
  };
}
