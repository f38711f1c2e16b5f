import { objectBytes } from '../../../src/library/objects/members.ts';
import type { ObjectMember } from '../../../src/library/objects/types.ts';

/** What octets say, read without the program's own reader. */

export const textOf = (member: ObjectMember): string => new TextDecoder().decode(objectBytes(member));

/** The VEVENTs of a text, in the order of their octets. */
export function eventsIn(text: string): string[] {
  return (text.match(/^BEGIN:VEVENT\r\n[\s\S]*?^END:VEVENT\r\n/gm) ?? []).sort();
}

export function uidsIn(text: string): string[] {
  return [...new Set(eventsIn(text).map((event) => /^UID:(.*)\r$/m.exec(event)?.[1] ?? ''))].sort();
}

/** Names that times are written with, and those of VTIMEZONEs. */
export function zonesIn(text: string): { used: string[]; given: string[] } {
  const names = (pattern: RegExp) => [...new Set([...text.matchAll(pattern)].map(([, name = '']) => name))].sort();
  return { used: names(/;TZID=([^:;\r]+)/g), given: names(/^TZID:(.*)\r$/gm) };
}
