import { expect, test } from 'vitest';
import { item, served } from '../server/stored-rig.ts';

/** More is on than one answer counts: what was counted is then the least there is. */

const DAYS = 14;
const CLASSES = 720;

const daily = (number: number, startDate: string) =>
  item('SessionSeries', `s${number}`, {
    '@id': `https://x.example/series/${number}`,
    name: `Class ${number}`,
    activity: [{ prefLabel: 'Yoga' }],
    eventSchedule: {
      '@type': 'Schedule',
      startDate,
      startTime: '23:00',
      duration: 'PT30M',
      repeatFrequency: 'P1D',
      repeatCount: DAYS,
      scheduleTimezone: 'Europe/London',
      scheduledEventType: 'ScheduledSession',
    },
  });

test('days and activities say where more may be on than was counted', async () => {
  const one = await served();
  try {
    const { search } = one.library;
    const today = (await search.days({}, 1))[0]?.date ?? '';
    await one.feed(...Array.from({ length: CLASSES }, (_, number) => daily(number, today)));
    const days = await search.days({ activity: ['Yoga'] }, DAYS);
    // 5,000 are counted: six days, and the seventh as far as all of it starts together.
    expect(days.map(({ count }) => count)).toEqual([...Array(7).fill(CLASSES), ...Array(7).fill(0)]);
    expect(days.map(({ isLeast }) => isLeast)).toEqual([...Array(6).fill(undefined), ...Array(8).fill(true)]);
    expect(await search.popular(1)).toMatchObject([{ name: 'Yoga', isLeast: true }]);
    await one.feed(...Array.from({ length: CLASSES - 1 }, (_, number) => item('SessionSeries', `s${number}`)));
    const few = await search.days({ activity: ['Yoga'], maxPrice: 0 }, 2);
    expect(few.map(({ isLeast }) => isLeast)).toEqual([undefined, undefined]);
  } finally {
    await one.close();
  }
});
