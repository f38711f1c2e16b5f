import type { MoreComponents } from '../../calendar/venue/venue-calendar.ts';
import type { StoredCalendar } from '../../library/index.ts';

/** Writes the bytes of a calendar. */
export type Render = (stored: StoredCalendar) => Uint8Array<ArrayBuffer>;

/**
 * The calendar without what cannot be written, for the case that the whole cannot: one bad event must not take a
 * subscriber's others away. All components of a UID go together, because an override without its master is another event;
 * opening hours go as a whole, because some of them are other hours. `undefined`: nothing is left.
 */
export function salvage(stored: StoredCalendar, render: Render): ReturnType<Render> | undefined {
  const { calendar, more, ...rest } = stored;
  const written = (events: typeof calendar.events, others?: MoreComponents): ReturnType<Render> | undefined => {
    try {
      return render({ ...rest, calendar: { ...calendar, events }, ...(others && { more: others }) });
    } catch {
      return undefined;
    }
  };
  const byUid = Map.groupBy(calendar.events, ({ uid }) => uid).values();
  const sound = [...byUid].filter((events) => written(events) !== undefined).flat();
  const others = more && soundOf(more, (one) => written([], one) !== undefined);
  return sound.length === 0 && others === undefined ? undefined : written(sound, others);
}

/** Those of the components that can be written; their zones stay as long as one of them does. */
function soundOf(more: MoreComponents, isSound: (one: MoreComponents) => boolean): MoreComponents | undefined {
  const components = more.components.filter((component) => isSound({ ...more, components: [component] }));
  return components.length === 0 ? undefined : { ...more, components };
}
