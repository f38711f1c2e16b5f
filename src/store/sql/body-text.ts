/**
 * Packs the text of a record: JSON in which recurring parts are one or two control characters. These parts are the record's
 * identity, its origin, and properties that nearly every record has. JSON has such characters only escaped, so that a text of
 * an earlier release, which has none, is read as it is. A packed text has a third to half of its length. A general compressor
 * takes ten times as long for each record.
 */

/** The characters for the identity of the row, and for its origin. */
const IDENT = '\u0001';
const ORIGIN = '\u0002';
/** The first of two characters: the second one is a number in `SELDOM`. */
const MORE = '\u0003';

/**
 * The most frequent parts, one character each, from U+0004 on. Stored texts depend on the order: nothing here is ever
 * changed.
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

/** Less frequent parts, two characters each: `MORE` and one from `0` on. New ones go to the end. */
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
/** Parts by the code of their character. */
const often: readonly string[] = [...Array<string>(FIRST_OFTEN).fill(''), ...OFTEN];
const seldom: readonly string[] = [...Array<string>(FIRST_SELDOM).fill(''), ...SELDOM];
// The longest part first, because several begin alike.
const anyOf = new RegExp(
  [...codes.keys()]
    .sort((a, b) => b.length - a.length)
    .map((text) => text.replaceAll(/[.[{$]/g, '\\$&'))
    .join('|'),
  'g',
);

/** The least length of an identity to replace: shorter ones save nothing, and an empty one matches everywhere. */
const LEAST_IDENT = 8;
const ORIGIN_OF = /^https?:\/\/[^/]+\//;

const siteOf = (ident: string): string | undefined => ORIGIN_OF.exec(ident)?.[0];

/**
 * Packs a record's JSON for its row. Pure.
 * @param ident the identity of the row: `bodyText` needs the same one
 * @example packedBody('{"id":"https://a.example/series/1"}', 'https://a.example/series/1') // '{"id":"\u0001"}'
 */
export function packedBody(json: string, ident: string): string {
  const withIdent = ident.length < LEAST_IDENT ? json : json.replaceAll(ident, IDENT);
  const origin = siteOf(ident);
  const withOrigin = origin === undefined ? withIdent : withIdent.replaceAll(origin, ORIGIN);
  return withOrigin.replace(anyOf, (text) => codes.get(text) as string);
}

/** Unpacks the text of a row, the reverse of `packedBody`; '' for a stub. Pure. */
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
