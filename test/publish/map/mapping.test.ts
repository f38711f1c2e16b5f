import { describe, expect, test } from 'vitest';
import { ConfigError } from '../../../src/errors.ts';
import { NO_MAPPING, parseMapping } from '../../../src/publish/map/mapping.ts';
import { calendarOf, codesOf, eventOf, publish } from '../published.ts';

const EVENT = (...lines: string[]) =>
  calendarOf(eventOf('UID:1', 'SUMMARY:Evening yoga', 'DTSTART:20270104T180000Z', ...lines));
const series = (text: string, mapping: object) =>
  publish(text, parseMapping(JSON.stringify(mapping), 'm.json')).published['session-series'][0]?.data;

const TYPES = 'https://openactive.io/facility-types';

describe('a bad mapping file', () => {
  test.each<[string, string, RegExp]>([
    ['no JSON', '{"base": \n oops}', /m\.json:2: is not JSON: something that JSON does not have/],
    [
      'an unknown word',
      '{"organiser": {}}',
      /\$ has "organiser", which means nothing here \(did you mean organizer\?\)/,
    ],
    ['an unknown word of a line', '{"events": [{"leeder": "Jo"}]}', /events\[0\] has "leeder".*mean leader/],
    [
      'ages the wrong way round',
      '{"ageRange": {"min": 9, "max": 5}}',
      /ageRange is .*a min that is no more than the max/,
    ],
    ['no ages', '{"ageRange": {}}', /ageRange is .*one of them at least/],
    ['a bad address', '{"base": "ftp://x"}', /\$\.base is "ftp:\/\/x"; allowed is an http\(s\) address/],
    [
      'a base that cannot be gone on from',
      '{"base": "https://x.example/?id="}',
      /\$\.base is .*without \?, #, \{ and \}/,
    ],
    ['a base with a placeholder', '{"base": "https://x.example/{startDate}"}', /\$\.base is .*without \?, #/],
    [
      'misspelt words',
      '{"zone": "Europe/Lodnon", "events": [{"title": "a", "as": "sesion"}]}',
      /\$\.zone is "Europe\/Lodnon"; .* \(did you mean Europe\/London\?\)\n.*closed \(did you mean session\?\)$/,
    ],
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
    expect(series(EVENT(), mapping)?.activity).toMatchObject([{ prefLabel: 'Yoga' }]);
    expect(series(EVENT().replace('yoga', 'club'), mapping)).toMatchObject({ activity: [{ prefLabel: 'Running' }] });
    expect(series(EVENT('CATEGORIES:Swim').replace('yoga', 'club'), mapping)).toMatchObject({
      activity: [{ prefLabel: 'Swimming' }],
    });
    const own = { ...mapping, calendars: [{ source: 'club.ics', activity: 'Rowing' }] };
    expect(series(EVENT().replace('yoga', 'club'), own)).toMatchObject({ activity: [{ prefLabel: 'Rowing' }] });
  });

  const LIST = 'https://openactive.io/activity-list';
  const YOGA = `${LIST}#bf1a5e00-cdcf-465d-8c5a-6f57040b7f7e`;
  const own = 'https://a.example/activities';
  test.each<[string, unknown, object]>([
    ['is the concept of the list', ' yoga ', { '@id': YOGA, prefLabel: 'Yoga', inScheme: LIST }],
    [
      'and of the list by another label',
      'Keep fit',
      { '@id': `${LIST}#984068a7-5b7b-4989-bb33-f96953d8960c`, prefLabel: 'Group Exercise', inScheme: LIST },
    ],
    ['stays where the list does not have it', 'Yoag', { prefLabel: 'Yoag' }],
    ['stays where it is nearly that of the list', 'Swim', { prefLabel: 'Swim' }],
    ['stays with an id of its own', { label: 'Yoga', id: `${own}#1` }, { '@id': `${own}#1`, prefLabel: 'Yoga' }],
    ['stays with a list of its own', { label: 'Yoga', scheme: own }, { prefLabel: 'Yoga', inScheme: own }],
    ['has its list by its id', { label: 'Stretch', id: YOGA }, { '@id': YOGA, prefLabel: 'Stretch', inScheme: LIST }],
  ])('an activity %s: %j', (_name, activity, expected) => {
    expect(series(EVENT(), { activity })?.activity).toEqual([{ '@type': 'Concept', ...expected }]);
  });

  test('what a list does not have is a finding with the nearest that it has', () => {
    const mapping = {
      activity: 'Yoag',
      activities: [
        { words: 'club', activity: 'Swim' },
        { words: 'dance', activity: 'Dance' },
      ],
      calendars: [
        { source: 'a', activity: { label: 'Yoga', id: `${LIST}#yoga` } },
        { source: 'b', activity: { label: 'Anything', id: `${own}#1` }, facility: { type: 'Badminton Courts' } },
        { source: 'c', facility: { type: 'Moon', activity: { label: 'Anything', scheme: own } } },
      ],
    };
    const { findings } = publish(EVENT(), parseMapping(JSON.stringify(mapping), 'm.json'));
    const unknown = findings.filter(({ code }) => code === 'mapping-concept-unknown');
    expect(unknown.map(({ path, message }) => `${path} ${message.replaceAll(/#[\da-f-]{36}/g, '#…')}`)).toEqual([
      `$.activity Name a concept of ${LIST}, most likely Yoga (${LIST}#…); "Yoag" is not in it, and is published as it is.`,
      `$.activities[0].activity Name a concept of ${LIST}, most likely Swimming (${LIST}#…); "Swim" is not in it, and is published as it is.`,
      `$.calendars[0].activity Name a concept of ${LIST}, most likely Yoga (${LIST}#…); "Yoga (${LIST}#yoga)" is not in it, and is published as it is.`,
      `$.calendars[1].facility.type Name a concept of ${TYPES}, most likely Badminton Court (${TYPES}#…); "Badminton Courts" is not in it, and is published as it is.`,
      `$.calendars[2].facility.type Name a concept of ${TYPES}; "Moon" is not in it, and is published as it is.`,
    ]);
    expect(unknown[0]).toMatchObject({ severity: 'warning', feed: 'mapping' });
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
    // What is online is not at the usual place as well.
    expect(series(EVENT('LOCATION:https://zoom.example/j/1'), mapping)).not.toHaveProperty('location');
  });

  test('the page of a session', () => {
    const mapping = { base: 'https://c.example', urlTemplate: 'https://c.example/book?e={uid}&at={startDate}' };
    const result = series(EVENT('RRULE:FREQ=WEEKLY').replace('UID:1', 'UID:a b'), mapping);
    expect(result?.eventSchedule).toMatchObject([{ urlTemplate: 'https://c.example/book?e=a%20b&at={startDate}' }]);
  });

  test('and what is missing is one finding for each value', () => {
    const result = publish(EVENT('DURATION:PT1H'), NO_MAPPING);
    expect(codesOf(result)).toEqual(['mapping-base-missing', 'mapping-value-missing']);
    const missing = result.findings.filter(({ code }) => code === 'mapping-value-missing').map(({ path }) => path);
    expect(missing).toEqual(['$.organizer', '$.activity', '$.place', '$.offers']);
    expect(result.published['session-series']).toHaveLength(1);
  });
});
