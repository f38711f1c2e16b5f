import { type CleanOptions, cleanItem } from '../../src/opportunity/clean.ts';
import type { Json } from '../../src/opportunity/item/json.ts';
import type {
  Facility,
  OpportunityRecord,
  Place,
  Schedule,
  Series,
  Session,
  Slot,
} from '../../src/opportunity/records.ts';
import { cleanRecord } from './shape.ts';

/** One item through the reader, with what came of it laid out for tests. */
export interface Through {
  records: [rank: number, kind: string, id: string][];
  all: OpportunityRecord[];
  series: Series[];
  sessions: Session[];
  places: Place[];
  facilities: Facility[];
  slots: Slot[];
  /** `code path`, the path without its `$.`. */
  findings: string[];
  codes: string[];
}

const DEFAULTS: CleanOptions = { zone: 'Europe/London', feed: 'https://feed.example/rpde' };

/** Cleans `data` as the item `kind 1` of the feed https://feed.example/rpde; all records have the shape of their types. */
export function through(data: unknown, options: Partial<CleanOptions> = {}): Through {
  const item = { state: 'updated' as const, kind: 'kind', id: '1', modified: '1', data: data as Json };
  const { records, findings } = cleanItem(item, { ...DEFAULTS, ...options });
  for (const { record } of records) cleanRecord.parse(record);
  const of = <K extends OpportunityRecord['kind']>(kind: K) =>
    records
      .map(({ record }) => record)
      .filter((record): record is Extract<OpportunityRecord, { kind: K }> => record.kind === kind);
  return {
    records: records.map(({ record, rank }) => [rank, record.kind, record.id]),
    all: records.map(({ record }) => record),
    series: of('series'),
    sessions: of('session'),
    places: of('place'),
    facilities: of('facility'),
    slots: of('slot'),
    findings: findings.map(({ code, path }) => `${code} ${path.replace(/^\$\.?/, '')}`.trim()),
    codes: findings.map(({ code }) => code),
  };
}

/** A SessionSeries that nothing is wrong with, but for what `data` puts in. */
export function seriesWith(data: Record<string, unknown>): Record<string, unknown> {
  return {
    '@type': 'SessionSeries',
    '@id': 'https://x.org/s',
    name: 'Yoga',
    eventSchedule: [{ '@type': 'PartialSchedule' }],
    ...data,
  };
}

/** A ScheduledSession that nothing is wrong with, but for what `data` puts in. */
export function sessionWith(data: Record<string, unknown>): Record<string, unknown> {
  return {
    '@type': 'ScheduledSession',
    '@id': 'https://x.org/s/1',
    superEvent: 'https://x.org/s',
    startDate: '2027-03-01T10:00:00Z',
    endDate: '2027-03-01T11:00:00Z',
    ...data,
  };
}

const SCHEDULE = {
  '@type': 'Schedule',
  repeatFrequency: 'P1W',
  startDate: '2027-03-01',
  startTime: '10:00',
  endTime: '11:00',
  duration: 'PT1H',
  scheduleTimezone: 'Europe/London',
  scheduledEventType: 'ScheduledSession',
};

/** A weekly Schedule that nothing is wrong with, changed: `undefined` takes a property away. */
export function scheduleWith(changes: Record<string, unknown>): {
  schedule: Schedule;
  findings: string[];
  codes: string[];
} {
  const { series, findings, codes } = through(seriesWith({ eventSchedule: [{ ...SCHEDULE, ...changes }] }));
  const [schedule] = (series[0] as Series).schedules as [Schedule];
  return {
    schedule,
    findings: findings.map((finding) => finding.replace('eventSchedule[0].', '').replace(' eventSchedule[0]', '')),
    codes,
  };
}
