import { describe, expect, test } from 'vitest';
import type { PageDate } from '../../../../src/library/index.ts';
import type { Details } from '../../../../src/opportunity/records.ts';
import { markupText } from '../../../../src/server/pages/frame/markup.tsx';
import { seriesPage } from '../../../../src/server/pages/series/page.tsx';
import type { SeriesView } from '../../../../src/server/pages/series/view.ts';
import { PLATE } from '../../../../src/server/pages/style/notice.ts';
import { DAY, daily, type Given, HOUR, on, viewOf, words } from './views.ts';

/** The page of a series, in each of its states. */

const htmlOf = (view: SeriesView): Promise<string> => markupText(seriesPage(view).body);
const html = (given?: Given): Promise<string> => htmlOf(viewOf(given));
const text = async (given?: Given): Promise<string> => words(await html(given));

describe('the head and the card', () => {
  test('say what it is, when, where and what is next', async () => {
    const location = { name: 'Old Mill' };
    const place = { key: 'p1', locality: 'Wexcombe' };
    const page = await html({ details: { location }, dates: [on(25, 7, { placesLeft: 5 })], more: { place } });
    for (const part of ['Dawn Yoga', 'Every Monday and Friday, 07:00–08:00', 'Wexcombe', 'Tomorrow', '5 places left'])
      expect(words(page)).toContain(part);
    expect(page).toContain('href="/open/places/p1"');
    expect(page).toContain('href="/open/search?activity=Yoga"');
    expect(page).toContain('popovertarget="sub"');
    expect(page).toContain('href="/open/my?add=series/abc"');
    expect(page).toContain('class="t1"');
  });

  test.each<[string, Details['offers'], string | undefined, string]>([
    [
      'the address of an offer, adult first',
      [
        { name: 'Child', price: 4, url: 'https://x.example/child' },
        { name: 'Adult', price: 8.5, url: 'https://x.example/adult' },
      ],
      undefined,
      'href="https://x.example/adult" rel="noopener nofollow">Book, £8.50',
    ],
    ['a free one', [{ price: 0, url: 'https://x.example/free' }], undefined, 'Book, free'],
    ['the page of the series', [{ price: 3 }], 'https://x.example/', 'The organiser’s page'],
    [
      'an address that is none',
      [{ price: 3, url: 'javascript:alert(1)' }],
      'https://x.example/',
      'The organiser’s page',
    ],
  ])('lead to %s', async (_, offers, url, shown) => {
    const page = await html({ details: { offers: offers ?? [] }, series: url === undefined ? {} : { url } });
    expect(page).toContain(shown);
    expect(page).not.toContain('javascript:');
  });

  test('what has begun is on now; what is cancelled is not next', async () => {
    expect(await text({ dates: [on(24, 12)] })).toContain('On now Today, 12:00');
    const page = await text({ dates: [on(25, 7, { status: 'EventCancelled' }), on(27, 9)] });
    expect(page).toContain('Next Fri 27 Nov, 09:00');
  });

  test('where all dates are cancelled nothing is offered', async () => {
    const page = await html({ dates: [on(25, 7, { status: 'EventCancelled' })] });
    expect(words(page)).toContain('All dates are cancelled');
    expect(words(page)).toContain('The next date is cancelled.');
    expect(page).not.toMatch(/popovertarget|data-add/);
    expect(await html({ dates: [on(25, 7, { status: 'EventPostponed' })] })).toContain('popovertarget');
  });

  test('sessions without a rule: the days and the time that they have in common', async () => {
    const more = { times: [] };
    const mondays = [on(30, 7), on(37, 7), on(44, 7)];
    expect(await text({ more, dates: mondays })).toContain('Mondays, 07:00–08:00');
    expect(await text({ more, dates: [on(30, 7), on(37, 8), on(44, 7)] })).not.toContain('Mondays');
    expect(await html({ more, dates: [on(35, 9)] })).toContain('<bdi>Sat 5 Dec, 09:00–10:00</bdi>');
    const weekend = { start: on(42, 9).start, end: on(44, 14).start };
    expect(await html({ more, dates: [on(42, 9, weekend)] })).toContain('<bdi>Sat 12 to Mon 14 Dec</bdi>');
  });

  test('many rules: three lines', async () => {
    const times = [7, 8, 9, 10, 11].map((hour) => ({ days: 'Every day', time: `${hour}:00`, zone: 'Europe/London' }));
    expect(await text({ more: { times } })).toContain('Every day, 8:00 and 3 more times');
  });

  test('rules that end, begin, and are of one date', async () => {
    const zone = 'Europe/London';
    const times = [
      { days: 'Every Monday', time: '07:00', ends: '2026-12-18', zone },
      { days: 'Every Friday', time: '07:00', begins: '2027-01-08', zone },
      { date: '2026-12-05', time: '07:00', zone },
    ];
    const page = await text({ more: { times } });
    for (const line of [
      'Every Monday, 07:00, until 18 Dec',
      'Every Friday, 07:00, from 8 Jan 2027',
      'Sat 5 Dec, 07:00',
    ])
      expect(page).toContain(line);
  });
});

describe('the facts', () => {
  test('prices with adults first, and what is known of it', async () => {
    const page = await text({
      details: {
        offers: [
          { name: 'Concession', price: 6, currency: 'GBP' },
          { name: 'Adult', price: 8.5, currency: 'GBP' },
        ],
        level: ['Beginner', 'Intermediate'],
        ageRange: { min: 16 },
        leader: ['Priya'],
        organizer: { name: 'Marlowe', url: 'https://marlowe.example/', telephone: '01632 960 101' },
        meetingPoint: 'By the gate',
        accessibilitySupport: ['Hearing Impairment'],
        gender: 'FemaleOnly',
        attendeeInstructions: 'Bring a mat.',
      },
    });
    for (const fact of [
      'Price £8.50 adult £6.00 concession',
      'Beginner , Intermediate',
      '16 and over',
      'Led by Priya',
      'By the gate',
      'Hearing Impairment',
      'Women and girls only',
      'Before you come Bring a mat.',
    ])
      expect(page).toContain(fact);
  });

  test('many prices: the first six, and the others open; free of charge is not called free again', async () => {
    const many = Array.from({ length: 20 }, (_, at) => ({ name: `Tier ${at}`, price: at + 1, currency: 'GBP' }));
    const page = await html({ details: { offers: many } });
    expect(words(page)).toContain('14 more prices £7.00 Tier 6');
    expect(words(await html({ details: { offers: many.slice(0, 7) } }))).not.toContain('more price');
    const free = await text({ details: { offers: [{ name: 'Free option available', price: 0 }] } });
    expect(free).toContain('Price Free Activity');
  });

  test('how many it has room for is not how many places are left', async () => {
    expect(await text({ details: { maximumAttendeeCapacity: 16 } })).toContain('Room for 16');
  });

  test('price and access are said where they are not given, and nothing else is', async () => {
    const page = await text();
    expect(page).toContain('Price Not given');
    expect(page).toContain('Access Not given');
    for (const term of ['Level', 'Ages', 'Led by', 'Organiser ', 'Room', 'Online'])
      expect(page).not.toContain(`${term} `);
  });
});

describe('six weeks', () => {
  test('begin with this week; each date leads to its row', async () => {
    const page = await html({ dates: [on(25, 7), on(32, 7), on(62, 7)] });
    expect(page).toContain('<caption>Next six weeks</caption>');
    expect(page.match(/<tr><(?:th scope="row"|td)/g)?.length).toBeGreaterThanOrEqual(6);
    expect(page).toContain('<th scope="row">Nov</th><td>23</td><td><span aria-current="date">24</span></td>');
    for (const day of ['2026-11-25', '2026-12-02', '2027-01-01']) {
      expect(page).toContain(`href="#d-${day}"`);
      expect(page).toContain(`id="d-${day}"`);
    }
    expect(words(page)).toContain('25 November, 07:00 to 08:00');
  });

  test('say what is moved and cancelled, to the eye and to the ear', async () => {
    const page = await html({
      dates: [
        on(32, 18, { was: Date.UTC(2026, 11, 2, 7), name: 'Yoga at Dusk' }),
        on(37, 7, { status: 'EventCancelled', note: 'No teacher that day' }),
        on(39, 7, { status: 'EventPostponed' }),
        on(41, 7, { placesLeft: 0, leader: ['Tom'] }),
      ],
    });
    expect(page).toContain('href="#d-2026-12-02" class="moved"');
    expect(page).toContain('href="#d-2026-12-07" class="gone"');
    for (const part of [
      '2 December, new time, 18:00 to 19:00',
      '7 December, cancelled',
      '9 December, postponed',
      'New time , was 07:00',
      'As “Yoga at Dusk”',
      'Cancelled No teacher that day',
      'Full with Tom',
    ])
      expect(words(page)).toContain(part);
    expect(page).toContain('<tr id="d-2026-12-07" class="off">');
    expect(words(page)).toContain('one has a new time, one is cancelled and one is postponed');
  });

  test('a date that was moved from another day says that day', async () => {
    expect(await text({ dates: [on(33, 18, { was: Date.UTC(2026, 11, 2, 7) })] })).toContain('was Wed 2 Dec, 07:00');
  });

  test('several on a day are counted, and the first of them is led to', async () => {
    const page = await html({ dates: [on(25, 7), on(25, 9), on(25, 11, { status: 'EventCancelled' })] });
    expect(words(page)).toContain('25 November, 07:00 to 08:00 and 2 more');
    expect(page.match(/id="d-2026-11-25"/g)).toHaveLength(1);
  });

  test('whole days are each of theirs', async () => {
    const start = Date.UTC(2026, 10, 28);
    const page = await html({ dates: [{ start, end: start + 2 * DAY, allDay: true, status: 'EventScheduled' }] });
    expect(page.match(/href="#d-2026-11-28"/g)).toHaveLength(2);
    expect(words(page)).toContain('Sat 28 to Sun 29 Nov');
    expect(words(page)).toContain('All day');
  });

  test('a session past midnight is on the day it begins', async () => {
    const start = Date.UTC(2026, 10, 27, 23, 30);
    const page = await html({ dates: [{ start, end: start + 0.75 * HOUR, status: 'EventScheduled' }] });
    expect(page).toContain('id="d-2026-11-27"');
    expect(words(page)).toContain('23:30 – to 00:15 (Sat)');
  });

  test('begin with the first date where they would be empty', async () => {
    const far = await text({ dates: [on(120, 18)] });
    expect(far).toMatch(/\bsix weeks\b.*Mar/);
    expect(far).not.toContain('Next six weeks');
    expect(far).toMatch(/\bMar \d+ /);
    expect(await text({ dates: [on(31, 18)] })).toContain('Next six weeks');
  });

  test('fewer weeks where not all dates of six are known', async () => {
    const dates = Array.from({ length: 150 }, (_, at) => on(25 + Math.floor(at / 10), 8 + (at % 10)));
    const page = await html({ dates, more: { next: (dates.at(-1)?.start ?? 0) + DAY } });
    expect(page).toContain('<caption>Next two weeks</caption>');
  });
});

describe('what the six weeks mark', () => {
  const marked = async (dates: PageDate[]) => {
    const [, month = ''] = /<table class="month">([\s\S]*?)<\/table>/.exec(await html({ dates })) ?? [];
    return [...month.matchAll(/<a [^>]*href="#d-[^>]*>(\d+)/g)].map(([, day]) => Number(day));
  };

  test('each day of a date of several days, with times and without', async () => {
    const timed = on(27, 10, { end: on(29, 17).start });
    const wholeDays = on(27, 0, { end: on(30, 0).start, allDay: true });
    expect(await marked([timed])).toEqual([27, 28, 29]);
    expect(await marked([wholeDays])).toEqual([27, 28, 29]);
    expect(await marked([on(27, 22, { end: on(28, 2).start })])).toEqual([27]);
  });

  test.each<[string, PageDate[], string | undefined]>([
    ['dates that are on', [on(27, 7)], undefined],
    ['a postponed one', [on(27, 7, { status: 'EventPostponed' })], 'Postponed'],
    ['cancelled ones alone', [on(27, 7, { status: 'EventCancelled' })], 'Cancelled'],
    ['one with a new time', [on(27, 7), on(28, 8, { was: on(28, 7).start })], 'On New time'],
  ])('the key of %s has what is there', async (_what, dates, key) => {
    const [, found] = /<p class="key"[^>]*>([\s\S]*?)<\/p>/.exec(await html({ dates })) ?? [];
    expect(found === undefined ? undefined : words(found).trim()).toBe(key);
  });
});

describe('the table', () => {
  test('shows twenty, and the others open', async () => {
    const page = await html({ dates: daily(50), more: { next: on(75, 7).start } });
    expect(words(page)).toContain('30 more dates, to Wed 13 Jan 2027');
    expect(page.match(/<tr id="d-/g)).toHaveLength(50);
    expect(page).toContain('href="/open/series/abc?from=2027-01-14#dates"');
  });

  test('a day is seen once and heard in each row; no column is without a word', async () => {
    const page = await html({ dates: [on(25, 7), on(25, 18), on(26, 7)] });
    expect(page.match(/<span class="num">Wed 25 Nov<\/span>/g)).toHaveLength(1);
    expect(page).toContain('<th scope="row"><span class="vh">Wed 25 Nov</span></th>');
    expect(page).not.toContain('<th scope="col">Note</th>');
    expect(await html({ dates: [on(25, 7), on(26, 7, { placesLeft: 3 })] })).toContain('<th scope="col">Note</th>');
  });

  test('each link that books is called by its day and time', async () => {
    const dates = [on(25, 7), on(25, 18), on(26, 0, { allDay: true })].map((date) => ({
      ...date,
      url: 'https://x.example/b',
    }));
    const page = await html({ dates });
    const links = [...page.matchAll(/<a [^>]*>\s*(Book[^,]*<span[\s\S]*?)<\/a>/g)].map(([, inner = '']) =>
      words(inner).trim(),
    );
    expect(links).toEqual(['Book , Wed 25 Nov, 07:00', 'Book , Wed 25 Nov, 18:00', 'Book , Thu 26 Nov']);
  });

  test('three hundred sessions stay below a hundred kilobytes', async () => {
    const dates = Array.from({ length: 150 }, (_, at) =>
      on(25 + Math.floor(at / 4), 8 + 2 * (at % 4), { placesLeft: 9 }),
    );
    expect((await html({ dates, more: { next: on(90, 7).start } })).length).toBeLessThan(100_000);
  });

  test('from another day: the way back, and no description of it for search engines', async () => {
    const view = viewOf({ dates: [on(60, 7)], view: { from: Date.UTC(2026, 11, 28) } });
    const page = words(await htmlOf(view));
    expect(page).toContain('Dates from Mon 28 Dec');
    expect(page).toContain('From today');
    expect(seriesPage(view).isHidden).toBe(true);
    const none = words(await html({ dates: [], view: { from: Date.UTC(2027, 11, 28) } }));
    expect(none).toContain('No dates are known from then on');
  });
});

describe('times in other zones', () => {
  const zone = 'America/New_York';

  test('at a place: its own, and whose they are', async () => {
    const page = await text({ dates: [on(25, 13)], more: { zone } });
    expect(page).toContain('Times are New York time.');
    expect(page).toContain('08:00 – to 09:00');
  });

  test('so does the line below the name, of one date and of what the dates have in common', async () => {
    const more = { times: [], zone };
    const lead = async (dates: PageDate[]) => words((await html({ more, dates })).split('</h1>')[1] ?? '');
    expect(await lead([on(35, 13)])).toContain('Sat 5 Dec, 08:00–09:00 (New York time)');
    expect(await lead([on(30, 13), on(37, 13), on(44, 13)])).toContain('Mondays, 08:00–09:00 (New York time)');
  });

  test('online: those of the operator, and both', async () => {
    const page = await text({ details: { attendance: 'online' }, dates: [on(25, 13)], more: { zone } });
    expect(page).toContain('13:00 – to 14:00 (08:00 in New York)');
    expect(page).toContain('All are at 08:00 in New York.');
    const other = await text({ details: { attendance: 'online' }, dates: [on(25, 13), on(26, 14)], more: { zone } });
    expect(other).toContain('14:00 – to 15:00 (09:00 in New York)');
    expect(other).not.toContain('All are at');
    expect(page.match(/\bOnline\b/g)).toHaveLength(1);
  });

  test('where the clocks are the same nothing is said', async () => {
    expect(await text({ more: { zone: 'Europe/Jersey' } })).not.toMatch(/Jersey/);
  });
});

describe('without dates', () => {
  test('past: when it was last on, similar ones, no subscription', async () => {
    const similar = [{ key: 'k2', name: 'Evening Yoga', next: on(26, 18).start, zone: 'Europe/London' }];
    const view = viewOf({ dates: [], more: { times: [], last: on(-200, 7), similar }, series: { hasCalendar: true } });
    const page = await htmlOf(view);
    for (const part of ['No dates are known', 'It was last on Tue 14 Apr.', 'Evening Yoga', 'Thu 26 Nov, 18:00'])
      expect(words(page)).toContain(part);
    expect(page).not.toMatch(/popovertarget|data-add|\.ics/);
    expect(seriesPage(view)).toMatchObject({ subscriptions: [], calendars: [], jsonLd: undefined });
  });

  test('patterns only: what is usual, no subscription, the offer all the same', async () => {
    const times = [{ days: 'Usually every Monday', time: '18:00', zone: 'Europe/London' }];
    const offers = [{ price: 3, url: 'https://x.example/book' }];
    const page = await html({ dates: [], more: { times }, series: { hasCalendar: false }, details: { offers } });
    for (const part of ['Usually every Monday, 18:00', 'Its dates are not published', 'Book, £3.00'])
      expect(words(page)).toContain(part);
    expect(page).not.toMatch(/popovertarget|data-add|\.ics/);
  });

  test('neither name nor place nor anything', async () => {
    const view = viewOf({ dates: [], more: { times: [] } });
    const page = await htmlOf({ ...view, series: { ...view.series, details: {}, schedules: [] } });
    expect(words(page)).toContain('Without a name');
    expect(page).not.toMatch(/undefined|null|NaN|\[object|id="where"/);
  });

  test.each([
    ['EventCancelled', 'The organiser has cancelled all of it'],
    ['EventPostponed', 'No new dates are known yet'],
  ] as const)('a series that is %s says so', async (status, shown) => {
    expect(await text({ series: { status } })).toContain(shown);
  });
});

describe('what is around the dates', () => {
  test('where it is, with a map that the script makes that of the device', async () => {
    const location = { name: 'Old Mill', address: '3 Mill Street', latitude: 50.72, longitude: -3.53 };
    const page = await html({ details: { location } });
    expect(words(page)).toContain('Old Mill, 3 Mill Street');
    expect(page).toContain('data-geo="50.72,-3.53"');
    expect(page).toContain('https://www.openstreetmap.org/?mlat=50.72&amp;mlon=-3.53#map=17/50.72/-3.53');
  });

  test('the country of its address is only said where it is another', async () => {
    const place = { street: '3 Mill Street', locality: 'Wexcombe', country: 'GB' };
    const details = { location: { name: 'Old Mill', address: '3 Mill Street, Wexcombe, GB' } };
    expect(await text({ details, more: { place } })).not.toContain('GB');
    expect(await text({ details, more: { place, zone: 'Europe/Paris' } })).toContain('Wexcombe, GB');
  });

  test('without coordinates the map is asked for the address', async () => {
    const page = await html({ details: { location: { name: 'Old Mill', address: '3 Mill St & Co' } } });
    expect(page).toContain('openstreetmap.org/search?query=3%20Mill%20St%20%26%20Co');
    expect(page).not.toContain('data-geo');
  });

  test('what changed lately, with the feed of it', async () => {
    const entry = {
      id: '1',
      at: on(20, 9).start,
      series: { key: 'abc', name: 'Dawn Yoga' },
      zone: 'Europe/London',
      what: 'cancelled' as const,
      start: on(37, 7).start,
    };
    const view = viewOf({ view: { changes: [entry] } });
    expect(words(await htmlOf(view))).toContain('Cancelled: Mon 7 Dec 07:00 Fri 20 Nov');
    expect(seriesPage(view).feeds).toEqual(['https://wexcombe.example/open/changes/series/abc.atom']);
    expect(await text()).not.toContain('Changed lately');
  });

  test('a picture comes from our own address, on the plate that is seen without it', async () => {
    const details = { image: 'https://x.example/a.jpg' };
    const view = viewOf({ details, view: { image: { path: '/open/images/23' } } });
    expect(await htmlOf(view)).toContain('</svg><img src="/open/images/23" alt="" width="1280" height="400"');
    expect(PLATE).toContain('.plate img{position:absolute;inset:-1.75rem');
    expect(seriesPage(view).image).toBe('https://wexcombe.example/open/images/23');
    const plate = await html({ details });
    expect(plate).toContain('<div class="plate t1"><svg');
    expect(plate).not.toContain('</svg><img');
    expect(plate).not.toContain('x.example');
  });
});

test('the description says what, when, where and what is next', () => {
  const view = viewOf({ details: { location: { name: 'Old Mill' } }, more: { place: { locality: 'Wexcombe' } } });
  expect(seriesPage(view)).toMatchObject({
    title: 'Dawn Yoga, Old Mill',
    description: 'Yoga: Every Monday and Friday, 07:00–08:00, at Old Mill, Wexcombe. Next: Wed 25 Nov.',
  });
});
