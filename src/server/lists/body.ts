import type { Context } from 'hono';
import { z } from 'zod';
import {
  type ChosenList,
  distinct,
  isListName,
  MOST_NAME,
  MOST_SEARCHES,
  MOST_THINGS,
  nonDefaultOptions,
  searchesIn,
  type Thing,
  thingsIn,
  thingsOf,
  thingText,
} from '../../library/index.ts';
import { didYouMean } from '../../nearest.ts';

/** The body that makes or changes a list: a form, or the same as JSON. */

/** Most octets of a body: a hundred things, ten of them long searches, and a name. */
const MOST_OCTETS = 16 * 1024;

/** A list as a request sends it. */
export interface SentList {
  list: ChosenList;
  editKey: string;
  isForm: boolean;
}

export type ReadBody = { sent: SentList } | { status: 400 | 413 | 415; bad: string };

const fields = z.object({
  things: z.array(z.string()).max(MOST_THINGS).optional(),
  add: z.array(z.string()).max(MOST_THINGS).default([]),
  remove: z.array(z.string()).max(MOST_THINGS).default([]),
  token: z.string().optional(),
  name: z.string().optional(),
  prefix: z.enum(['place', '']).optional(),
  cancelled: z.enum(['1', '0']).or(z.literal(false)).optional(),
  edit: z.string().max(100).default(''),
  editKey: z.string().max(100).optional(),
  // A member of answers, ignored where an answer is sent back.
  page: z.unknown().optional(),
  calendar: z.unknown().optional(),
});

const ROOM = `A list has at most ${MOST_THINGS} things, and ${MOST_SEARCHES} of them may be searches.`;
const ONE = `Each of "things" must be series/KEY, places/KEY, facilities/KEY or search?FILTERS. ${ROOM}`;
const LONG_NAME = `"name" has more than ${MOST_NAME} characters.`;
const NO_TOKEN = `"token" names no list: something of it is missing or changed. ${ROOM}`;

/** Reads a body. `text`: undefined: it is too long. Members that are not sent stay as in `known`. */
export function readBody(c: Context, text: string | undefined, known: ChosenList = { things: [] }): ReadBody {
  const type = (c.req.header('content-type') ?? '').split(';')[0]?.trim().toLowerCase();
  const isForm = type === 'application/x-www-form-urlencoded';
  if (!isForm && type !== 'application/json') return { status: 415, bad: 'Send JSON or a form.' };
  if (text === undefined) return { status: 413, bad: `${ROOM} It is sent in at most 16 KB.` };
  const { success, data, error } = isForm
    ? fields.safeParse(formFields(text))
    : fields.strict().safeParse(jsonFields(text));
  if (!success) return { status: 400, bad: unreadable(error) };
  if (data.name !== undefined && !isListName(data.name)) return { status: 400, bad: LONG_NAME };
  const base = baseOf(data, known);
  if (base === undefined) return { status: 400, bad: data.things === undefined ? NO_TOKEN : ONE };
  const added = thingsIn(data.add);
  if (added === undefined) return { status: 400, bad: ONE };
  const things = distinct([...base, ...added]).filter((thing) => !data.remove.includes(thingText(thing)));
  if (things.length > MOST_THINGS || searchesIn(things) > MOST_SEARCHES) return { status: 400, bad: ROOM };
  const { name = known.name, prefix = known.prefix, cancelled = known.cancelled } = data;
  const list: ChosenList = { things, ...nonDefaultOptions({ name, prefix, cancelled }) };
  return { sent: { list, editKey: data.editKey ?? data.edit, isForm } };
}

/** A sentence about a body that cannot be read: of an unknown member, or of all faults. */
function unreadable({ issues }: z.ZodError): string {
  const [name] = issues.flatMap((issue) => (issue.code === 'unrecognized_keys' ? issue.keys : []));
  if (name === undefined) return `Send {"things": ["series/KEY", …], "name": "…"}: at most ${MOST_THINGS} things.`;
  return `${JSON.stringify(name.slice(0, 100))} is not known here${didYouMean(name, Object.keys(fields.shape))}.`;
}

/** The things before others are added and removed; undefined: they cannot be read. */
function baseOf({ things, token }: z.infer<typeof fields>, known: ChosenList): readonly Thing[] | undefined {
  if (things !== undefined) return thingsIn(things);
  return token === undefined || token === '' ? known.things : thingsOf(token);
}

const LISTS = ['things', 'add', 'remove'];

function formFields(text: string): object {
  const params = new URLSearchParams(text);
  const pairs = [...new Set(params.keys())].map((name) => [
    name,
    // A checkbox that is not ticked sends nothing, so a hidden field precedes it.
    LISTS.includes(name) ? params.getAll(name) : params.getAll(name).at(-1),
  ]);
  return Object.fromEntries(pairs);
}

function jsonFields(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The body as text; undefined: it is longer than `most` octets. */
export async function bodyText(
  body: ReadableStream<Uint8Array> | null,
  most: number = MOST_OCTETS,
): Promise<string | undefined> {
  const pieces: Uint8Array[] = [];
  let octets = 0;
  for await (const piece of body ?? []) {
    octets += piece.length;
    if (octets > most) return undefined;
    pieces.push(piece);
  }
  return new TextDecoder().decode(Buffer.concat(pieces));
}
