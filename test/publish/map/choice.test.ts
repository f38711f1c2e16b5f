import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/opportunity/item/json.ts';
import { type Mapping, parseMapping } from '../../../src/publish/map/mapping.ts';
import { publishCalendars } from '../../../src/publish/publish-calendars.ts';
import { calendarOf, codesOf, eventOf, MAPPING, NOW, publish, rowsOf } from '../published.ts';

/** Which events are published, and what of them is not for everybody. */

const at = (name: string, local: string) => `${name};TZID=Europe/London:${local}`;
const DAY = (name: string, ...more: string[]) =>
  eventOf(`UID:${name}`, `SUMMARY:${name}`, 'DTSTART;VALUE=DATE:20261224', 'DTEND;VALUE=DATE:20270103', ...more);
const TIMED = (name: string, ...more: string[]) =>
  eventOf(`UID:${name}`, `SUMMARY:${name}`, at('DTSTART', '20270105T183000'), 'DURATION:PT1H', ...more);
const WEEKLY = (name: string, ...more: string[]) => TIMED(name, 'RRULE:FREQ=WEEKLY;COUNT=6', ...more);

const [FROM, TO] = [Date.UTC(2026, 0, 1), Date.UTC(2028, 0, 1)];
const mapped = (more: object): Mapping => ({ ...MAPPING, ...parseMapping(JSON.stringify({ ...more }), 'm.json') });
const names = (text: string, mapping = MAPPING) =>
  publish(text, mapping).published['session-series'].map(({ data }) => data.name as string);
const rows = (text: string, mapping: Mapping) =>
  rowsOf(publish(text, mapping).published, FROM, TO).map((row) => `${row.slice(0, 16)}${row.slice(39)}`);

describe('what no line of the mapping file takes', () => {
  test.each<[string, string, string]>([
    ['CLASS:PRIVATE', TIMED('Yoga', 'CLASS:PRIVATE'), 'event-private'],
    ['CLASS:CONFIDENTIAL', TIMED('Yoga', 'CLASS:confidential'), 'event-private'],
    ['a CLASS that nobody knows', TIMED('Yoga', 'CLASS:X-FRIENDS'), 'event-private'],
    ['a title that says private', TIMED('Hall booked (private: Smith)'), 'event-called-private'],
    ["a birthday of the day's", DAY("Jane's birthday"), 'event-all-day'],
    ['an all-day bank holiday for ever', DAY('Bank holiday', 'RRULE:FREQ=YEARLY'), 'event-all-day'],
    ['a closure', DAY('Track CLOSED for Christmas', 'TRANSP:TRANSPARENT'), 'event-closed'],
    ['a closure with times', TIMED('Pool closed'), 'event-closed'],
    ['what does not take place', TIMED('No training (half term)'), 'event-closed'],
  ])('%s is not published, and a finding says why', (_name, event, code) => {
    const result = publish(calendarOf(event));
    expect(codesOf(result)).toEqual([code]);
    expect(result.published['session-series']).toEqual([]);
  });

  test.each([
    ['by name', 'X-WR-CALNAME:Birthdays', 'a.ics'],
    ['by name of the country', 'X-WR-CALNAME:Holidays in United Kingdom', 'a.ics'],
    [
      'by address',
      'X-A:b',
      'https://calendar.google.com/calendar/ical/en.uk%23holiday%40group.v.calendar.google.com/basic.ics',
    ],
  ])('a calendar of birthdays or holidays is known %s', (_name, line, source) => {
    const text = calendarOf(line, TIMED('Something'));
    const { published, findings } = publishCalendars([{ source, text }], MAPPING, [], NOW);
    expect(findings.map(({ code }) => code)).toEqual(['calendar-of-program']);
    expect(published['session-series']).toEqual([]);
    const chosen = mapped({ events: [{ calendar: ['birthdays', 'holiday'], as: 'session' }] });
    expect(publishCalendars([{ source, text }], chosen, [], NOW).published['session-series']).toHaveLength(1);
  });

  test('a calendar of the holidays of a club is none of them', () => {
    expect(names(calendarOf('X-WR-CALNAME:Easter holidays camp', TIMED('Camp')))).toEqual(['Camp']);
  });

  test.each(['CANCELLED: Yoga', 'Yoga (cancelled)', '** Canceled ** Yoga'])('%s is cancelled', (title) => {
    const text = calendarOf(TIMED('x').replace('SUMMARY:x', `SUMMARY:${title}`));
    expect(rows(text, MAPPING)).toEqual(['2027-01-05T18:30 CANCELLED Yoga']);
    expect(codesOf(publish(text))).toEqual(['event-called-cancelled']);
  });
});

describe('one instance of a series', () => {
  const CHANGE = (...lines: string[]) =>
    eventOf(
      'UID:Yoga',
      at('RECURRENCE-ID', '20270112T183000'),
      at('DTSTART', '20270112T183000'),
      'DURATION:PT1H',
      ...lines,
    );
  const january12 = (...lines: string[]) =>
    rows(calendarOf(WEEKLY('Yoga'), CHANGE(...lines)), MAPPING).filter((row) => row.startsWith('2027-01-12'));

  test('that is private is no session, nor is it on as its series says', () => {
    expect(january12('SUMMARY:Smith family', 'CLASS:PRIVATE')).toEqual([]);
    expect(january12('SUMMARY:Private hire')).toEqual([]);
  });

  test('that says it is cancelled or closed is cancelled', () => {
    expect(january12('SUMMARY:Yoga - CANCELLED')).toEqual(['2027-01-12T18:30 CANCELLED Yoga']);
    expect(january12('SUMMARY:Studio closed')).toEqual(['2027-01-12T18:30 CANCELLED Studio closed']);
  });

  test('of a private series is left out with it', () => {
    const text = calendarOf(WEEKLY('Yoga', 'CLASS:PRIVATE'), CHANGE('SUMMARY:Yoga, later'));
    expect(names(text)).toEqual([]);
  });
});

describe('a line of the mapping file', () => {
  const text = calendarOf(
    'X-WR-CALNAME:Harriers',
    TIMED('Club run', 'CATEGORIES:Running,Juniors'),
    TIMED('Brunch', 'TRANSP:TRANSPARENT'),
    TIMED('Race', 'STATUS:TENTATIVE'),
    DAY('Camp'),
  );
  test.each<[object, string[]]>([
    [{ words: 'run' }, ['Brunch', 'Race']],
    [{ words: ['runn*', 'race'] }, ['Brunch']],
    [{ words: 'run* junior' }, ['Brunch', 'Club run', 'Race']],
    [{ category: 'juniors' }, ['Brunch', 'Race']],
    [{ category: 'junior' }, ['Brunch', 'Club run', 'Race']],
    [{ calendar: 'harriers' }, []],
    [{ calendar: 'club.ics' }, []],
    [{ calendar: 'other' }, ['Brunch', 'Club run', 'Race']],
    [{ transparent: true }, ['Club run', 'Race']],
    [{ allDay: false }, []],
    [{ status: 'TENTATIVE' }, ['Brunch', 'Club run']],
    [{ status: 'CONFIRMED', words: 'club' }, ['Brunch', 'Race']],
    [{ status: 'TENTATIVE', words: 'club' }, ['Brunch', 'Club run', 'Race']],
  ])('leaves out what it fits: %j', (line, left) => {
    const result = publish(text, mapped({ events: [{ ...line, as: 'nothing' }] }));
    expect(result.published['session-series'].map(({ data }) => data.name).sort()).toEqual(left);
    const count = result.findings.filter(({ code }) => code === 'event-left-out').length;
    expect(count).toBe(3 - left.length + ('calendar' in line && line.calendar !== 'other' ? 1 : 0));
  });

  test('the first that fits decides, and one takes all-day entries', () => {
    const events = [
      { words: 'camp', as: 'session' },
      { allDay: true, as: 'nothing' },
      { words: 'race', as: 'session' },
      { as: 'nothing' },
    ];
    expect(names(text, mapped({ events })).sort()).toEqual(['Camp', 'Race']);
  });

  test('never publishes what is private', () => {
    expect(names(calendarOf(TIMED('Yoga', 'CLASS:PRIVATE')), mapped({ events: [{ as: 'session' }] }))).toEqual([]);
  });
});

describe('a closure', () => {
  const text = calendarOf(
    WEEKLY('Yoga'),
    WEEKLY('Track night', 'CATEGORIES:Running').replaceAll('T183000', 'T200000'),
    TIMED('Social'),
    eventOf('UID:c', 'SUMMARY:Track CLOSED', 'DTSTART;VALUE=DATE:20270105', 'DTEND;VALUE=DATE:20270113'),
  );
  const cancelled = (events: object[]) => rows(text, mapped({ events })).filter((row) => row.includes('CANCELLED'));

  test('cancels the sessions it covers, of a rule or not', () => {
    expect(cancelled([{ words: 'closed', as: 'cancellation' }])).toEqual([
      '2027-01-05T18:30 CANCELLED Social',
      '2027-01-05T18:30 CANCELLED Yoga',
      '2027-01-05T20:00 CANCELLED Track night',
      '2027-01-12T18:30 CANCELLED Yoga',
      '2027-01-12T20:00 CANCELLED Track night',
    ]);
  });

  test('or of them those with certain words', () => {
    const events = [{ words: 'closed', as: 'cancellation', covers: ['track', 'running'] }];
    expect(cancelled(events)).toEqual([
      '2027-01-05T20:00 CANCELLED Track night',
      '2027-01-12T20:00 CANCELLED Track night',
    ]);
  });

  test('that covers nothing is a finding', () => {
    const events = [{ words: 'closed', as: 'cancellation', covers: 'swim' }];
    expect(codesOf(publish(text, mapped({ events })))).toContain('cancellation-without-sessions');
  });

  test('cancels in the same way each time, and is no session itself', () => {
    const mapping = mapped({ events: [{ words: 'closed', as: 'cancellation' }] });
    const first = publish(text, mapping).published;
    const objects = Object.values(first).flatMap((list) => list.map(({ data }) => data));
    expect(publish(text, mapping, objects).published).toEqual(first);
    expect(first['session-series'].map(({ data }) => data.name).sort()).toEqual(['Social', 'Track night', 'Yoga']);
  });

  test.each([
    [
      'of events',
      eventOf(
        'UID:o',
        'SUMMARY:Open: Pool',
        at('DTSTART', '20260105T060000'),
        'DURATION:PT14H',
        'RRULE:FREQ=DAILY',
        'TRANSP:TRANSPARENT',
      ),
    ],
    [
      'of VAVAILABILITY',
      [
        'BEGIN:VAVAILABILITY',
        'UID:o',
        'SUMMARY:Pool',
        'BEGIN:AVAILABLE',
        'UID:a',
        at('DTSTART', '20260105T060000'),
        'DURATION:PT14H',
        'RRULE:FREQ=DAILY',
        'END:AVAILABLE',
        'END:VAVAILABILITY',
      ].join('\r\n'),
    ],
  ])('makes special opening hours %s', (_name, hours) => {
    const closed = eventOf(
      'UID:c',
      'SUMMARY:Works at the pool',
      'DTSTART;VALUE=DATE:20270105',
      'DTEND;VALUE=DATE:20270106',
    );
    const result = publish(calendarOf(hours, closed), mapped({ events: [{ words: 'works', as: 'closed' }] }));
    const [facility] = result.published['facility-uses'];
    const location = facility?.data.location as JsonObject | undefined;
    const day = { opens: '00:00', closes: '00:00', validFrom: '2027-01-05', validThrough: '2027-01-05' };
    expect(location?.specialOpeningHoursSpecification).toContainEqual(expect.objectContaining(day));
    expect(result.published['session-series']).toEqual([]);
  });

  test('of a calendar without opening hours is a finding', () => {
    const result = publish(text, mapped({ events: [{ words: 'closed', as: 'closed' }] }));
    expect(codesOf(result)).toContain('closed-without-hours');
    expect(result.published['facility-uses']).toEqual([]);
  });
});

describe('what is not for everybody', () => {
  const text = (...lines: string[]) => calendarOf(TIMED('Yoga', ...lines));
  const series = (calendar: string, mapping = MAPPING) =>
    publish(calendar, mapping).published['session-series'][0]?.data as JsonObject;
  const details = (calendar: string, mapping = MAPPING) =>
    publish(calendar, mapping)
      .findings.filter(({ code }) => code === 'personal-left-out')
      .map(({ message }) => /"include": \["(\w+)"\]/.exec(message)?.[1]);

  test.each<[string, string, string | undefined, string[]]>([
    [
      'a phone number with its sentence',
      'Bring water. Call Sue 07700 900123. All welcome',
      'Bring water. All welcome',
      ['phones'],
    ],
    ['one in another form', 'Ring +44 (0)7700 900-123\\nAll welcome', 'All welcome', ['phones']],
    ['one at the end of a sentence before a number', 'Ring 01227 123456. 5 lanes', '5 lanes', ['phones']],
    ['an American one', 'Text (555) 123-4567 now', undefined, ['phones']],
    ['one with its country', 'Office:1-800-297-2977', undefined, ['phones']],
    ['one that a word introduces', 'Level 2. Telefon: 4131 3301 9911', 'Level 2.', ['phones']],
    ['an e-mail address', 'Book: sue.b+run@mail.example.org!', undefined, ['emails']],
    ['a meeting', 'Join https://us02web.zoom.us/j/123?pwd=SECRET', undefined, ['conferences']],
    ['a meeting behind a link', 'Join <a href="https://zoom.us/j/123">here</a>', undefined, ['conferences']],
    ['a passcode', 'Level 2\\nMeeting ID: 123 4567 8901\\nPasscode: 4321', 'Level 2', ['conferences']],
    ['any address with a passcode', 'See https://x.example/a?pwd=1', undefined, ['conferences']],
    ['a number in a link', 'Level 2. Book: https://wa.me/447700900123', 'Level 2.', ['phones']],
    ['one in a longer link', 'Ask https://api.whatsapp.com/send?phone=447700900123&text=Hi', undefined, ['phones']],
    [
      'one in a link of an app',
      'See https://signal.me/#p/+447700900123 or whatsapp://send?phone=44',
      undefined,
      ['phones'],
    ],
    ['one in a short link', 'Level 2. We are on wa.me/447700900123', 'Level 2.', ['phones']],
    ['one to dial', 'Dial tel:447700900123', undefined, ['phones']],
    ['a chat', 'Join https://chat.whatsapp.com/AbCd1234', undefined, ['conferences']],
    ['a chat of another service', 'See https://discord.gg/abc or t.me/+AbCd', undefined, ['conferences']],
    ['no page whose address only ends so', 'See https://visit.me/wa.me/x', 'See https://visit.me/wa.me/x', []],
    [
      'all of it',
      'Zoom https://zoom.us/j/1?pwd=S passcode 4321. Call Sue 07700 900123 sue@example.org',
      undefined,
      ['conferences', 'emails', 'phones'],
    ],
    [
      'nothing of dates and prices',
      'On 08.12.2026 18:30, 2026-12-08, 10-12 years, 4.50 to 10.00, 020 lanes, 1,000,000 steps',
      'On 08.12.2026 18:30, 2026-12-08, 10-12 years, 4.50 to 10.00, 020 lanes, 1,000,000 steps',
      [],
    ],
    [
      'no page of the club',
      'See https://club.example/yoga?id=0123456789',
      'See https://club.example/yoga?id=0123456789',
      [],
    ],
  ])('leaves out of DESCRIPTION %s', (_name, description, left, kinds) => {
    const calendar = text(`DESCRIPTION:${description.replaceAll(',', '\\,')}`);
    expect(series(calendar).description).toBe(left);
    expect(details(calendar).sort()).toEqual(kinds);
  });

  test('nor is it in title, place, category and page', () => {
    const calendar = text(
      'LOCATION:Hall (01227 123456)',
      'URL:https://meet.google.com/abc',
      'CATEGORIES:ask sue@example.org',
    ).replace('SUMMARY:Yoga', 'SUMMARY:Yoga 07700 900123');
    const { name, location, url, category } = series(calendar);
    expect([name, (location as JsonObject).name, url, category]).toEqual([
      'Yoga',
      'Hall',
      'https://club.example/timetable',
      ['ask'],
    ]);
  });

  test('is published where the mapping file includes it, of all calendars or one', () => {
    const calendar = text('DESCRIPTION:Call 07700 900123 or sue@example.org');
    expect(series(calendar, mapped({ include: ['phones', 'emails'] })).description).toBe(
      'Call 07700 900123 or sue@example.org',
    );
    const one = { calendars: [{ source: 'club.ics', include: ['phones', 'emails'] }] };
    expect(details(calendar, mapped(one))).toEqual([]);
  });

  test('what the mapping file says of the club is for everybody', () => {
    const organizer = { name: 'Club', email: 'info@club.example', telephone: '+44 1227 123456' };
    const description = 'Ask info@club.example or 01227 123456';
    expect(series(text(`DESCRIPTION:${description}`), mapped({ organizer })).description).toBe(description);
  });

  test('a person who made the entry is no organisation', () => {
    const calendar = text('ORGANIZER;CN=Sue Jones:mailto:sue@example.org', 'ATTENDEE;CN=Al:mailto:al@example.org');
    const nobody = parseMapping('{}', 'm.json');
    expect(series(calendar, nobody).organizer).toBeUndefined();
    expect(details(calendar, nobody)).toEqual(['organizers']);
    const person = { '@type': 'Person', name: 'Sue Jones' };
    expect(series(calendar, parseMapping('{"include": ["organizers"]}', 'm.json')).organizer).toEqual(person);
    expect(JSON.stringify(publish(calendar, nobody).published)).not.toContain('example.org');
    // The Events Calendar of WordPress percent-encodes CN.
    const encoded = text('ORGANIZER;CN="Sue%20Jones%20%26%20Al":mailto:sue@example.org');
    const named = series(encoded, parseMapping('{"include": ["organizers"]}', 'm.json'));
    expect(named.organizer).toEqual({ ...person, name: 'Sue Jones & Al' });
    expect(codesOf(publish(calendar))).toEqual(['attendees-left-out']);
  });
});
