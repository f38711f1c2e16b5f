import type { ContentLine } from '../../ical/content-line.ts';
import { decodedCalendar } from '../../ical/decode.ts';
import type { ReadComponent } from '../../ical/read.ts';
import { type Context, placeOf } from './context.ts';

/** Values in quoted-printable (RFC 2045 6.7), as vCalendar 1.0 has them: phones and old Outlooks write it still. */

const QUOTED = /^[\w-]{1,100};[^:]{0,400}ENCODING=QUOTED-PRINTABLE[^:]{0,400}:/i;

/** Whether any value is; of most calendars none. */
export function hasQuoted(text: string): boolean {
  return /;ENCODING=QUOTED-PRINTABLE/i.test(text);
}

/** Soft line breaks as folds, so that lines keep their numbers. */
export function asFolds(text: string): string {
  const parts = text.split(/(\r\n|\r|\n)/);
  let isOpen = false;
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const line = parts[at] as string;
    isOpen = line.endsWith('=') && (isOpen || QUOTED.test(line));
    if (!isOpen) continue;
    parts[at] = line.slice(0, -1);
    parts[at + 1] += ' ';
  }
  return parts.join('');
}

/** The component with its quoted-printable values decoded. */
export function plainLines(component: ReadComponent, context: Context): ReadComponent {
  const lines = component.lines.map((line) => (isQuoted(line) ? plainLine(line, context) : line));
  return { ...component, lines, components: component.components.map((one) => plainLines(one, context)) };
}

function isQuoted({ params }: ContentLine): boolean {
  return params.get('ENCODING')?.toUpperCase() === 'QUOTED-PRINTABLE';
}

function plainLine(line: ContentLine, context: Context): ContentLine {
  const value = decodedCalendar(quotedOctets(line.value), line.params.get('CHARSET')).text;
  const count = value.split('\uFFFD').length - line.value.split('\uFFFD').length;
  if (count > 0) context.report('calendar-characters-lost', '', placeOf(line), { count });
  return { ...line, value };
}

/** `Caf=C3=A9`: what stands between `=XX` is itself. */
function quotedOctets(value: string): Uint8Array {
  const octets = Buffer.from(value).toString('latin1');
  return Buffer.from(
    octets.replace(/=([\dA-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  );
}
