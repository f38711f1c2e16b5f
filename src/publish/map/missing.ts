import { shown } from '../../opportunity/findings.ts';
import { isObject, type JsonObject } from '../../opportunity/item/json.ts';
import { ATTENDANCE_MODES } from '../../opportunity/whereabouts.ts';
import { findingOf, type PublishFinding } from '../codes.ts';
import type { Published, PublishedObject } from '../contract.ts';
import { NO_BASE } from './mapped.ts';
import type { Mapping } from './schema.ts';

/** What the model requires and calendars seldom say: where it lacks, and where the mapping file would say it. */
interface Required {
  feed: keyof Published;
  lacks: (data: JsonObject) => boolean;
  /** The setting of the mapping file that says it. */
  setting: string;
}

const lacking = (property: string) => (data: JsonObject) => data[property] === undefined;

const REQUIRED: readonly Required[] = [
  { feed: 'session-series', lacks: lacking('organizer'), setting: 'organizer' },
  { feed: 'session-series', lacks: lacking('activity'), setting: 'activity' },
  {
    feed: 'session-series',
    lacks: ({ location, eventAttendanceMode }) =>
      location === undefined && eventAttendanceMode !== ATTENDANCE_MODES.online,
    setting: 'place',
  },
  { feed: 'session-series', lacks: isNowhere, setting: 'place.street' },
  { feed: 'session-series', lacks: lacking('offers'), setting: 'offers' },
  { feed: 'facility-uses', lacks: lacking('provider'), setting: 'organizer' },
  { feed: 'facility-uses', lacks: lacking('location'), setting: 'place' },
  { feed: 'facility-uses', lacks: isNowhere, setting: 'place.street' },
  {
    feed: 'facility-uses',
    lacks: ({ facilityType, activity }) => facilityType === undefined && activity === undefined,
    setting: 'calendars[].facility.type',
  },
];

/** A place needs an address or coordinates. */
function isNowhere({ location }: JsonObject): boolean {
  return isObject(location) && location.address === undefined && location.geo === undefined;
}

/** One finding for each value that is missing, with the first object that lacks it. */
export function missingValues(published: Published, { base }: Mapping): PublishFinding[] {
  const findings = REQUIRED.flatMap(({ feed, lacks, setting }) => {
    const first = published[feed].find(({ data }) => lacks(data));
    return first === undefined ? [] : [missing(first, setting)];
  });
  const isEmpty = Object.values(published).every((objects) => objects.length === 0);
  const noBase = base === undefined && !isEmpty;
  return noBase
    ? [...findings, findingOf('mapping-base-missing', 'mapping', '', '$.base', { used: NO_BASE })]
    : findings;
}

/** What somebody has still to decide: a `$comment` that begins with "To decide". */
export function undecided(value: unknown, path = '$'): PublishFinding[] {
  if (Array.isArray(value)) return value.flatMap((one, index) => undecided(one, `${path}[${index}]`));
  if (typeof value !== 'object' || value === null) return [];
  const { $comment } = value as { $comment?: unknown };
  const isOpen = typeof $comment === 'string' && $comment.startsWith('To decide');
  const own = isOpen ? [findingOf('mapping-undecided', 'mapping', '', path, { value: shown($comment, 200) })] : [];
  return [...own, ...Object.entries(value).flatMap(([key, one]) => undecided(one, `${path}.${key}`))];
}

function missing({ id, data: { name } }: PublishedObject, setting: string): PublishFinding {
  const facts = { property: setting, name: typeof name === 'string' ? name : id };
  return findingOf('mapping-value-missing', 'mapping', id, `$.${setting}`, facts);
}
