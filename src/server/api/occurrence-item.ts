import { z } from 'zod';
import type { OccurrenceItem } from '../../library/index.ts';
import { momentText } from '../../time/instant.ts';

/** An occurrence of a list in JSON: its schema, which is also that of `/openapi.json`, and how it is made. */

const MOMENT = z.union([z.iso.datetime(), z.iso.date()]).meta({
  description: 'UTC, YYYY-MM-DDThh:mm:ssZ; of whole days the local date.',
});

const RANGE = { currency: z.string().optional(), min: z.number(), max: z.number() };

export const OCCURRENCE_ITEM = z.strictObject({
  id: z.string().nullable().meta({ description: '@id; null: the publisher gives none.' }),
  start: MOMENT,
  end: MOMENT.meta({ description: 'Equal to start where the length is unknown; of whole days excluded.' }),
  timezone: z.string().meta({ description: 'IANA time zone of its local times.' }),
  allDay: z.literal(true).optional(),
  name: z.string().meta({ description: 'Empty: the publisher gives none.' }),
  status: z.enum(['EventScheduled', 'EventCancelled', 'EventPostponed', 'EventRescheduled']),
  url: z.string().optional(),
  series: z.strictObject({
    key: z.string().meta({ description: 'The key in its address.' }),
    id: z.string(),
    name: z.string(),
  }),
  place: z
    .strictObject({
      key: z.string().optional().meta({ description: 'The key in its address.' }),
      id: z.string().optional(),
      name: z.string().optional(),
      address: z.string().optional(),
      latitude: z.number().optional(),
      longitude: z.number().optional(),
      distanceKm: z.number().optional().meta({ description: 'From what near names.' }),
    })
    .optional(),
  activity: z.array(
    z.strictObject({
      id: z.string().optional().meta({ description: 'Its id in the OpenActive activity list.' }),
      name: z.string(),
    }),
  ),
  price: z
    .strictObject({
      ...RANGE,
      free: z.boolean().meta({ description: 'An offer costs nothing.' }),
      others: z
        .array(z.strictObject(RANGE))
        .optional()
        .meta({ description: 'Offers in other currencies: no amount is converted.' }),
    })
    .optional(),
  age: z.strictObject({ min: z.number().optional(), max: z.number().optional() }).optional(),
  level: z.array(z.string()).optional(),
  organizer: z.strictObject({ id: z.string().optional(), name: z.string() }).optional(),
  leader: z.array(z.string()).optional().meta({ description: 'Names of those who lead it.' }),
  placesLeft: z.number().optional(),
});

type ItemJson = z.infer<typeof OCCURRENCE_ITEM>;

/** An occurrence of a list as JSON. */
export function occurrenceItemJson({ details, rows: _rows, was: _was, ...item }: OccurrenceItem): ItemJson {
  const { id = null, start, end, zone, ...rest } = item;
  return {
    id,
    start: momentText(start, rest.allDay),
    end: momentText(end, rest.allDay),
    timezone: zone,
    ...rest,
    ...(details.leader && { leader: details.leader }),
  };
}
