import { DAY, exdatesOf, HORIZON, instancesOf, instantsAt, offsetAt, ruleOf } from './instances.ts';
import { all, type Line, oneOf, type Part, parts, read, unfolded, wallOf } from './read.ts';

/**
 * The rules a feed must obey that can be read from its bytes, by the numbers of docs/feed-rules.md; those of
 * MS-OXCICAL (Outlook, Exchange) are feed rules 4 to 14.
 */

export interface FeedRule {
  number: number;
  says: string;
  /** What breaks the rule, one line each. */
  broken(calendar: Calendar): string[];
}

export interface Calendar {
  text: string;
  root: Part;
  /** The VCALENDAR. */
  part: Part;
  events: Part[];
  /** Masters and single events; overrides by UID. */
  masters: Part[];
  overrides: Map<string, Part[]>;
}

export function calendarOf(text: string): Calendar {
  const root = read(text);
  const part = root.parts[0] as Part;
  const events = parts(part, 'VEVENT');
  const isOverride = (event: Part) => all(event, 'RECURRENCE-ID').length > 0;
  return {
    text,
    root,
    part,
    events,
    masters: events.filter((event) => !isOverride(event)),
    overrides: Map.groupBy(events.filter(isOverride), uidOf),
  };
}

const uidOf = (event: Part): string => oneOf(event, 'UID') ?? '';
const startOf = (event: Part): Line => all(event, 'DTSTART')[0] as Line;
const zoneOf = (event: Part): string => startOf(event).params.TZID ?? 'UTC';
const isAllDay = (event: Part): boolean => startOf(event).params.VALUE === 'DATE';
const lengthOf = (event: Part): number => {
  const end = oneOf(event, 'DTEND');
  return end === undefined ? 0 : wallOf(end) - wallOf(startOf(event).value);
};

/** Every event that breaks a rule, by its UID. */
function each(events: readonly Part[], isBroken: (event: Part) => string | boolean | undefined): string[] {
  return events.flatMap((event) => {
    const found = isBroken(event);
    return found === false || found === undefined || found === '' ? [] : [`${uidOf(event)} ${String(found)}`];
  });
}

function if_(isBroken: boolean, what: string): string[] {
  return isBroken ? [what] : [];
}

const rule = (number: number, says: string, broken: FeedRule['broken']): FeedRule => ({ number, says, broken });

/** Instances of a master that rules of two instances look at; what comes later is like what came before. */
const LOOKED_AT = 800;

const known = new WeakMap<Part, number[]>();

/** Wall times of all instances of a master up to the horizon. */
function instances(event: Part): number[] {
  let list = known.get(event);
  if (list === undefined) {
    const zone = zoneOf(event);
    list = instancesOf(event, (instant) => instant + offsetAt(zone, instant));
    known.set(event, list);
  }
  return list;
}

export const FEED_RULES: FeedRule[] = [
  rule(1, 'UTF-8 without BOM, CRLF, 75 octets a line, folded between characters', ({ text }) => [
    ...if_(!text.startsWith('BEGIN:VCALENDAR\r\n'), 'does not begin with BEGIN:VCALENDAR'),
    ...if_(!text.endsWith('END:VCALENDAR\r\n'), 'does not end with END:VCALENDAR'),
    ...if_(/[^\r]\n|\r[^\n]/.test(text), 'a line that does not end with CRLF'),
    ...text.split('\r\n').filter((line) => Buffer.byteLength(line) > 75),
  ]),
  rule(2, 'one VCALENDAR with PRODID, VERSION and CALSCALE, without METHOD', ({ root, part }) => [
    ...if_(root.parts.length !== 1 || part.name !== 'VCALENDAR' || root.lines.length > 0, 'not one VCALENDAR'),
    ...if_(oneOf(part, 'VERSION') !== '2.0' || oneOf(part, 'CALSCALE') !== 'GREGORIAN', 'VERSION or CALSCALE'),
    ...if_(all(part, 'PRODID').length !== 1 || all(part, 'METHOD').length > 0, 'PRODID or METHOD'),
  ]),
  rule(3, 'at least one component', ({ part }) => if_(part.parts.length === 0, 'none')),
  rule(4, 'times with TZID, the same for both ends, or UTC for what happens once; never floating', ({ events }) =>
    each(events, (event) => {
      const times = ['DTSTART', 'DTEND', 'RECURRENCE-ID', 'EXDATE'].flatMap((name) => all(event, name));
      if (isAllDay(event)) return times.some(({ params }) => params.VALUE !== 'DATE') && 'a time in an all-day event';
      if (new Set(times.map(({ params }) => params.TZID)).size > 1) return 'several zones';
      const isUtc = times.every(({ value, params }) => value.endsWith('Z') && params.TZID === undefined);
      if (!isUtc && times.some(({ value, params }) => value.endsWith('Z') || params.TZID === undefined))
        return 'floating';
      return isUtc && (ruleOf(event) !== undefined || all(event, 'RECURRENCE-ID').length > 0) && 'recurs in UTC';
    }),
  ),
  rule(5, 'one VTIMEZONE for each TZID, each of its own, before everything else', ({ part, text }) => {
    const known = parts(part, 'VTIMEZONE').map((zone) => oneOf(zone, 'TZID') ?? '');
    const used = new Set([...text.replaceAll('\r\n ', '').matchAll(/;TZID=([^:;]+)/g)].map((found) => found[1]));
    // A calendar without events yet still says where it is.
    used.add(oneOf(part, 'X-WR-TIMEZONE'));
    const order = part.parts.map(({ name }) => name !== 'VTIMEZONE');
    return [
      ...if_(new Set(known).size < known.length, 'a TZID twice'),
      ...if_(
        order.indexOf(false, order.indexOf(true)) > order.indexOf(true) && order.includes(true),
        'after a component',
      ),
      ...known.filter((zone) => !used.has(zone)).map((zone) => `${zone} is not used`),
      ...[...used]
        .filter((zone) => text.includes(`TZID=${zone}`) && !known.includes(zone as string))
        .map((zone) => `${zone} is not there`),
    ];
  }),
  rule(6, 'VTIMEZONE of yearly rules by one nth weekday, from 1970 on, with offsets of hours and minutes', ({ part }) =>
    parts(part, 'VTIMEZONE').flatMap((zone) => {
      const lasting = zone.parts.filter((one) => !(oneOf(one, 'RRULE') ?? '').includes('UNTIL') && ruleOf(one));
      return [
        ...if_(lasting.filter(({ name }) => name === 'STANDARD').length > 1, 'two STANDARD for ever'),
        ...if_(lasting.filter(({ name }) => name === 'DAYLIGHT').length > 1, 'two DAYLIGHT for ever'),
        ...if_(
          zone.parts.every((one) => !startOf(one).value.startsWith('1970')),
          'does not begin in 1970',
        ),
        ...zone.parts.flatMap(observanceBroken),
      ].map((what) => `${oneOf(zone, 'TZID')}: ${what}`);
    }),
  ),
  rule(7, "at most one RRULE, of Outlook's templates", ({ masters }) =>
    each(masters, (event) => {
      const value = oneOf(event, 'RRULE');
      return value !== undefined && (all(event, 'RRULE').length > 1 || !isTemplate(value)) && value;
    }),
  ),
  rule(8, 'no two instances of one series on a day, none that begins before the one before it ends', ({ masters }) =>
    each(masters, (event) => {
      const list = instances(event).slice(0, LOOKED_AT);
      const at = list.findIndex((start, n) => {
        const next = list[n + 1] ?? Number.POSITIVE_INFINITY;
        return Math.floor(start / DAY) === Math.floor(next / DAY) || start + lengthOf(event) > next;
      });
      return at >= 0 && new Date(list[at] as number).toISOString();
    }),
  ),
  rule(9, 'no RDATE, EXRULE or RANGE', ({ events }) =>
    each(events, ({ lines }) => lines.find((line) => /^(?:RDATE|EXRULE)$/.test(line.name) || line.params.RANGE)?.name),
  ),
  rule(
    10,
    'UNTIL in UTC, on the local date of the last instance and not before it; never beside COUNT',
    ({ masters }) =>
      each(masters, (event) => {
        const { UNTIL, COUNT } = ruleOf(event) ?? {};
        if (UNTIL === undefined) return false;
        if (COUNT !== undefined || !/^\d{8}T\d{6}Z$/.test(UNTIL)) return UNTIL;
        const until = wallOf(UNTIL);
        const [last = 0] = instances(event).slice(-1);
        const isOn = Math.floor((until + offsetAt(zoneOf(event), until)) / DAY) === Math.floor(last / DAY);
        return until < HORIZON && !isOn && UNTIL;
      }),
  ),
  rule(11, 'DTSTART is an instance of the rule', ({ masters }) =>
    each(masters, (event) => instances(event)[0] !== wallOf(startOf(event).value) && startOf(event).value),
  ),
  rule(12, "EXDATE one a line, in DTSTART's form, of instances, and not of DTSTART itself", ({ masters }) =>
    each(masters, (event) => {
      const dates = exdatesOf(event);
      if (dates.length === 0) return false;
      if (
        all(event, 'EXDATE').some(
          ({ value, params }) => value.includes(',') || params.TZID !== startOf(event).params.TZID,
        )
      )
        return 'form';
      const real = new Set(instances(event));
      if (new Set(dates).size < dates.length || dates.includes(wallOf(startOf(event).value)))
        return 'twice, or DTSTART';
      return dates.some((date) => date < HORIZON && !real.has(date)) && 'of no instance';
    }),
  ),
  rule(13, 'overrides after their master, whole, of an instance that is there', (calendar) =>
    [...calendar.overrides].flatMap(([uid, list]) => {
      const master = calendar.masters.find((event) => uidOf(event) === uid);
      if (master === undefined || calendar.events.indexOf(master) > calendar.events.indexOf(list[0] as Part))
        return [`${uid}: no master before it`];
      const there = new Set(instances(master));
      for (const gone of exdatesOf(master)) there.delete(gone);
      const ids = list.map((event) => all(event, 'RECURRENCE-ID')[0] as Line);
      return [
        ...ids.filter(({ value }) => !there.has(wallOf(value))).map(({ value }) => `${uid}: of no instance: ${value}`),
        ...ids
          .filter(({ params }) => params.TZID !== startOf(master).params.TZID)
          .map(({ value }) => `${uid}: ${value}`),
        ...if_(new Set(ids.map(({ value }) => value)).size < ids.length, `${uid}: an instance twice`),
        ...each(list, (event) => ruleOf(event) !== undefined && 'with a rule'),
        ...each(list, (event) =>
          ['SUMMARY', 'DTSTART', 'DTSTAMP', 'STATUS'].find((name) => all(event, name).length !== 1),
        ),
      ];
    }),
  ),
  rule(14, 'no override on the day of a neighbour or beyond it', (calendar) =>
    [...calendar.overrides].flatMap(([uid, list]) => {
      const master = calendar.masters.find((event) => uidOf(event) === uid);
      if (master === undefined) return [];
      const moved = new Map(list.map((event) => [wallOf(oneOf(event, 'RECURRENCE-ID') as string), event]));
      const gone = new Set(exdatesOf(master));
      const starts = instances(master)
        .filter((at) => !gone.has(at))
        .map(
          (at) =>
            wallOf(startOf(moved.get(at) ?? master).value) + (moved.has(at) ? 0 : at - wallOf(startOf(master).value)),
        );
      const at = starts.findIndex(
        (start, n) => n > 0 && Math.floor(start / DAY) <= Math.floor((starts[n - 1] as number) / DAY),
      );
      return at < 0 ? [] : [`${uid}: ${new Date(starts[at] as number).toISOString()}`];
    }),
  ),
  rule(15, 'UIDs in ASCII, at most 255 octets, one master each', ({ masters, events }) => [
    ...each(events, (event) => !/^[!-~]{1,255}$/.test(uidOf(event)) && 'form'),
    ...if_(new Set(masters.map(uidOf)).size < masters.length, 'a UID twice'),
  ]),
  rule(16, 'SEQUENCE and LAST-MODIFIED everywhere, DTSTAMP the same, overrides not behind their master', (calendar) =>
    each(calendar.events, (event) => {
      const [stamp, modified] = [oneOf(event, 'DTSTAMP'), oneOf(event, 'LAST-MODIFIED')];
      if (stamp === undefined || stamp !== modified || !/^\d{8}T\d{6}Z$/.test(stamp)) return 'DTSTAMP';
      const master = calendar.masters.find((one) => uidOf(one) === uidOf(event)) ?? event;
      return !(Number(oneOf(event, 'SEQUENCE')) >= Number(oneOf(master, 'SEQUENCE'))) && 'SEQUENCE';
    }),
  ),
  rule(23, 'what is cancelled is an override or an event, not an EXDATE as well', (calendar) =>
    [...calendar.overrides].flatMap(([uid, list]) => {
      const master = calendar.masters.find((event) => uidOf(event) === uid);
      const gone = new Set(master === undefined ? [] : exdatesOf(master));
      return list.flatMap((event) => if_(gone.has(wallOf(oneOf(event, 'RECURRENCE-ID') as string)), uid));
    }),
  ),
  rule(24, 'REFRESH-INTERVAL as a duration, and X-PUBLISHED-TTL the same', ({ part }) => {
    const [hint] = all(part, 'REFRESH-INTERVAL');
    const isRight = hint?.params.VALUE === 'DURATION' && hint.value === oneOf(part, 'X-PUBLISHED-TTL');
    return if_(!isRight || !/^P[\dDTHM]+$/.test(hint?.value ?? ''), JSON.stringify(hint));
  }),
  rule(25, 'name, description, zone and colour for old readers and new', ({ part }) => [
    ...if_(oneOf(part, 'NAME') === undefined || oneOf(part, 'NAME') !== oneOf(part, 'X-WR-CALNAME'), 'NAME'),
    ...if_(oneOf(part, 'DESCRIPTION') !== oneOf(part, 'X-WR-CALDESC'), 'DESCRIPTION'),
    ...if_(oneOf(part, 'X-WR-TIMEZONE') === undefined, 'X-WR-TIMEZONE'),
    ...if_(!/^[a-z]+$/.test(oneOf(part, 'COLOR') ?? ''), 'COLOR'),
    ...if_(!/^#[0-9A-Fa-f]{6}$/.test(oneOf(part, 'X-APPLE-CALENDAR-COLOR') ?? ''), 'X-APPLE-CALENDAR-COLOR'),
  ]),
  rule(26, 'GEO as lat;lon with six decimals at most, and a structured location of the same title', ({ events }) =>
    each(events, (event) => {
      const geo = oneOf(event, 'GEO');
      if (geo !== undefined && !/^-?\d+(?:\.\d{1,6})?;-?\d+(?:\.\d{1,6})?$/.test(geo)) return geo;
      const [apple] = all(event, 'X-APPLE-STRUCTURED-LOCATION');
      if (apple === undefined) return false;
      if (apple.params.VALUE !== 'URI' || apple.value !== `geo:${geo?.replace(';', ',')}`) return apple.value;
      const title = plain(oneOf(event, 'LOCATION') ?? '').split('\n')[0];
      return unquoted(apple.params['X-TITLE'] ?? '') !== title && `${apple.params['X-TITLE']} is not ${title}`;
    }),
  ),
  rule(27, 'no alarm, attachment or attendee', ({ events }) =>
    each(
      events,
      ({ lines, parts: inside }) =>
        inside[0]?.name ?? lines.find(({ name }) => /^(?:ATTACH|ATTENDEE)$/.test(name))?.name,
    ),
  ),
  rule(28, 'property names of capitals, digits and dashes; no control characters', ({ text }) =>
    unfolded(text).filter((line) => !/^[A-Z0-9-]+[;:]/.test(line) || [...line].some((c) => c < ' ' && c !== '\t')),
  ),
];

const LAST_KNOWN = Date.UTC(2050, 11, 1);

/**
 * Instances of rules that programs read differently, because the clocks change within them, by Intl alone: a start or an end
 * that the clock never or twice shows, a length that is not what the wall clock says.
 */
export function unsteady({ masters }: Calendar): string[] {
  return masters.flatMap((event) => {
    const [zone, length] = [zoneOf(event), lengthOf(event)];
    if (ruleOf(event) === undefined || zone === 'UTC') return [];
    const gone = new Set(exdatesOf(event));
    const found = instances(event)
      .slice(0, LOOKED_AT)
      .find((start) => {
        // Nobody knows the clocks of later years, and the program's own table ends there.
        if (gone.has(start) || start > LAST_KNOWN) return false;
        const [from, to] = [instantsAt(zone, start), instantsAt(zone, start + length)];
        return from.length !== 1 || to.length !== 1 || (to[0] as number) - (from[0] as number) !== length;
      });
    return found === undefined ? [] : [`${uidOf(event)} ${zone} ${new Date(found).toISOString()}`];
  });
}

/** A TEXT value without its escapes (RFC 5545 3.3.11). */
function plain(value: string): string {
  return value.replaceAll(/\\([nN,;\\])/g, (_, escaped: string) => (/n/i.test(escaped) ? '\n' : escaped));
}

/** A parameter value without its own (RFC 6868). */
function unquoted(value: string): string {
  return value.replaceAll(/\^([n'^])/g, (_, escaped: string) => (escaped === 'n' ? '\n' : escaped === "'" ? '"' : '^'));
}

/** An offset in ms; `+hhmm`. */
function offsetValue(one: Part, name: string): number {
  const [, sign, hours, minutes] = /^([+-])(\d\d)(\d\d)$/.exec(oneOf(one, name) ?? '') ?? [];
  return (Number(hours) * 60 + Number(minutes)) * 60_000 * (sign === '-' ? -1 : 1);
}

const OFFSET = /^[+-]\d{4}$/;

function observanceBroken(one: Part): string[] {
  const value = oneOf(one, 'RRULE');
  const template = /^FREQ=YEARLY;(?:UNTIL=\d{8}T\d{6}Z;)?BYMONTH=\d{1,2};BYDAY=(?:[1-4]|-1)(?:MO|TU|WE|TH|FR|SA|SU)$/;
  const isFirst =
    value === undefined ||
    instancesOf(one, (instant) => instant + offsetValue(one, 'TZOFFSETFROM'))[0] === wallOf(startOf(one).value);
  return [
    ...if_(value !== undefined && !template.test(value), `${value}`),
    ...if_(!isFirst, 'DTSTART is no onset of its own rule'),
    ...if_(startOf(one).params.TZID !== undefined || startOf(one).value.endsWith('Z'), 'DTSTART is not local'),
    ...['TZOFFSETFROM', 'TZOFFSETTO'].filter((name) => !OFFSET.test(oneOf(one, name) ?? '')),
    ...one.lines.filter(({ name }) => name === 'RDATE').map(({ name }) => name),
  ];
}

/** MS-OXCICAL's templates, and what of them Outlook's store can hold. */
const END = '(?:;(?:UNTIL=\\d{8}T\\d{6}Z|COUNT=\\d+))?';
const DAYS = '(?:MO|TU|WE|TH|FR|SA|SU)';
const MONTH_PART = `(?:BYMONTHDAY=(?:[1-9]|1\\d|2[0-8])|BYDAY=(?:[1-4]|-1)${DAYS})`;
const TEMPLATES = [
  `FREQ=DAILY${END}(?:;INTERVAL=\\d{1,3})?`,
  `FREQ=WEEKLY${END}(?:;INTERVAL=\\d{1,2})?;BYDAY=${DAYS}(?:,${DAYS})*(?:;WKST=MO)?`,
  `FREQ=MONTHLY${END}(?:;INTERVAL=\\d{1,2})?;${MONTH_PART}`,
  // The days after the 28th of months that have them every time.
  `FREQ=YEARLY${END}(?:;INTERVAL=\\d{1,2})?;BYMONTH=\\d{1,2};(?:BYMONTHDAY=\\d{1,2}|BYDAY=(?:[1-4]|-1)${DAYS})`,
].map((template) => new RegExp(`^${template}$`));

function isTemplate(value: string): boolean {
  return TEMPLATES.some((template) => template.test(value));
}
