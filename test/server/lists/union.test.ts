import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Thing, thingOf } from '../../../src/library/lists/list.ts';
import { tokenOf } from '../../../src/library/lists/token.ts';
import { keyOf } from '../../../src/opportunity/identity.ts';
import { readWithIcalJs } from '../../calendar/read.ts';
import { Random } from '../../generate/random.ts';
import type { RpdeJson } from '../../generate/series.ts';
import { runs } from '../../runs.ts';
import { item, type Served, served } from '../stored-rig.ts';

/** A list has the dates that its parts have, each alone (semantics 6.7). */

const RUNS = runs(2);
const WINDOW = [Date.UTC(2026, 10, 30), Date.UTC(2027, 0, 10)] as const;

const id = (path: string) => `https://example.org/${path}`;
const at = (name: string) => ({ location: { '@type': 'Place', '@id': id(name), name } });
const priced = (price: number) => ({ offers: [{ '@type': 'Offer', price, priceCurrency: 'GBP' }] });
const PLACES = ['Hall', 'Barn', 'Mill'];
const LEVELS = ['Beginner', 'Advanced'];
const PARTS = [
  ...PLACES.map((name) => `places/${keyOf('place', id(name))}`),
  ...['maxPrice=5', 'maxPrice=8', 'level=Beginner', 'day=mon', 'day=tue', 'after=12:00', 'q=beginner', 'q=class'].map(
    (query) => `search:${query}`,
  ),
];

/** A series on Mondays and Tuesdays, whose sessions may say another place, price or level. */
function series(name: string, random: Random): RpdeJson[] {
  const own = () => ({
    ...(random.chance(0.3) && at(random.pick(PLACES))),
    ...(random.chance(0.3) && priced(random.pick([4, 7, 10]))),
    ...(random.chance(0.3) && { level: [random.pick(LEVELS)] }),
  });
  const eventSchedule = {
    '@type': 'Schedule',
    startDate: '2026-11-30',
    endDate: '2026-12-15',
    startTime: '10:00',
    duration: 'PT1H',
    repeatFrequency: 'P1W',
    byDay: ['https://schema.org/Monday', 'https://schema.org/Tuesday'].slice(random.int(0, 1)),
    scheduleTimezone: 'Europe/London',
    scheduledEventType: 'ScheduledSession',
    idTemplate: `${id(name)}/{startDate}`,
  };
  const days = ['2026-11-30', '2026-12-01', '2026-12-07', '2026-12-08', '2026-12-15', '2026-12-26'];
  const sessions = days.filter(() => random.chance(0.6));
  return [
    item('SessionSeries', name, {
      '@id': id(name),
      name: `Class ${name}`,
      ...at(random.pick(PLACES)),
      ...priced(random.pick([4, 10])),
      ...own(),
      ...(random.chance(0.6) && { eventSchedule }),
    }),
    ...sessions.map((day) =>
      item('ScheduledSession', `${name}/${day}`, {
        '@id': `${id(name)}/${day}T10:00:00Z`,
        superEvent: id(name),
        startDate: `${day}T${random.pick([10, 10, 14])}:00:00Z`,
        duration: 'PT1H',
        ...own(),
      }),
    ),
  ];
}

async function datesIn(one: Served, ...parts: string[]): Promise<string[]> {
  const things = parts.map((part): Thing => {
    const [, query] = /^search:(.*)/.exec(part) ?? [];
    return query === undefined ? (thingOf(part) as Thing) : { kind: 'search', query };
  });
  return [...new Set(readWithIcalJs(await one.text(`/my/${tokenOf(things)}.ics`), ...WINDOW))];
}

test('a list of two parts has the dates of either, and no others', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 1_000_000 }), async (seed) => {
      const random = new Random(seed);
      const one = await served();
      try {
        await one.feed(...['a', 'b', 'c', 'd'].flatMap((name) => series(name, random)));
        const alone = new Map<string, string[]>();
        for (const part of PARTS) alone.set(part, await datesIn(one, part));
        for (const [index, part] of PARTS.entries())
          for (const other of PARTS.slice(index + 1)) {
            const either = new Set([...(alone.get(part) as string[]), ...(alone.get(other) as string[])]);
            expect(await datesIn(one, part, other), `${part} ${other}`).toEqual([...either].sort());
          }
      } finally {
        await one.close();
      }
    }),
    { numRuns: RUNS },
  );
});
