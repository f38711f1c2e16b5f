import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { toComponents } from '../../src/calendar/components.ts';
import { composeSeries } from '../../src/calendar/series/compose.ts';
import { boundsAround } from '../../src/calendar/venue/availability.ts';
import { availabilityCalendar, freeBusyCalendar, openingCalendar } from '../../src/calendar/venue/venue-calendar.ts';
import { placeVenue } from '../../src/hours/venue.ts';
import type { Component } from '../../src/ical/tree.ts';
import { readInput } from '../../src/join/input.ts';
import { join as joined } from '../../src/join/join.ts';
import type { Place } from '../../src/opportunity/records.ts';
import { type Zone, zone } from '../../src/time/zone.ts';
import { loosened } from '../generate/loose.ts';
import { Random } from '../generate/random.ts';
import { randomFeed } from '../generate/series.ts';
import { randomVenueJson } from '../hours/random-place.ts';

/** docs/standards.md says what is in our calendars. */

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const PAGE = join(ROOT, 'docs', 'standards.md');
const page = readFileSync(PAGE, 'utf8');
const OPTIONS = { zone: 'Europe/London', feed: 'https://example.org/feed' };
const REVISION = { sequence: 0, modified: 0 };

interface Row {
  elements: string[];
  context: boolean;
  says: string;
}

/** What is written; what is read is a chapter of its own. */
const [writing = ''] = page.split('# What clients make of it');
const rows = writing
  .split('\n')
  .map((line) => /^\| (.+?) \| (yes|partly|no) \|/.exec(line))
  .filter((found) => found !== null)
  .map(
    ([, element = '', says = '']): Row => ({
      elements:
        element.match(/\b(?:[A-Z][A-Z0-9]*(?:-[A-Z0-9]+)+|[A-Z][A-Z0-9]+)\b/g)?.filter((name) => name !== 'RFC') ?? [],
      // Elsewhere they are written: `EXDATE … in AVAILABLE`.
      context: / (in|of) /.test(element),
      says,
    }),
  );

/** Names of components, properties and parameters. */
function namesIn(component: Component, into: Set<string>): Set<string> {
  into.add(component.name);
  for (const { name, params } of component.properties) {
    into.add(name);
    for (const [param] of params ?? []) into.add(param);
  }
  for (const child of component.components) namesIn(child, into);
  return into;
}

const written = new Set<string>();
const inAvailable = new Set<string>();
const inCalendar = new Set<string>();

function noteNames(calendar: Component): void {
  namesIn(calendar, written);
  for (const { name } of calendar.properties) inCalendar.add(name);
  for (const { components } of calendar.components) {
    for (const { name, properties } of components)
      if (name === 'AVAILABLE') for (const property of properties) inAvailable.add(property.name);
  }
}

beforeAll(() => {
  const { series, places } = joined(readInput(JSON.stringify(loosened(3, randomFeed(3, 60))), OPTIONS).records);
  for (const { series: one, sessions } of series) {
    const compose = {
      zone: 'Europe/London',
      today: '2026-11-21',
      placesLeft: false,
      refresh: 'PT6H',
      attribution: 'A',
    };
    const { calendar } = composeSeries(one, sessions, compose);
    noteNames(
      toComponents({ ...calendar, url: 'https://e.example', source: 'https://e.example/a.ics' }, () => REVISION),
    );
  }
  const random = new Random(5);
  const made = Array.from({ length: 40 }, (_, index) => randomVenueJson(random, index).json);
  const more = joined(readInput(JSON.stringify(made), OPTIONS).records).places;
  for (const place of [...places, ...more] as Place[]) {
    const venue = placeVenue(place, {
      zone: zone('Europe/London') as Zone,
      holidays: { country: 'GB', region: 'ENG' },
    });
    const header = { zone: 'Europe/London', attribution: 'A' };
    const bounds = () => boundsAround('2026-11-21');
    noteNames(toComponents(openingCalendar([venue], bounds, header), () => REVISION));
    noteNames(availabilityCalendar([venue], bounds, REVISION, header));
    const window = { from: Date.UTC(2026, 10, 1), to: Date.UTC(2026, 11, 1), free: true };
    noteNames(freeBusyCalendar([venue], window, REVISION, header));
  }
});

describe('the ledger', () => {
  it('is long enough to be one', () => expect(rows.length).toBeGreaterThan(60));

  it('lists everything that is written', () => {
    const listed = new Set(rows.filter(({ says }) => says !== 'no').flatMap(({ elements }) => elements));
    expect([...written].filter((name) => !listed.has(name))).toEqual([]);
  });

  it('says yes only to what is written', () => {
    const named = rows.filter(({ says }) => says !== 'no').flatMap(({ elements }) => elements);
    const kinds = /^(UTF-8|CRLF|TEXT|DATE|DATE-TIME|PERIOD|RECUR|URI|UTC-OFFSET|INTEGER|FLOAT|DURATION)$/;
    expect(named.filter((name) => !written.has(name) && !kinds.test(name))).toEqual([]);
  });

  it('no element that the ledger refuses is ever written', () => {
    const refused = rows.filter(({ says, context }) => says === 'no' && !context).flatMap(({ elements }) => elements);
    expect(refused.filter((name) => written.has(name))).toEqual([]);
    for (const name of ['EXDATE', 'RDATE', 'RECURRENCE-ID']) expect(inAvailable).not.toContain(name);
    for (const name of ['UID', 'LAST-MODIFIED', 'CATEGORIES', 'METHOD', 'PRIORITY'])
      expect(inCalendar).not.toContain(name);
    expect(written).not.toContain('PRIORITY');
  });

  it.each([
    ...new Set([...page.matchAll(/\[([^\]]+)\]\((\.\.\/test\/[^)]+)\)/g)].map(([, title, path]) => `${path} ${title}`)),
  ])('names a test that exists: %s', (named) => {
    const [path = '', ...title] = named.split(' ');
    const file = resolve(dirname(PAGE), path);
    expect(existsSync(file), file).toBe(true);
    if (!path.includes('/interop/')) expect(readFileSync(file, 'utf8')).toContain(title.join(' '));
  });

  it('has no page beside it that nobody can reach', () => {
    const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
    for (const name of readdirSync(join(ROOT, 'docs'))) expect(readme).toContain(`docs/${name}`);
  });
});
