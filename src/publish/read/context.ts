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

  /** A date or date-time of a line, in its zone; undefined, with a finding, for another value. */
  time(line: ContentLine, value: string, item: string): Time | undefined {
    const written = parseTime(value);
    if (written === undefined) {
      this.report('date-unreadable', item, placeOf(line), { value: value.slice(0, 40) });
      return undefined;
    }
    const { form, wall } = written;
    if (form === 'utc') return { wall, zone: UTC, instant: wall, allDay: false };
    const z = form === 'date' ? this.zone : this.#zoneOf(line);
    return { wall, zone: z, instant: toInstant(z, wall), allDay: form === 'date' };
  }

  #zoneOf(line: ContentLine): Zone {
    const tzid = line.params.get('TZID');
    if (tzid === undefined) {
      this.reportOnce('', 'time-floating', placeOf(line), { used: this.zone.id });
      return this.zone;
    }
    const found = this.zones.find(tzid);
    const value = tzid.slice(0, 60);
    if (found === undefined) {
      this.reportOnce(tzid, 'zone-unknown', placeOf(line), { value, used: this.zone.id });
      return this.zone;
    }
    if (found.how === 'own') this.reportOnce(tzid, 'zone-not-iana', placeOf(line), { value });
    else if (found.how !== 'iana') this.reportOnce(tzid, 'zone-guessed', placeOf(line), { value, used: found.zone.id });
    return found.zone;
  }
}

/** `line 12 RRULE`. */
export function placeOf({ line, name }: { line: number; name: string }): string {
  return `line ${line} ${name}`;
}
