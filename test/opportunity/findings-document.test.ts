import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { findingsDocument } from './findings-document.ts';

const path = fileURLToPath(new URL('../../docs/findings.md', import.meta.url));

test('docs/findings.md lists what the code has', () => {
  const text = findingsDocument();
  if (process.env.UPDATE_FINDINGS !== undefined) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  expect(readFileSync(path, 'utf8')).toBe(text);
});
