import { createRequire } from 'node:module';
import { describe, expect, test } from 'vitest';
import { toComponents } from '../../src/calendar/components.ts';
import { seriesCalendar } from '../../src/calendar/header.ts';
import { planSeries } from '../../src/calendar/series/plan.ts';
import { write } from '../../src/ical/write.ts';
import { readInput } from '../../src/join/input.ts';
import { join } from '../../src/join/join.ts';
import type { JsonObject } from '../../src/opportunity/item/json.ts';
import { type Mapping, NO_MAPPING, parseMapping } from '../../src/publish/map/mapping.ts';
import { Random } from '../generate/random.ts';
import { randomSeries } from '../generate/series.ts';
import { disagreements, failures } from './feed/judges.ts';
import { calendarOf, eventOf, MAPPING, objectsOf, publish } from './published.ts';
import { randomEvent } from './random-event.ts';

interface Problem {
  severity: string;
  type: string;
  path: string;
  message: string;
}

const { validate } = createRequire(import.meta.url)('@openactive/data-model-validator') as {
  validate: (data: JsonObject, options: object) => Promise<Problem[]>;
};

/** Lists that the validator would fetch. */
const REMOTE = new Set(['activity_not_in_activity_list', 'file_not_found']);

async function failuresOf(data: JsonObject): Promise<string[]> {
  const problems = await validate(data, { loadRemoteJson: false, validationMode: 'RPDEFeed' });
  return problems
    .filter(({ severity, type }) => severity === 'failure' && !REMOTE.has(type))
    .map(({ type, path, message }) => `${type} ${path} ${message}`);
}

/**
 * The model has no Schedule without length: one without `endTime` and `duration` fails it. With them it would say another
 * thing, for an endTime that is the startTime is the next day's (semantics 3).
 */
const NO_LENGTH = [expect.stringMatching(/^missing_required_field \$\.eventSchedule\[\d+\]\.endTime /)];

/** What must fail of an object of an event that has no length: its Schedules. */
function lacking({ eventSchedule = [] }: JsonObject): unknown[] {
  return (eventSchedule as JsonObject[]).flatMap((one) => (one['@type'] === 'Schedule' ? NO_LENGTH : []));
}

const missing = (...properties: string[]) => properties.map((one) => `missing_required_field $.${one}`);
const DATES_ONLY = ['format', 'type'].flatMap((what) =>
  ['end', 'start'].map((date) => `invalid_${what} $.${date}Date`),
);

describe('check finds what the validator of OpenActive fails, and no other error', () => {
  test.each<[string, Mapping, failing: readonly string[]]>([
    ['everything that is required', MAPPING, []],
    ['nothing', NO_MAPPING, missing('activity', 'location', 'offers', 'organizer')],
    ['whole days', { ...MAPPING, events: [{ as: 'session' }] }, DATES_ONLY],
    [
      'a label alone',
      parseMapping('{"activity": "Moonwalk", "organizer": {"name": "Club"}, "offers": [{"price": 5}]}', 'm'),
      missing('activity[0].id', 'activity[0].inScheme', 'location', 'organizer.id'),
    ],
    [
      'parts of an address',
      parseMapping('{"place": {"name": "Hall", "postalCode": "CT1 1AA", "country": "GB"}}', 'm'),
      missing('activity', 'offers', 'organizer'),
    ],
  ])('in random events with a mapping that says %s', async (_name, mapping, failing) => {
    const failed = new Set<string>();
    for (let seed = 0; seed < 10; seed++) {
      const { lines, overrides } = randomEvent(new Random(seed), seed);
      const days = eventOf(`UID:d${seed}`, 'SUMMARY:Days', 'DTSTART;VALUE=DATE:20270105', 'DTEND;VALUE=DATE:20270107');
      const text = calendarOf(eventOf(...lines), ...overrides.map((one) => eventOf(...one)), days);
      const { published } = publish(text, mapping);
      const few = [...published['session-series'], ...published['scheduled-sessions'].slice(0, 4)];
      for (const { data } of few) {
        expect(await disagreements(data), JSON.stringify(data)).toEqual([]);
        for (const one of await failures(data)) failed.add(one.split(' ').slice(0, 2).join(' '));
      }
    }
    expect([...failed].filter((one) => !/\.(?:endTime|duration)$/.test(one)).sort()).toEqual(failing);
  });
});

describe('the validator of OpenActive finds no failure', () => {
  test('in series and sessions of random events', async () => {
    for (let seed = 0; seed < 12; seed++) {
      const { lines, overrides } = randomEvent(new Random(seed), seed);
      const { published } = publish(calendarOf(eventOf(...lines), ...overrides.map((one) => eventOf(...one))));
      const few = [...published['session-series'], ...published['scheduled-sessions'].slice(0, 3)];
      const hasLength = lines.some((line) => /^(?:DTEND|DURATION)/.test(line));
      for (const { data } of few) {
        expect(await failuresOf(data), JSON.stringify(data)).toEqual(hasLength ? [] : lacking(data));
      }
    }
  });

  test('in what comes back of our own calendars', async () => {
    for (let seed = 0; seed < 10; seed++) {
      const { records } = readInput(JSON.stringify(randomSeries(seed).items), { zone: 'Europe/London', feed: 'x' });
      for (const { series, sessions } of join(records).series) {
        const { events } = planSeries(series, sessions, { zone: 'Europe/London' });
        const calendar = seriesCalendar(series, events, { zone: 'Europe/London' });
        const text = write(toComponents(calendar, () => ({ sequence: 0, modified: 0 })));
        for (const data of objectsOf(publish(text).published).slice(0, 3)) {
          expect(await failuresOf(data), JSON.stringify(data)).toEqual([]);
        }
      }
    }
  });

  test.each([
    ['a single event', eventOf('UID:1', 'SUMMARY:One', 'DTSTART:20270110T100000Z', 'DTEND:20270110T110000Z')],
    ['an event without end', eventOf('UID:2', 'SUMMARY:Two', 'DTSTART:20270110T100000Z')],
    [
      'an endless weekly event',
      eventOf('UID:3', 'SUMMARY:Three', 'DTSTART:20270110T100000Z', 'DURATION:PT1H', 'RRULE:FREQ=WEEKLY'),
    ],
    ['an event with nothing but a start', eventOf('DTSTART:20270110T100000Z')],
    [
      'a cancelled series',
      eventOf('UID:5', 'DTSTART:20270110T100000Z', 'DURATION:PT1H', 'RRULE:FREQ=DAILY;COUNT=3', 'STATUS:CANCELLED'),
    ],
    [
      'text of HTML',
      eventOf('UID:6', 'DTSTART:20270110T100000Z', 'SUMMARY:<b>Bold</b>', 'DESCRIPTION:<p>One<p>Two &amp; three'),
    ],
    [
      'categories and a place',
      eventOf(
        'UID:7',
        'DTSTART:20270110T100000Z',
        'CATEGORIES:Sport,Fun',
        'LOCATION:Hall\\nHigh Street',
        'GEO:51.2;1.1',
      ),
    ],
    [
      'opening hours',
      eventOf(
        'UID:8',
        'SUMMARY:Open',
        'TRANSP:TRANSPARENT',
        'DTSTART;TZID=Europe/London:20270104T090000',
        'DTEND;TZID=Europe/London:20270104T170000',
        'RRULE:FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR',
      ),
    ],
  ])('in %s', async (_name, event) => {
    const objects = objectsOf(publish(calendarOf(event)).published);
    expect(objects.length).toBeGreaterThan(0);
    for (const data of objects) expect(await failuresOf(data), JSON.stringify(data)).toEqual([]);
  });

  test('but of the length that a weekly event without an end does not have', async () => {
    const event = eventOf('UID:3', 'SUMMARY:Three', 'DTSTART:20270110T100000Z', 'RRULE:FREQ=WEEKLY');
    const [series] = publish(calendarOf(event)).published['session-series'];
    expect(await failuresOf(series?.data as JsonObject)).toEqual(NO_LENGTH);
  });

  test('but that an event of whole days has no times: so the calendar has it, and a finding says so', async () => {
    const event = eventOf('UID:4', 'SUMMARY:Four', 'DTSTART;VALUE=DATE:20270110', 'DTEND;VALUE=DATE:20270112');
    const mapping = { ...MAPPING, events: [{ allDay: true, as: 'session' as const }] };
    const { published, findings } = publish(calendarOf(event), mapping);
    const failed = (await Promise.all(objectsOf(published).map(failuresOf))).flat();
    expect(failed.map((failure) => failure.split(' ').slice(0, 2).join(' ')).sort()).toEqual(DATES_ONLY);
    expect(findings.map(({ code }) => code)).toContain('whole-days');
  });
});
