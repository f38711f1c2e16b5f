import type { Meeting, Wording } from '../../read/model.ts';
import type { Mapped } from '../mapped.ts';
import type { IncludedDetail } from '../schema.ts';

/** Personal details and meeting links of an event: they are left out, unless the mapping file includes them. */

interface LeftOut {
  /** The iCalendar property that had it. */
  property: string;
  detail: IncludedDetail;
}

type Detail = Exclude<IncludedDetail, 'organizers'>;

const CONFERENCE_HOST =
  /^https?:\/\/(?:[\w-]+\.)*(?:zoom\.us|zoom\.com|meet\.google\.com|teams\.microsoft\.com|teams\.live\.com|webex\.com|gotomeeting\.com|gotomeet\.me|whereby\.com|meet\.jit\.si|join\.skype\.com|bluejeans\.com)(?:[/:?#]|$)/i;
const SECRET_QUERY = /[?&#](?:pwd|passcode|password|pin|tk|token)=/i;
const ADDRESS = /https?:\/\/[^\s<>"']{1,2000}/gi;
const PASSCODE =
  /\b(?:meeting id|conference id|access code|pass ?code|pass ?word|kenncode|kennwort)\b(?: *(?:is\b|:|=) *[^\s,;]+| +[^\s,;]*\d[^\s,;]*)(?: \d+){0,4}/gi;
const EMAIL = /(?:mailto:)?[\w.+%-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,6}/gi;
const PHONE =
  /(?:tel:)?(?<![\w/.-]|\d:)(?:\+|(?:1[ .-])(?=\(?\d{3}\)?[ .-]\d{3}[ .-]\d{4}(?!\d))|\(?0(?=\d{0,5}\))|0|\(?(?=\d{3}\)?[ .-]\d{3}[ .-]\d{4}(?!\d)))\d?(?:(?:[.-]|[ ()]{1,2})?\d){7,14}(?![\w:])/gi;
/** A number of any form, behind a word for telephone. */
const NAMED_PHONE =
  /\b(?:tel|telephone|phone|mobile|mob|call|ring|text|whatsapp|fax|telefon|handy)\b[^\d+\n]{0,12}(\+?\d[\d ().-]{5,16}\d)(?![\w:])/gi;
/** Links that lead to a person's number. */
const PHONE_LINK =
  /(?<![\w./-])(?:https?:\/\/)?(?:www\.)?(?:wa\.me|(?:api|web)\.whatsapp\.com\/send|signal\.me)[/?#][^\s<>"']{1,2000}|\bwhatsapp:\/\/[^\s<>"']{1,2000}/gi;
/** Invitations to a chat, which everybody with the link may join. */
const CHAT_LINK =
  /(?<![\w./-])(?:https?:\/\/)?(?:www\.)?(?:chat\.whatsapp\.com|discord\.gg|discord(?:app)?\.com\/invite|t\.me|telegram\.me|signal\.group)[/?#][^\s<>"']{1,2000}/gi;
const DATE = /^\(?\d{1,2}[./-]\d{1,2}(?:[./-]\d{2,4})?(?!\d)/;

interface PersonalDetail {
  detail: Detail;
  text: string;
}

/** @returns what stands in a text, of the kinds that are not included */
function detailsIn(text: string, kept: ReadonlySet<string>, known: ReadonlySet<string>): PersonalDetail[] {
  const found: PersonalDetail[] = [];
  const add = (detail: Detail, texts: Iterable<string>) => {
    if (kept.has(detail)) return;
    for (const one of texts) if (!known.has(comparable(one))) found.push({ detail, text: one });
  };
  add('conferences', text.match(ADDRESS)?.filter(isConference) ?? []);
  add('conferences', text.match(PASSCODE) ?? []);
  add('conferences', text.match(CHAT_LINK) ?? []);
  add('emails', text.match(EMAIL) ?? []);
  add('phones', text.match(PHONE_LINK) ?? []);
  // Numbers in addresses of pages are not phone numbers.
  const plain = text.replaceAll(ADDRESS, ' ');
  const named = [...plain.matchAll(NAMED_PHONE)].map(([, number = '']) => number);
  add('phones', [...(plain.match(PHONE) ?? []), ...named].filter(isPhone));
  return found;
}

function isConference(address: string): boolean {
  return CONFERENCE_HOST.test(address) || SECRET_QUERY.test(address);
}

/** Whether a text is a phone number, and no date or time of day, which may have as many digits. */
function isPhone(text: string): boolean {
  const digits = text.replaceAll(/\D/g, '').length;
  return digits >= 7 && digits <= 15 && !DATE.test(text.trim());
}

/** `07700 900 123` and `+44 7700 900123` are one number. */
function comparable(text: string): string {
  if (text.includes('@')) return text.replace(/^mailto:/i, '').toLowerCase();
  return text.replaceAll(/\D/g, '').replace(/^(?:00)?44|^0/, '');
}

/** The wording without personal details, and the details removed. */
export function publicWording(wording: Wording, { mapping, calendar }: Mapped): { wording: Wording; left: LeftOut[] } {
  const kept = new Set<string>([...mapping.include, ...(calendar?.include ?? [])]);
  const known = knownDetails(mapping);
  const left: LeftOut[] = [];
  const clean = (property: string, text: string | undefined, cut: typeof withoutSentences): string | undefined => {
    const found = text === undefined ? [] : detailsIn(text, kept, known);
    if (text === undefined || found.length === 0) return text;
    for (const detail of new Set(found.map((one) => one.detail))) left.push({ property, detail });
    const rest = cut(text, found);
    return detailsIn(rest, kept, known).length > 0 ? undefined : rest || undefined;
  };
  const {
    summary,
    description,
    location,
    url,
    meeting,
    organizer,
    contact,
    categories,
    images: pictures,
    ...rest
  } = wording;
  const texts = {
    summary: clean('SUMMARY', summary, withoutTexts),
    description: clean('DESCRIPTION', description, withoutSentences),
    location: clean('LOCATION', location, withoutTexts),
    url: clean('URL', url, () => ''),
    organizer: organizer !== undefined && kept.has('organizers') ? organizer : undefined,
    contact:
      kept.has('organizers') || known.has(comparable(contact ?? ''))
        ? clean('CONTACT', contact, withoutTexts)
        : undefined,
  };
  if (contact !== undefined && texts.contact === undefined && !left.some(({ property }) => property === 'CONTACT'))
    left.push({ property: 'CONTACT', detail: 'organizers' });
  const isUnsaid = organizer !== undefined && (calendar?.organizer ?? mapping.organizer) === undefined;
  if (isUnsaid && texts.organizer === undefined) left.push({ property: 'ORGANIZER', detail: 'organizers' });
  const images = pictures?.filter((one) => clean('IMAGE', one, () => '') !== undefined);
  const stated = Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== undefined));
  const labels = categories.flatMap((one) => clean('CATEGORIES', one, withoutTexts) ?? []);
  const joined = meeting && publicMeeting(meeting, kept);
  if (meeting?.url !== undefined && joined?.url === undefined) addLeft(left, meeting.property);
  return {
    wording: {
      ...rest,
      ...(images?.length && { images }),
      ...stated,
      ...(joined && { meeting: joined }),
      categories: labels,
    },
    left,
  };
}

/** The meeting without its address, which is not public. */
function publicMeeting(meeting: Meeting, kept: ReadonlySet<string>): Meeting {
  return kept.has('conferences') ? meeting : { property: meeting.property };
}

function addLeft(left: LeftOut[], property: string): void {
  const isKnown = left.some((one) => one.property === property && one.detail === 'conferences');
  if (!isKnown) left.push({ property, detail: 'conferences' });
}

/** The details of the club itself in the mapping file, which are public. */
function knownDetails({ organizer, dataset, place, places, calendars }: Mapped['mapping']): Set<string> {
  const bodies = [organizer, dataset.publisher, ...calendars.map((one) => one.organizer)];
  const venues = [place, ...places.map((one) => one.place), ...calendars.map((one) => one.place)];
  const details = [...bodies, ...venues].flatMap((one) => [one?.email, one?.telephone]);
  return new Set([...details, dataset.contact].flatMap((one) => (one === undefined ? [] : comparable(one))));
}

/** Removes whole sentences with details, as they often have a name too, and mean little without the number. */
function withoutSentences(text: string, found: readonly PersonalDetail[]): string {
  const isFree = (sentence: string) => !found.some((one) => sentence.includes(one.text));
  const lines = text.split('\n').flatMap((line) => {
    if (isFree(line)) return line;
    return (
      line
        .split(/(?<=[.!?;])\s+/)
        .filter(isFree)
        .join(' ') || []
    );
  });
  return lines.join('\n').trim();
}

function withoutTexts(text: string, found: readonly PersonalDetail[]): string {
  const rest = found.reduce((left, one) => left.replaceAll(one.text, ' '), text);
  return rest
    .replaceAll(/\(\s*\)|\[\s*\]/g, ' ')
    .replaceAll(/[ \t]+/g, ' ')
    .replaceAll(/(?:^[\s,;:/–-]+)|(?:[\s,;:/–(-]+$)/g, '');
}
