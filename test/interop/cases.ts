import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';
import { parseRows, type Row } from './rows.ts';

/** What every judge is shown: inputs, what the commands made of them, and what the commands say of them. */

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder of this run, filled by prepare.ts before the first judge. */
    cases: string;
  }
}

/** Ten years around the day this was written. */
export const [FROM, TO] = ['2021-11-01', '2031-11-01'];

/** Series and sessions: `NAME.json` in, `NAME.ics` out, and `NAME.jsonl`, the rows that a calendar must show. */
export interface EventCase {
  name: string;
  from: string;
  to: string;
  /** There is a `NAME.shown.jsonl` too: the rows that `expand` must have, as its examiner says. */
  shown?: boolean;
}

/** Places: `NAME.json` in; `NAME.availability.ics`, `.freebusy.ics` and `.hours.ics` out; `NAME.jsonl` as `hours` says. */
export interface PlaceCase {
  name: string;
  places: Place[];
}

/** Events and availabilities have a place's name, free/busy its `url`, `hours` its `@id`. */
export interface Place {
  id: string;
  name: string;
  url: string;
}

export interface Index {
  events: EventCase[];
  places: PlaceCase[];
}

export function index(): Index {
  return JSON.parse(readFileSync(join(inject('cases'), 'index.json'), 'utf8')) as Index;
}

export function file(name: string, ending: string): string {
  return join(inject('cases'), `${name}.${ending}`);
}

/** What the examiner says of the cases of which it says it. */
export function shownRows({ name }: EventCase): Row[] {
  return parseRows(readFileSync(file(name, 'shown.jsonl'), 'utf8'));
}

export function expectedRows({ name }: EventCase): Row[] {
  return parseRows(readFileSync(file(name, 'jsonl'), 'utf8'));
}

/** Open time by place, as `START END` lines. */
export function expectedHours({ name, places }: PlaceCase): Map<Place, string[]> {
  const hours = new Map(places.map((place): [Place, string[]] => [place, []]));
  const byId = new Map(places.map((place) => [place.id, place]));
  for (const line of readFileSync(file(name, 'jsonl'), 'utf8').split('\n')) {
    if (line === '') continue;
    const { place, start, end } = JSON.parse(line) as { place: string; start: string; end: string };
    hours.get(byId.get(place) as Place)?.push(`${start} ${end}`);
  }
  return hours;
}
