import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { modelTable } from './model-source.ts';

const path = fileURLToPath(new URL('../../src/validate/model-table.ts', import.meta.url));

const text = `/**
 * The types of the OpenActive data model that calendars are made of, as a feed must publish them: made from the official
 * data models 2.x (npm @openactive/data-models, MIT). Not written by hand: UPDATE_MODEL=1 vitest run test/validate/model.test.ts.
 *
 * After each type its parent, whose properties it has. \`must\`: required. \`any\`: one of them is. \`never\`: must not be there.
 * \`in P must\`: what is required instead where it is the value of P. \`= T|U\`: the values of properties. \`T[]\`: an array,
 * \`&\`: or an @id, \`>n\`: at least n.
 */
export const MODEL_TABLE = \`
${modelTable()}
\`;
`;

test('the table is that of the official data models', () => {
  if (process.env.UPDATE_MODEL !== undefined) writeFileSync(path, text);
  expect(readFileSync(path, 'utf8')).toBe(text);
});
