/** The installed package: its folder and version, from `src` and from `dist` alike. */

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Folder of the installed package, with `fixtures/feeds` in it. */
export const packageFolder: string = fileURLToPath(new URL('../../', import.meta.url));

const about = JSON.parse(readFileSync(`${packageFolder}package.json`, 'utf8')) as { version: string };

export const version: string = about.version;

/** The User-Agent of every outgoing request: some servers block the default ones of libraries. */
export function userAgent(contact?: string): string {
  return `openactive-ical/${version} (${contact === undefined ? 'OpenActive to iCalendar' : `+${contact}`})`;
}
