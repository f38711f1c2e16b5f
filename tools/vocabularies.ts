/**
 * Makes the vocabularies that ship with the program out of OpenActive's documents: only what is read, ids relative to the
 * address of the vocabulary, one line a concept. Give it files or addresses:
 *
 * `node tools/vocabularies.ts https://openactive.io/activity-list/activity-list.jsonld …`
 */

import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

interface Document {
  id: string;
  license: string;
  concept: { id: string; prefLabel: string; altLabel?: string[]; broader?: string[] }[];
}

const folder = fileURLToPath(new URL('../src/vocabulary/', import.meta.url));

for (const source of process.argv.slice(2)) {
  const text = /^https?:/.test(source) ? await (await fetch(source)).text() : readFileSync(source, 'utf8');
  const { id, license, concept } = JSON.parse(text) as Document;
  const relative = (address: string): string => (address.startsWith(`${id}#`) ? address.slice(id.length) : address);
  const lines = concept.map(({ id: own, prefLabel, altLabel, broader }) =>
    JSON.stringify({ id: relative(own), prefLabel, altLabel, broader: broader?.map(relative) }),
  );
  const file = join(folder, `${basename(id)}.json`);
  writeFileSync(
    file,
    `{\n"id": ${JSON.stringify(id)},\n"license": ${JSON.stringify(license)},\n"concept": [\n${lines.join(',\n')}\n]\n}\n`,
  );
}
