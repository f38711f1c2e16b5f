import { describe, expect, test } from 'vitest';
import type { OccurrenceItem } from '../../../../src/library/index.ts';
import type { Filters } from '../../../../src/search/filters.ts';
import type { UnderstoodText } from '../../../../src/search/words.ts';
import { NOW, setUp } from '../../fake.ts';
import { DAY, HOUR, place, row } from '../../made.ts';
import { item, items, SIX, words } from './items.ts';

async function get(
  path: string,
  found: OccurrenceItem[] = [item()],
  change?: (set: ReturnType<typeof setUp>) => void,
  now = NOW,
) {
  const set = setUp({ now: () => now });
  set.library.search.items = found;
  change?.(set);
  const response = await set.app.request(path);
  return { ...set, response, text: await response.text() };
}

const understoodAs =
  (query: string, words: string, understood: UnderstoodText[]) => (set: ReturnType<typeof setUp>) => {
    const filters = Object.assign({}, ...understood.map((part) => part.filters)) as Filters;
    set.library.search.understood = async () => ({ query, filters, words, understood });
  };

describe('a row', () => {
  const table: [title: string, more: Partial<OccurrenceItem>, said: string][] = [
    ['time, name, place, distance, price', {}, '18:00 – to 19:00 Gentle yoga Town Hall · 0.4 km £6.50'],
    ['who leads it', { details: { leader: ['Priya', 'Tom'] } }, 'Town Hall · 0.4 km · with Priya and Tom £6.50'],
    ['who leads it online', { details: { attendance: 'online', leader: ['Priya'] } }, 'Online with Priya £6.50'],
    ['at the place itself', { place: { name: 'Town Hall', distanceKm: 0 } }, 'Town Hall · under 100 m £6.50'],
    ['cancelled', { status: 'EventCancelled' }, 'Cancelled Town Hall'],
    ['a new time', { was: SIX - HOUR }, 'New time , was 17:00 Town Hall'],
    ['a new day', { was: SIX - DAY }, 'New time , was Fri 20 Nov, 18:00 Town Hall'],
    ['rescheduled, and nobody says from when', { status: 'EventRescheduled' }, 'New time Town Hall'],
    ['postponed', { status: 'EventPostponed', placesLeft: 0 }, 'Postponed Town Hall'],
    ['full', { placesLeft: 0 }, 'Full Town Hall'],
    ['new', { isNew: true }, 'New Town Hall'],
    ['few places', { placesLeft: 3, age: { min: 16 } }, '£6.50 3 places left'],
    ['ages', { age: { min: 60 } }, '£6.50 Over 60'],
    ['a level', { level: ['Beginner'] }, '£6.50 Beginner'],
    ['free', { price: { min: 0, max: 0, free: true } }, 'Free Add'],
    ['a range', { price: { min: 2.5, max: 5, free: false } }, '£2.50 to £5.00'],
    [
      'two currencies',
      { price: { currency: 'EUR', min: 6, max: 6, free: false, others: [{ currency: 'GBP', min: 5, max: 7 }] } },
      '€6.00 or £5.00 to £7.00',
    ],
    ['all day', { start: Date.UTC(2026, 10, 22), end: Date.UTC(2026, 10, 23), allDay: true }, 'All day Gentle yoga'],
    [
      'online from elsewhere',
      { zone: 'America/New_York', details: { attendance: 'online' } },
      '18:00 – to 19:00 Gentle yoga Online (13:00 in New York) £6.50',
    ],
    [
      'at a place elsewhere, and online too',
      { zone: 'America/New_York', details: { attendance: 'mixed' } },
      '13:00 – to 14:00 Gentle yoga Online Town Hall (New York time)',
    ],
  ];
  test('what is short does not break, and what is cancelled has no places left', async () => {
    const raw = async (more: Partial<OccurrenceItem>) => (await get('/search', [item(more)])).text;
    expect(await raw({ placesLeft: 3 })).toContain('3\u00a0places\u00a0left');
    expect(await raw({ age: { min: 16 } })).toContain('16\u00a0and\u00a0over');
    expect(await raw({})).toMatch(/Town Hall<\/bdi>\u00a0<span class="num">· 0\.4 km/);
    expect(await raw({ status: 'EventCancelled', placesLeft: 3 })).not.toMatch(/places.left/);
  });

  test.each(table)('%s', async (_, more, said) => {
    expect(words((await get('/search', [item(more)])).text)).toContain(said);
  });

  test('at most two badges', async () => {
    const more = { was: SIX - HOUR, placesLeft: 0, details: { attendance: 'mixed' as const } };
    const { text } = await get('/search', [item(more)]);
    expect(text.match(/class="flag[ "]/g)).toHaveLength(2);
  });

  test('no price is said so', async () => {
    const { price: _, ...free } = item();
    expect(words((await get('/search', [free])).text)).toContain('Price not given');
  });

  test('the whole row is its link, with the colour of its family, and + adds the series', async () => {
    const { text } = await get('/search');
    expect(text).toContain('<li class="row t1">');
    expect(text).toContain('<h3><a href="/open/series/abc"><bdi>Gentle yoga</bdi></a></h3>');
    expect(text).toContain('data-add="series/abc"');
  });
});

describe('results', () => {
  test('by day, with a title that counts them', async () => {
    const { text, response } = await get('/search?q=yoga&near=Wexcombe', items(3));
    expect(response.status).toBe(200);
    expect(words(text)).toContain('3 yoga sessions near Wexcombe');
    for (const day of ['Today Sat 21 Nov', 'Tomorrow Sun 22 Nov', 'Mon 23 Nov']) expect(words(text)).toContain(day);
    expect(text).toContain('value="yoga"');
    expect(text).toContain('value="Wexcombe"');
  });

  test('paper has the address of the page', async () => {
    const { text } = await get('/search?q=yoga&near=Wexcombe&day=mon');
    const [, printed = ''] = /<p class="onpaper">(.*?)<\/p>/s.exec(text) ?? [];
    expect(printed.replaceAll(/<[^>]*>/g, '')).toBe(
      'Changes after printing: calendars.example/open/search?day=mon&amp;near=Wexcombe&amp;q=yoga',
    );
  });

  test('tiles: none is no link, the chosen one says so', async () => {
    const { text } = await get('/search?q=yoga&from=2026-11-23');
    expect(text).toContain('<a href="/open/search?from=2026-11-23&amp;q=yoga" aria-current="date">');
    expect(text).toMatch(/<span class="d">Today <b>21<\/b> <small>none/);
  });

  test('filters in use can be taken off, all at once too', async () => {
    const { text } = await get('/search?q=yoga&maxPrice=8&day=mon,tue');
    for (const href of [
      '/search?day=mon,tue&amp;q=yoga',
      '/search?day=tue&amp;maxPrice=8&amp;q=yoga',
      '/search?q=yoga',
    ])
      expect(text).toContain(`href="/open${href}"`);
    expect(words(text)).toContain('Up to £8 , remove');
    expect(words(text)).toContain('Filters 3');
  });

  test('what words were understood as is shown, and can be taken off', async () => {
    const { text } = await get('/search?q=yoga+under+%C2%A38', [item()], ({ library }) => {
      const understood = [{ text: 'under £8', start: 5, end: 13, filters: { maxPrice: 8 } }];
      library.search.understood = async (query) => ({ query, filters: { maxPrice: 8 }, words: 'yoga', understood });
    });
    expect(words(text)).toContain('1 yoga session Filters');
    expect(text).toContain('<a class="chip on" href="/open/search?q=yoga"><bdi>Up to £8</bdi>');
  });

  test.each([
    ['classes', '1 session'],
    ['something to do', '1 session'],
    ['yoga class', '1 yoga session'],
  ])('%s: %s', async (q, title) => {
    const { text } = await get(`/search?q=${encodeURIComponent(q)}`, [item()], understoodAs(q, q, []));
    expect(words(/<h1[^>]*>(.*?)<\/h1>/s.exec(text)?.[1] ?? '').trim()).toBe(title);
  });

  test.each([
    ['q=yoga&from=2026-11-23&to=2026-11-24', '1 yoga session on Mon 23 Nov'],
    ['activity=https://openactive.io/activity-list%23bf1a5e00-cdcf-465d-8c5a-6f57040b7f7e', '1 Yoga session'],
    ['day=mon,tue,fri', '1 session on Mondays, Tuesdays and Fridays'],
    ['activity=Yoga&from=2026-11-28&to=2026-11-30', '1 Yoga session, Sat 28 to Sun 29 Nov'],
    ['day=mon,tue&near=Wexcombe&from=2026-11-23', '1 session near Wexcombe on Mondays and Tuesdays from Mon 23 Nov'],
  ])('%s: the titles say what, where and when', async (query, title) => {
    const { text } = await get(`/search?${query}`, [item({ start: SIX + 2 * DAY, end: SIX + 2 * DAY + HOUR })]);
    expect(words(/<h1[^>]*>(.*?)<\/h1>/s.exec(text)?.[1] ?? '').trim()).toBe(title);
    expect(text).toContain(`<title>${title} –`);
    expect(text).toContain(`<meta property="og:title" content="${title}"`);
  });

  test('the words say where and when too', async () => {
    const parts = [
      { text: 'in Wexcombe', start: 5, end: 16, filters: { near: 'Wexcombe' } },
      { text: 'on mondays', start: 17, end: 27, filters: { day: [0 as const] } },
    ];
    const { text } = await get('/search?q=yoga+in+Wexcombe+on+mondays', [item()], (world) =>
      understoodAs('yoga in Wexcombe on mondays', 'yoga', parts)(world),
    );
    expect(text).toContain('<title>1 yoga session near Wexcombe on Mondays –');
  });

  test('what was not counted whole is said to be more', async () => {
    const counts = ({ text }: { text: string }) =>
      [...text.matchAll(/<small class="num">([^<]*)<\/small>/g)].map(([, n]) => n);
    const few = await get('/search');
    expect(counts(few)).toEqual(expect.arrayContaining(['1']));
    const many = await get('/search', [item()], ({ library }) => {
      library.search.isWhole = false;
    });
    expect(counts(many)).toEqual(expect.arrayContaining(['1+']));
  });

  test('days that were not counted whole say so, and lead on', async () => {
    const { text } = await get('/search', [item()], ({ library }) => {
      library.search.days = async () => [
        { date: '2026-11-21', count: 4999, isLeast: true },
        { date: '2026-11-22', count: 0, isLeast: true },
        { date: '2026-11-23', count: 0 },
      ];
    });
    expect(words(text)).toContain('Today 21 4,999+ sessions Sun 22 show Mon 23 none');
    expect(text).toContain('<a href="/open/search?from=2026-11-22">Sun <b>22</b>');
  });

  test('what is left of a day is counted only where the day is', async () => {
    const more = async (day: object) =>
      words(
        (
          await get('/search', items(90, 60_000), ({ library }) => {
            library.search.days = async () => [{ date: '2026-11-21', count: 1260, ...day }];
          })
        ).text,
      );
    expect(await more({})).toContain('1,200 more on Sat 21 Nov');
    expect(await more({ isLeast: true })).toContain(' More on Sat 21 Nov');
  });

  test('facilities that are too many to count have no number', async () => {
    const { text } = await get('/search?q=court', [item()], ({ library }) => {
      library.search.venues = async () => ({ items: [], problems: [], replaced: [] });
    });
    expect(words(text)).toMatch(/Courts and pitches (?!\d)/);
  });

  test('paper has the date of a day, and not what it is called now', async () => {
    const { text } = await get('/search', items(3));
    expect(text).toContain(
      '<h2><span data-date="Sat 21 Nov"><span class="noprint">Today <span class="soft num">Sat 21 Nov</span></span></span></h2>',
    );
    expect(text).toContain('<h2>Mon 23 Nov</h2>');
  });

  test('tiles are left out where no day has anything', async () => {
    const { text } = await get('/search?q=none', [], ({ library }) => {
      library.search.days = async () => [{ date: '2026-11-21', count: 0 }];
    });
    expect(text).not.toContain('aria-label="Days"');
  });

  test('near me asks where that is, and is no calendar', async () => {
    const nearMe = { text: 'near me', start: 5, end: 12, filters: { near: 'me', within: 5 } };
    const { text } = await get('/search?q=yoga+near+me', [item()], understoodAs('yoga near me', 'yoga', [nearMe]));
    expect(words(text)).toContain('Where are you? Type a town');
    expect(text).toContain('<a href="#near">');
    expect(text).not.toMatch(/Near me|search\.ics|id="sub"|popovertarget="sub"/);
    const { text: there } = await get(
      '/search?q=yoga+near+me&near=Wexcombe',
      [item()],
      understoodAs('yoga near me', 'yoga', [nearMe]),
    );
    expect(there).toContain('search.ics');
    expect(words(there)).not.toMatch(/Where are you|Near me/);
  });

  test('words that a filter overrides have no chip, and the panel shows what holds', async () => {
    const tuesday = { text: 'tuesday', start: 5, end: 12, filters: { day: [1 as const] } };
    const under = { text: 'under £8', start: 13, end: 21, filters: { maxPrice: 8 } };
    const typed = understoodAs('yoga tuesday under £8', 'yoga', [tuesday, under]);
    const { text } = await get('/search?q=yoga+tuesday+under+%C2%A38&day=wed', [item()], typed);
    expect(words(text)).toContain('Wednesdays , remove');
    expect(words(text)).toContain('Up to £8 , remove');
    expect(words(text)).not.toContain('Tuesdays');
    const panel = /<section id="filters"[\s\S]*?<\/section>/.exec(text)?.[0] ?? '';
    expect(panel).toMatch(/value="wed" aria-label="Wednesday" checked/);
    expect(panel).not.toMatch(/aria-label="Tuesday" checked/);
    expect(panel).toMatch(/name="maxPrice" value="8" checked/);
    expect(panel).toContain('<input type="hidden" name="q" value="yoga"/>');
  });

  test('a gender for which nothing is has no chip, and an age beside it has', async () => {
    const boy = {
      text: 'for my 8 year old boy',
      start: 7,
      end: 28,
      filters: { age: { min: 8, max: 8 }, gender: 'MaleOnly' as const },
    };
    const typed = understoodAs('karate for my 8 year old boy', 'karate', [boy]);
    const found = (unmatched: string[]) =>
      get('/search?q=karate+for+my+8+year+old+boy', [item()], (world) => {
        typed(world);
        const { occurrences } = world.library.search;
        world.library.search.occurrences = async (...asked) => ({
          ...(await occurrences.apply(world.library.search, asked)),
          ...(unmatched.length > 0 && { unmatched }),
        });
      });
    const [open, boys] = [words((await found(['boy'])).text), words((await found([])).text)];
    expect(open).toContain('Age 8 , remove');
    expect(open).not.toContain('Men only , remove');
    expect(boys).toContain('Men only');
    expect(boys).toContain('remove');
  });

  test('a typing error that was mended says so', async () => {
    const { text } = await get('/search?q=yooga', [item()], ({ library }) => {
      const { occurrences } = library.search;
      library.search.occurrences = async (...asked) => ({
        ...(await occurrences.apply(library.search, asked)),
        replaced: [{ word: 'yooga', by: 'yoga' }],
      });
    });
    expect(text).toContain('<bdi>1 yoga session</bdi>');
    expect(words(text)).toContain('Showing yoga . Search for yooga instead .');
    expect(text).toContain('href="/open/search?q=%22yooga%22"');
  });

  test('what is not wanted, and how long something lasts, can be taken off', async () => {
    const q = 'yoga not free not with Anna at most 45 minutes';
    const part = (text: string) => ({ text, start: q.indexOf(text), end: q.indexOf(text) + text.length, filters: {} });
    const parts = ['not free', 'not with Anna', 'at most 45 minutes'].map((text) => ({ ...part(text), leftOut: text }));
    const { text } = await get(`/search?q=${encodeURIComponent(q)}`, [item()], (world) => {
      understoodAs(q, 'yoga', parts)(world);
      const { search } = world.library;
      const { occurrences } = search;
      search.occurrences = async (...asked) => ({
        ...(await occurrences.apply(search, asked)),
        leftOut: ['not free'],
      });
    });
    const chip = (rest: string, shown: string) =>
      `<a class="chip on" href="/open/search?q=${rest}"><bdi>${shown}</bdi>`;
    expect(text).toContain(chip('yoga+not+free+at+most+45+minutes', 'not with Anna'));
    expect(text).toContain(chip('yoga+not+free+not+with+Anna', 'at most 45 minutes'));
    expect(text).not.toContain('<bdi>not free</bdi> <svg');
    expect(words(text)).toContain('Left out, because no search can ask for it: “ not free ”.');
  });

  test('a level and a length that nothing has beside the rest have no chip', async () => {
    const q = 'yoga beginners 30 minutes tuesday';
    const part = (text: string) => ({ text, start: q.indexOf(text), end: q.indexOf(text) + text.length, filters: {} });
    const parts = [
      { ...part('beginners'), filters: { level: ['Beginner'] } },
      { ...part('30 minutes'), leftOut: '30 minutes', lasts: { min: 25, max: 35 } },
      { ...part('tuesday'), filters: { day: [1 as const] } },
    ];
    const shown = async (more: object) =>
      (
        await get(`/search?q=${encodeURIComponent(q)}`, [item()], (world) => {
          understoodAs(q, 'yoga', parts)(world);
          const { occurrences } = world.library.search;
          world.library.search.occurrences = async (...asked) => ({
            ...(await occurrences.apply(world.library.search, asked)),
            ...more,
          });
        })
      ).text;
    const chips = (text: string) =>
      [...text.matchAll(/<a class="chip on" href="[^"]*"><bdi>([^<]*)/g)].map(([, one]) => one);
    expect(chips(await shown({}))).toEqual(['Beginner', '30 minutes', 'Tuesdays']);
    const left = await shown({ unmatched: ['beginners', '30 minutes'] });
    expect(chips(left)).toEqual(['Tuesdays']);
    expect(words(left)).toContain('Nothing has all of it. Shown without “ beginners ”, “ 30 minutes ”.');
    const ofChildren = await shown({ unmatched: ['30 minutes'], forChildren: true });
    expect(words(ofChildren)).toContain('Nothing for adults has all of it. Shown without “ 30 minutes ”.');
    expect(ofChildren).toContain('age=0-17&amp;q=yoga+beginners+30+minutes+tuesday">Show what is for children</a>');
  });

  test('all filters are cleared at once, those in the words too', async () => {
    const tuesday = { text: 'tuesday', start: 5, end: 12, filters: { day: [1 as const] } };
    const under = { text: 'under £8', start: 13, end: 21, filters: { maxPrice: 8 } };
    const q = 'yoga tuesday under £8';
    const clearing = async (query: string, parts: Parameters<typeof understoodAs>[2]) => {
      const { text } = await get(`/search?${query}`, [item()], understoodAs(q, 'yoga', parts));
      return /<a class="bare" href="([^"]*)">Clear all/.exec(text)?.[1];
    };
    const typed = `q=${encodeURIComponent(q)}`;
    expect(await clearing(`${typed}&level=Beginner`, [tuesday])).toBe('/open/search?q=yoga');
    expect(await clearing(typed, [tuesday, under])).toBe('/open/search?q=yoga');
    expect(await clearing(typed, [tuesday])).toBeUndefined();
  });

  test('two parts of the words that mean the same are shown as they were typed', async () => {
    const q = 'weekend but not sunday';
    const part = (text: string) => ({ text, start: q.indexOf(text), end: q.indexOf(text) + text.length });
    const parts = ['weekend', 'but not sunday'].map((text) => ({ ...part(text), filters: { day: [5 as const] } }));
    const { text } = await get(`/search?q=${encodeURIComponent(q)}`, [item()], understoodAs(q, '', parts));
    expect(text).toContain('<a class="chip on" href="/open/search?q=but+not+sunday"><bdi>weekend</bdi>');
    expect(text).toContain('<a class="chip on" href="/open/search?q=weekend"><bdi>but not sunday</bdi>');
  });

  test('what cannot be asked for is said to be left out', async () => {
    const { text } = await get('/search?q=yoga+not+free', [item()], ({ library }) => {
      const { occurrences } = library.search;
      library.search.occurrences = async (...asked) => ({
        ...(await occurrences.apply(library.search, asked)),
        leftOut: ['not free', 'over £5'],
        unmatched: ['girls'],
      });
    });
    expect(words(text)).toContain('Nothing has all of it. Shown without “ girls ”.');
    expect(words(text)).toContain('Left out, because no search can ask for it: “ not free ”, “ over £5 ”.');
    expect(words((await get('/search?q=yoga')).text)).not.toContain('Left out');
  });

  test('places say too what was mistyped, and what no search can ask for', async () => {
    const { text } = await get('/search?kind=places&q=swiming+not+free', [], ({ library }) => {
      const { venues } = library.search;
      library.search.venues = async (...asked) => ({
        ...(await venues.apply(library.search, asked)),
        replaced: [{ word: 'swiming', by: 'swimming' }],
        leftOut: ['not free'],
      });
    });
    expect(words(text)).toContain('Showing swimming . Search for swiming instead');
    expect(text).toContain('/search?kind=places&amp;q=%22swiming%22');
    expect(words(text)).toContain('Left out, because no list of places can ask for it: “ not free ”.');
  });

  test('the search is a calendar, without the day that was turned to', async () => {
    const { text } = await get('/search?q=yoga&from=2026-11-23');
    expect(text).toContain(
      '<link rel="alternate" type="text/calendar" href="https://calendars.example/open/search.ics?q=yoga"/>',
    );
    expect(text).toContain('webcal://calendars.example/open/search.ics?q=yoga');
    expect(text).toContain('data-add="search?q=yoga"');
  });

  test('nothing is offered that has no dates', async () => {
    const { text } = await get('/search?q=yoga', []);
    expect(text).not.toMatch(/search\.ics|<dialog/);
  });

  test('the panel keeps what it does not show, and shows what is chosen', async () => {
    const { text } = await get(
      '/search?q=yoga&from=2026-11-23&day=mon&after=10:30&maxPrice=7&age=8&level=Improver&activity=Hatha',
    );
    const panel = /<section id="filters"[\s\S]*?<\/section>/.exec(text)?.[0] ?? '';
    expect(panel).toContain('<input type="hidden" name="q" value="yoga"/>');
    expect(panel).toContain('<input type="hidden" name="from" value="2026-11-23"/>');
    expect(panel).toMatch(/value="mon" aria-label="Monday" checked/);
    expect(panel).toMatch(/<option value="10:30" selected/);
    expect(panel).toMatch(/name="maxPrice" value="7" checked/);
    expect(panel).toMatch(/<option value="8" selected/);
    for (const name of ['Improver', 'Hatha']) expect(panel).toMatch(new RegExp(`value="${name}" checked`));
    expect(panel).not.toContain('name="within"');
  });
});

describe('paging by day', () => {
  test('whole days: the last begins the next page', async () => {
    const { text } = await get('/search', items(90, HOUR * 12));
    expect(text.match(/<li class="row/g)).toHaveLength(59);
    expect(words(text)).toContain('From Mon 21 Dec');
    expect(text).toContain('href="/open/search?from=2026-12-21" rel="next"');
  });

  test('a longer day goes on', async () => {
    const { text } = await get('/search', items(90, 60_000));
    expect(text.match(/<li class="row/g)).toHaveLength(60);
    expect(words(text)).toContain('More on Sat 21 Nov');
    expect(text).toContain('href="/open/search?more=60" rel="next"');
  });

  test('and back, never before today', async () => {
    expect(words((await get('/search?from=2026-12-21')).text)).toContain('From Mon 14 Dec');
    expect(words((await get('/search?from=2026-11-23')).text)).toContain('From Today');
    expect(words((await get('/search')).text)).not.toContain('From Today');
  });

  test('a week is seven days, those without anything too, and stays a week', async () => {
    const { text } = await get('/search?view=week', items(3));
    expect(text.match(/<section class="col/g)).toHaveLength(7);
    expect(text.match(/<section class="col none"><h2>[^<]*/g)).toHaveLength(4);
    expect(text).toContain('href="/open/search?from=2026-11-23&amp;view=week"');
  });

  test.each([
    ['the week after', items(9), 'From Sat 28 Nov', 7],
    ['the next week that has anything', [item(), item({ start: SIX + 30 * DAY })], 'From Mon 21 Dec', 7],
    ['what a week has no room for', items(225, (2 * HOUR) / 3), 'From Thu 26 Nov', 7],
  ])('from a week to %s', async (_, found, to, days) => {
    const { text } = await get('/search?view=week', found);
    expect(words(text)).toContain(to);
    expect(text.match(/<section class="col/g)).toHaveLength(days);
  });

  test('a week says whose times they are where the clocks are others', async () => {
    const { text } = await get('/search?view=week', [item({ zone: 'America/New_York' })]);
    expect(words(text)).toContain('13:00 – to 14:00 Gentle yoga Town Hall (New York time)');
  });

  test('the days that a week has no room for are columns with a link', async () => {
    const busy = items(225, (2 * HOUR) / 3);
    const { text } = await get('/search?view=week', busy, ({ library }) => {
      const counts = { '2026-11-26': 24, '2026-11-27': 0, '2026-11-28': 3 };
      library.search.days = async () => Object.entries(counts).map(([date, count]) => ({ date, count }));
    });
    const columns = text.match(/<section class="col[\s\S]*?<\/section>/g) ?? [];
    expect(columns.filter((one) => one.includes('<li'))).toHaveLength(5);
    expect(columns.slice(5).map((one) => one.replace(/<section[^>]*>/, ''))).toEqual([
      '<h2>Thu 26 Nov</h2><p><a href="/open/search?from=2026-11-26&amp;view=week">24 sessions</a></p></section>',
      '<h2>Fri 27 Nov</h2><p>Nothing</p></section>',
    ]);
    const { text: cut } = await get('/search?view=week&to=2026-11-27', busy);
    expect(cut.match(/<section class="col/g)).toHaveLength(6);
  });

  test('a week in which nothing is on begins with what is on next', async () => {
    const { text } = await get('/search?view=week', [item({ start: SIX + 30 * DAY })]);
    expect(/<section class="col[^>]*><h2>([^<]*)/.exec(text)?.[1]).toBe('Mon 21 Dec');
  });

  test('a week ends with the last date that was asked for', async () => {
    const { text } = await get('/search?view=week&from=2026-11-21&to=2026-11-23', items(2));
    expect(text.match(/<section class="col/g)).toHaveLength(2);
  });

  test('weeks turned over show every row once', async () => {
    const all = items(400, HOUR * 5);
    const seen: string[] = [];
    for (let path: string | undefined = '/search?view=week'; path !== undefined; ) {
      const [, from = '2026-11-21'] = /from=([-\d]+)/.exec(path) ?? [];
      const { text } = await get(
        path,
        all.filter(({ start }) => start >= Date.parse(from)),
      );
      seen.push(...[...text.matchAll(/<bdi>(Yoga \d+)<\/bdi><\/a><\/h3>/g)].map(([, name]) => name as string));
      path = /href="\/open(\/search[^"]*)" rel="next"/.exec(text)?.[1]?.replaceAll('&amp;', '&');
    }
    expect(seen).toEqual(all.map(({ name }) => name));
  });
});

describe('nothing and wrong', () => {
  test('nothing: what was meant, which filter to drop', async () => {
    const { text } = await get('/search?q=yooga&near=Wexcombe&maxPrice=8', [], ({ library }) => {
      const without = [{ name: 'maxPrice' as const, filters: { q: 'yooga' }, count: 5 }];
      library.search.suggestions = async () => ({ didYouMean: ['yoga'], without, most: 200 });
    });
    for (const said of ['Nothing for “yooga” near Wexcombe', 'Did you mean yoga ?', 'Without up to £8 5'])
      expect(words(text)).toContain(said);
    expect(text).toContain('class="chip fill" href="/open/search?maxPrice=8&amp;near=Wexcombe&amp;q=yoga"');
  });

  test('nothing: two filters to drop where none alone is the cause', async () => {
    const { text } = await get('/search?day=mon&maxPrice=8', [], ({ library }) => {
      const without = [{ name: 'maxPrice' as const, also: 'day' as const, filters: {}, count: 5 }];
      library.search.suggestions = async () => ({ didYouMean: [], without, most: 200 });
    });
    expect(words(text)).toContain('Without Mondays and up to £8 5');
  });

  test.each([
    ['words', '/search?q=yoga+tomorrow', true],
    ['filters', '/search?q=yoga&from=2026-11-22&to=2026-11-23', false],
    ['a week of words', '/search?q=yoga+tomorrow&view=week', true],
  ])('nothing at the times of %s: what is on at others, with its day', async (_, path, isTyped) => {
    const later = item({ start: SIX + 9 * DAY, end: SIX + 9 * DAY + HOUR });
    const { text } = await get(path, [], (world) => {
      const parts = [{ text: 'tomorrow', start: 5, end: 13, filters: { from: '2026-11-22', to: '2026-11-23' } }];
      if (isTyped) understoodAs('yoga tomorrow', 'yoga', parts)(world);
      const { occurrences } = world.library.search;
      world.library.search.occurrences = async (filters, query) => {
        const { q, from, to } = filters;
        const page = await occurrences.call(world.library.search, filters, query);
        return { ...page, items: q === 'yoga' && from === undefined && to === undefined ? [later] : [] };
      };
    });
    expect(words(text)).toContain('At other times Mon 30 Nov 18:00 – to 19:00 Gentle yoga');
    expect(words(text)).not.toContain('What is on next');
    expect(text).toContain('aria-current="date">Sun <b>22</b>');
    expect(text).toContain('.rows{');
  });

  test('names in the data that no filter can have are not offered', async () => {
    const long = 'y'.repeat(5000);
    const { text, response } = await get('/search?q=yooga', [], ({ library }) => {
      library.search.suggestions = async () => ({ didYouMean: [long, 'yoga'], without: [], most: 200 });
      const activity = [
        { name: long, count: 3 },
        { name: 'Judo', count: 1 },
      ];
      library.search.facets = async () => ({ activity, place: [], level: [] }) as never;
    });
    expect(response.status).toBe(200);
    expect(text).not.toContain('yyyy');
    expect(text).toContain('name="activity" value="Judo"');
  });

  test('a typing error in a text as long as may be is said, without a link', async () => {
    const q = `yooga ${'x'.repeat(194)}`;
    const { text, response } = await get(`/search?q=${encodeURIComponent(q)}`, [item()], ({ library }) => {
      const { occurrences } = library.search;
      library.search.occurrences = async (...asked) => ({
        ...(await occurrences.apply(library.search, asked)),
        replaced: [{ word: 'yooga', by: 'yoga' }],
      });
    });
    expect(response.status).toBe(200);
    expect(words(text)).toContain('Showing yoga');
    expect(words(text)).not.toContain('instead');
  });

  test('no sessions: facilities and places that the same words find', async () => {
    const { text } = await get('/search?q=squash&maxPrice=8', [], ({ library }) => {
      library.search.venues = async (kind) => ({
        items: [],
        total: kind === 'facilities' ? 3 : 0,
        problems: [],
        replaced: [],
      });
    });
    expect(words(text)).toContain('Courts and pitches 3');
    expect(text).toContain('class="chip fill" href="/open/search?kind=facilities&amp;q=squash"');
    expect(text).not.toContain('class="chip fill" href="/open/search?kind=places');
  });

  test('facilities that the words find stand beside sessions', async () => {
    const asked: string[] = [];
    const { text } = await get('/search?q=badminton+court', [item()], ({ library }) => {
      library.search.venues = async (kind) => {
        asked.push(kind);
        return { items: [], total: 2, problems: [], replaced: [] };
      };
    });
    expect(words(text)).toContain('Courts and pitches 2');
    expect(text).toContain('href="/open/search?kind=facilities&amp;q=badminton+court"');
    expect(asked).toEqual(['facilities']);
  });

  test('what cannot be read is 400, with what was meant', async () => {
    const { text, response } = await get('/search?daay=mon&maxPrice=lots');
    expect(response.status).toBe(400);
    expect(words(text)).toContain('“ daay ” is not known here. Did you mean day ?');
    expect(words(text)).toContain('maxPrice is “ lots ”, allowed is a price such as 8');
  });

  test.each([
    ['day=foo&q=yoga', 'q=yoga', 'Search without “foo”'],
    ['view=month&q=yoga&day=mon', 'day=mon&amp;q=yoga', 'Search without “month”'],
    ['daay=mon&maxPrice=lots&q=yoga&kind=places', 'kind=places&amp;q=yoga', 'Search without these'],
  ])('what can be read of %s is a link away', async (query, rest, said) => {
    const { text } = await get(`/search?${query}`);
    expect(text).toContain(`<a class="chip fill" href="/open/search?${rest}">`);
    expect(words(text)).toContain(said);
  });

  test('an address without anything else has no such link', async () => {
    expect(words((await get('/search?day=foo')).text)).not.toContain('Search without');
  });

  test('one of several activities that is not known is left out alone', async () => {
    const { text } = await get('/search?activity=Yoga&activity=Quidditch', [], ({ library }) => {
      library.search.problems = [{ name: 'activity', value: 'Quidditch', allowed: 'an activity' }];
    });
    expect(text).toContain('href="/open/search?activity=Yoga">Search without <bdi>“Quidditch”</bdi>');
    const [, band = ''] = /<form class="find"([\s\S]*?)<\/form>/.exec(text) ?? [];
    expect(band).toContain('name="activity" value="Yoga"');
    expect(band).not.toContain('Quidditch');
  });

  test('new words keep the view, the kind and the filters', async () => {
    const fields = async (query: string) => {
      const { text } = await get(`/search?${query}`);
      const [, band = ''] = /<form class="find"([\s\S]*?)<\/form>/.exec(text) ?? [];
      return [...band.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)].map(([, name, value]) => [name, value]);
    };
    expect(await fields('q=yoga&near=Wexcombe&view=week&day=mon&day=tue&maxPrice=8&within=2')).toEqual([
      ['view', 'week'],
      ['day', 'mon,tue'],
      ['maxPrice', '8'],
      ['within', '2'],
    ]);
    expect(await fields('kind=places&q=pool')).toEqual([['kind', 'places']]);
  });

  test('the button of the filters has the number of the heading', async () => {
    const page = async (isWhole: boolean) => {
      const { text } = await get('/search', items(90), ({ library }) => {
        const { occurrences, facets } = library.search;
        library.search.facets = async () => ({ ...(await facets.call(library.search)), counted: 1204, whole: isWhole });
        library.search.occurrences = async (...asked) => {
          const { total: _, ...found } = await occurrences.apply(library.search, asked);
          return found;
        };
      });
      return [/<h1[^>]*><bdi>(.*?)</.exec(text)?.[1], / type="submit">(Show[^<]*)</.exec(text)?.[1]];
    };
    expect(await page(true)).toEqual(['1,204 sessions', 'Show 1,204 sessions']);
    expect(await page(false)).toEqual(['Sessions', 'Show sessions']);
  });

  test('the filters keep the view', async () => {
    const panel = async (view: string) =>
      /<section id="filters"[\s\S]*?<\/section>/.exec((await get(`/search?q=yoga${view}`)).text)?.[0];
    expect(await panel('&view=week')).toContain('<input type="hidden" name="view" value="week"/>');
    expect(await panel('')).not.toContain('name="view"');
  });

  test('a place that is not known is said at its field', async () => {
    const { text, response } = await get('/search?near=Wexcom', [], ({ library }) => {
      library.search.problems = [{ name: 'near', value: 'Wexcom', allowed: 'a town', nearest: 'Wexcombe' }];
    });
    expect(response.status).toBe(400);
    expect(text).toContain('aria-describedby="near-wrong"');
    expect(words(text)).toContain('Not known here. Did you mean Wexcombe');
  });

  test('what was typed stays in its fields', async () => {
    const q = '"><script>alert(1)</script>';
    const { text } = await get(`/search?q=${encodeURIComponent(q)}&near=${encodeURIComponent(`a${q}`)}`, []);
    expect(text).toContain('value="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;"');
    expect(text).not.toContain('<script>alert');
  });
});

describe('places', () => {
  const town = row({ key: 'p1', kind: 'places', name: 'Town Hall', place: 'Wexcombe' });
  test('are a list of their own', async () => {
    const { text } = await get('/search?kind=places&near=Wexcombe', items(2), ({ library }) => {
      library.search.rows = [{ ...town, distanceKm: 0.3 }];
    });
    expect(words(text)).toContain('1 place near Wexcombe');
    expect(words(text)).toContain('Town Hall Wexcombe · Yoga · 0.3 km Next: Today, 18:00');
    expect(text).toContain('href="/open/places/p1"');
    expect(text).toContain('name="kind" value="places"');
  });

  test('say whether they are open, and until when', async () => {
    const at = (day: number, hour: number) => ({ at: Date.UTC(2026, 10, day, hour), because: [] });
    const { text } = await get('/search?kind=places', [], ({ library }) => {
      library.search.rows = [
        { ...town, hours: { open: true, next: { ...at(21, 22), opens: false } } },
        { ...town, hours: { open: false, next: { ...at(22, 7), opens: true } } },
        { ...town, hours: { open: false } },
      ];
    });
    expect(words(text)).toContain('Yoga Open until 22:00 Town Hall');
    expect(words(text)).toContain('Yoga Closed until 07:00 tomorrow Town Hall');
    expect(words(text)).toContain('Yoga Closed See and subscribe');
  });

  test('say whose times they are where the clocks are others', async () => {
    const zone = 'America/New_York';
    const { text } = await get('/search?kind=places', [item({ zone })], ({ library }) => {
      const next = { at: SIX + 4 * HOUR, opens: false, because: [] };
      library.search.rows = [
        { ...town, zone, hours: { open: true, next } },
        { ...town, zone },
        { ...town, hours: { open: true, next: { ...next, at: Date.UTC(2026, 10, 24) } } },
      ];
    });
    expect(words(text)).toContain('Open until 17:00 (New York time)');
    expect(words(text)).toContain('Open until Mon 23 Nov, midnight');
    expect(words(text)).toContain('Next: Today, 13:00 (New York time)');
  });

  test('without a name can be chosen', async () => {
    const { text } = await get('/search?q=yoga', [item()], ({ library }) => {
      const { facets } = library.search;
      library.search.facets = async () => ({
        ...(await facets.call(library.search)),
        place: [{ key: 'p9', name: '', count: 52 }],
      });
    });
    expect(words(text)).toMatch(/A place without a name \D*52/);
  });
});

describe('the first page', () => {
  const set = (found: OccurrenceItem[], now?: number) => {
    const change = ({ library }: ReturnType<typeof setUp>): void => {
      library.search.occurrences = async ({ from = '', to = '' }) => {
        const on = ({ start }: OccurrenceItem) => new Date(start).toISOString().slice(0, 10);
        return { items: found.filter((one) => on(one) >= from && on(one) < to), replaced: [], problems: [] };
      };
      const { zone, hours } = place();
      library.search.rows = [row({ key: 'p1', kind: 'places', name: 'Town Hall', zone, ...(hours && { hours }) })];
    };
    return get('/', found, change, now);
  };

  test('has what is still to come, tiles, common searches and places', async () => {
    const { text, response } = await set(items(2));
    expect(response.status).toBe(200);
    for (const said of [
      'Still to come today Sat 21 Nov All today',
      'Yoga 0',
      'This weekend 1 Evenings Free Yoga 1 Under 5s',
      'Places Town Hall Open until 22:00 All 1 place',
      'One calendar for all',
      'Everyone Active',
    ])
      expect(words(text)).toContain(said);
    expect(text).toContain('href="/open/search?from=2026-11-21&amp;to=2026-11-23"');
    expect(text).toContain('"@type":"WebSite"');
  });

  test('what was not counted whole is at least so much', async () => {
    const { text } = await get('/', items(9, HOUR), ({ library }) => {
      library.search.days = async () => [
        { date: '2026-11-21', count: 1204, isLeast: true },
        { date: '2026-11-22', count: 3 },
      ];
      library.search.popular = async () => [{ name: 'Yoga', count: 5000, isLeast: true }];
      const { occurrences } = library.search;
      library.search.occurrences = async (...asked) => {
        const { total: _, ...page } = await occurrences.apply(library.search, asked);
        return page;
      };
    });
    for (const said of ['This weekend 1,207+', 'Yoga 5,000+', 'All 1,204+ today']) expect(words(text)).toContain(said);
  });

  test('an activity whose name no filter can have is no link', async () => {
    const { text, response } = await get('/', [item()], ({ library }) => {
      const long = { name: 'Y'.repeat(5000), count: 9 };
      library.search.popular = async () => [long, { name: 'Yoga', count: 1 }];
    });
    expect(response.status).toBe(200);
    expect(text).not.toContain('YYYY');
    expect(text).toContain('href="/open/search?activity=Yoga"');
  });

  test('a list that spans days says the day in each row', async () => {
    const { text } = await get('/search?q=none', [], ({ library }) => {
      let asked = 0;
      library.search.occurrences = async () => {
        asked += 1;
        return { items: asked === 1 ? [] : items(2), total: 0, replaced: [], problems: [] };
      };
    });
    expect(text).toContain('<small>Sat </small>');
    expect(text).toContain('<small>Sun </small>');
  });

  test('at the weekend itself, tomorrow too', async () => {
    const { text } = await set([item(), item({ start: SIX + DAY, name: 'Judo' })]);
    expect(words(text)).toMatch(/Still to come today .* Tomorrow Sun 22 Nov All tomorrow .*Judo/);
  });

  const [SUNDAY, MONDAY, FRIDAY] = [NOW + DAY, NOW + 2 * DAY, NOW + 6 * DAY] as const;
  const on = (day: number, name: string, count = 1): OccurrenceItem[] =>
    Array.from({ length: count }, (_, at) => item({ start: day + (8 + at) * HOUR, name: `${name} ${at}` }));

  test.each([
    ['on a weekday with little left, tomorrow too', MONDAY, 1, true],
    ['on a weekday with enough left, today alone', MONDAY, 6, false],
    ['on a Friday, tomorrow as the weekend', FRIDAY, 1, false],
    ['on a Friday with nothing left, tomorrow', FRIDAY, 0, true],
  ])('%s', async (_, now, left, isShown) => {
    const { text } = await set([...on(now, 'Yoga', left), ...on(now + DAY, 'Judo')], now);
    expect(/All (?:\d+ )?tomorrow/.test(words(text))).toBe(isShown);
  });

  test('on a Friday with nothing left, the weekend begins after tomorrow, which stands above', async () => {
    const weekend = [...on(FRIDAY + DAY, 'Judo'), ...on(FRIDAY + 2 * DAY, 'Tennis')];
    const text = words((await set(weekend, FRIDAY)).text);
    expect(text.match(/Judo 0/g)).toHaveLength((text.match(/Tennis 0/g) ?? []).length);
  });

  test('what has begun is on now', async () => {
    const [begun] = on(SUNDAY - 9 * HOUR, 'Yoga');
    expect(words((await set([begun as OccurrenceItem], SUNDAY)).text)).toContain('Now and later today');
  });

  test('when today is over, tomorrow', async () => {
    const { text } = await set([item({ start: SIX + DAY })]);
    expect(words(text)).toContain('Nothing more today. Tomorrow Sun 22 Nov All tomorrow');
  });

  test('with nothing at all it is a page all the same', async () => {
    const { text } = await set([]);
    expect(words(text)).toContain('Nothing is on today or tomorrow');
    expect(text).not.toMatch(/undefined|null|NaN|\[object/);
  });

  test.each([
    ['/?q=a+b', '/search?q=a+b'],
    ['/?kind=places&q=a', '/search?kind=places&q=a'],
    ['/?kind=series&place=p1', '/search?place=p1'],
    ['/?kind=series', '/search'],
  ])('addresses of earlier releases: %s', async (path, to) => {
    const { response } = await get(path);
    expect([response.status, response.headers.get('location')]).toEqual([302, `/open${to}`]);
  });

  test('a page of 60 rows stays under 100 KB, the first page under 60', async () => {
    expect(Buffer.byteLength((await get('/search?q=yoga', items(60, HOUR))).text)).toBeLessThan(100_000);
    expect(Buffer.byteLength((await set(items(40, HOUR))).text)).toBeLessThan(60_000);
  });
});
