/**
 * Subscribers as the calendar programs are (feed rules 16 to 22): each keeps what it has by its own rule, and asks with its own
 * headers. A program is right if it ends up with what a new subscriber would get.
 */

/** One component of a calendar, or all of one UID. */
export interface Held {
  text: string;
  /** Greatest of its components. */
  sequence: number;
  lastModified: string;
}

/** Sends a GET. */
export type Ask = (url: string, headers: Record<string, string>) => Promise<Response>;

export interface Policy {
  /** How its requests tell what it has. */
  validators: 'etag' | 'date' | 'both' | 'none';
  /** What it treats as one thing: a UID, or each component of it. */
  unit: 'uid' | 'instance';
  /** Whether it takes a thing that it has in another form. */
  takes(held: Held, sent: Held): boolean;
}

/** VFREEBUSY has neither LAST-MODIFIED nor SEQUENCE (RFC 5545 3.6.4): what cannot be compared is taken. */
const grewByDate = (held: Held, sent: Held): boolean =>
  sent.lastModified === '' || sent.lastModified > held.lastModified;

export const POLICIES: Readonly<Record<string, Policy>> = {
  'Thunderbird: by ETag, all anew': { validators: 'etag', unit: 'uid', takes: () => true },
  'Apple: by date alone, all anew': { validators: 'date', unit: 'uid', takes: () => true },
  'ICSx5: by both; a UID only if LAST-MODIFIED grew': { validators: 'both', unit: 'uid', takes: grewByDate },
  'Nextcloud: always whole; a UID if its text is another': { validators: 'none', unit: 'uid', takes: () => true },
  'Google: always whole; an instance only if SEQUENCE grew': {
    validators: 'none',
    unit: 'instance',
    takes: (held, sent) => sent.lastModified === '' || sent.sequence > held.sequence,
  },
};

/** Sees every version there is. */
export const OBSERVER: Policy = { validators: 'none', unit: 'uid', takes: () => true };

const ENDED = new Set([404, 410]);

export class Subscriber {
  readonly #policy: Policy;
  readonly #ask: Ask;
  #url: string;
  #validators: Record<string, string> = {};
  #held = new Map<string, Held>();
  #disabled = false;
  /** Things taken anew although they say what they said, times of change aside: work for nothing. */
  readonly idle: string[] = [];
  /** Answers seen, by status. */
  readonly answers = new Map<number, number>();

  constructor(url: string, policy: Policy, ask: Ask) {
    this.#url = url;
    this.#policy = policy;
    this.#ask = ask;
  }

  get held(): ReadonlyMap<string, Held> {
    return this.#held;
  }

  get url(): string {
    return this.#url;
  }

  /** After a 410 Thunderbird never asks again. */
  get disabled(): boolean {
    return this.#disabled;
  }

  async visit(): Promise<void> {
    if (this.#disabled) return;
    const response = await this.#ask(this.#url, this.#validators);
    this.answers.set(response.status, (this.answers.get(response.status) ?? 0) + 1);
    if (response.status === 308) return this.#move(response);
    if (response.status === 410) this.#disabled = true;
    if (response.status === 304 || ENDED.has(response.status)) return;
    if (response.status !== 200) throw new Error(`${this.#url}: ${response.status}`);
    this.#remember(response);
    this.#merge(componentsOf(await response.text(), this.#policy.unit));
  }

  /** Only 308 is saved; the validators are those of the other address. */
  #move(response: Response): Promise<void> {
    this.#url = new URL(response.headers.get('location') as string, 'https://c.example').pathname;
    this.#validators = {};
    return this.visit();
  }

  #remember(response: Response): void {
    const { validators } = this.#policy;
    const etag = response.headers.get('etag') as string;
    const date = response.headers.get('last-modified') as string;
    this.#validators = {
      ...((validators === 'etag' || validators === 'both') && { 'if-none-match': etag }),
      ...((validators === 'date' || validators === 'both') && { 'if-modified-since': date }),
    };
  }

  /** Free/busy moves on with every day as it is. */
  #idle({ text }: Held): void {
    if (!text.startsWith('BEGIN:VFREEBUSY')) this.idle.push(text);
  }

  #merge(sent: Map<string, Held>): void {
    for (const [name, one] of sent) {
      const held = this.#held.get(name);
      if (held !== undefined && (held.text === one.text || !this.#policy.takes(held, one))) continue;
      if (held !== undefined && withoutTimes(held.text) === withoutTimes(one.text)) this.#idle(one);
      this.#held.set(name, one);
    }
    for (const name of this.#held.keys()) if (!sent.has(name)) this.#held.delete(name);
  }
}

export function withoutTimes(text: string): string {
  return text.replace(/^(SEQUENCE|DTSTAMP|LAST-MODIFIED):.*\r\n/gm, '');
}

/** The components of a calendar, by UID or by UID and RECURRENCE-ID. */
export function componentsOf(text: string, unit: Policy['unit']): Map<string, Held> {
  const found = new Map<string, Held>();
  const blocks = text.replaceAll('\r\n ', '').matchAll(/BEGIN:(VEVENT|VAVAILABILITY|VFREEBUSY)\r\n.*?END:\1\r\n/gs);
  for (const [block] of blocks) {
    const value = (name: string): string => new RegExp(`^${name}[;:](.*?)\\r$`, 'm').exec(block)?.[1] ?? '';
    const name = unit === 'uid' ? value('UID') : `${value('UID')} ${value('RECURRENCE-ID')}`;
    const known = found.get(name);
    const sequence = Number(value('SEQUENCE'));
    const lastModified = value('LAST-MODIFIED');
    found.set(name, {
      text: `${known?.text ?? ''}${block}`,
      sequence: Math.max(known?.sequence ?? 0, sequence),
      lastModified: (known?.lastModified ?? '') > lastModified ? (known?.lastModified as string) : lastModified,
    });
  }
  return found;
}
