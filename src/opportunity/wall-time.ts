import { knownZone } from '../hours/place-zone.ts';
import { toInstant, type Zone } from '../recurrence/zone.ts';
import { identOf, isPointer } from './identity.ts';
import { isObject, type JsonObject } from './json.ts';
import { MAX_DEPTH } from './limits.ts';
import type { Moment } from './moments.ts';
import { addLocations, type Location } from './place.ts';
import { at, isEmpty, noteOnce, type Reading, type ZoneHints } from './reading.ts';
import { zoneOfSchedules } from './schedule.ts';

/**
 * The instant of a date-time. One without a designator is local time of its place, else of its series' Schedule, else of
 * the configured default (semantics 3): as far as the item itself says them, so that no order of arrival changes it.
 */
export function instantOf(
  reading: Reading,
  moment: Moment & { kind: 'instant' | 'wall' },
  from: JsonObject,
  name: string,
  path: string,
): number {
  if (moment.kind === 'instant') return moment.instant;
  const known = zoneAround(reading, from);
  const zone = known ?? reading.zone;
  const here = at(path, name);
  noteOnce(reading, 'datetime-without-zone', here, { property: name, zone: zone.id });
  if (known === undefined) noteOnce(reading, 'zone-assumed', here);
  return toInstant(zone, moment.wall);
}

/** The zone of the nearest place, as places are inherited; where that does not say it, of the nearest Schedule. */
function zoneAround(reading: Reading, from: JsonObject): Zone | undefined {
  const hints = [from, ...reading.around].flatMap(withParents).map((one) => hintsOf(reading, one));
  const nearest = hints.find(({ place }) => place !== undefined);
  // Places are named in one object and described in another.
  const same = hints.find(({ place, ofPlace }) => place === nearest?.place && ofPlace !== undefined);
  return same?.ofPlace ?? hints.find(({ ofSchedule }) => ofSchedule !== undefined)?.ofSchedule;
}

/** An object and those embedded in it that it inherits from. */
function withParents(object: JsonObject): JsonObject[] {
  const line: JsonObject[] = [];
  let next: JsonObject | undefined = object;
  while (next !== undefined && line.length <= MAX_DEPTH) {
    line.push(next);
    const parent: JsonObject[string] = next.superEvent ?? next.facilityUse ?? next.aggregateFacilityUse ?? null;
    const one: JsonObject[string] | undefined = Array.isArray(parent)
      ? parent.find((entry) => !isEmpty(entry))
      : parent;
    next = one !== undefined && isObject(one) && !isPointer(one) ? one : undefined;
  }
  return line;
}

function hintsOf(reading: Reading, object: JsonObject): ZoneHints {
  reading.zones ??= new Map();
  let hints = reading.zones.get(object);
  if (hints === undefined) {
    hints = readHints(reading, object);
    reading.zones.set(object, hints);
  }
  return hints;
}

/** What is odd about the place and the Schedules is noted where they are read for themselves. */
function readHints(reading: Reading, object: JsonObject): ZoneHints {
  const quiet: Reading = { ...reading, records: [], findings: [], memory: undefined, trace: undefined };
  quiet.noted = new Set();
  const found: Location = {};
  addLocations(quiet, object, '$', found);
  const place = quiet.records.map(({ record }) => record).find((record) => record.kind === 'place');
  const { location } = found;
  return {
    place: location && identOf(location.id ?? ''),
    ofPlace: location && knownZone(place ?? location),
    ofSchedule: zoneOfSchedules(quiet, object, '$'),
  };
}
