import type { ContentLine } from '../../ical/content-line.ts';
import { toInstant, type Zone, zone } from '../../time/zone.ts';
import type { PublishCode } from '../codes.ts';
import { FindingList } from '../finding-list.ts';
import type { Time } from './model.ts';
import { parseTime } from './values.ts';
import type { Zones } from './zones.ts';

export const UTC = zone('UTC') as Zone;

/** The context of reading one calendar: its zones, and the report of findings. */
export class Context {
  readonly source: string;
  readonly zones: Zones;
  /** The zone of floating times. */
  zone: Zone;
  /** Whether this program wrote the calendar. */
  ours = false;
  /** Whether METHOD is CANCEL (RFC 5546 3.2.5), so that its events are cancelled. */
  cancels = false;
  readonly findings: FindingList;
  readonly #noted = new Set<string>();

  constructor(source: string, zones: Zones, floating: Zone) {
    this.source = source;
    this.findings = new FindingList(source);
    this.zones = zones;
    this.zone = floating;
  }

  report(code: PublishCode, item: string, place: string, facts: Record<string, string | number> = {}): void {
    this.findings.add(code, item, place, facts);
  }

  /** Reports a finding about a calendar, and not about one event, once for each `key`. */
  reportOnce(key: string, code: PublishCode, place: string, facts: Record<string, string | number> = {}): void {
    if (this.#noted.has(`${code} ${key}`)) return;
    this.#noted.add(`${code} ${key}`);
    this.report(code, '', place, facts);
  }

  /**
   * A date or date-time of a line, in its zone; undefined, with a finding, for another value. `start`: DTSTART of the event,
   * whose zone a time without one has that has to have its form (RFC 5545 3.8.2.2, 3.8.4.4, 3.8.5.1).
   */
  time(line: ContentLine, value: string, item: string, start?: Time): Time | undefined {
    const written = parseTime(value);
    if (written === undefined) {
      this.report('date-unreadable', item, placeOf(line), { value: value.slice(0, 40) });
      return undefined;
    }
    const { form, wall } = written;
    if (form === 'utc') return { wall, zone: UTC, instant: wall, allDay: false };
    const z = form === 'date' ? this.zone : this.#zoneOf(line, item, start?.zone);
    return { wall, zone: z, instant: toInstant(z, wall), allDay: form === 'date' };
  }

  #zoneOf(line: ContentLine, item: string, ofStart = this.zone): Zone {
    const tzid = line.params.get('TZID');
    if (tzid === undefined) {
      if (ofStart === this.zone) this.reportOnce('', 'time-floating', placeOf(line), { used: ofStart.id });
      else this.#reportZone(line, item, ofStart.id);
      return ofStart;
    }
    const found = this.zones(tzid);
    const value = tzid.slice(0, 60);
    if (found === undefined) {
      this.reportOnce(tzid, 'zone-unknown', placeOf(line), { value, used: this.zone.id });
      return this.zone;
    }
    if (found.how === 'own') this.reportOnce(tzid, 'zone-not-iana', placeOf(line), { value });
    else if (found.how !== 'iana') this.reportOnce(tzid, 'zone-guessed', placeOf(line), { value, used: found.zone.id });
    return found.zone;
  }

  /** Reports a line without a zone, once for all of its dates. */
  #reportZone(line: ContentLine, item: string, used: string): void {
    const code = line.name === 'DTEND' ? 'end-without-zone' : 'date-without-zone';
    const key = `${code} ${line.line}`;
    if (!this.#noted.has(key)) this.report(code, item, placeOf(line), { name: line.name, used });
    this.#noted.add(key);
  }
}

/** `line 12 RRULE`. */
export function placeOf({ line, name }: { line: number; name: string }): string {
  return `line ${line} ${name}`;
}
