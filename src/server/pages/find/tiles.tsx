import type { DayCount } from '../../../library/index.ts';
import { civilOf, type Day, dayOfDate } from '../../../time/days.ts';
import type { LocalDate } from '../../../time/instant.ts';
import type { Markup } from '../frame/markup.tsx';
import { weekdayName } from '../wording.ts';

export interface TilesOptions {
  days: readonly DayCount[];
  today: Day;
  /** The tile that is chosen. */
  chosen: LocalDate | undefined;
  address(date: LocalDate): string;
}

/** A tile a day: weekday, day, how many. Days without any are no links. */
export function Tiles({ days, today, chosen, address }: TilesOptions): Markup {
  return (
    <nav aria-label="Days">
      <ul class="scroll days">
        {days.map((one) => (
          <li>
            <Tile one={one} isToday={dayOfDate(one.date) === today} isChosen={one.date === chosen} address={address} />
          </li>
        ))}
      </ul>
    </nav>
  );
}

interface TileOptions extends Pick<TilesOptions, 'address'> {
  one: DayCount;
  isToday: boolean;
  isChosen: boolean;
}

function Tile({ one: { date, count }, isToday, isChosen, address }: TileOptions): Markup {
  const day = dayOfDate(date);
  const words = (
    <>
      {isToday ? 'Today' : weekdayName(day)} <b>{civilOf(day).date}</b>{' '}
    </>
  );
  if (count === 0 && !isChosen) {
    return (
      <span class="d">
        {words}
        <small>none</small>
      </span>
    );
  }
  return (
    <a href={address(date)} aria-current={isChosen ? 'date' : undefined}>
      {words}
      <small>
        {count === 0 ? 'none' : count}
        {count === 0 ? null : <span class="vh">{count === 1 ? ' session' : ' sessions'}</span>}
      </small>
    </a>
  );
}
