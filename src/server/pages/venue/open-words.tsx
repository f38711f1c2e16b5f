import type { DayHours } from '../../../hours/questions.ts';
import { dayOfDate } from '../../../time/days.ts';
import type { Markup } from '../frame/markup.tsx';
import { Dash } from '../times.tsx';
import { weekdayName } from '../wording.ts';

type Open = Pick<DayHours, 'open'> & Partial<Pick<DayHours, 'date'>>;

/** `06:30–22:00`, `18:00–03:00 (Sun)`, `All day`, `Closed`. Without a date, `(next day)` says what ends after midnight. */
export function OpenWords({ day: { open, date } }: { day: Open }): Markup {
  if (open.length === 0) return <>Closed</>;
  return (
    <>
      {open.map((span, index) => (
        <>
          {index > 0 ? ', ' : ''}
          <span class="span">
            {span.opens === '00:00' && span.closes === '24:00' ? (
              'All day'
            ) : (
              <>
                <span class="num">
                  {span.opens}
                  <Dash />
                  {span.closes}
                </span>
                {span.nextDay ? ` (${date === undefined ? 'next day' : weekdayName(dayOfDate(date) + 1)})` : ''}
              </>
            )}
          </span>
        </>
      ))}
    </>
  );
}
