import type { Asked } from './answers.ts';

/** Items of all kinds: ordinary ones, broken ones, such as are far too large, and such as speak of what is not theirs. */

const KINDS = [
  'SessionSeries',
  'ScheduledSession',
  'FacilityUse',
  'Slot',
  'Event',
  'Place',
  '',
  '__proto__',
  'x'.repeat(300),
];

export function hostileItems(asked: Asked): unknown[] {
  const { random } = asked;
  const count = random.pick([1, 3, 20, 200]);
  return Array.from({ length: count }, () => item(asked));
}

function item(asked: Asked): unknown {
  const { random } = asked;
  const id = random.among<unknown>([
    [10, random.int(1, 300)],
    [4, `session-${random.int(1, 300)}`],
    [
      1,
      random.pick([
        null,
        '',
        {},
        [],
        true,
        '__proto__',
        'a/../b',
        '\u0000',
        'i'.repeat(5000),
        '9'.repeat(400),
        -0,
        1e308,
      ]),
    ],
  ]);
  const modified = random.among<unknown>([
    [10, random.int(1, 1_000_000)],
    [1, random.pick([null, '9223372036854775807', 'z', {}, -1, 1.5, '', 2 ** 60])],
  ]);
  const state = random.among<unknown>([
    [12, 'updated'],
    [4, 'deleted'],
    [1, random.pick([null, 'Updated', 'removed', 7])],
  ]);
  return { state, kind: random.pick(KINDS), id, modified, ...(state !== 'deleted' && { data: data(asked, id) }) };
}

function data(asked: Asked, id: unknown): unknown {
  const { random, base } = asked;
  const own = `${base}/objects/${String(id).slice(0, 100)}`;
  return random.among<() => unknown>([
    [8, () => series(asked, own)],
    [4, () => session(asked, own)],
    [2, () => place(asked, own)],
    [1, () => random.pick([null, [], 'text', 7, {}, { '@type': 7 }, { '@type': ['Event', 'Place'] }])],
  ])();
}

const text = ({ random }: Asked): unknown =>
  random.among<unknown>([
    [10, `Class ${random.int(1, 50)}`],
    [
      1,
      random.pick([
        '\r\nBEGIN:VALARM\r\n',
        '<script>alert(1)</script>',
        '\u202E\uD800x',
        'é'.repeat(2000),
        '',
        null,
        {},
        [],
      ]),
    ],
    [0.05, 'long '.repeat(400_000)],
  ]);

const moment = ({ random }: Asked): unknown =>
  random.among<unknown>([
    [10, `2027-0${random.int(1, 9)}-1${random.int(0, 9)}T1${random.int(0, 9)}:00:00Z`],
    [1, random.pick(['2027-02-30T10:00:00Z', '9999-12-31T23:59:59Z', '-000001-01-01', 'x', null, {}, 7, '2027-05-01'])],
  ]);

function schedule(asked: Asked): unknown {
  const { random } = asked;
  return {
    '@type': random.pick(['Schedule', 'Schedule', 'PartialSchedule', 'x']),
    startDate: random.pick(['2026-11-01', '1900-01-01', '2027-01-01', '9999-01-01', 'x']),
    startTime: random.pick(['18:00', '24:00', '99:99', '']),
    duration: random.pick(['PT1H', 'P1000Y', 'PT0S', '-PT1H', 'x', undefined]),
    repeatFrequency: random.pick(['P1W', 'P1D', 'PT1S', 'PT1M', 'P0D', 'P99999W', 'x', undefined]),
    repeatCount: random.pick([undefined, 10, 1_000_000_000, -1, 'x']),
    byDay: random.pick([undefined, ['https://schema.org/Monday'], ['x'], Array(500).fill('https://schema.org/Monday')]),
    exceptDate: random.chance(0.1)
      ? Array.from({ length: 3000 }, (_, i) => `2027-01-01T${10 + (i % 10)}:00:00Z`)
      : undefined,
    idTemplate: random.pick([undefined, 'https://x.example/{startDate}', '{startDate}'.repeat(100)]),
    scheduledEventType: 'ScheduledSession',
    scheduleTimezone: random.pick(['Europe/London', 'Mars/Olympus', undefined]),
  };
}

const many = ({ random }: Asked) =>
  random.among([
    [20, 1],
    [3, 5],
    [0.3, 400],
  ]);

/** Also one that another publisher's feed owns, which is not this feed's to speak of. */
const idOf = ({ random, foreign }: Asked, own: string) =>
  random.chance(0.03) ? foreign : random.chance(0.02) ? undefined : own;

function series(asked: Asked, own: string): unknown {
  return {
    '@context': 'https://openactive.io/',
    '@type': asked.random.pick(['SessionSeries', 'CourseInstance', 'Event', 'HeadlineEvent', 'EventSeries']),
    '@id': idOf(asked, own),
    name: text(asked),
    description: text(asked),
    startDate: moment(asked),
    location: asked.random.chance(0.5) ? place(asked, `${own}/place`) : undefined,
    eventSchedule: Array.from({ length: many(asked) }, () => schedule(asked)),
    offers: asked.random.chance(0.1)
      ? Array.from({ length: 500 }, (_, price) => ({ '@type': 'Offer', price }))
      : undefined,
    superEvent: asked.random.chance(0.1) ? own : undefined,
  };
}

function session(asked: Asked, own: string): unknown {
  const { random, base, foreign } = asked;
  const parent = random.chance(0.05) ? foreign : `${base}/objects/${random.int(1, 300)}`;
  return {
    '@type': 'ScheduledSession',
    '@id': idOf(asked, own),
    superEvent: random.pick([parent, { '@type': 'SessionSeries', '@id': parent, name: text(asked) }]),
    startDate: moment(asked),
    endDate: moment(asked),
    duration: 'PT1H',
    eventStatus: random.pick([
      'https://schema.org/EventCancelled',
      'https://schema.org/EventScheduled',
      'x',
      undefined,
    ]),
  };
}

function place(asked: Asked, own: string): unknown {
  const { random } = asked;
  const hours = random.among([
    [10, 2],
    [1, 40],
    [0.2, 3000],
  ]);
  return {
    '@type': random.pick(['Place', 'FacilityUse', 'IndividualFacilityUse', 'Place']),
    '@id': idOf(asked, own),
    name: text(asked),
    geo: {
      '@type': 'GeoCoordinates',
      latitude: random.pick([51.5, 91, 'x', null]),
      longitude: random.pick([0, 181, 'x']),
    },
    openingHoursSpecification: Array.from({ length: hours }, (_, i) => ({
      '@type': 'OpeningHoursSpecification',
      dayOfWeek: random.pick(['https://schema.org/Monday', 'PublicHolidays', 'x']),
      opens: `0${i % 10}:00`,
      closes: random.pick(['17:00', '24:00', '00:00', '99:00', 'x']),
    })),
  };
}
