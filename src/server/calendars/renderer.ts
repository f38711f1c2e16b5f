import { toComponents } from '../../calendar/components.ts';
import type { MoreComponents } from '../../calendar/venue/venue-calendar.ts';
import { writeBytes } from '../../ical/write.ts';
import type { CalendarName, Library, MergedParts, StoredCalendar } from '../../library/index.ts';
import { type EntrySource, source } from './entry.ts';

/** Stored calendars to octets. */

export type Render = (stored: StoredCalendar) => Uint8Array<ArrayBuffer>;

export interface Rendered {
  source: EntrySource;
  ms: number;
  /** The parts of a merged calendar. */
  merged?: MergedParts | undefined;
}

/** Makes the octets of calendars, on this or another thread. `undefined`: there is no such calendar. */
export interface Renderer {
  /** @throws RenderFailure, OverBudgetError, BusyError, StoreError */
  calendar(name: CalendarName): Promise<Rendered | undefined>;
}

/** Renders free/busy of a requested window. */
export interface WindowRenderer {
  freeBusy(...asked: Parameters<Library['freeBusy']>): Promise<Rendered | undefined>;
}

/** The error of a calendar that cannot be written as a whole. `sound`: the part that can. */
export class RenderFailure extends Error {
  readonly sound: EntrySource | undefined;

  constructor(cause: unknown, sound: EntrySource | undefined) {
    super('A calendar could not be rendered.', { cause });
    this.sound = sound;
  }
}

/** A renderer on the calling thread. */
export function rendererOf(library: Pick<Library, 'calendar' | 'freeBusy'>, render: Render): Renderer & WindowRenderer {
  const rendered = async (stored: StoredCalendar | undefined): Promise<Rendered | undefined> => {
    if (stored === undefined) return undefined;
    const began = performance.now();
    const bytes = await written(stored, render);
    const ms = performance.now() - began;
    const { head, slug, merged } = stored;
    return { source: await source(bytes, head, slug), ms, ...(merged && { merged }) };
  };
  return {
    calendar: async (name) => rendered(await library.calendar(name)),
    freeBusy: async (...asked) => rendered(await library.freeBusy(...asked)),
  };
}

async function written(stored: StoredCalendar, render: Render): Promise<Uint8Array<ArrayBuffer>> {
  try {
    return render(stored);
  } catch (cause) {
    const sound = salvage(stored, render);
    throw new RenderFailure(cause, sound === undefined ? undefined : await source(sound, stored.head, stored.slug));
  }
}

/** The octets of a calendar: a pure function of stored data (semantics 6). */
export function renderCalendar({ calendar, revision, more }: StoredCalendar): Uint8Array<ArrayBuffer> {
  return writeBytes(toComponents(calendar, revision, more));
}

/**
 * A calendar that cannot be written, without the components at fault, because one bad event must not remove the subscriber's
 * others. All components of a UID go together, because an override without its master is another event; opening hours go as a
 * whole, because a part of them means other hours. `undefined`: nothing is left.
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

/** The components that can be written, with all zones while there is one component. */
function soundOf(more: MoreComponents, isSound: (one: MoreComponents) => boolean): MoreComponents | undefined {
  const components = more.components.filter((component) => isSound({ ...more, components: [component] }));
  return components.length === 0 ? undefined : { ...more, components };
}
