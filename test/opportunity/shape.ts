import { z } from 'zod';
import { type Kind, type Kinds, ROWS } from '../../src/opportunity/properties.ts';
import type {
  ByDay,
  Facility,
  Offer,
  OpeningHours,
  Organization,
  Place,
  PlaceSummary,
  Schedule,
  Series,
  Session,
  Slot,
  StatedTime,
  StatedTimes,
} from '../../src/opportunity/records.ts';

/** The clean records as schemas that admit nothing else: what the types promise, checked at run time. */

/** An object with a schema for each property of its type: one that either of them lacks does not compile. */
function object<T>(): <S extends Record<keyof T, z.ZodType> & Record<Exclude<keyof S, keyof T>, never>>(
  shape: S,
) => z.ZodObject<S, z.core.$strict> {
  return (shape) => z.strictObject(shape);
}

/** One line without control characters. */
const line = z
  .string()
  .min(1)
  .max(2100)
  .refine((text) => !/[\p{Cc}\u2028\u2029]/u.test(text) && text.isWellFormed(), 'a plain line');
const lines = z
  .string()
  .min(1)
  .max(8000)
  .refine((text) => !/(?!\n)[\p{Cc}\u2028\u2029]/u.test(text) && text.isWellFormed(), 'plain lines');
const id = z
  .string()
  .min(1)
  .max(10_000)
  .refine((text) => !/\p{Cc}/u.test(text), 'an id');
const url = z
  .string()
  .max(2048)
  .regex(/^https?:\/\/\S+$/i);
const instant = z
  .number()
  .int()
  .refine((at) => at % 1000 === 0 && at > Date.UTC(1899, 11, 1) && at < Date.UTC(2202, 0, 1), 'a whole second');
const length = z
  .number()
  .int()
  .positive()
  .max(366 * 86_400_000);
const date = z.string().regex(/^(?:19|20|21)\d\d-\d\d-\d\d$/);
const seconds = z.number().int().min(0).max(86_400);
const names = z.array(line).min(1).max(40);
const status = z.enum(['EventScheduled', 'EventCancelled', 'EventPostponed', 'EventRescheduled']);
const weekday = z.number().int().min(0).max(6);

const organization = object<Organization>()({
  id: id.optional(),
  name: line.optional(),
  url: url.optional(),
  email: line.optional(),
  telephone: line.optional(),
});
const offer = object<Offer>()({
  name: line.optional(),
  price: z.number().min(0).optional(),
  // Empty: one is stated, and cannot be read (semantics 2.6).
  currency: z
    .string()
    .regex(/^(?:[A-Z]{3})?$/)
    .optional(),
  url: url.optional(),
});
const coordinates = {
  latitude: z.number().min(-90).max(90).optional(),
  longitude: z.number().min(-180).max(180).optional(),
};
const summary = object<PlaceSummary>()({
  id: id.optional(),
  name: line.optional(),
  address: line.optional(),
  ...coordinates,
  url: url.optional(),
  telephone: line.optional(),
  zone: line.optional(),
});
const age = z.number().min(0).max(150).optional();

const byKind: Record<Kind, z.ZodType> = {
  line,
  lines,
  text: lines,
  url,
  concepts: names,
  activities: names,
  labels: names,
  people: names,
  organization,
  brand: object<Kinds['brand']>()({ name: line.optional(), url: url.optional() }),
  ages: object<Kinds['ages']>()({ min: age, max: age }),
  gender: z.enum(['FemaleOnly', 'MaleOnly', 'NoRestriction']),
  attendance: z.enum(['offline', 'online', 'mixed']),
  place: summary,
  room: z.string().min(1),
  virtual: object<Kinds['virtual']>()({ name: line.optional(), url: url.optional(), description: lines.optional() }),
  capacity: z.number().int().min(0),
  offers: z.array(offer).min(1).max(20),
};
const details = z.strictObject(Object.fromEntries(ROWS.map(({ name, kind }) => [name, byKind[kind].optional()])));

type Excepted = Schedule['except'][number];
type ExceptedInstant = Extract<Excepted, { instant: unknown }>;

const schedule = object<Schedule>()({
  partial: z.boolean(),
  expandable: z.boolean(),
  unusable: z.enum(['endDate', 'repeatFrequency', 'byDay', 'byMonth', 'byMonthDay', 'repeatCount']).optional(),
  index: z.number().int().min(0),
  startDate: date.optional(),
  endDate: date.optional(),
  startTime: seconds.max(86_399).optional(),
  endTime: seconds.optional(),
  duration: length.optional(),
  endsByClock: z.literal(true).optional(),
  frequency: object<NonNullable<Schedule['frequency']>>()({
    unit: z.enum(['day', 'week', 'month', 'year', 'hour', 'minute', 'second']),
    every: z.number().int().min(1).max(1000),
  }).optional(),
  byDay: z.array(object<ByDay>()({ day: weekday, ordinal: z.number().int().min(-53).max(53).optional() })),
  byMonth: z.array(z.number().int().min(1).max(12)),
  byMonthDay: z.array(z.number().int().min(-31).max(31)),
  count: z.number().int().min(1).max(10_000).optional(),
  except: z.array(
    z.union([
      object<ExceptedInstant>()({ instant, wall: instant.optional(), at: line.optional() }),
      object<Exclude<Excepted, ExceptedInstant>>()({ date, at: line.optional() }),
    ]),
  ),
  instants: object<NonNullable<Schedule['instants']>>()({
    startDate: instant.optional(),
    endDate: instant.optional(),
  }).optional(),
  zone: z.string().min(1),
  zoneStated: z.boolean(),
  eventType: z.string().regex(/^[A-Za-z]+$/),
  idTemplate: line.optional(),
  urlTemplate: line.optional(),
  templateUnusable: z.literal(true).optional(),
  lastTime: seconds.max(86_399).optional(),
  id: id.optional(),
});

const hours = z.array(
  object<OpeningHours>()({
    days: z.array(weekday),
    publicHolidays: z.boolean(),
    opens: seconds,
    closes: seconds,
    validFrom: date.optional(),
    validThrough: date.optional(),
    path: z.string().startsWith('$.'),
  }),
);

const series = object<Omit<Series, 'zone'>>()({
  kind: z.literal('series'),
  id,
  type: z.enum(['SessionSeries', 'Event', 'HeadlineEvent', 'CourseInstance', 'EventSeries']),
  url: url.optional(),
  status,
  statusStated: z.literal(false).optional(),
  details,
  parent: id.optional(),
  subEvents: z.array(id).optional(),
  schedules: z.array(schedule).max(200),
  untilJoined: z.literal(true).optional(),
});
const statedTime = z
  .union([
    object<Extract<StatedTime, { instant: unknown }>>()({ instant }),
    object<Extract<StatedTime, { wall: unknown }>>()({ wall: instant }),
  ])
  .optional();
const stated = object<StatedTimes>()({
  start: statedTime,
  end: statedTime,
  length: length.optional(),
  previousStart: statedTime,
  zone: line.optional(),
});

const session = object<Omit<Session, 'zone'>>()({
  kind: z.literal('session'),
  id,
  idStated: z.boolean(),
  type: z.string().regex(/^[A-Za-z]+$/),
  series: id.optional(),
  start: instant.optional(),
  allDay: z.literal(true).optional(),
  end: instant.optional(),
  length: length.optional(),
  previousStart: instant.optional(),
  stated: stated.optional(),
  url: url.optional(),
  status,
  statusStated: z.literal(false).optional(),
  details,
  remainingAttendeeCapacity: z.number().int().min(0).optional(),
  unread: z.literal(true).optional(),
  ownSeries: z.literal(true).optional(),
});
const place = object<Place>()({
  kind: z.literal('place'),
  id,
  name: line.optional(),
  description: lines.optional(),
  url: url.optional(),
  telephone: line.optional(),
  email: line.optional(),
  address: line.optional(),
  street: line.optional(),
  locality: line.optional(),
  region: line.optional(),
  postalCode: line.optional(),
  country: line.optional(),
  ...coordinates,
  hours,
  specialHours: hours,
});
const facility = object<Facility>()({
  kind: z.literal('facility'),
  id,
  type: z.enum(['FacilityUse', 'IndividualFacilityUse']),
  url: url.optional(),
  details,
  place: id.optional(),
  aggregate: id.optional(),
  hours,
});
const slot = object<Slot>()({
  kind: z.literal('slot'),
  id,
  facility: id.optional(),
  start: instant,
  end: instant,
  stated: stated.optional(),
  zone: z.string().optional(),
  remainingUses: z.number().int().min(0),
  maximumUses: z.number().int().min(0).optional(),
  offers: z.array(offer).min(1).max(20).optional(),
});

export const cleanRecord = z.discriminatedUnion('kind', [series, session, place, facility, slot]);
