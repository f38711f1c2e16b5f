import { sha256 } from '../../platform/hash.ts';
import { KEY } from '../head.ts';
import { distinct, MOST_SEARCHES, MOST_THINGS, searchesIn, type Thing, thingOf } from './list.ts';

/**
 * The token of a list that is not stored, which names all its things. It has letters of base64url alone: `1`, the things, `_`,
 * and the first digits of a hash. A thing is `S`, `P` or `F` with the key of a series, a place or a facility, or `Q` with the
 * query of a search in hexadecimal digits. Decision 22 has the reasons.
 */

const VERSION = '1';
const LETTERS = { series: 'S', places: 'P', facilities: 'F' } as const;
const KINDS = { S: 'series', P: 'places', F: 'facilities' } as const;
const CHECK = 8;
/** Most characters of a token, because programs and proxies refuse longer addresses. */
const MOST_CHARACTERS = 6000;
const TOKEN = new RegExp(`^1((?:[SPF]${KEY}|Q(?:[0-9a-f]{2})+)+)_([0-9a-f]{8})$`);

export function tokenOf(things: readonly Thing[]): string {
  const body = VERSION + distinct(things).map(part).join('');
  return `${body}_${checkOf(body)}`;
}

/** The things of a token; undefined: its check digits are wrong, or it names more things than a list can have. */
export function thingsOf(token: string): Thing[] | undefined {
  if (token.length > MOST_CHARACTERS) return undefined;
  const [, parts = '', check] = TOKEN.exec(token) ?? [];
  if (check === undefined || check !== checkOf(VERSION + parts)) return undefined;
  const texts = parts.match(/[SPFQ][a-z0-9]+/g) ?? [];
  const things = texts.map(thing);
  if (things.length > MOST_THINGS || things.includes(undefined)) return undefined;
  const all = distinct(things as Thing[]);
  return searchesIn(all) > MOST_SEARCHES ? undefined : all;
}

function part(thing: Thing): string {
  return thing.kind === 'search' ? `Q${Buffer.from(thing.query).toString('hex')}` : LETTERS[thing.kind] + thing.key;
}

function thing(text: string): Thing | undefined {
  const letter = text.slice(0, 1);
  const rest = text.slice(1);
  if (letter === 'Q') return thingOf(`search?${new TextDecoder().decode(Buffer.from(rest, 'hex'))}`);
  return { kind: KINDS[letter as keyof typeof KINDS], key: rest };
}

function checkOf(body: string): string {
  return sha256(`list\n${body}`).slice(0, CHECK);
}
