import { describe, expect, test } from 'vitest';
import { Random } from '../../generate/random.ts';
import { type RpdeJson, randomFeed } from '../../generate/series.ts';
import { cli, type World } from '../io.ts';

const BASE = 'https://bookings.example.org/api';
const SCHEDULE = {
  '@type': 'Schedule',
  startDate: '2026-01-05',
  endDate: '2026-06-29',
  startTime: '18:00',
  duration: 'PT1H',
  repeatFrequency: 'P1W',
  byDay: ['https://schema.org/Monday'],
  scheduleTimezone: 'Europe/London',
  scheduledEventType: 'ScheduledSession',
};
const SERIES = { '@type': 'SessionSeries', '@id': `${BASE}/series/1`, name: 'Yoga', eventSchedule: [SCHEDULE] };
const HOURS = [
  { '@type': 'OpeningHoursSpecification', dayOfWeek: ['https://schema.org/Monday'], opens: '09:00', closes: '17:00' },
];
const PLACE = { '@type': 'Place', '@id': `${BASE}/places/1`, name: 'Belle Vue', openingHoursSpecification: HOURS };
const LOST = {
  '@type': 'ScheduledSession',
  '@id': `${BASE}/lost`,
  superEvent: `${BASE}/series/none`,
  startDate: '2026-02-02T18:00:00Z',
  endDate: '2026-02-02T19:00:00Z',
};

async function convert(json: unknown, args: string[] = [], world: World = {}) {
  const text = typeof json === 'string' ? json : JSON.stringify(json);
  const { code, out, err } = await cli(['convert', '-', ...args], { ...world, stdin: [text] });
  return { code, out, err, lines: out.replaceAll('\r\n ', '').split('\r\n') };
}

const count = (lines: string[], line: string) => lines.filter((one) => one === line).length;

describe('convert', () => {
  test('writes one calendar on standard output, and what was odd on standard error', async () => {
    const { code, out, err } = await convert([SERIES, LOST]);
    expect(code).toBe(0);
    expect([out.slice(0, 17), out.slice(-15)]).toEqual(['BEGIN:VCALENDAR\r\n', 'END:VCALENDAR\r\n']);
    expect(out.match(/BEGIN:VCALENDAR/g)).toHaveLength(1);
    expect(err).toMatch(/^items 2, components 2, errors \d+, warnings \d+, infos \d+/);
  });

  test('gives sessions their events and places that are items of their own their availability', async () => {
    const { lines } = await convert([SERIES, PLACE]);
    expect([count(lines, 'BEGIN:VEVENT'), count(lines, 'BEGIN:VAVAILABILITY')]).toEqual([1, 1]);
    const { lines: embedded } = await convert({ ...SERIES, location: PLACE });
    expect([count(embedded, 'BEGIN:VEVENT'), count(embedded, 'BEGIN:VAVAILABILITY')]).toEqual([1, 0]);
    const { lines: place } = await convert(PLACE);
    expect(place).toContain('NAME:Opening hours: Belle Vue');
  });

  test.each([
    ['events', 'VEVENT', 1],
    ['availability', 'VAVAILABILITY', 1],
    ['freebusy', 'VFREEBUSY', 1],
    ['hours', 'VEVENT', 1],
  ])('--as %s writes nothing but %s', async (as, name, many) => {
    const { lines } = await convert([SERIES, PLACE], ['--as', as, '--from', '2026-01-01', '--to', '2026-03-01']);
    const components = lines.filter((line) => /^BEGIN:(VEVENT|VAVAILABILITY|VFREEBUSY)$/.test(line));
    expect(components).toEqual(Array(many).fill(`BEGIN:${name}`));
  });

  test('names the licence of the page, as serve does: it was lost', async () => {
    const page = (id: string, license?: string) => ({
      ...(license !== undefined && { license }),
      next: 'https://example.org/next',
      items: [
        {
          state: 'updated',
          kind: 'Event',
          id,
          modified: 1,
          data: {
            '@type': 'Event',
            '@id': `https://example.org/${id}`,
            name: id,
            startDate: '2026-11-22T10:00:00Z',
            organizer: { '@type': 'Organization', name: 'Club' },
          },
        },
      ],
    });
    const pages = [
      page('1', 'https://creativecommons.org/licenses/by/4.0/'),
      page('2'),
      page('3', 'https://e.org/own'),
    ];
    const { out } = await cli(['convert', '-'], { stdin: [JSON.stringify(pages)] });
    expect(out.replaceAll('\r\n ', '').match(/Source: [^\r\n]*/g)).toEqual([
      'Source: Club\\, CC BY 4.0',
      'Source: Club',
      'Source: Club\\, https://e.org/own',
    ]);
  });

  test.each([
    ['a day', { byDay: ['https://schema.org/PublicHolidays'] }],
    ['a day of the month', { byMonthDay: ['x'] }],
    ['a month', { byMonth: [13] }],
    ['a frequency', { repeatFrequency: 'often' }],
  ])(
    'a Schedule of which %s cannot be used was described, and written for other readers without it',
    async (_, part) => {
      const unusable = { ...SCHEDULE, endDate: undefined, ...part };
      const { out, lines } = await convert({ ...SERIES, eventSchedule: [unusable] });
      expect(lines.filter((line) => line.startsWith('DESCRIPTION:'))).toEqual([]);
      expect(lines.find((line) => line.startsWith('X-OPENACTIVE-SERIES:'))).toContain('Yoga');
      expect(out).not.toMatch(/P1W|BEGIN:VEVENT/);
    },
  );

  test('patterns that had ended came first in the description, and the current one was cut off', async () => {
    const pattern = { '@type': 'PartialSchedule', byDay: ['https://schema.org/Monday'], endTime: '23:00' };
    const ended = (hour: number) => ({ ...pattern, startTime: `0${hour}:00`, endDate: '2022-06-06' });
    const dead = Array.from({ length: 9 }, (_, hour) => ended(hour));
    const archive = { ...SERIES, eventSchedule: [...dead, { ...pattern, startTime: '20:00' }] };
    const described = async (...args: string[]) =>
      (await convert(archive, args)).lines.find((line) => line.startsWith('DESCRIPTION:'))?.split('\\n');
    expect(await described('--from', '2026-11-22')).toEqual(['DESCRIPTION:Usually Mondays 20:00–23:00']);
    expect(await described('--from', '2022-06-06')).toHaveLength(9);
    const [first, second, ...rest] = (await described()) ?? [];
    expect([first, second, rest.at(-1)]).toEqual([
      'DESCRIPTION:Usually Mondays 20:00–23:00',
      'Usually Mondays 00:00–23:00 until 6 June 2022',
      'and 2 more',
    ]);
  });

  test('gives a single series its own name, several one that fits all', async () => {
    expect((await convert(SERIES)).lines).toContain('NAME:Yoga');
    expect((await convert([SERIES, LOST])).lines).toContain('NAME:Sports and activities');
  });

  test('writes sessions whose series is not there', async () => {
    const { lines } = await convert(LOST);
    expect(lines).toContain('SUMMARY:Scheduled Session');
    expect(lines).toContain('DTSTART;TZID=Europe/London:20260202T180000');
  });

  test('takes the zone of what names none from --timezone', async () => {
    expect((await convert(LOST, ['--timezone', 'America/New_York'])).lines).toContain(
      'DTSTART;TZID=America/New_York:20260202T130000',
    );
  });

  test('with --from and --to leaves out what does not overlap them, rules whole', async () => {
    const window = (from: string, to: string) => convert([SERIES, LOST], ['--from', from, '--to', to]);
    expect(count((await window('2026-01-01', '2027-01-01')).lines, 'BEGIN:VEVENT')).toBe(2);
    const { lines } = await window('2026-03-01', '2026-03-08');
    expect(lines.filter((line) => /^(DTSTART;|RRULE:FREQ=W)/.test(line))).toEqual([
      'DTSTART;TZID=Europe/London:20260105T180000',
      'RRULE:FREQ=WEEKLY;UNTIL=20260629T180000Z;BYDAY=MO',
    ]);
    const none = await window('2026-07-01', '2026-08-01');
    expect([none.code, count(none.lines, 'BEGIN:VEVENT'), count(none.lines, 'BEGIN:VTIMEZONE')]).toEqual([0, 0, 1]);
  });

  test('gives the same bytes on any day, in any order of items, however often they come', async () => {
    const items: RpdeJson[] = randomFeed(7, 12);
    const { out } = await convert(items, [], { now: () => 0 });
    const shuffled = new Random(3).shuffle([...items, ...items.slice(0, 30)]);
    expect((await convert(shuffled, [], { now: () => Date.UTC(2040, 1, 1) })).out).toBe(out);
    expect(out.match(/^SEQUENCE:(?!0\r)|^DTSTAMP:(?!20000101T000000Z\r)/gm)).toBeNull();
  });

  test('lets the other items live when one is broken or enormous', async () => {
    const huge = {
      ...SERIES,
      '@id': `${BASE}/series/2`,
      name: 'Big',
      description: `${'é🏸 <b>x</b>\r\n\0'.repeat(600_000)}`,
    };
    const { code, lines } = await convert([
      { '@type': 'SessionSeries' },
      17,
      null,
      huge,
      { '@type': 'Unheard' },
      SERIES,
    ]);
    expect(code).toBe(0);
    expect(lines.filter((line) => line.startsWith('SUMMARY')).sort()).toEqual(['SUMMARY:Big', 'SUMMARY:Yoga']);
    expect(lines.join('').length).toBeLessThan(100_000);
  }, 30_000);

  test.each([
    [['--as', 'pictures'], /--as "pictures"/],
    [['--from', 'tomorrow'], /--from "tomorrow"/],
    [['--from', '2026-02-01', '--to', '2026-01-01'], /--to 2026-01-01 must be after/],
    [['--timezone', 'Mars/Base'], /--timezone is "Mars\/Base"/],
    [['--holidays', 'XX'], /--holidays is "XX"/],
  ])('answers %j with one line and exit code 2', async (args, line) => {
    const { code, out, err } = await convert(SERIES, args);
    expect([code, out]).toEqual([2, '']);
    expect(err).toMatch(line);
    expect(err.trim().split('\n')).toHaveLength(1);
  });

  test('answers what is no JSON with one line and exit code 1', async () => {
    const { code, out, err } = await convert('<html>Down for maintenance</html>');
    expect([code, out]).toEqual([1, '']);
    expect(err.trim().split('\n')).toHaveLength(1);
  });
});
