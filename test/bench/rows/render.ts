import ical, { type ICalEventData, ICalEventRepeatingFreq, ICalEventStatus, ICalWeekday } from 'ical-generator';
import { DateTime } from 'luxon';
import { toComponents } from '../../../src/calendar/components.ts';
import type { Calendar, CalendarEvent } from '../../../src/calendar/objects.ts';
import { write } from '../../../src/ical/write.ts';
import { Random } from '../../generate/random.ts';
import { FLOORS } from '../floors.ts';
import { description } from '../items.ts';
import { type Bench, rate, versus } from '../measure.ts';

/**
 * A thousand events to text, against ical-generator given the same ones: a fifth are masters with a rule and exceptions,
 * a fifth are overrides, the rest single. Both start from finished event objects, with their dates already made; the
 * rival writes the time zone from a constant string.
 */

const EVENTS = 1000;
const REPEAT = 5;
const ZONE = 'Europe/London';
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const MODIFIED = Date.UTC(2026, 0, 5, 9);

function events(): CalendarEvent[] {
  const r = new Random(11);
  return Array.from({ length: EVENTS }, (_, n) => {
    const start = Date.UTC(2026, 0, 5, 18) + n * DAY;
    const event: CalendarEvent = {
      uid: `series-${n % 5 === 1 ? n - 1 : n}@openactive-ical`,
      span: { zone: ZONE, start, end: start + HOUR },
      status: 'CONFIRMED',
      summary: `Yoga; gentle, für alle ${n}`,
      description: `${description(r, 220)}\n\nPrice: £5.50\nSource: Leisure Trust, https://www.example.org/data`,
      location: {
        title: `Leisure Centre ${n % 40}`,
        address: '1 High Street, Anytown, OX1 1AA',
        latitude: 51.75,
        longitude: -1.25,
      },
      categories: ['Yoga', 'Wellbeing'],
      url: `https://www.example.org/book/${n}`,
    };
    if (n % 5 === 0)
      return {
        ...event,
        rrule: { freq: 'WEEKLY', until: Date.UTC(2030, 11, 31, 18), byDay: [{ day: 0 }] },
        exdates: [start + 7 * DAY, start + 14 * DAY],
      };
    if (n % 5 === 1) return { ...event, recurrenceId: { zone: ZONE, wall: start + 20 * DAY } };
    return event;
  });
}

function calendarOf(list: CalendarEvent[]): Calendar {
  return {
    name: 'Bench',
    description: 'A thousand events',
    zone: ZONE,
    color: { name: 'teal', hex: '#008080' },
    refresh: 'PT6H',
    events: list,
  };
}

function wall(value: number): DateTime {
  return DateTime.fromMillis(value, { zone: 'UTC' }).setZone(ZONE, { keepLocalTime: true });
}

function rivalEvent(event: CalendarEvent): ICalEventData {
  const { location } = event;
  const data: ICalEventData = {
    id: event.uid,
    start: wall(event.span.start),
    end: wall(event.span.end),
    timezone: ZONE,
    stamp: new Date(MODIFIED),
    lastModified: new Date(MODIFIED),
    sequence: 3,
    status: ICalEventStatus.CONFIRMED,
    summary: event.summary,
    description: event.description ?? null,
    location: {
      title: location?.title ?? '',
      address: location?.address ?? '',
      geo: { lat: location?.latitude ?? 0, lon: location?.longitude ?? 0 },
      radius: 100,
    },
    categories: (event.categories ?? []).map((name) => ({ name })),
    url: event.url ?? null,
  };
  if (event.recurrenceId !== undefined) data.recurrenceId = wall(event.recurrenceId.wall);
  if (event.rrule !== undefined) {
    const until = new Date(Date.UTC(2030, 11, 31, 18));
    data.repeating = {
      freq: ICalEventRepeatingFreq.WEEKLY,
      until,
      byDay: [ICalWeekday.MO],
      exclude: (event.exdates ?? []).map(wall),
    };
  }
  return data;
}

const VTIMEZONE = `BEGIN:VTIMEZONE\r\nTZID:${ZONE}\r\nBEGIN:STANDARD\r\nDTSTART:19701025T020000\r\nTZOFFSETFROM:+0100\r\nTZOFFSETTO:+0000\r\nEND:STANDARD\r\nEND:VTIMEZONE`;

function rivalText(list: ICalEventData[]): string {
  const calendar = ical({
    name: 'Bench',
    description: 'A thousand events',
    ttl: 6 * 3600,
    timezone: { name: null, generator: () => VTIMEZONE },
  });
  for (const event of list) calendar.createEvent(event);
  return calendar.toString();
}

/** How many lines of the events begin so; the zones before them have rules of their own. */
function countOf(text: string, line: string): number {
  return text.slice(text.indexOf('BEGIN:VEVENT') - 2).split(`\r\n${line}`).length - 1;
}

export const renderBench: Bench = async ({ quick, note }) => {
  const list = events();
  const calendar = calendarOf(list);
  const rivals = list.map(rivalEvent);
  const ours = () => write(toComponents(calendar, () => ({ sequence: 3, modified: MODIFIED })));
  const rival = () => rivalText(rivals);
  for (const line of ['BEGIN:VEVENT', 'RRULE:', 'RECURRENCE-ID', 'LOCATION:', 'SUMMARY:', 'CATEGORIES:', 'GEO:']) {
    const [mine, theirs] = [countOf(ours(), line), countOf(rival(), line)];
    if (mine !== theirs)
      throw new Error(`not the same events: ${mine} × ${line} of ours, ${theirs} of ical-generator's`);
  }
  note(`${ours().length} characters of ours, ${rival().length} of ical-generator's`);
  const often = (work: () => unknown) => () => {
    for (let i = 0; i < REPEAT; i++) work();
  };
  const times = await versus(quick ? 5 : 15, often(ours), often(rival));
  return [
    {
      name: `render ${EVENTS} events`,
      value: times.rival / times.ours,
      floor: FLOORS.render,
      ours: rate(REPEAT * EVENTS, times.ours, 'events'),
      rival: `ical-generator ${rate(REPEAT * EVENTS, times.rival, 'events')}`,
    },
  ];
};
