import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { PROPERTIES, type Property } from '../../src/opportunity/properties.ts';
import { RULES_VERSION } from '../../src/revision/context.ts';
import { cleanRecord } from '../opportunity/shape.ts';

/** What is stored of an item changes with the properties that are read of it, and then a store is rebuilt. */

const HELD = { version: '21', properties: '2a04ef13508c8ced' };

/** The rows of the table without what only pages show, and the names and types of everything that records have. */
function propertiesHash(): string {
  const rows = Object.entries<Property>(PROPERTIES).map(([name, { fact: _, ...row }]) => [name, row]);
  const shape = JSON.stringify(z.toJSONSchema(cleanRecord), (key, value) =>
    typeof value === 'number' || key === 'pattern' ? undefined : value,
  );
  return createHash('sha256')
    .update(JSON.stringify([rows, shape]))
    .digest('hex')
    .slice(0, 16);
}

test('other properties are another RULES_VERSION', () => {
  const found = { version: RULES_VERSION, properties: propertiesHash() };
  const isForgotten = found.version === HELD.version && found.properties !== HELD.properties;
  expect(isForgotten, 'raise RULES_VERSION in src/revision/context.ts: a store has records without the change').toBe(
    false,
  );
  expect(found, 'write this into HELD').toEqual(HELD);
});
