/**
 * The text of a record as a row keeps it: JSON in which what recurs is one or two characters. That is the record's own
 * identity, its origin, and what nearly every record says in the same words. JSON has these characters only escaped, so a text
 * of an earlier release, which has none of them, is read as it is. A text takes a third to half of its length so. A general
 * compressor takes ten times as long for each record.
 */

/** What stands for the identity of the row, and for its origin. */
const IDENT = '\u0001';
const ORIGIN = '\u0002';
/** The next character says what it stands for. */
const MORE = '\u0003';

/**
 * What a record says again and again, each with one character, from the fourth on. The order is that of what is stored:
 * nothing here is ever changed.
 */
const OFTEN = [
  '","url":"',
  'https://',
  ',"currency":"',
  '","price":',
  ',"status":"EventScheduled","details":{',
  ',"remainingAttendeeCapacity":',
  '"maximumAttendeeCapacity":',
  '{"kind":"session","id":"',
  '","idStated":true,"type":"',
  'offers":[{"name":"',
  ',"statusStated":false',
  'ScheduledSession',
  '"},{"name":"',
  ',"series":"',
  '","telephone":"',
  '","start":',
  ',"unread":true}',
  '"name":"',
  '},"end":',
  'location":{"id":"',
  '"},"organizer":{"',
  'zone":"Europe/London","zoneStated":true,"eventType":"',
  ',"byMonth":[],"byMonthDay":[],"except":[],"',
  '"byDay":[{"day":',
  ',"publicHolidays":false,"opens":',
  '{"kind":"slot","id":"',
  '","facility":"',
  ',"remainingUses":',
] as const;

/** Likewise, each with two characters: `MORE` and one from `0` on. New ones go to the end. */
const SELDOM = [
  ',"maximumUses":',
  ',"description":"',
  'activity":["',
  '","address":"',
  '","latitude":',
  ',"longitude":',
  '"attendeeInstructions":"',
  ',"frequency":{"unit":"',
  ',"startDate":"',
  '","endDate":"',
  '","startTime":',
  ',"endTime":',
  ',"duration":',
  ',"schedules":[{"partial":',
  '},{"partial":',
  ',"expandable":',
  '{"kind":"series","id":"',
  '","type":"SessionSeries',
  '{"kind":"place","id":"',
  '","hours":[],"specialHours":[],',
  ',"street":"',
  '","locality":"',
  '","region":"',
  '","postalCode":"',
  '","country":"',
  '{"days":[',
  ',"closes":',
  ',"path":"$.',
  ',"image":"',
  ',"level":["',
  ',"ageRange":{"min":',
  '"category":["',
  'EventCancelled',
] as const;

const FIRST_OFTEN = 4;
const FIRST_SELDOM = 48;
/** Characters below are control characters. */
const SPACE = 32;

const codes = new Map<string, string>([
  ...OFTEN.map((text, at) => [text, String.fromCharCode(FIRST_OFTEN + at)] as const),
  ...SELDOM.map((text, at) => [text, MORE + String.fromCharCode(FIRST_SELDOM + at)] as const),
]);
/** What each stands for, by the number of its character. */
const often: readonly string[] = [...Array<string>(FIRST_OFTEN).fill(''), ...OFTEN];
const seldom: readonly string[] = [...Array<string>(FIRST_SELDOM).fill(''), ...SELDOM];
// The longest goes first, where several begin together.
const anyOf = new RegExp(
  [...codes.keys()]
    .sort((a, b) => b.length - a.length)
    .map((text) => text.replaceAll(/[.[{$]/g, '\\$&'))
    .join('|'),
  'g',
);

/** Shorter identities save nothing, and an empty one is everywhere. */
const LEAST_IDENT = 8;
const ORIGIN_OF = /^https?:\/\/[^/]+\//;

const siteOf = (ident: string): string | undefined => ORIGIN_OF.exec(ident)?.[0];

/**
 * A record's JSON as its row keeps it. Pure.
 * @param ident the identity of the row: `bodyText` needs the same one
 * @example packedBody('{"id":"https://a.example/series/1"}', 'https://a.example/series/1') // '{"id":"\u0001"}'
 */
export function packedBody(json: string, ident: string): string {
  const own = ident.length < LEAST_IDENT ? json : json.replaceAll(ident, IDENT);
  const origin = siteOf(ident);
  const near = origin === undefined ? own : own.replaceAll(origin, ORIGIN);
  return near.replace(anyOf, (text) => codes.get(text) as string);
}

/** The JSON of what a row keeps; '' for a stub. The reverse of `packedBody`. Pure. */
export function bodyText(body: unknown, ident: unknown): string {
  if (typeof body !== 'string') return '';
  let json = '';
  let from = 0;
  for (let at = 0; at < body.length; at += 1) {
    const code = body.charCodeAt(at);
    if (code >= SPACE) continue;
    json += body.slice(from, at);
    if (code >= FIRST_OFTEN) json += often[code];
    else if (code === 3) json += seldom[body.charCodeAt(++at)] ?? '';
    else json += code === 1 ? String(ident) : (siteOf(String(ident)) ?? '');
    from = at + 1;
  }
  return from === 0 ? body : json + body.slice(from);
}
