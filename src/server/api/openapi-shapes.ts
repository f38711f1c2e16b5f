import { MOST_NAME, MOST_THINGS } from '../../library/index.ts';

/** Parts of the schemas of `/openapi.json`, and the schemas of stored lists and of slots. */

export const TEXT = { type: 'string' } as const;
export const uri = { type: 'string', format: 'uri' } as const;
export const count = { type: 'integer', minimum: 0 } as const;
export const flag = { type: 'boolean' } as const;
export const instant = { type: 'string', format: 'date-time', description: 'UTC, YYYY-MM-DDThh:mm:ssZ.' } as const;
const things = { type: 'array', items: TEXT, maxItems: MOST_THINGS } as const;

const key = { type: 'string', maxLength: 100 } as const;

export type Schema = Readonly<Record<string, unknown>>;

export function listOf(items: Schema) {
  return { type: 'array', items } as const;
}

export function ref(name: string): Schema {
  return { $ref: `#/components/schemas/${name}` };
}

/** A closed object; `optional` members may be missing. */
export function object(
  required: Readonly<Record<string, Schema>>,
  optional: Readonly<Record<string, Schema>> = {},
): Schema {
  return {
    type: 'object',
    properties: { ...required, ...optional },
    required: Object.keys(required),
    additionalProperties: false,
  };
}

const offers: Schema = listOf(object({}, { name: TEXT, price: { type: 'number' }, currency: TEXT, url: TEXT }));

const slots: Schema = {
  ...object(
    {
      published: { ...flag, description: 'False: nobody publishes what is free.' },
      times: listOf(
        object({ start: instant, end: instant, remainingUses: count }, { maximumUses: count, offers: ref('Offers') }),
      ),
    },
    { until: { ...instant, description: 'What starts from then on is left out; absent: nothing is.' } },
  ),
  description: 'When a facility can be booked, all its courts together: from now on, within the next fourteen days.',
};

export const MORE_SCHEMAS = {
  Offers: offers,
  Slots: slots,
  SentList: {
    type: 'object',
    properties: {
      things: { ...things, description: 'All of it: series/KEY, places/KEY, facilities/KEY, search?FILTERS.' },
      add: things,
      remove: things,
      name: { type: 'string', maxLength: MOST_NAME },
      prefix: { enum: ['place', ''] },
      cancelled: { enum: ['1', '0', false], description: '0 or false: cancelled dates are left out.' },
      token: { type: 'string', description: 'A token that names everything by itself, where "things" is not sent.' },
      editKey: { ...key, description: 'The edit key, to change a list.' },
      edit: { ...key, description: 'The same, as the address of the page has it.' },
      page: { ...uri, description: 'As it was answered; it changes nothing.' },
      calendar: { ...uri, description: 'As it was answered; it changes nothing.' },
    },
    additionalProperties: false,
  },
  KeptList: object(
    { token: TEXT, things, page: uri, calendar: uri },
    { editKey: TEXT, name: TEXT, prefix: { const: 'place' }, cancelled: { const: false } },
  ),
};
