import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What docs/architecture.md names, and what of it is not in the sources. */

/** `name` in `path` */
const NAMED = /`(\w+)` in `([\w./-]+\.tsx?)`/g;

export interface Stop {
  name: string;
  file: string;
  /** What the stop takes, an earlier one has put into the store. */
  fromStore?: boolean;
}

export function stopsOf(text: string): Stop[] {
  return [...text.matchAll(NAMED)].map(([, name = '', file = '']) => ({ name, file }));
}

/** Whether a file declares a function, method, class, type or constant of this name. */
export function declares({ name, file }: Stop, root: string): boolean {
  if (!existsSync(join(root, file))) return false;
  const text = readFileSync(join(root, file), 'utf8');
  const declared = new RegExp(`\\b(?:function\\*?|class|const|interface|type) ${name}\\b`);
  const method = new RegExp(`^ +(?:async )?${name}(?:\\(.*[^;\\n]|: (?:async )?\\(.*=>.*)$`, 'm');
  return declared.test(text) || method.test(text);
}

/** The numbered lists of a page under headings, each item with the first name it gives. */
export function walksOf(page: string): { heading: string; stops: Stop[] }[] {
  return page
    .split(/^## /m)
    .slice(1)
    .map((section) => ({
      heading: section.split('\n')[0] as string,
      stops: [...section.matchAll(/^\d+\. .*$/gm)].flatMap(([line]) =>
        stopsOf(line)
          .slice(0, 1)
          .map((stop) => ({ ...stop, fromStore: line.includes('from the store') })),
      ),
    }));
}

/** Stops that no file of an earlier stop names: nobody comes to them on this walk. */
export function unreached(stops: readonly Stop[], root: string): string[] {
  const passed: string[] = [];
  return stops.flatMap((stop, index) => {
    const reached =
      index === 0 || stop.fromStore === true || passed.some((text) => new RegExp(`\\b${stop.name}\\b`).test(text));
    passed.push(withoutComments(readFileSync(join(root, stop.file), 'utf8')));
    return reached ? [] : [stop.name];
  });
}

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, ' ');
}

/** The rooms of the drawing, each with its line: 0 is the top. */
export function drawnRooms(page: string): Map<string, number> {
  const [, drawing = ''] = /## Rooms[\s\S]*?```\n([\s\S]*?)```/.exec(page) ?? [];
  const lines = drawing.trimEnd().split('\n');
  return new Map(lines.flatMap((line, level) => line.split(/\s+/).map((room): [string, number] => [room, level])));
}

/** Paths in backticks: files and folders below a folder of the repository, and sources anywhere. */
export function pathsIn(text: string): string[] {
  const plain = text.replace(/^```[\s\S]*?^```/gm, '');
  return [...plain.matchAll(/`([^`\s]+)`/g)]
    .map(([, words]) => words as string)
    .filter(
      (words) =>
        /^(?:src|test|docs|fixtures|tools|\.ci)\/[\w./-]*$/.test(words) || /^[\w.-]+\/[\w./-]+\.tsx?$/.test(words),
    );
}
