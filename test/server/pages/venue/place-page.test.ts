import { describe, expect, test } from 'vitest';
import type { VenuePage } from '../../../../src/library/library.ts';
import type { FacilityTimes, Timetable, TimetableEntry } from '../../../../src/library/timetable/timetable.ts';
import type { Offer } from '../../../../src/opportunity/records.ts';
import { setUp } from '../../fake.ts';
import { AT, DAY, facility, HOUR, place, placeWithoutHours } from '../../made.ts';

/** A Saturday. */
const entry = (hours: number, more: Partial<TimetableEntry> = {}): TimetableEntry => ({
  seriesKey: 'abc',
  name: 'Yoga',
  start: AT + hours * HOUR,
  end: AT + (hours + 1) * HOUR,
  status: 'EventScheduled',
  ...more,
});
const ON: Timetable = { entries: [entry(1), entry(25)], publishers: [{ name: 'The Fit Barn' }] };
const COURTS: FacilityTimes = {
  key: 'f1',
  name: 'Badminton courts',
  offers: [{ price: 11, currency: 'GBP' }],
  publishesTimes: true,
  times: [1, 2, 26].map((hours) => ({
    start: AT + hours * HOUR,
    end: AT + (hours + 1) * HOUR,
    free: hours === 2 ? 0 : 2,
    of: 4,
    offers: [],
  })),
};

interface Given {
  on?: Timetable;
  courts?: FacilityTimes[];
  path?: string;
  head?: object;
}

async function get(venue: VenuePage, { on = ON, courts = [COURTS], path, head = {} }: Given = {}) {
  const { library, app } = setUp();
  library.commit(`${venue.collection}/${venue.key}/all`, 'Hall', head);
  library.venues.set(`${venue.collection}/${venue.key}`, venue);
  library.on = on;
  library.courts = courts;
  const response = await app.request(path ?? `/${venue.collection}/${venue.key}`);
  const text = await response.text();
  return { response, library, text, words: wordsOf(text) };
}

/** What is heard: without style, script, and what is for the eye alone. */
function wordsOf(text: string): string {
  return text
    .replace(/<(style|script)\b[\s\S]*?<\/\1>/g, '')
    .replace(/<(\w+)[^>]*aria-hidden="true"[^>]*>[^<]*<\/\1>/g, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ');
}

type Hours = NonNullable<VenuePage['hours']>;
const hours = (more: Partial<Hours>): VenuePage => place({ hours: { ...(place().hours as Hours), ...more } });
const next = (at: number, opens: boolean) => ({ next: { at, opens, because: [] }, open: !opens });

function forEver(open: boolean): VenuePage {
  const kept = { ...(place().hours as Hours), open };
  delete kept.next;
  return place({ hours: kept });
}

describe('is it open now', () => {
  const table: [title: string, venue: VenuePage, line: string][] = [
    ['open until tonight', place(), 'Open now , until 22:00'],
    [
      'open past midnight',
      hours(next(Date.UTC(2026, 10, 21, 20) + 6 * HOUR, false)),
      'Open now , until tomorrow at 02:00',
    ],
    ['closed until this evening', hours(next(AT + 8 * HOUR, true)), 'Closed now , opens today at 17:30'],
    ['closed until tomorrow', hours(next(AT + 22 * HOUR, true)), 'Closed now , opens tomorrow at 07:30'],
    ['closed for a while', hours(next(Date.UTC(2026, 10, 30, 7), true)), 'Closed now , opens Mon 30 Nov at 07:00'],
    ['in summer', hours(next(Date.UTC(2027, 5, 1, 6), true)), 'opens Tue 1 Jun 2027 at 07:00'],
    ['open until midnight', hours(next(Date.UTC(2026, 10, 22), false)), 'Open now , until midnight'],
    ['open for days', hours(next(Date.UTC(2026, 10, 25), false)), 'Open now , until Tue 24 Nov at midnight'],
    ['closed until midnight', hours(next(Date.UTC(2026, 10, 22), true)), 'Closed now , opens at midnight'],
    ['closed until a day begins', hours(next(Date.UTC(2026, 10, 25), true)), 'Closed now , opens Wed 25 Nov'],
    [
      'open elsewhere',
      { ...hours(next(Date.UTC(2026, 10, 22, 3), false)), zone: 'America/New_York' },
      'Open now , until 22:00 (New York time)',
    ],
    ['always open', forEver(true), 'Open now , day and night'],
    ['closed for good', forEver(false), 'Closed now . No opening is announced.'],
  ];
  test.each(table)('%s', async (_, venue, line) => expect((await get(venue)).words).toContain(line));

  const caches: [title: string, venue: VenuePage, seconds: number][] = [
    ['a minute', place(), 60],
    ['no longer than until the next change', hours(next(AT + 12_500, false)), 12],
    ['not at all where that is now', hours(next(AT + 900, false)), 0],
    ['a minute where nothing changes', forEver(true), 60],
  ];
  test.each(caches)('the page is kept for %s', async (_, venue, seconds) => {
    const { response } = await get(venue);
    expect(response.headers.get('cache-control')).toBe(`public, max-age=${seconds}`);
  });
});

test('where the clocks are not those of the operator, each time that is next, and the timetable, say whose it is', async () => {
  const { words } = await get(place({ zone: 'America/New_York' }), { on: ON });
  expect(words).toContain('Next here (New York time)');
  expect(words).toMatch(/Timetable Sat 21 to Fri 27 Nov \(New York time\)/);
});

describe('the hours are a table that can be heard, and a picture', () => {
  test('each day in words', async () => {
    const { text } = await get(place());
    const [table = ''] = /<table class="lanes">[\s\S]*?<\/table>/.exec(text) ?? [];
    const rows = [...table.matchAll(/<tr[^>]*>([\s\S]*?)<\/tr>/g)]
      .slice(1)
      .map(([, cells = '']) => wordsOf(cells).trim());
    expect(rows).toEqual([
      'Today 07:00 to 22:00',
      'Sun 22 09:00 to 13:00 public holiday, Boxing Day',
      'Mon 23 Closed special hours',
      'Tue 24 18:00 to 03:00 (Wed) special hours',
      'Wed 25 All day',
      'Thu 26 07:00 to 12:00 , 14:00 to 20:30',
      'Fri 27 Closed',
    ]);
    expect(table).toContain('<span data-date="Sat 21"><span class="noprint">Today</span></span>');
    expect(table.match(/<th scope="row">/g)).toHaveLength(7);
    expect(table.match(/aria-current="date"/g)).toHaveLength(1);
  });

  test('a bar for each period, special ones in their colour, and a line for now', async () => {
    const { text } = await get(place());
    const lanes = [...text.matchAll(/<td class="lane"><svg[\s\S]*?<\/svg>/g)].map(([svg]) => svg);
    expect(lanes.map((svg) => svg.match(/<rect(?! class="(?:gap|now)")/g)?.length ?? 0)).toEqual([1, 1, 0, 1, 1, 2, 0]);
    expect(lanes.map((svg) => svg.includes('class="odd"'))).toEqual([false, true, false, true, false, false, false]);
    expect(lanes.map((svg) => svg.includes('class="now"'))).toEqual([true, ...Array(6).fill(false)]);
    expect(text).not.toMatch(/NaN|Infinity/);
  });

  const odd = (date: string, open: string[], holiday?: string): Hours['exceptions'][number] => {
    const spans = open.map((one) => one.split('-') as [string, string]);
    return {
      date,
      weekday: 0,
      open: spans.map(([opens, closes]) => ({ opens, closes, nextDay: closes < opens })),
      exceptional: true,
      because: [],
      ...(holiday !== undefined && { holiday }),
    };
  };
  const table: [title: string, days: Hours['exceptions'], words: string[]][] = [
    ['a holiday', [odd('2026-12-25', [], 'Christmas Day')], ['Closed on Mon 23 Nov and Christmas Day (Fri 25 Dec).']],
    [
      'days with equal hours',
      [odd('2026-12-05', ['09:00-13:00']), odd('2026-12-06', ['09:00-13:00']), odd('2026-12-16', ['10:00-12:00'])],
      [
        'Open 09:00 to 13:00 on Boxing Day (Sun 22 Nov), Sat 5 Dec and Sun 6 Dec.',
        'Open 10:00 to 12:00 on Wed 16 Dec.',
      ],
    ],
    [
      'a substitute day',
      [odd('2026-12-28', ['10:00-16:00'], 'Boxing Day (substitute day)')],
      ['Open 10:00 to 16:00 on Boxing Day, substitute day (Mon 28 Dec).'],
    ],
    [
      'three days and more in a row',
      ['24', '25', '26', '27'].map((day) => odd(`2026-12-${day}`, [], day === '25' ? 'Christmas Day' : undefined)),
      ['Closed on Mon 23 Nov and from Thu 24 Dec to Sun 27 Dec.'],
    ],
    ['past midnight', [odd('2026-12-31', ['18:00-02:00'])], ['Open 18:00 to 02:00 (next day) on Thu 31 Dec.']],
    [
      'more than six',
      [1, 3, 5, 7, 9, 11, 13].map((day) => odd(`2026-12-${String(day).padStart(2, '0')}`, [])),
      ['Closed on Mon 23 Nov, Tue 1 Dec, Thu 3 Dec and Sat 5 Dec.', 'More days with other hours follow.'],
    ],
  ];
  test.each(table)('special days are sentences below: %s', async (_, exceptions, said) => {
    const { words } = await get(hours({ exceptions }));
    for (const one of said) expect(words.replaceAll(/ ([.,)])/g, '$1')).toContain(one);
  });
});

describe('nothing empty is offered', () => {
  const nothingOn = { on: { entries: [], publishers: [] }, courts: [] };

  test('without hours the page leads with what is on', async () => {
    const { text, words } = await get(placeWithoutHours());
    expect(words).not.toMatch(/Opening hours|Closed|Open now|undefined/);
    expect(text).not.toContain('class="lanes"');
    expect(text).not.toContain('hours.ics');
    expect(words).toContain('Next here');
    expect(words).toContain('Subscribe to what’s on');
  });

  test('with hours only, with the next opening; what is subscribed to are the hours', async () => {
    const { text, words } = await get({ ...hours(next(AT + 22 * HOUR, true)), upcoming: [], series: 0 }, nothingOn);
    expect(words).toContain('Closed now , opens tomorrow at 07:30');
    expect(words).not.toMatch(/Timetable [A-Z]|what’s on here|Next here|Put this on your site/);
    expect(text).not.toContain('sessions.ics');
    expect(text).toContain('popovertarget="subh"');
    expect(text.match(/<dialog/g)).toHaveLength(1);
  });

  test('with neither there is nothing to subscribe to', async () => {
    const { text, words, response } = await get({ ...placeWithoutHours(), upcoming: [], series: 0 }, nothingOn);
    expect(response.status).toBe(200);
    expect(words).toContain('Nobody has published when this place is open');
    expect(text.replace(/<(style|script)\b[\s\S]*?<\/\1>/g, '')).not.toMatch(/<dialog|\.ics|popovertarget/);
  });

  test('one that says next to nothing is a page all the same', async () => {
    const bare: VenuePage = {
      collection: 'places',
      key: 'p1',
      id: 'x',
      type: 'Place',
      zone: 'Nowhere/At all',
      upcoming: [],
      series: 0,
      facilities: 0,
    };
    const { text, words } = await get(bare, nothingOn);
    expect(words).toContain('A place without a name');
    expect(text).not.toMatch(/>undefined|NaN|\[object/);
  });
});

describe('the timetable', () => {
  const at = (entries: TimetableEntry[], until?: number) =>
    get(place(), { on: { entries, publishers: [], ...(until !== undefined && { until }) } });

  test('seven sections, each a day, with one list for each hour', async () => {
    const { text, library } = await get(place());
    expect(text.match(/<section class="day /g)).toHaveLength(7);
    expect(text).toContain('<section class="day d1" id="d2026-11-21" aria-label="Sat 21 Nov" aria-current="date">');
    expect(text).toMatch(/<ol><li class="s"><span class="when"><time datetime="2026-11-21T10:30:00Z">10:30<\/time>/);
    expect(library.timetableQueries).toEqual([{ from: Date.UTC(2026, 10, 21), to: Date.UTC(2026, 10, 28, 4) }]);
  });

  test('after midnight stands in the evening before', async () => {
    const { text } = await at([entry(16)]);
    expect(text).toMatch(
      /id="d2026-11-21"[\s\S]*?<ol><li class="s"><span class="when"><time datetime="2026-11-22T01:30:00Z">[\s\S]*?id="d2026-11-22"/,
    );
  });

  test('what is of another day than its column says so', async () => {
    const { words } = await at([entry(16, { name: 'Owl' }), entry(1, { name: 'Camp', end: AT + 49 * HOUR })]);
    expect(words).toMatch(/01:30 to 02:30 \(Sun\) Owl/);
    expect(words).toMatch(/10:30 to 10:30 \(Mon\) Camp/);
    expect(words).toMatch(/Sat 10:30 to 10:30 \(Mon\) Camp[^C]*Sat 10:30 to 10:30 \(Mon\) Camp/);
  });

  const flags: [title: string, more: Partial<TimetableEntry>, said: string, state: string][] = [
    ['cancelled', { status: 'EventCancelled' }, 'Cancelled', 's off'],
    ['postponed', { status: 'EventPostponed' }, 'Postponed', 's'],
    ['new time', { previousStart: AT + 9 * HOUR }, 'New time , was 18:30', 's'],
    ['new day', { previousStart: AT + 33 * HOUR }, 'New time , was Sun 22 Nov, 18:30', 's'],
    ['full', { placesLeft: 0 }, 'Full', 's'],
    ['few places', { placesLeft: 2 }, '2 left', 's'],
    ['room and ages', { room: 'Studio 1', ages: { min: 60 } }, 'Studio 1 · Over 60', 's'],
    ['who leads it', { room: 'Studio 1', leader: ['Priya'], placesLeft: 2 }, 'Studio 1 · with Priya · 2 left', 's'],
    ['family', { family: 'water' }, 'Yoga', 's t2'],
    ['over', { start: AT - 3 * HOUR, end: AT - 2 * HOUR }, 'Yoga', 's past'],
    ['until the next day', { start: AT + 14 * HOUR, end: AT + 15 * HOUR }, '23:30 to 00:30 (Sun)', 's'],
    ['without a name', { name: '' }, 'Without a name', 's'],
    ['all day', { start: Date.UTC(2026, 10, 21), end: Date.UTC(2026, 10, 22), allDay: true }, 'All day', 's'],
  ];
  test.each(flags)('%s', async (_, more, said, state) => {
    const { text, words } = await at([entry(1, more)]);
    expect(words).toContain(said);
    expect(text).toContain(`<li class="${state}">`);
  });

  test('a cancelled session that is full says one thing; a moved one of another status two at most', async () => {
    const { text } = await at([entry(1, { status: 'EventCancelled', previousStart: AT, placesLeft: 0 })]);
    const [item = ''] = /<li class="s off">.*?<\/li>/.exec(text) ?? [];
    expect(item.match(/class="flag/g)).toHaveLength(2);
  });

  test('weeks are paged by date, and only this one is for search engines', async () => {
    const { text } = await get(place());
    expect(text).toContain('href="/open/places/p1?week=2026-11-28#timetable"');
    expect(text).not.toContain('name="robots"');
    const later = await get(place(), { path: '/places/p1?week=2026-W49' });
    expect(later.library.timetableQueries[0]?.from).toBe(Date.UTC(2026, 10, 30));
    expect(later.text).toContain('<meta name="robots" content="noindex"');
    expect(later.words).toContain('Mon 30 Nov to Sun 6 Dec');
    expect(later.words).toContain('This week');
  });

  test('a week without anything says so', async () => {
    const { words } = await get(place(), { on: { entries: [], publishers: [] } });
    expect(words).toContain('Nothing is on in these seven days.');
  });

  test('what is left out is told, with the way to it', async () => {
    const { words, text } = await get(place(), { on: { ...ON, until: AT + 2 * DAY } });
    expect(words).toContain('2 sessions are listed; what starts from Mon 23 Nov, 09:30 on is not.');
    expect(text).toContain('?week=2026-11-23#timetable');
  });

  test('days of which nothing is listed are not shown as empty; the one that is cut counts on', async () => {
    const { text, words } = await at([entry(1), entry(25), entry(26)], AT + DAY + 4 * HOUR);
    expect([...text.matchAll(/<section class="day d(\d)" id="d([^"]*)"/g)].map(([, at, day]) => [at, day])).toEqual([
      ['1', '2026-11-21'],
      ['2', '2026-11-22'],
    ]);
    expect(text).toContain('<div class="grid n2">');
    expect(words).toContain('Timetable Sat 21 to Sun 22 Nov');
    expect(words).toContain('Sun 22 2+ sessions');
    const [, timetable = ''] = /Timetable (.*?) Courts, /.exec(words) ?? [];
    expect([timetable.includes('Sun 22'), timetable.includes('Mon 23')]).toEqual([true, false]);
    expect(text).toMatch(/<a class="chip" href="[^"]*week=2026-11-22#timetable" rel="nofollow">From Sun 22 Nov</);
    expect(text).not.toContain('Next week');
  });

  test('an hour is the same row in the rail and in every day', async () => {
    const { text } = await at([entry(1), entry(26), entry(15), entry(50)]);
    const rows = [...text.matchAll(/<div class="rail"[^>]*>(.*?)<\/div>/g)].map(([, rail = '']) => rail);
    expect(rows).toEqual(Array(2).fill('<b></b><b>10</b><b>11</b><b>00</b>'));
    const days = [...text.matchAll(/<section class="day.*?<\/section>/gs)].map(([day]) =>
      [...day.matchAll(/<(ol|i)>/g)].map(([, name]) => name).join(' '),
    );
    expect(days.slice(0, 3)).toEqual(['ol i ol', 'i ol i', 'i ol i']);
    expect(new Set(days.slice(3))).toEqual(new Set(['i i i']));
  });

  test.each<[string, Partial<TimetableEntry>]>([
    ['over', { start: AT - 3 * HOUR, end: AT - 2 * HOUR }],
    ['cancelled', { status: 'EventCancelled' }],
  ])('what is %s has no places left', async (_, more) => {
    const { words } = await at([2, 0].map((placesLeft) => entry(1, { ...more, placesLeft })));
    expect(words).not.toMatch(/2 left|Full/);
  });

  test.each([
    [70, ''],
    [71, ' dense'],
    [121, ' halves dense'],
  ])('%i sessions are printed%s', async (count, more) => {
    const { text } = await at(Array.from({ length: count }, (_, n) => entry((n % 7) * 24 + 1)));
    expect(text).toContain(`<section class="part tt${more}"`);
  });
});

describe('courts', () => {
  test('a week of days, and the times of the first with something free', async () => {
    const { text, words } = await get(place());
    expect(words).toContain('Badminton courts £11.00');
    expect(words).toContain('10:30 2 of 4 free');
    expect(text).toMatch(
      /<span class="taken"><time datetime="2026-11-21T11:30:00Z">11:30<\/time> <small>taken<\/small><\/span>/,
    );
    expect(text).toContain('href="/open/facilities/f1?day=2026-11-22"');
  });

  const priced = (...offers: Offer[][]): FacilityTimes => ({
    ...COURTS,
    times: COURTS.times.map((time, at) => ({ ...time, offers: offers[at] ?? [] })),
  });
  const eight: Offer = { price: 8, currency: 'GBP', url: 'https://book.example/8' };
  const ten: Offer = { price: 10, currency: 'GBP' };

  test('cost what their times cost, and each time says so where they differ', async () => {
    const same = await get(place(), { courts: [priced([eight], [eight], [eight])] });
    expect(same.words).toContain('Badminton courts £8.00');
    expect(same.words).toContain('10:30 2 of 4 free');
    expect(same.words).not.toContain('free, £');
    const other = await get(place(), { courts: [priced([eight], [ten], [ten])] });
    expect(other.words).toContain('Badminton courts £8.00 to £10.00');
    expect(other.words).toContain('10:30 2 of 4 free, £8.00');
    expect(other.words).not.toContain('taken,');
    const silent = await get(place(), { courts: [priced([{ name: 'Adult' }], [], [])] });
    expect(silent.words).toContain('Badminton courts £11.00');
  });

  test('a time leads to where it is sold, else to the organiser', async () => {
    const courts = [{ ...priced([{ ...eight, url: 'javascript:alert(1)' }, eight]), url: 'https://book.example/' }];
    const { text } = await get(facility(), { courts, path: '/facilities/f1' });
    expect(text).toMatch(/<a href="https:\/\/book\.example\/8" rel="nofollow"><time datetime="2026-11-21T10:30:00Z">/);
    expect(text).not.toContain('javascript:');
    const unsold = [{ ...priced([ten]), url: 'https://book.example/' }];
    const organiser = await get(facility(), { courts: unsold, path: '/facilities/f1' });
    expect(organiser.text).toMatch(/<a href="https:\/\/book\.example\/" rel="nofollow"><time/);
  });

  test('without free times: a sentence, and the organiser', async () => {
    const court = { ...COURTS, publishesTimes: false, times: [], offers: [], url: 'https://book.example/' };
    const { text, words } = await get(place(), { courts: [court] });
    expect(words).toContain('No free times are published');
    expect(words).toContain('Price not given');
    expect(text).toContain('href="https://book.example/"');
    const hostile = await get(place(), { courts: [{ ...court, url: 'javascript:alert(1)' }] });
    expect(hostile.text).not.toContain('javascript:');
  });

  test('the rest is a link away, where there is any', async () => {
    const courts = Array.from({ length: 13 }, (_, n) => ({ ...COURTS, key: `f${n}` }));
    expect((await get(place(), { courts })).text).toContain('kind=facilities&amp;place=');
    expect((await get(place(), { courts: courts.slice(1) })).text).not.toContain('kind=facilities&amp;place=');
  });

  test('published, but none in this week', async () => {
    const { words } = await get(place(), { courts: [{ ...COURTS, times: [] }] });
    expect(words).toContain('No times are open for booking in the next seven days.');
  });
});

describe('the page of a facility', () => {
  test('leads with the next free time, has a table of the week, and its place', async () => {
    const { text, words } = await get(facility({ placeName: 'Town Hall' }));
    expect(words).toContain('Next free: Today, 10:30 to 11:30 , 2 of 4 free');
    expect(text).toContain('<a href="/open/places/p1"><bdi>Town Hall</bdi></a>');
    expect(text.match(/<th scope="col">/g)).toHaveLength(7);
    expect(text).toContain('<th scope="row">10:30</th>');
    expect(words).toContain('Subscribe to free times');
    expect(text).toContain('facilities/f1/freebusy.ics');
    expect(text).not.toContain('sessions.ics');
    const single = { ...COURTS, times: COURTS.times.map((one) => ({ ...one, of: 1 })) };
    expect((await get(facility(), { courts: [single] })).words).toMatch(/Next free: Today, 10:30 to 11:30 (?!,)/);
  });

  test('a day is chosen by its date; anything else is the first with something free', async () => {
    const chosen = async (path: string) =>
      /<a href="([^"]*)" rel="nofollow" aria-current="date">/.exec((await get(facility(), { path })).text)?.[1];
    expect(await chosen('/facilities/f1?day=2026-11-22')).toBe('/open/facilities/f1?day=2026-11-22');
    expect(await chosen('/facilities/f1?day=x')).toBe('/open/facilities/f1');
    expect(await chosen('/facilities/f1')).toBe('/open/facilities/f1');
  });

  test('of more times than are read, the days that are whole, and from when on others are left out', async () => {
    const until = AT + 3 * DAY;
    const { text, words } = await get(facility(), { courts: [{ ...COURTS, until }] });
    const [, tiles] = /<ul class="scroll days">(.*?)<\/ul>/s.exec(text) ?? [];
    expect(tiles?.match(/<li>/g)).toHaveLength(3);
    expect(words).toContain('Times from Tue 24 Nov on are not listed here.');
    expect((await get(facility())).words).not.toContain('are not listed here');
    const card = await get(place(), { courts: [{ ...COURTS, until }] });
    expect(card.words).toContain('Times from Tue 24 Nov on are not listed here.');
  });

  test('without free times the hours lead, and are what is subscribed to', async () => {
    const { words, text } = await get(facility(), { courts: [{ ...COURTS, publishesTimes: false, times: [] }] });
    expect(words).toContain('Open now , until 22:00');
    expect(words).toContain('No free times are published');
    expect(words).toContain('Subscribe to the opening hours');
    expect(text).not.toContain('freebusy.ics');
  });
});

test('a facility whose times are all over offers none', async () => {
  const { text, words } = await get(facility(), { courts: [{ ...COURTS, times: [] }] });
  expect(words).toContain('No times are open for booking in the next 14 days.');
  expect(text).not.toContain('freebusy.ics');
});

describe('what machines read', () => {
  test('JSON-LD of schema.org, in which nothing ends the script', async () => {
    const { text } = await get(place({ name: '</script><script>alert(1)</script>', latitude: 50.7, longitude: -3.5 }));
    const [, json = ''] = /<script type="application\/ld\+json">(.*?)<\/script>/.exec(text) ?? [];
    expect(JSON.parse(json)).toMatchObject({
      '@type': 'SportsActivityLocation',
      name: '</script><script>alert(1)</script>',
      geo: { latitude: 50.7, longitude: -3.5 },
      openingHoursSpecification: expect.arrayContaining([
        { '@type': 'OpeningHoursSpecification', dayOfWeek: 'Saturday', opens: '07:00', closes: '22:00' },
        { '@type': 'OpeningHoursSpecification', dayOfWeek: 'Friday', opens: '00:00', closes: '00:00' },
      ]),
      specialOpeningHoursSpecification: expect.arrayContaining([
        expect.objectContaining({
          validFrom: '2026-11-22',
          validThrough: '2026-11-22',
          opens: '09:00',
          closes: '13:00',
        }),
      ]),
    });
    expect(text).not.toContain('<script>alert');
  });

  test('the address, a map, a number that can be called, everybody whose data is shown', async () => {
    const { text, words } = await get(place({ latitude: 50.7, longitude: -3.5 }));
    expect(text).toContain('href="tel:01632960101"');
    expect(text).toContain('https://www.openstreetmap.org/?mlat=50.7&amp;mlon=-3.5#map=17/50.7/-3.5');
    expect(words).toContain('Everyone Active');
    expect(words).toContain('The Fit Barn');
    expect(text).toContain('<link rel="canonical" href="https://calendars.example/open/places/p1"');
    for (const part of ['.ics', '/hours.ics', '/sessions.ics'])
      expect(text).toContain(
        `<link rel="alternate" type="text/calendar" href="https://calendars.example/open/places/p1${part}"`,
      );
  });

  test('what is no number is no link', async () => {
    const { text } = await get(place({ telephone: 'call javascript:alert(1)' }));
    expect(text).not.toContain('href="tel:');
  });

  test('every id once, and no style attribute', async () => {
    const { text } = await get(place());
    const ids = [...text.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(text).not.toMatch(/<[^>]* style="/);
  });
});

test('a week of many sessions stays under 100 KB', async () => {
  const entries = Array.from({ length: 200 }, (_, n) =>
    entry((n % 7) * 24 + 1 + (Math.floor(n / 7) % 12), { name: 'Trampolining, Juniors', family: 'gym' }),
  );
  const { text } = await get(place(), { on: { entries, publishers: [] } });
  expect(Buffer.byteLength(text)).toBeLessThan(100 * 1024);
  const [, style = ''] = /<style>([\s\S]*?)<\/style>/.exec(text) ?? [];
  expect(Buffer.byteLength(style)).toBeLessThanOrEqual(16 * 1024);
});

describe('where there is no such page', () => {
  test('gone: 410; moved: 308', async () => {
    expect((await get(place(), { head: { state: 'gone' } })).response.status).toBe(410);
    const { response } = await get(place(), { head: { movedTo: 'p2' } });
    expect([response.status, response.headers.get('location')]).toEqual([308, '/open/places/p2']);
  });

  test.each(['/facilities/p1', '/series/p1', '/places/P1', '/places/p2', '/places/p1/hours'])('%s: 404', async (path) =>
    expect((await get(place(), { path })).response.status).toBe(404),
  );
});
