import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { PublishResult } from '../../../src/publish/contract.ts';
import { calendarOf, codesOf, eventOf, publish, rowsOf } from '../published.ts';

/** What is odd about an event and was once resolved in silence: each is read for what it means, or a finding says so. */

const START = 'DTSTART:20270105T180000Z';
const HOUR = 'DTEND:20270105T190000Z';
const rows = ({ published }: PublishResult) => rowsOf(published, Date.UTC(2027, 0), Date.UTC(2028, 0));
const starts = (result: PublishResult) => rows(result).map((row) => row.slice(5, 16));
const event = (...lines: string[]) => eventOf('UID:1', 'SUMMARY:x', START, HOUR, ...lines);
const messages = ({ findings }: PublishResult, code: string) =>
  findings.filter((one) => one.code === code).map(({ path, message }) => `${path}: ${message}`);
const status = ({ published }: PublishResult, feed: 'session-series' | 'scheduled-sessions') =>
  published[feed].map(({ data }) => data.eventStatus);

describe('a rule of which one part cannot be read is not followed', () => {
  test.each([
    ['FREQ=WEEKLY;COUNT=3;BYHOURS=9', 'BYHOURS is no part of a rule'],
    ['FREQ=WEEKLY;COUNT=3;X-NAME=1', 'X-NAME is no part of a rule'],
    ['FREQ=WEEKLY;COUNT=3;BYEASTER=0', 'BYEASTER is no part of a rule'],
    ['FREQ=WEEKLY;COUNT=3;garbage', 'GARBAGE is no part of a rule'],
    ['RSCALE=GREGORIAN;FREQ=MONTHLY;SKIP=FORWARD;COUNT=4', 'SKIP is FORWARD'],
    ['RSCALE=HEBREW;FREQ=MONTHLY;COUNT=4', 'a calendar other than the Gregorian'],
    ['FREQ=DAILY;COUNT=2;COUNT=5', 'COUNT stands twice'],
    ['FREQ=DAILY;FREQ=WEEKLY', 'FREQ stands twice'],
  ])('%s', (rule, why) => {
    const result = publish(calendarOf(event(`RRULE:${rule}`)));
    expect(messages(result, 'rule-unreadable')).toEqual([
      `line 9 RRULE: Correct the RRULE (${why}): "${rule}" was not followed, only the first date is published.`,
    ]);
    expect(starts(result)).toEqual(['01-05T18:00']);
  });

  test.each(['RSCALE=GREGORIAN;FREQ=WEEKLY;COUNT=2', 'RSCALE=gregorian;SKIP=OMIT;FREQ=WEEKLY;COUNT=2'])(
    'but %s',
    (rule) => {
      const result = publish(calendarOf(event(`RRULE:${rule}`)));
      expect(codesOf(result)).toEqual([]);
      expect(starts(result)).toEqual(['01-05T18:00', '01-12T18:00']);
    },
  );

  test.each([
    ['RDATE:20270106T180000Z', 'DTSTART and the RDATEs are published', ['01-05T18:00', '01-06T18:00']],
    ['RRULE:FREQ=WEEKLY;COUNT=2', 'the dates of the other RRULE are published', ['01-05T18:00', '01-12T18:00']],
  ])('and the finding says what is published beside %s', (line, kept, expected) => {
    const result = publish(calendarOf(event('RRULE:garbage', line)));
    expect(messages(result, 'rule-unreadable')[0]).toContain(`"garbage" was not followed, ${kept}.`);
    expect(starts(result)).toEqual(expected);
  });

  test.each([
    [
      'garbage',
      'rule-unreadable',
      'Correct the EXRULE (FREQ is missing or unknown): "garbage" was not followed, no date was excluded by it.',
    ],
    [
      `FREQ=DAILY;BYMONTHDAY=${'1,'.repeat(3000)}1`,
      'rule-too-much',
      'Make the EXRULE simpler (more than 4000 characters): it was not followed, no date was excluded by it.',
    ],
  ])('an unreadable EXRULE excludes nothing', (rule, code, message) => {
    const result = publish(calendarOf(event('RRULE:FREQ=WEEKLY;COUNT=3;BYDAY=TU', `EXRULE:${rule}`)));
    expect(messages(result, code)).toEqual([`line 10 EXRULE: ${message}`]);
    expect(starts(result)).toEqual(['01-05T18:00', '01-12T18:00', '01-19T18:00']);
  });
});

describe('what is beyond a limit is told', () => {
  test.each([
    ['RRULE', 'the dates of the other RRULE are published'],
    ['EXRULE', 'no date was excluded by it'],
  ])('an eleventh %s', (name, kept) => {
    const days = Array.from({ length: 11 }, (_, at) => `${name}:FREQ=MONTHLY;COUNT=2;BYMONTHDAY=${at + 6}`);
    const result = publish(calendarOf(event('RDATE:20270105T180000Z', ...days)));
    expect(messages(result, 'rule-too-much')).toEqual([
      `line 20 ${name}: Make the ${name} simpler (more than 10 in one event): it was not followed, ${kept}.`,
    ]);
  });

  test.each(['RDATE', 'EXDATE'])('the 4001st %s', (name) => {
    const days = Array.from({ length: 4001 }, (_, at) =>
      new Date(Date.UTC(2027, 0, 6 + at)).toISOString().slice(0, 10).replaceAll('-', ''),
    );
    const result = publish(
      calendarOf(event('RRULE:FREQ=DAILY', `${name}:${days.map((day) => `${day}T180000Z`).join()}`)),
    );
    expect(messages(result, 'dates-too-many')).toEqual([
      `line 10 ${name}: Divide the event: only the first 4000 dates of its ${name} lines were read.`,
    ]);
  });

  test.each<[string, string[], string]>([
    ['SUMMARY', [`SUMMARY:${'s'.repeat(400)}`], '300 characters'],
    ['DESCRIPTION', [`DESCRIPTION:${'d'.repeat(17_000)}`], '8000 characters'],
    ['LOCATION', [`LOCATION:${'l'.repeat(1_500)}`], '1000 characters'],
    ['CATEGORIES', [`CATEGORIES:${Array.from({ length: 30 }, (_, at) => `c${at}`).join()}`], '20 labels'],
    ['IMAGE', Array.from({ length: 9 }, (_, at) => `IMAGE:https://a.example/${at}.png`), '5 pictures'],
  ])('a part of %s', (name, lines, most) => {
    const result = publish(calendarOf(eventOf('UID:1', START, HOUR, ...lines)));
    expect(messages(result, 'value-cut')).toEqual([
      `line 8 ${name}: Shorten ${name}: only its first ${most} are published.`,
    ]);
  });

  test('a name and an address of 900 characters are published whole', () => {
    const result = publish(calendarOf(event(`LOCATION:${'n'.repeat(400)}\\n${'a'.repeat(500)}`)));
    const [series] = result.published['session-series'];
    expect(series?.data.location).toMatchObject({ name: 'n'.repeat(400), address: 'a'.repeat(500) });
    expect(codesOf(result)).toEqual([]);
  });

  test('what nothing is made of', () => {
    const attached = [
      'ATTACH:https://a.example/route.pdf',
      'ATTACH;ENCODING=BASE64;VALUE=BINARY;FMTTYPE=image/png:iVBO',
    ];
    const result = publish(calendarOf(event(...attached, 'COMMENT:Bring lights', 'ATTACH:https://a.example/a.png')));
    expect(messages(result, 'property-not-read')).toEqual([
      'line 9 ATTACH: 2 ATTACH were not published; say in DESCRIPTION what people should know.',
      'line 11 COMMENT: 1 COMMENT were not published; say in DESCRIPTION what people should know.',
    ]);
  });

  test.each(['20270106T170000Z', '-PT1H', 'PT1X'])('an RDATE that ends before it starts, or never: %s', (end) => {
    const result = publish(calendarOf(event(`RDATE;VALUE=PERIOD:20270106T180000Z/${end}`)));
    expect(messages(result, 'end-unusable')).toEqual([
      `line 9 RDATE: Set DTEND or DURATION after DTSTART; ${end} was ignored.`,
    ]);
    expect(starts(result)).toEqual(['01-05T18:00', '01-06T18:00']);
  });
});

describe('METHOD:CANCEL cancels the events of its calendar', () => {
  const cancel = (...components: string[]) => calendarOf('METHOD:CANCEL', ...components);

  test('a single event, and a finding says so once', () => {
    const result = publish(cancel(event(), event().replace('UID:1', 'UID:2')));
    expect(status(result, 'scheduled-sessions')).toEqual([CANCELLED, CANCELLED]);
    expect(messages(result, 'calendar-cancels')).toHaveLength(1);
  });

  test('a series, whatever its STATUS', () => {
    const result = publish(cancel(event('RRULE:FREQ=WEEKLY;COUNT=3', 'STATUS:CONFIRMED')));
    expect(status(result, 'session-series')).toEqual([CANCELLED]);
  });

  test.each([
    ['with its times', [START, HOUR]],
    ['without DTSTART, which may be left out (RFC 5546 3.2.5)', []],
  ])('one instance %s', (_name, lines) => {
    const result = publish(cancel(eventOf('UID:1', 'SUMMARY:x', ...lines, 'RECURRENCE-ID:20270105T180000Z')));
    expect(status(result, 'scheduled-sessions')).toEqual([CANCELLED]);
    expect(starts(result)).toEqual(['01-05T18:00']);
  });

  test('no other calendar of the text, and no other METHOD does', () => {
    const other = calendarOf('METHOD:REQUEST', event().replace('UID:1', 'UID:2'));
    const result = publish(`${cancel(event())}${other}`);
    expect(rows(result).map((row) => row.split(' ')[2])).toEqual(['CANCELLED', 'CONFIRMED']);
  });
});

const CANCELLED = 'https://schema.org/EventCancelled';

describe('a property that may stand once and stands twice', () => {
  const twice = (...lines: string[]) => publish(calendarOf(eventOf('UID:1', 'SUMMARY:x', START, HOUR, ...lines)));

  test.each([
    ['DTSTART:20270107T180000Z', 'DTSTART', '20270105T180000Z'],
    ['DTSTART;TZID=Europe/Paris:20270105T180000', 'DTSTART', '20270105T180000Z'],
    ['SUMMARY:Second title', 'SUMMARY', 'x'],
    ['UID:2', 'UID', '1'],
  ])('%s', (line, property, used) => {
    const result = twice(line);
    expect(messages(result, 'property-twice')).toEqual([
      `line 9 ${property}: Give the event one ${property} alone: "${used}" was used.`,
    ]);
    expect(starts(result)).toEqual(['01-05T18:00']);
  });

  test.each([
    ['LOCATION:A', 'LOCATION:B', '"A"'],
    ['STATUS:CONFIRMED', 'STATUS:CANCELLED', '"CONFIRMED"'],
    ['GEO:1;1', 'GEO:2;2', '"1;1"'],
  ])('%s, %s', (first, second, used) => {
    const result = twice(first, second);
    expect(messages(result, 'property-twice')).toEqual([expect.stringContaining(`${used} was used.`)]);
  });

  test('DURATION beside DTEND', () => {
    const result = twice('DURATION:PT3H');
    expect(messages(result, 'property-twice')).toEqual([
      'line 9 DURATION: Give the event one DTEND or DURATION alone: "20270105T190000Z" was used.',
    ]);
    expect(rows(result)).toEqual(['2027-01-05T18:00:00 2027-01-05T19:00:00 CONFIRMED x']);
  });

  test('twice the same is nothing to choose from', () => {
    expect(codesOf(twice('SUMMARY:x'))).toEqual([]);
  });
});

test('one CLASS that is not PUBLIC is enough', () => {
  const result = publish(calendarOf(event('CLASS:PUBLIC', 'CLASS:PRIVATE', 'SUMMARY:secret')));
  expect(codesOf(result)).toEqual(['event-private']);
  expect(rows(result)).toEqual([]);
});

test.each([
  ['URL:javascript:alert(1)', ['url-not-web']],
  ['URL:message:%3Ca@example.org%3E', ['url-not-web']],
  ['URL:www.example.org', ['url-not-web']],
  ['URL:', []],
  ['URL:https://example.org/', []],
])('an address that people cannot follow is told: %s', (line, codes) => {
  expect(codesOf(publish(calendarOf(event(line))))).toEqual(codes);
});

describe('RDATE of a day beside a DTSTART with a time', () => {
  test.each([
    ['DTSTART:20270105T180000Z', '01-10T18:00'],
    ['DTSTART;TZID=America/New_York:20270105T180000', '01-10T23:00'],
  ])('is that day at the time of %s', (start, expected) => {
    const lines = ['DURATION:PT1H', 'RDATE;VALUE=DATE:20270110,20270111'];
    const result = publish(calendarOf(eventOf('UID:1', 'SUMMARY:x', start, ...lines)));
    expect(starts(result)[1]).toBe(expected);
    expect(result.published['scheduled-sessions'].map(({ data }) => data.duration)).toEqual(['PT1H', 'PT1H', 'PT1H']);
    expect(messages(result, 'rdate-of-day')).toHaveLength(1);
  });

  test('but not of whole days', () => {
    const lines = ['DTSTART;VALUE=DATE:20270105', 'RDATE;VALUE=DATE:20270110'];
    expect(codesOf(publish(calendarOf(eventOf('UID:1', 'SUMMARY:x', ...lines))))).toEqual(['event-all-day']);
  });
});

test.each([
  ['THISANDPRIOR', ['range-not-read']],
  ['THISANDFUTURE', ['range-this-and-future']],
])('RANGE=%s is told', (range, codes) => {
  const moved = ['DTSTART:20270106T200000Z', 'DTEND:20270106T210000Z'];
  const override = eventOf('UID:1', 'SUMMARY:x', `RECURRENCE-ID;RANGE=${range}:20270106T180000Z`, ...moved);
  const result = publish(calendarOf(event('RRULE:FREQ=DAILY;COUNT=3'), override));
  expect(codesOf(result)).toEqual(codes);
  expect(starts(result).slice(0, 2)).toEqual(['01-05T18:00', '01-06T20:00']);
});

describe('quoted-printable text of vCalendar 1.0', () => {
  const name = (line: string) => {
    const result = publish(calendarOf(eventOf('UID:1', line, START, HOUR)));
    expect(codesOf(result)).toEqual([]);
    expect(starts(result)).toEqual(['01-05T18:00']);
    return result.published['session-series'][0]?.data.name;
  };

  test.each([
    ['SUMMARY;ENCODING=QUOTED-PRINTABLE;CHARSET=UTF-8:Caf=C3=A9 =\r\nmore', 'Café more'],
    ['SUMMARY;CHARSET=ISO-8859-1;ENCODING=quoted-printable:Caf=E9 1=3D1', 'Café 1=1'],
    ['SUMMARY;ENCODING=QUOTED-PRINTABLE:Caf=E9', 'Café'],
    ['SUMMARY;ENCODING=QUOTED-PRINTABLE;CHARSET=nonsense:Caf=C3=A9', 'Café'],
    ['SUMMARY;ENCODING=QUOTED-PRINTABLE:A=\n =\n=\nB', 'A B'],
    ['SUMMARY;ENCODING=QUOTED-PRINTABLE:Größe =zz', 'Größe =zz'],
    ['SUMMARY:Caf=C3=A9', 'Caf=C3=A9'],
  ])('%j', (line, expected) => {
    expect(name(line)).toBe(expected);
  });

  test('what is no text in any encoding is counted', () => {
    const line = 'SUMMARY;ENCODING=QUOTED-PRINTABLE:=81=8D';
    const result = publish(calendarOf(eventOf('UID:1', line, START, HOUR)));
    expect(messages(result, 'calendar-characters-lost')).toEqual([expect.stringContaining('2 characters')]);
  });

  test('a megabyte of soft line breaks is no stack', () => {
    const line = `SUMMARY;ENCODING=QUOTED-PRINTABLE:A${'=\n'.repeat(500_000)}B`;
    expect(name(line)).toBe('AB');
  });

  test('lines keep their numbers', () => {
    const line = 'SUMMARY;ENCODING=QUOTED-PRINTABLE:A=\r\nB';
    const result = publish(calendarOf(eventOf('UID:1', line, START, HOUR, 'STATUS:NEW')));
    expect(result.findings.map(({ path }) => path)).toEqual(['line 10 STATUS']);
  });
});

describe('an event without an end', () => {
  const found = (...lines: string[]) => publish(calendarOf(eventOf('UID:1', 'SUMMARY:x', ...lines))).findings;
  const ZERO = ['DTSTART:20270105T180000Z', 'DTEND:20270105T180000Z'];

  test.each<[string, string[], string, string]>([
    ['of a rule lacks what a Schedule requires', [...ZERO, 'RRULE:FREQ=WEEKLY'], 'rule-without-end', 'error'],
    ['of a rule without DTEND', [START, 'RRULE:FREQ=WEEKLY;COUNT=3'], 'rule-without-end', 'error'],
    ['on one date', ZERO, 'event-without-end', 'warning'],
    ['of a rule that is written out', [START, 'RRULE:FREQ=MONTHLY;BYMONTHDAY=-1'], 'event-without-end', 'warning'],
  ])('%s', (_name, lines, code, severity) => {
    expect(found(...lines)).toContainEqual(expect.objectContaining({ code, severity }));
  });

  test('is none where days are whole, or a length is stated', () => {
    for (const lines of [[START, HOUR], ['DTSTART;VALUE=DATE:20270105']])
      expect(codesOf(publish(calendarOf(eventOf('UID:1', 'SUMMARY:x', ...lines)))).join()).not.toContain('without-end');
  });
});

describe('an UNTIL that is a date', () => {
  const codes = (start: string, until: string) =>
    codesOf(publish(calendarOf(eventOf('UID:1', 'SUMMARY:x', start, HOUR, `RRULE:FREQ=WEEKLY;UNTIL=${until}`))));

  test('beside a DTSTART with a time is a finding, for others do not show that day', () => {
    expect(codes(START, '20270119')).toEqual(['rule-until-date']);
    expect(codes(START, '20270119T180000Z')).toEqual([]);
    expect(codes('DTSTART;VALUE=DATE:20270105', '20270119')).not.toContain('rule-until-date');
  });
});

test('every code is found somewhere', () => {
  const files = globSync('src/{publish,cli}/**/*.ts').filter((file) => !file.endsWith('publish/codes.ts'));
  const text = files.map((file) => readFileSync(file, 'utf8')).join('\n');
  const codes = [...readFileSync('src/publish/codes.ts', 'utf8').matchAll(/^ {2}'([a-z0-9-]+)':/gm)].map(
    ([, code]) => code,
  );
  expect(codes.filter((code) => !text.includes(`'${code}'`))).toEqual([]);
});
