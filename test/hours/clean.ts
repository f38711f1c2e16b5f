import type { Hours } from '../../src/hours/decide.ts';
import type { OpeningHours } from '../../src/opportunity/records.ts';
import { WEEKDAYS } from '../../src/time/days.ts';
import type { Weekday } from '../../src/time/instant.ts';
import type { PlaceHours, Specification } from './reference.ts';

/** Specifications as the reader would clean them. */
export function cleanHours({ standard, special }: PlaceHours): Hours {
  return {
    standard: standard.map((one, i) => entry(one, `$.openingHoursSpecification[${i}]`)),
    special: special.map((one, i) => entry(one, `$.specialOpeningHoursSpecification[${i}]`)),
  };
}

function entry({ dayOfWeek = [], opens, closes, validFrom, validThrough }: Specification, path: string): OpeningHours {
  const names = dayOfWeek.map((name) => name.split('/').at(-1) as string);
  return {
    days: names.map((name) => (WEEKDAYS as readonly string[]).indexOf(name)).filter((day) => day >= 0) as Weekday[],
    publicHolidays: names.includes('PublicHolidays'),
    opens: seconds(opens),
    closes: seconds(closes),
    ...(validFrom !== undefined && { validFrom }),
    ...(validThrough !== undefined && { validThrough }),
    path,
  };
}

function seconds(text: string): number {
  const [hours, minutes, rest = '0'] = text.split(':') as [string, string, string?];
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(rest);
}
