import { afterEach, beforeEach, describe, expect, it, test } from 'vitest';
import { wallValue } from '../../../src/ical/values.ts';
import { type Thing, thingOf } from '../../../src/library/lists/list.ts';
import { tokenOf } from '../../../src/library/lists/token.ts';
import { DAY_MS } from '../../../src/time/days.ts';
import { toWall, type Zone, zone } from '../../../src/time/zone.ts';
import { item, type Served, served } from '../stored-rig.ts';
import { componentsOf } from '../subscribers/subscriber.ts';

/** A search as a calendar, over the whole program but its sockets. */

let one: Served;
beforeEach(async () => {
  one = await served();
});
afterEach(() => one.close());

const PLACE = {
  '@type': 'Place',
  '@id': 'https://x.example/places/1',
  name: 'Town Hall',
  geo: { '@type': 'GeoCoordinates', latitude: 50.72, longitude: -3.53 },
};
const idOf = (name: string) => `https://x.example/${name}`;

function weekly(name: string, days: readonly string[], over: Record<string, unknown> = {}, data: object = {}) {
  const id = idOf(name);
  const eventSchedule = {
    '@type': 'Schedule',
    startDate: '2026-11-02',
    startTime: '18:00',
    duration: 'PT1H',
    repeatFrequency: 'P1W',
    byDay: days.map((day) => `https://schema.org/${day}`),
    scheduleTimezone: 'Europe/London',
    scheduledEventType: 'ScheduledSession',
    idTemplate: `${id}/{startDate}`,
    ...over,
  };
  return item('SessionSeries', name, { '@id': id, name, location: PLACE, eventSchedule, ...data });
}

function session(name: string, start: string, over: Record<string, unknown> = {}) {
  const data = { superEvent: idOf(name), startDate: start, duration: 'PT1H', ...over };
  return item('ScheduledSession', `${name} ${JSON.stringify(over['@id'] ?? start)}`, {
    '@id': `${idOf(name)}/${start}`,
    ...data,
  });
}

async function keyOf(name: string): Promise<string> {
  return (await one.library.keyOfId('series', idOf(name))) as string;
}

const held = async (path: string) => componentsOf(await one.text(path), 'uid');

/** Starts of events, as the calendar writes them. */
function starts(text: string): string[] {
  return [...text.matchAll(/\r\nDTSTART[^:]*:(\S+)\r\n/g)].map(([, start = '']) => start).sort();
}

/** The same of `/api/occurrences`, on London's clocks. */
async function occurrences(query: string): Promise<string[]> {
  const response = await one.app.request(`/api/occurrences?${query}&limit=500`);
  const { items } = (await response.json()) as { items: { start: string }[] };
  return items.map(({ start }) => wallValue(toWall(zone('Europe/London') as Zone, Date.parse(start)))).sort();
}

describe('/search.ics', () => {
  it('has a series of which it takes every instance as its own calendar has it', async () => {
    await one.feed(weekly('Yoga', ['Tuesday']), weekly('Boxing', ['Wednesday']));
    await one.feed(session('Yoga', '2026-12-01T18:00:00Z', { eventStatus: 'https://schema.org/EventCancelled' }));
    const own = await held(`/series/${await keyOf('Yoga')}.ics`);
    for (const query of [
      'q=yoga',
      'day=tue',
      'day=tue&after=17:00',
      `series=${await keyOf('Yoga')}`,
      'q=yoga&day=mon,tue',
    ])
      expect(await held(`/search.ics?${query}`), query).toEqual(own);
  });

  it('has single events of a series of which it takes some, and no rule that shows more', async () => {
    await one.feed(weekly('Yoga', ['Tuesday', 'Thursday']));
    await one.feed(session('Yoga', '2026-12-01T18:00:00Z', { name: 'Yoga outside' }));
    for (const query of ['day=thu', 'day=tue', 'to=2026-12-10', 'from=2026-12-01&to=2026-12-20&day=tue']) {
      const text = await one.text(`/search.ics?${query}`);
      const events = text.slice(text.indexOf('BEGIN:VEVENT'));
      expect(events, query).not.toContain('RRULE');
      expect(starts(events), query).toEqual(await occurrences(query));
    }
    expect(await one.text('/search.ics?day=tue')).toContain('SUMMARY:Yoga outside');
  });

  it('has what is as long as words say: of a series some dates, or all as its own calendar has them', async () => {
    await one.feed(weekly('Yoga', ['Tuesday']), weekly('Boxing', ['Wednesday']));
    await one.feed(session('Yoga', '2026-12-01T18:00:00Z', { duration: 'PT30M' }));
    for (const q of ['30 minute yoga', 'not yoga', 'yoga not in the evening', 'swim or yoga']) {
      const text = await one.text(`/search.ics?q=${q}&to=2026-12-20`);
      const events = text.slice(text.indexOf('BEGIN:VEVENT'));
      expect(starts(events), q).toEqual(await occurrences(`q=${q}&to=2026-12-20`));
    }
    expect(await occurrences('q=30 minute yoga')).toEqual(['20261201T180000']);
    expect(await held('/search.ics?q=1 hour boxing')).toEqual(await held(`/series/${await keyOf('Boxing')}.ics`));
    expect(await held('/search.ics?q=2 hour yoga')).toEqual(await held(`/series/${await keyOf('Yoga')}.ics`));
  });

  it('keeps the UID of an instance that a session replaces, and raises SEQUENCE', async () => {
    await one.feed(weekly('Yoga', ['Tuesday', 'Thursday']));
    const before = await held('/search.ics?day=tue');
    const at = (map: typeof before, time: string) => [...map].find(([, { text }]) => text.includes(time));
    const [uid, was] = at(before, 'T180000') as [string, { text: string; sequence: number; lastModified: string }];
    const day = /DTSTART[^:]*:(\d{4})(\d\d)(\d\d)T/.exec(was.text) as RegExpExecArray;
    await one.feed(session('Yoga', `${day[1]}-${day[2]}-${day[3]}T18:00:00Z`, { name: 'Yoga outside' }));
    const after = (await held('/search.ics?day=tue')).get(uid);
    expect(after?.text).toContain('Yoga outside');
    expect(after?.sequence).toBeGreaterThan(was.sequence);
    expect((after?.lastModified as string) > was.lastModified).toBe(true);
  });

  it('never takes Last-Modified back when a series leaves it, and is a 304 while it is the same', async () => {
    await one.feed(weekly('Yoga', ['Tuesday']));
    await one.feed(weekly('Yoga for all', ['Tuesday']));
    const ask = (headers: Record<string, string> = {}) => one.app.request('/search.ics?q=yoga', { headers });
    const dateOf = (response: Response) => Date.parse(response.headers.get('last-modified') as string);
    const first = await ask();
    const since = first.headers.get('last-modified') as string;
    await one.feed(weekly('Judo', ['Monday']));
    await one.roll(1);
    expect((await ask({ 'if-modified-since': since })).status).toBe(304);
    await one.feed(item('SessionSeries', 'Yoga for all'));
    const second = await ask({ 'if-modified-since': since });
    expect([second.status, await second.text()]).toEqual([200, expect.not.stringContaining('Yoga for all')]);
    expect(dateOf(second)).toBeGreaterThan(dateOf(first));
    one.restart();
    one.rig.clock.now += 5000;
    expect(dateOf(await ask())).toBeGreaterThanOrEqual(dateOf(second));
  });

  it('is one with a list that holds it and a series that it finds', async () => {
    await one.feed(weekly('Yoga', ['Tuesday', 'Thursday']), weekly('Judo', ['Thursday']));
    const things = [`series/${await keyOf('Yoga')}`, 'search?day=thu'].map((text) => thingOf(text) as Thing);
    const merged = await held(`/my/${tokenOf(things)}.ics`);
    const own = new Map([
      ...(await held(`/series/${await keyOf('Yoga')}.ics`)),
      ...(await held(`/series/${await keyOf('Judo')}.ics`)),
    ]);
    expect(new Map([...merged].sort())).toEqual(new Map([...own].sort()));
  });

  it('says itself in words', async () => {
    await one.feed(weekly('Yoga', ['Tuesday']));
    expect(await one.text('/search.ics?day=sat,sun&q=yoga&after=9:00&utm_source=x')).toContain(
      'X-WR-CALNAME:Search: yoga\\, weekends\\, from 09:00\r\n',
    );
    expect(await one.text('/search.ics')).toContain('X-WR-CALNAME:Search: everything\r\n');
  });

  test.each([
    ['maxprice=8', '"maxprice" is not known here (did you mean maxPrice?).'],
    ['day=someday', '"day" must be mon, tue, wed, thu, fri, sat, sun, not "someday" (did you mean sunday?).'],
    ['colour=red%0d%0aX: y', '"colour" is not known here'],
  ])('%s is 400 in one line', async (query, line) => {
    const response = await one.app.request(`/search.ics?${query}`);
    const text = await response.text();
    expect([response.status, text.slice(0, 20)]).toEqual([400, line.slice(0, 20)]);
    expect(text.trim()).not.toContain('\n');
  });

  it('holds no more than programs take', async () => {
    const sessions = Array.from({ length: 700 }, (_, at) => {
      const start = new Date(Date.UTC(2026, 10, 23, 6) + Math.floor(at / 2) * DAY_MS + (at % 2) * 3_600_000 * 12);
      return session('Gym', start.toISOString().replace('.000', ''));
    });
    const gym = item('SessionSeries', 'Gym', { '@id': idOf('Gym'), name: 'Gym', location: PLACE });
    const more = sessions.map((one) => ({
      ...one,
      id: `2 ${one.id}`,
      data: { ...one.data, '@id': `${one.data?.['@id']}/2`, superEvent: idOf('Gym 2') },
    }));
    await one.feed(
      gym,
      ...sessions,
      item('SessionSeries', 'Gym 2', { '@id': idOf('Gym 2'), name: 'Gym 2', location: PLACE }),
      ...more,
    );
    const text = await one.text('/search.ics?q=gym');
    expect(text.match(/BEGIN:VEVENT/g)?.length).toBeLessThanOrEqual(1000);
    expect(text.replaceAll('\r\n ', '')).toMatch(/DESCRIPTION:.*\d+ events are left out/);
  });
});
