import { identOf } from './ids.ts';
import type { Details, PlaceSummary } from './properties.ts';

/** Whether an object takes place online alone, or at another place than its parent, by their details. Pure. */

/** The values of `eventAttendanceMode` (schema.org). */
export const ATTENDANCE_MODES = {
  offline: 'https://schema.org/OfflineEventAttendanceMode',
  online: 'https://schema.org/OnlineEventAttendanceMode',
  mixed: 'https://schema.org/MixedEventAttendanceMode',
} as const;

/** Whether coordinates are the 0, 0 of an empty form, or within about a kilometre of it, where they were blurred. */
export function isNearZero({ latitude, longitude }: Record<'latitude' | 'longitude', number>): boolean {
  return Math.abs(latitude) < 0.01 && Math.abs(longitude) < 0.01;
}

type Whereabouts = Pick<Details, 'attendance' | 'virtualLocation' | 'location'>;

/** Whether an object takes place online alone (semantics 2.2), by its details after inheritance. */
export function isOnline({ attendance, virtualLocation, location }: Whereabouts): boolean {
  return (
    attendance === 'online' || (attendance === undefined && virtualLocation !== undefined && location === undefined)
  );
}

/** Whether a child takes place elsewhere than its parent: at another place, or online alone. */
export function isElsewhere(parent: Whereabouts, child: Whereabouts): boolean {
  if (child.attendance === 'online') return parent.attendance !== 'online';
  return (
    child.location !== undefined && parent.location !== undefined && isAnotherPlace(child.location, parent.location)
  );
}

/** Whether both are one place by their `@id`. */
export function isSamePlace(one: PlaceSummary | undefined, other: PlaceSummary | undefined): boolean {
  return one?.id !== undefined && other?.id !== undefined && identOf(one.id) === identOf(other.id);
}

/** Whether places differ: by their `@id`, else by the names and addresses that both have. */
function isAnotherPlace(own: PlaceSummary, usual: PlaceSummary): boolean {
  if (isSamePlace(own, usual)) return false;
  if (own.name !== undefined && own.name === usual.name) return differ(own.address, usual.address);
  return own.name !== undefined || usual.name !== undefined || own.address !== usual.address;
}

function differ(a: string | undefined, b: string | undefined): boolean {
  return a !== undefined && b !== undefined && a !== b;
}
