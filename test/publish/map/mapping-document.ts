/** docs/mapping.md, made of the schema of the mapping file. */

import { z } from 'zod';
import { DETAILS, mapping } from '../../../src/publish/map/schema.ts';

const HEAD = `# The mapping file

What iCalendar does not say, \`publish --mapping FILE\` reads from a JSON file: who organises, which activity, where, at what
price, and which events are published at all. Everything may be left out. What the OpenActive data model requires, and neither
a calendar nor this file says, is a finding. [An example](../fixtures/calendars/mapping.json) maps the calendars beside it.

\`publish --init CALENDAR… > mapping.json\` writes such a file, made from the calendars. It has the activities of OpenActive's list that
titles and categories name, the places, and a line for what nothing is published of as yet. What is still to be decided has a
\`$comment\` that begins with "To decide": until that is removed it is a finding, and \`publish\` publishes nothing of it. Addresses at
https://example.org/ are examples, and are not published either.

- Words are whole words, whatever the case: \`run\` is in "Fun run", not in "Brunch". \`run*\` is each word that begins with it.
- Of \`activities\`, \`places\` and \`calendars\` the first line that fits is used. Of \`events\` the first line that fits and has
  the key is used, for each key; where no line has \`as\`, the defaults decide.
- What a line of \`events\` says comes first, then what the event says itself, then the calendar's, then the file's own.
- A key that means nothing is an error, and the nearest one that does is named. Any object may have a \`$comment\` for people.

What the event says itself: LOCATION and GEO (or X-APPLE-STRUCTURED-LOCATION) are its place, URL its page, and CATEGORIES its
\`category\`. A category called as an activity of the list is its activity, and Beginner, Intermediate and Advanced are its
level. IMAGE, and ATTACH of a picture, are its \`image\`. X-COST, X-PRICE, X-EVENT-COST, X-TICKET-PRICE, COST or PRICE with one
amount (\`£4.50\`, \`5 EUR\`, \`free\`), or X-COST-TYPE:free, are its price, and X-TICKETS-URL where people pay. CONTACT ends its
description where \`include\` has \`organizers\`, for it mostly names a person.

Coordinates without LOCATION are a place of their own, with X-TITLE and X-ADDRESS as name and address where Apple's calendars
have them.

This page is made from the code: \`UPDATE_MAPPING=1 vitest run test/publish/map/mapping-document.test.ts\`.`;

interface Node {
  $ref?: string;
  type?: string;
  anyOf?: Node[];
  items?: Node;
  properties?: Record<string, Node>;
  required?: string[];
  description?: string;
  allowed?: string;
  default?: unknown;
  id?: string;
}

/** Where the objects of the file stand in it, and how they are called. */
const SECTIONS: Record<string, string> = {
  calendar: 'Lines of `calendars`',
  event: 'Lines of `events`',
  organizer: '`organizer` and `publisher`',
  place: '`place`',
  concept: '`activity`, `type` and `accessibilitySupport`',
  offer: 'Lines of `offers`',
  ageRange: '`ageRange`',
  facility: '`facility`',
  dataset: '`dataset`',
};

export function mappingDocument(): string {
  const root = z.toJSONSchema(mapping, { io: 'input' }) as Node & { $defs: Record<string, Node> };
  const parts = [HEAD, '## The file', table(root, isOfAll), '## What sessions have', BESIDES, table(root, isDetail)];
  for (const [id, title] of Object.entries(SECTIONS)) {
    const node = root.$defs[id] as Node;
    const shown = node.anyOf?.find(({ type }) => type === 'object') ?? node;
    const has = Object.keys(shown.properties ?? {}).some(isDetail);
    parts.push(
      `## ${title}`,
      ...(node.anyOf ? [`${words(node).replace(/^./, (first) => first.toUpperCase())}.`] : []),
      table(shown, isOfAll),
    );
    if (has) parts.push('And every key of [what sessions have](#what-sessions-have).');
  }
  const unnamed = Object.keys(root.$defs).filter((id) => !(id in SECTIONS));
  if (unnamed.length > 0) throw new Error(`without a section: ${unnamed.join(', ')}`);
  return `${parts.join('\n\n')}\n`;
}

const BESIDES =
  'For all sessions in the file itself, for those of a calendar in its line, or for the events that a line fits.';

const isDetail = (key: string) => (DETAILS as readonly string[]).includes(key);
const isOfAll = (key: string) => !isDetail(key);

function table({ properties = {}, required = [] }: Node, isShown: (key: string) => boolean): string {
  const rows = Object.entries(properties)
    .filter(([key]) => isShown(key) && key !== '$comment')
    .flatMap(([key, node]) => rowsOf(key, node, required.includes(key)));
  return ['| key | what it is | allowed |', '|---|---|---|', ...rows].join('\n');
}

/** A list of objects without a name of their own has a row for each of their keys too. */
function rowsOf(key: string, node: Node, isRequired: boolean): string[] {
  const { description, items, default: usual } = node;
  if (description === undefined) throw new Error(`${key} has no description`);
  const ends = [isRequired ? 'required' : '', isStated(usual) ? `default ${String(usual)}` : ''].filter(
    (end) => end !== '',
  );
  const row = `| \`${key}\` | ${[cell(description), ...ends].join('; ')} | ${cell(words(node))} |`;
  const own = Object.entries(items?.properties ?? {}).filter(([name]) => name !== '$comment');
  return [
    row,
    ...own.flatMap(([name, one]) => rowsOf(`${key}[].${name}`, one, items?.required?.includes(name) ?? false)),
  ];
}

const isStated = (value: unknown) => typeof value === 'string' || typeof value === 'number';

function words({ allowed, $ref, type, items, id }: Node): string {
  if (allowed !== undefined) return allowed;
  const name = $ref?.split('/').at(-1) ?? id;
  if (name !== undefined) return name in SECTIONS ? `[${name}](#${anchor(SECTIONS[name] as string)})` : name;
  if (type === 'array') return items?.properties ? 'a list of objects' : `a list of ${words(items as Node)}`;
  throw new Error(`nothing says what is allowed: ${JSON.stringify({ type, items })}`);
}

/** As pages of repositories make it from a title. */
function anchor(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^\w -]/g, '')
    .replaceAll(' ', '-');
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}
