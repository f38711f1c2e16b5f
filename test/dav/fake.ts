import type { CalendarEvent } from '../../src/calendar/objects.ts';
import { davAnswer } from '../../src/dav/index.ts';
import { objectBytes } from '../../src/library/index.ts';
import type { ObjectChanges, ObjectCollection, ObjectMember, Objects } from '../../src/library/objects/types.ts';
import { sha256 } from '../../src/platform/hash.ts';

/** One calendar, `series/c`, whose objects come, change and go as a test has it. It remembers every state it was in. */
export class FakeObjects implements Objects {
  readonly #members = new Map<string, ObjectMember>();
  /** Members by name with their ETags, state by state. */
  readonly #states = new Map<string, ReadonlyMap<string, string>>();
  #count = 0;
  head: ObjectCollection['head'] = { key: 'c', kind: 'series', state: 'live', revision: 1, changedAt: 1_000_000 };

  put(name: string, events: readonly CalendarEvent[]): void {
    const revision = { sequence: this.#count, modified: this.#count * 1000 };
    const etag = sha256(new TextDecoder().decode(objectBytes({ events, revision }))).slice(0, 22);
    this.#members.set(name, { name, uid: events[0]?.uid ?? name, etag, revision, events });
    this.#next();
  }

  remove(name: string): void {
    this.#members.delete(name);
    this.#next();
  }

  forget(state: string): void {
    this.#states.delete(state);
  }

  /** Of what the members are, as the library has it: equal members are one state. */
  get state(): string {
    return `s${sha256(JSON.stringify([...this.#etags()].sort())).slice(0, 20)}`;
  }

  /** The members as they are, for `restore`. */
  snapshot(): ReadonlyMap<string, ObjectMember> {
    return new Map(this.#members);
  }

  restore(members: ReadonlyMap<string, ObjectMember>): void {
    this.#members.clear();
    for (const [name, member] of members) this.#members.set(name, member);
    this.#next();
  }

  get names(): string[] {
    return [...this.#members.keys()].sort();
  }

  #next(): void {
    this.#count += 1;
    this.#states.set(this.state, this.#etags());
  }

  #etags(): Map<string, string> {
    return new Map([...this.#members].map(([name, { etag }]) => [name, etag]));
  }

  async collection(name: string): Promise<ObjectCollection | undefined> {
    if (name !== 'series/c') return undefined;
    const calendar = {
      name: 'Calendar & <friends>',
      description: 'Two\r\nlines \u0001',
      zone: 'America/New_York',
      color: { name: 'teal', hex: '#008080' },
      refresh: 'PT6H',
    };
    const members = this.names.map((one) => this.#members.get(one) as ObjectMember);
    return { head: this.head, calendar, state: this.state, members, omitted: 0 };
  }

  async changes(name: string, since: string): Promise<ObjectChanges | 'expired' | undefined> {
    const collection = await this.collection(name);
    if (collection === undefined) return undefined;
    const before = this.#states.get(since);
    if (before === undefined) return 'expired';
    const now = this.#etags();
    return {
      changed: [...now].flatMap(([one, etag]) => (before.get(one) === etag ? [] : [one])),
      removed: [...before.keys()].filter((one) => !now.has(one)),
      collection,
    };
  }

  async chosen(): Promise<string[]> {
    return ['series/c'];
  }
}

/** An hour, unless it has more. `start`: as the wall of New York shows it. */
export function event(uid: string, start: number, over: Partial<CalendarEvent> = {}): CalendarEvent {
  const span = { zone: 'America/New_York', start, end: start + 3_600_000 };
  return { uid, span, status: 'CONFIRMED', summary: `Event ${uid}`, ...over };
}

export interface Plain {
  status: number;
  headers: Record<string, string>;
  text: string;
}

/** The room alone, without a server. */
export async function plainly(
  objects: Objects,
  method: string,
  path: string,
  {
    body = '',
    headers = {},
    base = 'https://c.example',
    at = Date.UTC(2026, 10, 27),
  }: { body?: string; headers?: Record<string, string>; base?: string; at?: number } = {},
): Promise<Plain> {
  const library = { objects, chosenList: async () => undefined, freeBusy: async () => undefined };
  const header = (name: string) => headers[name];
  const answer = await davAnswer({ method, path, header, body, at }, library, base);
  const text = typeof answer.body === 'string' ? answer.body : Buffer.concat(answer.body).toString();
  return { status: answer.status, headers: answer.headers, text };
}
