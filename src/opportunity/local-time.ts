import type { Instant } from '../time/instant.ts';
import type { Moment } from '../time/iso-text.ts';
import { knownZone } from '../time/place-zone.ts';
import { toInstant, type Zone } from '../time/zone.ts';
import { identOf, isPointer } from './identity.ts';
import { isObject, type JsonObject } from './item/json.ts';
import { at, isEmpty, noteOnce, type Part, type Reading, type ZoneHints } from './item/reading.ts';
import { MAX_DEPTH } from './limits.ts';
import { locationOf } from './place/place.ts';
import type { StatedTimes } from './records.ts';
import { zoneOfSchedules } from './schedule/schedule.ts';

/** A date-time that was read: its instant, and its wall time where it names no zone. */
export interface ReadTime {
  instant: Instant;
  wall?: number;
}

/**
 * A date-time of a session. One without a designator is local time of the place, else of the series' Schedule, else of the
 * configured default (semantics 3). The instant is by the item alone; `effectiveSession` reads it again with other records.
 */
export function timeOf(part: Part, name: string, moment: Timed): ReadTime {
  if (moment.kind === 'instant') return { instant: moment.instant };
  noteOnce(at(part, name), 'datetime-without-zone', { property: name });
  return { instant: toInstant(zoneAround(part) ?? part.reading.zone, moment.wall), wall: moment.wall };
}

type Timed = Moment & { kind: 'instant' | 'wall' };

interface ReadTimes {
  start?: ReadTime;
  end?: ReadTime | undefined;
  previousStart?: ReadTime;
  length?: number | undefined;
}

/** Times as they are written; undefined: each has its zone. */
export function statedTimes(part: Part, { length, ...times }: ReadTimes): StatedTimes | undefined {
  const stated = Object.entries(times).filter((entry): entry is [string, ReadTime] => entry[1] !== undefined);
  if (stated.every(([, { wall }]) => wall === undefined)) return undefined;
  const zone = zoneAround(part)?.id;
  return {
    ...Object.fromEntries(
      stated.map(([name, { instant, wall }]) => [name, wall === undefined ? { instant } : { wall }]),
    ),
    ...(length !== undefined && { length }),
    ...(zone !== undefined && { zone }),
  };
}

/** The zone of the nearest place, as places are inherited; else that of the nearest Schedule. */
function zoneAround({ reading, from }: Part): Zone | undefined {
  const hints = [from, ...reading.around].flatMap(withParents).map((one) => hintsOf(reading, one));
  const nearest = hints.find(({ place }) => place !== undefined);
  // One object may name a place that another describes.
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

/** Reads hints without findings, because places and Schedules get theirs when they are read as such. */
function readHints(reading: Reading, object: JsonObject): ZoneHints {
  const quiet: Reading = { ...reading, records: [], findings: [], noted: new Set() };
  const part = { reading: quiet, from: object, path: '$' };
  const location = locationOf(part, 'location', {});
  const place = quiet.records.map(({ record }) => record).find((record) => record.kind === 'place');
  return {
    place: location && identOf(location.id ?? ''),
    ofPlace: location && knownZone(place ?? location),
    ofSchedule: zoneOfSchedules(part),
  };
}
