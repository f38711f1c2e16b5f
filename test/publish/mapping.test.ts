import { describe, expect, test } from 'vitest';
import { ConfigError } from '../../src/errors.ts';
import { NO_MAPPING, parseMapping } from '../../src/publish/map/mapping.ts';
import { calendarOf, codesOf, eventOf, publish } from './published.ts';

const EVENT = (...lines: string[]) =>
  calendarOf(eventOf('UID:1', 'SUMMARY:Evening yoga', 'DTSTART:20270104T180000Z', ...lines));
const series = (text: string, mapping: object) =>
  publish(text, parseMapping(JSON.stringify(mapping), 'm.json')).published['session-series'][0]?.data;

describe('a bad mapping file', () => {
  test.each<[string, string, RegExp]>([
    ['no JSON', '{"base": \n oops}', /m\.json:2: is not JSON: something that JSON does not have/],
    ['an unknown word', '{"organiser": {}}', /\$ has "organiser", which means nothing here/],
    ['a bad address', '{"base": "ftp://x"}', /\$\.base is "ftp:\/\/x"; allowed is an http\(s\) address/],
    [
      'a base that cannot be gone on from',
      '{"base": "https://x.example/?id="}',
      /\$\.base is .*without \?, #, \{ and \}/,
    ],
    ['a base with a placeholder', '{"base": "https://x.example/{startDate}"}', /\$\.base is .*without \?, #/],
    ['a bad zone', '{"zone": "Mars/Base"}', /\$\.zone is "Mars\/Base"; allowed is an IANA zone/],
    [
      'a deep value',
      '{"places": [{"location": "Hall", "place": {"name": "Hall", "latitude": "x"}}]}',
      /\$\.places\[0\]\.place\.latitude is "x"; allowed is degrees/,
    ],
    ['a missing value', '{"offers": [{"name": "x"}]}', /\$\.offers\[0\]\.price is missing: a number, 0 for free/],
    [
      'a template without a start',
      '{"urlTemplate": "https://x.example/"}',
      /allowed is an http\(s\) address with \{startDate\}/,
    ],
    ['not an object', '[]', /m\.json: \$/],
  ])('%s', (_name, text, message) => {
    expect(() => parseMapping(text, 'm.json')).toThrow(ConfigError);
    expect(() => parseMapping(text, 'm.json')).toThrow(message);
  });
});

describe('the mapping file says what calendars do not', () => {
  test('the activity by words of the event, else that of the calendar, else the usual one', () => {
    const mapping = {
      activity: 'Running',
      activities: [
        { words: ['YOGA', 'pilates'], activity: 'Yoga' },
        { words: 'swim', activity: 'Swimming' },
      ],
    };
    expect(series(EVENT(), mapping)?.activity).toEqual([{ '@type': 'Concept', prefLabel: 'Yoga' }]);
    expect(series(EVENT().replace('yoga', 'club'), mapping)).toMatchObject({ activity: [{ prefLabel: 'Running' }] });
    expect(series(EVENT('CATEGORIES:Swim').replace('yoga', 'club'), mapping)).toMatchObject({
      activity: [{ prefLabel: 'Swimming' }],
    });
    const own = { ...mapping, calendars: [{ source: 'club.ics', activity: 'Rowing' }] };
    expect(series(EVENT().replace('yoga', 'club'), own)).toMatchObject({ activity: [{ prefLabel: 'Rowing' }] });
  });

  test('the place by LOCATION, else what LOCATION says, else the usual one', () => {
    const mapping = {
      place: { name: 'Track' },
      places: [{ location: 'hall', place: { name: 'Town Hall', street: 'High Street' } }],
    };
    expect(series(EVENT('LOCATION:Small Hall'), mapping)).toMatchObject({
      location: { name: 'Town Hall', address: 'High Street' },
    });
    expect(series(EVENT('LOCATION:The Park\\, East Road'), mapping)).toMatchObject({ location: { name: 'The Park' } });
    expect(series(EVENT(), mapping)).toMatchObject({ location: { name: 'Track' } });
    expect(series(EVENT('LOCATION:https://zoom.example/j/1'), mapping)).toMatchObject({ location: { name: 'Track' } });
  });

  test('the page of a session', () => {
    const mapping = { base: 'https://c.example', urlTemplate: 'https://c.example/book?e={uid}&at={startDate}' };
    const result = series(EVENT('RRULE:FREQ=WEEKLY').replace('UID:1', 'UID:a b'), mapping);
    expect(result?.eventSchedule).toMatchObject([{ urlTemplate: 'https://c.example/book?e=a%20b&at={startDate}' }]);
  });

  test('and what is missing is one finding for each value', () => {
    const result = publish(EVENT(), NO_MAPPING);
    expect(codesOf(result)).toEqual(['mapping-base-missing', 'mapping-value-missing']);
    const missing = result.findings.filter(({ code }) => code === 'mapping-value-missing').map(({ path }) => path);
    expect(missing).toEqual(['$.organizer', '$.activity', '$.place', '$.offers']);
    expect(result.published['session-series']).toHaveLength(1);
  });
});
