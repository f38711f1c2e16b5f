import { civilOf, DAY_MS, MONTHS, WEEKDAYS, weekdayOf } from '../../time/days.ts';
import { timeText } from '../../time/iso-text.ts';
import type { Wall } from '../../time/zone.ts';

const DAYS = WEEKDAYS.map((name) => name.slice(0, 3));

/** `Tue 24 Nov 2026 18:00` */
export function wallWords(wall: Wall): string {
  const { date, year, clock } = wallParts(wall);
  return `${date} ${year} ${clock}`;
}

/** `Tue 24 Nov, 18:00`; with its year where that is not the one of `beside`. */
export function shortWallWords(wall: Wall, beside: Wall): string {
  const { date, year, clock } = wallParts(wall);
  return year === wallParts(beside).year ? `${date}, ${clock}` : `${date} ${year}, ${clock}`;
}

/** `Tue 24 Nov`, the year, `18:00`. */
export function wallParts(wall: Wall): { date: string; year: number; clock: string } {
  const day = Math.floor(wall / DAY_MS);
  const { year, month, date } = civilOf(day);
  const minutes = Math.floor((wall - day * DAY_MS) / 60_000);
  return {
    date: `${DAYS[weekdayOf(day)]} ${date} ${MONTHS[month - 1]?.slice(0, 3)}`,
    year,
    clock: timeText(minutes * 60),
  };
}
