import type { OccurrenceItem } from '../../../library/index.ts';
import type { Day } from '../../../time/days.ts';
import type { Markup } from '../frame/markup.tsx';
import type { Site } from '../frame/site.ts';
import { shownIn, Times } from '../times.tsx';
import { dateWords, dayName } from '../wording.ts';
import { badgesOf, type DayOfItems, familyClass, isOnline } from './rows.tsx';

/** The same as the list, a column a day: for those who plan their week. */
export function WeekView({ site, days, today }: { site: Site; days: readonly DayOfItems[]; today: Day }): Markup {
  return (
    <div class="cols">
      {days.map(({ day, items }) => (
        <section class={day === today ? 'col now' : 'col'}>
          <h2>
            {dayName(day, today)}
            {day - today > 1 ? null : <span class="soft num"> {dateWords(day, today)}</span>}
          </h2>
          <ol>
            {items.map((item) => (
              <Entry site={site} item={item} />
            ))}
          </ol>
        </section>
      ))}
    </div>
  );
}

function Entry({ site, item }: { site: Site; item: OccurrenceItem }): Markup {
  const { zone } = shownIn(item.zone, site.zone, item.start, isOnline(item));
  const classes = [familyClass(item), item.status === 'EventCancelled' ? 'off' : undefined].filter(Boolean);
  return (
    <li class={classes.join(' ') || undefined}>
      <p class="when">
        <Times span={item} zone={zone} />
      </p>
      <h3>
        <a href={site.links.path(`/series/${item.series.key}`)}>
          <bdi>{item.name || item.series.name || 'Without a name'}</bdi>
        </a>
      </h3>
      <p>
        {badgesOf(item, zone)}
        {item.place?.name === undefined ? null : <bdi>{item.place.name}</bdi>}
      </p>
    </li>
  );
}
