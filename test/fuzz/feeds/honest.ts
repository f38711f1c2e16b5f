/** A publisher who does everything right, beside those who do not: what is served of it must be what `convert` makes. */

import { cli } from '../../cli/io.ts';
import { RpdePublisher } from '../../harvest/rpde-publisher.ts';
import { parts, withoutHistory } from '../../paths/paths.ts';

const SERIES = 20;

/** The licence is a page's, and `convert` may be given none. */
const unattributed = (text: string): string => text.replace(/^DESCRIPTION:Open data.*\r\n/gm, '');

interface Known {
  text: string;
  sequence: number;
}

export class Honest {
  readonly publisher: RpdePublisher;
  readonly #data = new Map<number, object>();
  /** How often each was changed. */
  readonly #changes = new Map<number, number>();
  /** What was served last, by series. */
  readonly #served = new Map<number, Known>();

  private constructor(publisher: RpdePublisher) {
    this.publisher = publisher;
    for (let id = 0; id < SERIES; id += 1) this.#put(id, `Honest class ${id}`);
  }

  static async open(): Promise<Honest> {
    return new Honest(await RpdePublisher.open({ limit: 7 }));
  }

  idOf(id: number): string {
    return `${new URL(this.publisher.url).origin}/series/${id}`;
  }

  /** One series gets another name. */
  change(id: number): void {
    const count = (this.#changes.get(id) ?? 0) + 1;
    this.#changes.set(id, count);
    this.#put(id, `Honest class ${id}, changed ${count} times`);
  }

  #put(id: number, name: string): void {
    const data = {
      '@context': 'https://openactive.io/',
      '@type': 'SessionSeries',
      '@id': this.idOf(id),
      name,
      eventSchedule: [
        {
          '@type': 'Schedule',
          startDate: '2026-11-02',
          endDate: '2027-10-31',
          startTime: `${10 + (id % 9)}:15`,
          duration: 'PT45M',
          repeatFrequency: 'P1W',
          byDay: ['https://schema.org/Monday', 'https://schema.org/Thursday'],
          scheduleTimezone: 'Europe/London',
        },
      ],
    };
    this.#data.set(id, data);
    this.publisher.put(id, data);
  }

  /** The calendars that are served, against what they were: nothing may have moved but what was changed. */
  async check(url: string): Promise<string[]> {
    const wrong: string[] = [];
    for (const id of this.#data.keys()) {
      const answer = await fetch(`${url}/series?id=${encodeURIComponent(this.idOf(id))}`);
      const before = this.#served.get(id);
      if (answer.status === 404 && before === undefined) continue;
      const text = answer.status === 200 ? await (await fetch(answer.url.replace(/(\.ics)?$/, '.ics'))).text() : '';
      const sequence = Math.max(0, ...[...text.matchAll(/^SEQUENCE:(\d+)/gm)].map(([, digits]) => Number(digits)));
      this.#served.set(id, { text, sequence });
      if (before === undefined || before.text === text) continue;
      if (!text.startsWith('BEGIN:VCALENDAR')) wrong.push(`series ${id} answers ${answer.status}`);
      if (sequence <= before.sequence) wrong.push(`series ${id} has other octets and SEQUENCE ${sequence} as before`);
      if (sequence > (this.#changes.get(id) ?? 0))
        wrong.push(`series ${id} moved to ${sequence}, and was changed less often`);
    }
    return wrong;
  }

  /** Series of which something else is served than `convert` makes. */
  async different(): Promise<string[]> {
    const found: string[] = [];
    for (const [id, data] of this.#data) {
      const items = [{ state: 'updated', kind: 'SessionSeries', id, modified: 1, data }];
      const page = { items, next: this.publisher.url, license: 'https://creativecommons.org/licenses/by/4.0/' };
      const { out } = await cli(['convert', '--as', 'events', '-'], { stdin: [JSON.stringify(page)] });
      const served = parts([unattributed(withoutHistory(this.#served.get(id)?.text ?? ''))]);
      const wanted = parts([unattributed(out)]);
      if (wanted.length === 0 || served.join('') !== wanted.join(''))
        found.push(`series ${id}: ${served} instead of ${wanted}`);
    }
    return found;
  }
}
