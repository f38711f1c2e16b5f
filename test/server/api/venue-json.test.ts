import { describe, expect, test } from 'vitest';
import type { FacilityTimes } from '../../../src/library/index.ts';
import { setUp } from '../fake.ts';
import { AT, FINDING, facility, HOUR, place, placeWithoutHours, row, WEEK } from '../made.ts';

const BASE = 'https://calendars.example/open';

function withSamples() {
  const { library, app } = setUp();
  library.venues.set('places/p1', place());
  library.odd = [FINDING];
  library.venues.set('facilities/f1', facility());
  library.open = [{ start: AT, end: AT + HOUR, because: ['standard hours, $.x[0]'] }];
  return { library, app };
}

async function json(response: Response): Promise<Record<string, unknown>> {
  return (await response.json()) as Record<string, unknown>;
}

const NEXT = { at: '2026-11-21T22:00:00Z', opens: false, because: ['standard hours, $.x[0]'] };
const OPEN = { open: true, because: ['standard hours, $.x[0]'], next: NEXT, week: WEEK, openSevenDays: 'PT98H30M' };

test('one place: what its page shows, moments as text', async () => {
  const response = await withSamples().app.request('/api/places/p1');
  expect(response.headers.get('cache-control')).toBe('public, max-age=60');
  const { publisher } = place();
  expect(await json(response)).toEqual({
    key: 'p1',
    id: 'https://id.example/places/1',
    type: 'Place',
    name: 'Town Hall',
    description: 'A hall.\nWith a stage.',
    url: 'https://hall.example/',
    telephone: '01632 960101',
    address: 'High Street, Wexcombe',
    timezone: 'Europe/London',
    holidays: 'GB-ENG',
    hours: {
      at: '2026-11-21T09:30:00Z',
      ...OPEN,
    },
    upcoming: [
      {
        start: '2026-11-21T10:30:00Z',
        end: '2026-11-21T11:30:00Z',
        status: 'EventScheduled',
        name: 'Gentle yoga',
        series: `${BASE}/api/series/abc`,
      },
      {
        start: '2026-11-22T09:30:00Z',
        status: 'EventCancelled',
        name: 'Judo',
        url: 'https://judo.example/',
        series: `${BASE}/api/series/def`,
      },
    ],
    series: 2,
    facilities: 3,
    findings: [FINDING],
    publisher,
    page: `${BASE}/places/p1`,
    calendars: {
      all: `${BASE}/places/p1.ics`,
      availability: `${BASE}/places/p1/availability.ics`,
      freebusy: `${BASE}/places/p1/freebusy.ics`,
      hours: `${BASE}/places/p1/hours.ics`,
      sessions: `${BASE}/places/p1/sessions.ics`,
    },
  });
});

test('a facility names its place', async () => {
  const body = await json(await withSamples().app.request('/api/facilities/f1'));
  expect(body).toMatchObject({ type: 'FacilityUse', place: `${BASE}/api/places/p1`, upcoming: [] });
  expect(body).not.toHaveProperty('series');
});

describe('when a facility can be booked', () => {
  const DAY = 24 * HOUR;
  const slotsOf = async (court: Partial<FacilityTimes>) => {
    const { app, library } = withSamples();
    library.courts = [{ key: 'f1', offers: [], publishesTimes: true, times: [], ...court }];
    return (await json(await app.request('/api/facilities/f1'))).slots;
  };

  test('the free times of the page: of fourteen days from today on, without what has begun', async () => {
    const times = [-HOUR, HOUR, 13 * DAY, 14 * DAY + 15 * HOUR].map((later, at) => ({
      start: AT + later,
      end: AT + later + HOUR,
      free: at,
      ...(at < 2 && { of: 4 }),
      offers: at === 2 ? [{ price: 8, currency: 'GBP' }] : [],
    }));
    expect(await slotsOf({ times })).toEqual({
      published: true,
      times: [
        { start: '2026-11-21T10:30:00Z', end: '2026-11-21T11:30:00Z', remainingUses: 1, maximumUses: 4 },
        {
          start: '2026-12-04T09:30:00Z',
          end: '2026-12-04T10:30:00Z',
          remainingUses: 2,
          offers: [{ price: 8, currency: 'GBP' }],
        },
      ],
    });
  });

  test('from when on they are left out, and where there are none', async () => {
    expect(await slotsOf({ until: AT + 2 * DAY })).toEqual({
      published: true,
      times: [],
      until: '2026-11-23T09:30:00Z',
    });
    expect(await slotsOf({ publishesTimes: false })).toEqual({ published: false, times: [] });
    expect(await json(await withSamples().app.request('/api/places/p1'))).not.toHaveProperty('slots');
  });
});

describe('/open', () => {
  test('now, unless it says when', async () => {
    const { app, library } = withSamples();
    const response = await app.request('/api/places/p1/open');
    expect(await json(response)).toEqual({
      key: 'p1',
      timezone: 'Europe/London',
      holidays: 'GB-ENG',
      published: true,
      at: '2026-11-21T09:30:00Z',
      ...OPEN,
    });
    expect((await app.request('/api/places/p1/open?at=2026-12-25T12:00:00Z')).status).toBe(200);
    expect((await app.request('/api/facilities/f1/open?at=2026-12-25')).status).toBe(200);
    expect(library.moments).toEqual([undefined, Date.UTC(2026, 11, 25, 12), Date.UTC(2026, 11, 25)]);
  });

  test('without published hours the answer states so', async () => {
    const { app, library } = withSamples();
    library.venues.set('places/p1', placeWithoutHours());
    expect(await json(await app.request('/api/places/p1/open'))).toEqual({
      key: 'p1',
      timezone: 'Europe/London',
      holidays: 'GB-ENG',
      published: false,
    });
  });

  test('an answer about now is kept no longer than it is true', async () => {
    const { app, library } = withSamples();
    const hours = place().hours as NonNullable<ReturnType<typeof place>['hours']>;
    library.venues.set('places/p1', place({ hours: { ...hours, next: { at: AT + 5000, opens: false, because: [] } } }));
    const age = async (query: string) =>
      (await app.request(`/api/places/p1/open${query}`)).headers.get('cache-control');
    expect([await age(''), await age('?at=2026-11-21')]).toEqual(['public, max-age=5', 'public, max-age=60']);
  });

  const lengths: [milliseconds: number, text: string][] = [
    [0, 'PT0S'],
    [HOUR, 'PT1H'],
    [168 * HOUR, 'PT168H'],
    [60_000, 'PT1M'],
    [HOUR + 61_000, 'PT1H1M1S'],
  ];
  test.each(lengths)('%i ms open is %s', async (openSevenDays, text) => {
    const { app, library } = withSamples();
    const hours = place().hours as NonNullable<ReturnType<typeof place>['hours']>;
    library.venues.set('places/p1', place({ hours: { ...hours, openSevenDays } }));
    expect(await json(await app.request('/api/places/p1/open'))).toMatchObject({ openSevenDays: text });
  });
});

describe('/hours', () => {
  test('periods of a window', async () => {
    const { app, library } = withSamples();
    const body = await json(await app.request('/api/places/p1/hours?from=2026-11-21&to=2026-11-22T12:00:00Z'));
    expect(body).toEqual({
      key: 'p1',
      timezone: 'Europe/London',
      holidays: 'GB-ENG',
      published: true,
      from: '2026-11-21T00:00:00Z',
      to: '2026-11-22T12:00:00Z',
      periods: [
        {
          start: '2026-11-21T09:30:00Z',
          end: '2026-11-21T10:30:00Z',
          because: ['standard hours, $.x[0]'],
        },
      ],
    });
    expect(library.windows).toEqual([{ from: Date.UTC(2026, 10, 21), to: Date.UTC(2026, 10, 22, 12) }]);
  });

  test('nothing published is not closed', async () => {
    const { app, library } = withSamples();
    library.venues.set('places/p1', placeWithoutHours());
    library.open = [];
    expect(await json(await app.request('/api/places/p1/hours'))).toMatchObject({ published: false, periods: [] });
  });

  test('eight weeks from today by default', async () => {
    const body = await json(await withSamples().app.request('/api/facilities/f1/hours'));
    expect(body).toMatchObject({ from: '2026-11-21T00:00:00Z', to: '2027-01-16T00:00:00Z' });
  });
});

describe('parameters that cannot be used are problems that name them', () => {
  const table: [path: string, named: string][] = [
    ['/api/places/p1/open?at=noon', 'at'],
    ['/api/places/p1/open?at=', 'at'],
    ['/api/places/p1/hours?from=2026-02-30', 'from'],
    ['/api/places/p1/hours?to=x', 'to'],
    ['/api/facilities/f1/hours?from=2026-01-01&to=2027-06-01', 'to'],
    ['/api/facilities/f1/hours?from=2026-01-02&to=2026-01-01', 'from'],
    ['/api/places?limit=0', 'limit'],
    ['/api/facilities?limit=x', 'limit'],
  ];
  test.each(table)('%s', async (path, named) => {
    const response = await withSamples().app.request(path);
    expect([response.status, response.headers.get('content-type')]).toEqual([
      400,
      'application/problem+json; charset=utf-8',
    ]);
    const { detail, parameters: _, ...rest } = await json(response);
    expect(rest).toEqual({ type: 'about:blank', title: 'Bad Request', status: 400 });
    expect(detail).toMatch(new RegExp(`^"${named}" must be `));
  });
});

test.each([
  '/api/places/f1',
  '/api/facilities/p1',
  '/api/places/p1x/open',
  '/api/facilities/p1/hours',
  '/api/places/P1',
])('%s: there is none, and the problem says of what', async (path) => {
  const response = await withSamples().app.request(path);
  const { status, detail } = await json(response);
  expect([response.status, status]).toEqual([404, 404]);
  expect(detail).toBe(`There is no such ${path.includes('places') ? 'place' : 'facility'} here.`);
});

test('lists, page by page, each row with its own addresses', async () => {
  const { app, library } = withSamples();
  library.facilities = [1, 2, 3].map((n) => row({ key: `f${n}`, kind: 'facilities', name: `Court ${n}` }));
  const first = await json(await app.request('/api/facilities?limit=2&place=p1&q=court'));
  expect(first).toMatchObject({
    total: 3,
    items: [
      { key: 'f1', page: `${BASE}/facilities/f1`, calendar: `${BASE}/facilities/f1.ics` },
      { key: 'f2', page: `${BASE}/facilities/f2`, calendar: `${BASE}/facilities/f2.ics` },
    ],
    next: `${BASE}/api/facilities?place=p1&q=court&limit=2&after=2`,
  });
  const second = await json(await app.request((first.next as string).slice(BASE.length)));
  expect(second).toMatchObject({ items: [{ key: 'f3' }] });
  expect(second).not.toHaveProperty('next');
  const filters = { q: 'court', place: ['p1'] };
  expect(library.search.asked).toEqual([
    ['facilities', filters, { limit: 2 }],
    ['facilities', filters, { limit: 2, after: '2' }],
  ]);
});
