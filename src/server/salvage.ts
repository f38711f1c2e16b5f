import type { StoredCalendar } from './library.ts';

/**
 * The calendar without the events that cannot be written, for the case that the whole cannot: one bad event must not
 * take a subscriber's others away. All components of a UID go together, because an override without its master is
 * another event. `undefined`: nothing is left.
 */
export function salvage(stored: StoredCalendar, render: (stored: StoredCalendar) => string): string | undefined {
  const { calendar } = stored;
  const written = (events: typeof calendar.events): string | undefined => {
    try {
      return render({ ...stored, calendar: { ...calendar, events } });
    } catch {
      return undefined;
    }
  };
  const byUid = Map.groupBy(calendar.events, ({ uid }) => uid).values();
  const sound = [...byUid].filter((events) => written(events) !== undefined).flat();
  return sound.length === 0 ? undefined : written(sound);
}
