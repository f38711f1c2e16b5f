import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { composeSeries } from '../../../src/calendar/series/compose.ts';
import { ownWords } from '../../../src/calendar/wording/status-words.ts';
import { readInput } from '../../../src/join/input.ts';
import { join } from '../../../src/join/join.ts';

const OPTIONS = { zone: 'Europe/London', today: '2026-11-21', placesLeft: true, refresh: 'PT6H' };

/** The description of the one event of a series whose publisher says all there is to say. */
function describedAs(description: string | undefined): string | undefined {
  const series = {
    '@type': 'SessionSeries',
    '@id': 'https://example.org/s',
    name: 'Yoga',
    url: 'https://example.org/s',
    ...(description !== undefined && { description }),
    offers: [{ '@type': 'Offer', price: 5.5, priceCurrency: 'GBP' }],
    leader: [{ '@type': 'Person', name: 'Jo' }],
    level: ['Beginner'],
    ageRange: { '@type': 'QuantitativeValue', minValue: 16 },
    genderRestriction: 'https://openactive.io/FemaleOnly',
    meetingPoint: 'The gate',
    schedulingNote: 'Not in August',
    attendeeInstructions: 'Bring a mat',
    organizer: { '@type': 'Organization', name: 'Club', url: 'https://example.org' },
    eventSchedule: [{ '@type': 'PartialSchedule', startTime: '18:00', byDay: ['https://schema.org/Tuesday'] }],
    subEvent: [
      {
        '@type': 'ScheduledSession',
        '@id': 'https://example.org/s/1',
        startDate: '2026-12-01T18:00:00Z',
        maximumAttendeeCapacity: 9,
        remainingAttendeeCapacity: 3,
      },
    ],
  };
  const { records } = readInput(JSON.stringify(series), { zone: 'Europe/London', feed: 'https://example.org/feed' });
  const [one] = join(records).series;
  const attribution = 'Source: Example Leisure (https://example.org), CC BY 4.0';
  if (one === undefined) throw new Error('There is no series.');
  return composeSeries(one.series, one.sessions, { ...OPTIONS, attribution }).calendar.events[0]?.description;
}

describe('the words of a publisher', () => {
  it('is found again in what a calendar makes of it, and nothing that the calendar added', () => {
    const words = fc.array(fc.stringMatching(/^[a-z]+( [a-z,;:\\]+){0,6}$/), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(words, fc.constantFrom('\n', '\n\n'), (lines, gap) => {
        const description = lines.join(gap);
        expect(ownWords(describedAs(description) as string)).toBe(description);
      }),
      { numRuns: 50 },
    );
  });

  it('is nothing, where only the calendar says something', () => {
    expect(describedAs(undefined)).toMatch(/^Usually .*\nPrice: /);
    expect(ownWords(describedAs(undefined) as string)).toBeUndefined();
  });

  it.each([
    ['Bring a mat.', 'Bring a mat.'],
    ['Price: see the reader\nand ask', 'Price: see the reader\nand ask'],
    ['Yoga\n\nSource: Club\nis a band', 'Yoga\n\nSource: Club\nis a band'],
  ])('%j stays', (said, left) => expect(ownWords(said)).toBe(left));
});
