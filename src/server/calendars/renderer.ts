import { toComponents } from '../../calendar/components.ts';
import { writeBytes } from '../../ical/write.ts';
import type { CalendarName, Library, StoredCalendar, Window } from '../../library/index.ts';
import { type EntrySource, source } from './entry.ts';
import { type Render, salvage } from './salvage.ts';

/** A calendar's bytes, and the milliseconds it took to write them. */
export interface Rendered {
  source: EntrySource;
  ms: number;
}

/** Makes the bytes of calendars, in place or on another thread. `undefined`: there is no such calendar. */
export interface Renderer {
  /** @throws RenderFailure, OverBudgetError, BusyError */
  calendar(name: CalendarName): Promise<Rendered | undefined>;
}

/** The same for free/busy of a window that is asked for. */
export interface WindowRenderer {
  freeBusy(collection: 'places' | 'facilities', key: string, window: Window): Promise<Rendered | undefined>;
}

/** The whole calendar could not be written. `sound`: what of it can be. */
export class RenderFailure extends Error {
  readonly sound: EntrySource | undefined;

  constructor(cause: unknown, sound: EntrySource | undefined) {
    super('A calendar could not be rendered.', { cause });
    this.sound = sound;
  }
}

/** In place. `render` is pure. */
export function rendererOf(library: Pick<Library, 'calendar' | 'freeBusy'>, render: Render): Renderer & WindowRenderer {
  const rendered = async (stored: StoredCalendar | undefined): Promise<Rendered | undefined> => {
    if (stored === undefined) return undefined;
    const began = performance.now();
    const bytes = await written(stored, render);
    const ms = performance.now() - began;
    return { source: await source(bytes, stored.head, stored.slug), ms };
  };
  return {
    calendar: async (name) => rendered(await library.calendar(name)),
    freeBusy: async (collection, key, window) => rendered(await library.freeBusy(collection, key, window)),
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

/** The bytes of a calendar: a pure function of what is stored (semantics 6). */
export function renderCalendar({ calendar, revision, more }: StoredCalendar): Uint8Array<ArrayBuffer> {
  return writeBytes(toComponents(calendar, revision, more));
}
