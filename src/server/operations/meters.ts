import { type CalendarName, VENUE_PARTS } from '../../library/index.ts';

/**
 * Counts of the server: plain numbers, raised in place. They get names and labels when they are read (`metrics.ts`), because a
 * label looked up in every request would cost more than the answer.
 */

/** The counts of one kind of calendar. */
export interface Meter {
  /** Answers with the calendar, and with 304. */
  full: number;
  notModified: number;
  bytes: number;
  /** Lookups that found a calendar in memory, and those that did not. */
  hits: number;
  misses: number;
  renders: number;
  renderMs: number;
}

export type CalendarCounts = readonly (readonly [kind: string, counts: Meter])[];

const ROUTES = ['calendar', 'dav', 'api', 'page', 'rpde', 'operations'] as const;
export type Route = (typeof ROUTES)[number];

/** All counts of a server. */
export class Meters {
  /** `series`, `places`, `places/hours` … */
  readonly calendars: ReadonlyMap<string, Meter> = new Map(KINDS.map((kind) => [kind, newMeter()]));
  /** Answers by the hundreds of their status; of calendars without 200 and 304, which their own meters count. */
  readonly answers = Object.fromEntries(ROUTES.map((route) => [route, [0, 0, 0, 0, 0, 0]])) as Readonly<
    Record<Route, number[]>
  >;

  of(name: CalendarName): Meter {
    return this.calendars.get(kindOf(name)) as Meter;
  }

  /** The counts of calendars since the last call. */
  take(): CalendarCounts {
    const counts = [...this.calendars].filter(([, meter]) => COUNTS.some((count) => meter[count] > 0));
    const taken = counts.map(([kind, meter]): [string, Meter] => [kind, { ...meter }]);
    for (const [, meter] of counts) Object.assign(meter, newMeter());
    return taken;
  }

  add(taken: CalendarCounts): void {
    for (const [kind, counts] of taken) {
      const meter = this.calendars.get(kind) as Meter;
      for (const count of COUNTS) meter[count] += counts[count];
    }
  }

  /** Counts an answer that the router gave, and passes it on. */
  countAnswer(path: string, answer: Response | Promise<Response>): Response | Promise<Response> {
    if (answer instanceof Promise) return answer.then((response) => this.#count(path, response));
    return this.#count(path, answer);
  }

  #count(path: string, response: Response): Response {
    const route = routeOf(path);
    const { status } = response;
    if (route === 'calendar' && (status === 200 || status === 304)) return response;
    const hundreds = this.answers[route];
    const at = Math.floor(status / 100);
    hundreds[at] = (hundreds[at] ?? 0) + 1;
    return response;
  }
}

const KINDS = [
  'series',
  'my',
  'search',
  ...(['places', 'facilities'] as const).flatMap((collection) =>
    VENUE_PARTS.map((part) => (part === 'all' ? collection : `${collection}/${part}`)),
  ),
];

/** `series` for `abc`, `places/hours` for `places/abc/hours`. */
function kindOf(name: CalendarName): string {
  if (name.startsWith('search?')) return 'search';
  if (name.startsWith('my/')) return 'my';
  const [collection, key, part] = name.split('/');
  if (key === undefined) return 'series';
  return part === 'all' ? (collection as string) : `${collection}/${part}`;
}

function newMeter(): Meter {
  return { full: 0, notModified: 0, bytes: 0, hits: 0, misses: 0, renders: 0, renderMs: 0 };
}

const COUNTS = Object.keys(newMeter()) as (keyof Meter)[];

const OPERATIONS = /^\/(?:healthz|readyz|metrics|robots\.txt|favicon\.ico|openapi\.json)$/;

function routeOf(address: string): Route {
  const query = address.indexOf('?');
  const path = query < 0 ? address : address.slice(0, query);
  if (path.startsWith('/dav') || path === '/.well-known/caldav') return 'dav';
  if (path.endsWith('.ics')) return 'calendar';
  if (path.startsWith('/api/')) return 'api';
  if (path.startsWith('/rpde')) return 'rpde';
  return OPERATIONS.test(path) ? 'operations' : 'page';
}
