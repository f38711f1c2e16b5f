import type { DayCount } from '../../../library/index.ts';
import { type Day, dayOfDate } from '../../../time/days.ts';
import type { LocalDate } from '../../../time/instant.ts';
import type { Markup } from '../frame/markup.tsx';
import { DayTile, DayTiles } from '../parts.tsx';

interface TilesOptions {
  days: readonly DayCount[];
  today: Day;
  /** The date of the chosen tile. */
  chosen: LocalDate | undefined;
  address(date: LocalDate): string;
}

/** Days as tiles, each with the number of its sessions; nothing where no day has any. */
export function Tiles({ days, today, chosen, address }: TilesOptions): Markup | null {
  if (days.every(({ count, isLeast }) => count === 0 && !isLeast)) return null;
  return (
    <DayTiles label="Days">
      {days.map(({ date, count, isLeast }) => (
        <DayTile
          day={dayOfDate(date)}
          today={today}
          count={count}
          isMore={isLeast}
          unit={count === 1 ? 'session' : 'sessions'}
          href={address(date)}
          isCurrent={date === chosen}
        />
      ))}
    </DayTiles>
  );
}
