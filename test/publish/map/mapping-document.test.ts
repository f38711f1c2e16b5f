import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { mappingDocument } from './mapping-document.ts';

const path = new URL('../../../docs/mapping.md', import.meta.url);

test('docs/mapping.md says every key of the schema', () => {
  const made = mappingDocument();
  if (process.env.UPDATE_MAPPING === '1') writeFileSync(path, made);
  expect(readFileSync(path, 'utf8')).toBe(made);
});
