import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { keyOf } from '../../../../src/opportunity/identity.ts';
import { item, type Served, served } from '../../stored-rig.ts';
import { words } from './views.ts';

/** `/series/{key}/explain` over a store: Sunday 22 November 2026. */

const ID = 'https://x.example/series/1';
const weekly = {
  '@type': 'Schedule',
  repeatFrequency: 'P1W',
  byDay: ['https://schema.org/Tuesday'],
  startDate: '2026-01-06',
  startTime: '18:00',
  duration: 'PT1H',
  scheduleTimezone: 'Europe/London',
  scheduledEventType: 'ScheduledSession',
  idTemplate: 'https://x.example/sessions/{startDate}',
};

let one: Served;
beforeEach(async () => {
  one = await served();
});
afterEach(() => one.close());

const series = (...eventSchedule: object[]) => item('SessionSeries', 's1', { '@id': ID, name: 'Yoga', eventSchedule });
const session = (of: string, start: string, more: object = {}) =>
  item('ScheduledSession', of, {
    '@id': `https://x.example/sessions/${of}`,
    superEvent: ID,
    startDate: start,
    duration: 'PT1H',
    ...more,
  });
const page = (query = '') => one.text(`/series/${keyOf('series', ID)}/explain${query}`);
const text = async (query = '') => words(await page(query));

describe('for people', () => {
  test('one rule that all follow', async () => {
    await one.feed(series(weekly));
    const shown = await text();
    expect(shown).toContain(
      'The organiser gives one rule, and all of the next 30 dates, to Tue 15 Jun 2027, follow it.',
    );
    expect(shown).toContain('Every Tuesday, 18:00–19:00, since 6 Jan gives all of the next 30 dates');
    expect(shown).not.toContain('Dates that differ');
  });

  test('where the clocks are not those of the operator, rules and dates say whose times they are', async () => {
    const abroad = { ...weekly, scheduleTimezone: 'America/New_York', exceptDate: ['2026-12-01T18:00:00-05:00'] };
    await one.feed(series(abroad));
    const shown = await text();
    expect(shown).toContain('Every Tuesday, 18:00–19:00 (New York time)');
    expect(shown).toContain('Times are New York time.');
  });

  test('more rules than are made into dates: all are counted', async () => {
    await one.feed(
      series(
        ...Array.from({ length: 32 }, (_, at) => ({ ...weekly, startTime: `${String(at % 20).padStart(2, '0')}:00` })),
      ),
    );
    const shown = await text();
    expect(shown).toContain(
      'The organiser gives 32 rules, of which the first 20 are made into dates, and all of the next',
    );
    expect(shown).toContain('gives no dates: there are more rules than can be followed');
  });

  test('a rule that cannot be read is neither a pattern nor one too many', async () => {
    await one.feed(series({ ...weekly, repeatCount: '3 times' }));
    const shown = await text();
    expect(shown).toContain('No rule of the organiser can be read whole. So no date is made up.');
    expect(shown).toContain('gives no dates: its number of dates cannot be read');
  });

  test('dates that differ, each with its reason', async () => {
    await one.feed(
      series({ ...weekly, exceptDate: ['2026-12-22'] }),
      session('2026-11-24T18:00:00Z', '2026-11-25T19:00:00Z'),
      session('2026-12-01T18:00:00Z', '2026-12-01T18:00:00Z', { eventStatus: 'https://schema.org/EventCancelled' }),
      session('extra', '2026-12-05T10:00:00Z'),
    );
    const shown = await text();
    expect(shown).toContain('27 follow it and 3 differ');
    expect(shown).toContain('gives 29 of the next 30 dates');
    for (const line of [
      'Wed 25 Nov 19:00 – to 20:00 New time: the rule says Tue 24 Nov, 18:00.',
      'Tue 1 Dec 18:00 – to 19:00 Cancelled.',
      'Sat 5 Dec 10:00 – to 11:00 An extra date: no rule gives it.',
      'Tue 22 Dec 18:00 – to 19:00 Not on: the organiser left this date out.',
    ])
      expect(shown).toContain(line);
  });

  test('patterns, and dates without a rule', async () => {
    const { startDate: _, ...pattern } = { ...weekly, '@type': 'PartialSchedule' };
    await one.feed(series(pattern));
    const usual = await text();
    expect(usual).toContain('The organiser says what is usual, and publishes no dates.');
    expect(usual).toContain('tells what is usual; gives no dates');
    await one.feed(series(), session('a', '2026-12-05T10:00:00Z'));
    expect(await text()).toContain('The organiser publishes each date by itself');
  });

  test('rules that have ended', async () => {
    await one.feed(series({ ...weekly, endDate: '2026-03-03' }));
    const shown = await text();
    expect(shown).toContain('give no date that is still to come');
    expect(shown).toContain('since 6 Jan, until 3 Mar');
  });

  test('withdrawn', async () => {
    await one.feed(series(weekly));
    await one.feed(item('SessionSeries', 's1'));
    const response = await one.app.request(`/series/${keyOf('series', ID)}/explain`);
    expect(response.status).toBe(410);
    const shown = words(await response.text());
    expect(shown).toContain('The publisher has withdrawn it');
    expect(shown).not.toContain('Without a name');
  });
});

describe('for programmers', () => {
  test('ids, RRULEs and JSON, folded until a window is asked for', async () => {
    await one.feed(series(weekly));
    const shown = await page();
    expect(shown).toContain('<details class="deep"><summary>');
    expect(shown).toContain(`<code>${ID}</code>`);
    expect(words(shown)).toContain('FREQ=WEEKLY;BYDAY=TU');
    expect(shown).toContain(`/api/series/${keyOf('series', ID)}/explain`);
    expect(words(shown)).toContain('Item SessionSeries s1 of');
    expect(await page('?from=2026-12-01')).toContain('<details class="deep" open="">');
  });

  test('what the data could say better', async () => {
    await one.feed(
      item('SessionSeries', 's1', { '@id': ID, name: 'Yoga', eventSchedule: [{ ...weekly, byDay: ['Blursday'] }] }),
    );
    expect(await text()).toContain('What the publisher’s data could say better');
  });

  test('texts of publishers are escaped', async () => {
    const nasty = '</details><script>alert(1)</script>';
    await one.feed(item('SessionSeries', 's1', { '@id': ID, name: nasty, eventSchedule: [weekly] }));
    expect(await page()).not.toContain('<script>alert');
  });
});
