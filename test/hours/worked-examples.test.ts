import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openPeriods } from '../../src/hours/periods.ts';
import { dayTable } from '../../src/hours/questions.ts';
import { dayOfDate } from '../../src/time/days.ts';
import { samplesDir } from '../samples.ts';
import type { Specification } from './reference.ts';
import { venueOf } from './venue.ts';

/** The examples of "Opening hours" on developer.openactive.io, and what the page says they mean. */

interface Example {
  openingHoursSpecification?: Specification[];
  specialOpeningHoursSpecification?: Specification[];
}

const page: Record<string, Example> | undefined =
  samplesDir &&
  JSON.parse(readFileSync(join(samplesDir, 'developer-docs-worked-examples/opening-hours-page.json'), 'utf8'));

/** `Mon 06:30-21:30` for every day from a date on; closed days have nothing behind the name. */
function table(name: string, first: string, count = 7): string[] {
  const { openingHoursSpecification = [], specialOpeningHoursSpecification = [] } = page?.[name] ?? {};
  const local = (list: Specification[]) =>
    list.map((one) => ({
      ...one,
      ...(one.dayOfWeek && { dayOfWeek: one.dayOfWeek.map((day) => day.split('/').at(-1) as string) }),
    }));
  const venue = venueOf({
    standard: local(openingHoursSpecification),
    special: local(specialOpeningHoursSpecification),
  });
  return dayTable(venue.hours, venue.context, dayOfDate(first), count).map(({ weekday, open }) => {
    const spans = open.map(({ opens, closes }) => `${opens}-${closes}`);
    return [['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'][weekday], ...spans].join(' ');
  });
}

describe.skipIf(page === undefined)('the worked examples of the opening hours page', () => {
  test('open all year', () => {
    expect(table('openAllYear', '2026-06-15')).toEqual(
      ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'].map((day) => `${day} 06:30-21:30`),
    );
  });

  test('public holidays override the weekday they fall on', () => {
    expect(table('publicHolidays', '2026-05-25')).toEqual([
      'Mon 09:00-17:30',
      'Tue 06:30-21:30',
      'Wed 06:30-21:30',
      'Thu 06:30-21:30',
      'Fri 06:30-21:30',
      'Sat 07:15-17:30',
      'Sun 09:00-17:30',
    ]);
  });

  test('seasonal opening, its first and last dates included', () => {
    const open = (first: string, count: number) => table('seasonal', first, count).filter((line) => line.length > 3);
    expect(open('2015-12-01', 60)).toEqual([
      'Sat 09:30-20:30',
      'Sun 09:30-17:30',
      'Sat 09:30-20:30',
      'Sun 09:30-17:30',
    ]);
  });

  test('open and closed all day', () => {
    expect(table('allDayOpenClosed', '2026-06-20', 2)).toEqual(['Sat 00:00-24:00', 'Sun']);
  });

  test('late night', () => {
    expect(table('lateNight', '2026-06-20', 2)).toEqual(['Sat 18:00-03:00', 'Sun']);
    const { hours, context } = venueOf({
      standard: page?.lateNight?.openingHoursSpecification?.map((one) => ({ ...one, dayOfWeek: ['Saturday'] })) ?? [],
      special: [],
    });
    const [night] = openPeriods(hours, context, Date.UTC(2026, 5, 20), Date.UTC(2026, 5, 23));
    expect([night?.start, night?.end]).toEqual([Date.UTC(2026, 5, 20, 17), Date.UTC(2026, 5, 21, 2)]);
  });

  test('several periods a day', () => {
    expect(table('multiple', '2026-05-25')).toEqual([
      'Mon 08:00-12:00',
      'Tue 06:00-13:00 16:00-20:00',
      'Wed 06:00-13:00 16:00-20:00',
      'Thu 06:00-13:00 16:00-20:00',
      'Fri 06:00-12:00',
      'Sat 08:00-12:00',
      'Sun 08:00-12:00',
    ]);
  });

  test('closed at Christmas, closed for a month', () => {
    const daily = page?.openAllYear?.openingHoursSpecification ?? [];
    (page as Record<string, Example>).both = {
      openingHoursSpecification: daily,
      specialOpeningHoursSpecification: [
        ...(page?.specialChristmas?.specialOpeningHoursSpecification ?? []),
        ...(page?.specialLockdown?.specialOpeningHoursSpecification ?? []),
      ],
    };
    expect(table('both', '2015-12-24', 3)).toEqual(['Thu 06:30-21:30', 'Fri', 'Sat 06:30-21:30']);
    expect(table('both', '2020-12-31', 33).filter((line) => line.length > 3)).toEqual([
      'Thu 06:30-21:30',
      'Mon 06:30-21:30',
    ]);
  });
});
