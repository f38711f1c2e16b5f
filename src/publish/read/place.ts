import { textOf } from '../../ical/content.ts';
import { lineOf, linesOf, type ReadComponent, textIn } from '../../ical/read.ts';
import { type Context, placeOf } from './context.ts';
import { isWebAddress } from './extras.ts';
import type { Meeting, Wording } from './model.ts';

/** The place of an event: LOCATION and GEO, else the property of Apple's calendars. */

const APPLE = 'X-APPLE-STRUCTURED-LOCATION';
const NUMBER = String.raw`([+-]?\d{1,3}(?:\.\d{1,30})?)`;
/** A decimal. A comma in it is certain only where a semicolon separates the two coordinates. */
const DECIMAL = String.raw`([+-]?\d{1,3}(?:[.,]\d{1,30})?)`;
const GEO = new RegExp(String.raw`^${DECIMAL}\s*\\?;\s*${DECIMAL}$`);
const GEO_COMMA = new RegExp(String.raw`^${NUMBER}\s*,\s*${NUMBER}$`);
const GEO_URI = new RegExp(`^geo:${NUMBER},${NUMBER}(?:[;?,].*)?$`, 'i');

const MEETINGS = ['CONFERENCE', 'X-GOOGLE-CONFERENCE', 'X-MICROSOFT-SKYPETEAMSMEETINGURL', 'LOCATION'];

/** The first address of an online meeting: CONFERENCE (RFC 7986 5.11), properties that programs write for it, or LOCATION. */
export function meetingOf(component: ReadComponent): Meeting | undefined {
  const lines = MEETINGS.flatMap((name) => linesOf(component, name));
  const found = lines.map(({ name: property, value }) => ({ property, url: textOf(value).trim() }));
  return found.find(({ url }) => isAddress(url) && isWebAddress(url));
}

/** Whether a LOCATION is the address of an online meeting. */
export function isAddress(location: string): boolean {
  return /^\s*https?:\/\/\S+\s*$/i.test(location);
}

/** LOCATION, else X-TITLE and X-ADDRESS as the lines of one. */
export function statedLocation(component: ReadComponent): string | undefined {
  const stated = textIn(component, 'LOCATION');
  const params = lineOf(component, APPLE)?.params;
  if (stated !== undefined || params === undefined) return stated;
  const [title = '', address = ''] = ['X-TITLE', 'X-ADDRESS'].map((name) => textOf(params.get(name) ?? '').trim());
  const parts = title.includes(address) ? [title] : [title, address];
  return parts.filter((part) => part !== '').join('\n') || undefined;
}

/** GEO, else the coordinates of Apple's property. */
export function geoOf(component: ReadComponent): Wording['geo'] {
  return [lineOf(component, 'GEO'), lineOf(component, APPLE)]
    .map((line) => (line === undefined ? undefined : coordinatesIn(line.value.trim())))
    .find((one) => one !== undefined && !isUnknown(one));
}

/** A finding for invalid coordinates. */
export function reportGeo(component: ReadComponent, context: Context, uid: string): void {
  const line = lineOf(component, 'GEO') ?? lineOf(component, APPLE);
  const value = line?.value.trim() ?? '';
  if (line === undefined || value === '' || value === ';' || coordinatesIn(value) !== undefined) return;
  const form = line.name === 'GEO' ? '51.5;-0.1' : 'geo:51.5,-0.1';
  context.report('geo-unreadable', uid, placeOf(line), { name: line.name, form, value: value.slice(0, 40) });
}

function coordinatesIn(value: string): Wording['geo'] {
  const [, north, east] = GEO.exec(value) ?? GEO_COMMA.exec(value) ?? GEO_URI.exec(value) ?? [];
  if (north === undefined || east === undefined) return undefined;
  const [latitude, longitude] = [Number(north.replace(',', '.')), Number(east.replace(',', '.'))];
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 ? { latitude, longitude } : undefined;
}

/** Whether coordinates are 0;0, which programs write for "unknown". */
function isUnknown({ latitude, longitude }: NonNullable<Wording['geo']>): boolean {
  return latitude === 0 && longitude === 0;
}
