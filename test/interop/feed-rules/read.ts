/** A reader of iCalendar text that knows its grammar (RFC 5545 3.1) and nothing of the program. */

export interface Line {
  name: string;
  params: Record<string, string>;
  value: string;
}

export interface Part {
  name: string;
  lines: Line[];
  parts: Part[];
}

/** Logical lines, as they are before they are taken apart. */
export function unfolded(text: string): string[] {
  return text
    .replaceAll(/\r\n[ \t]/g, '')
    .split('\r\n')
    .slice(0, -1);
}

export function read(text: string): Part {
  const root: Part = { name: '', lines: [], parts: [] };
  const open = [root];
  for (const text_ of unfolded(text)) {
    const line = lineOf(text_);
    const at = open.at(-1) as Part;
    if (line.name === 'BEGIN') {
      const part: Part = { name: line.value, lines: [], parts: [] };
      at.parts.push(part);
      open.push(part);
    } else if (line.name === 'END') {
      if (open.pop()?.name !== line.value) throw new Error(`END:${line.value} where ${at.name} is open`);
    } else at.lines.push(line);
  }
  return root;
}

const PARAM = /^;([^=;:]+)=("[^"]*"|[^";:,]*)/;

function lineOf(text: string): Line {
  const name = /^[^;:]*/.exec(text)?.[0] ?? '';
  const params: Record<string, string> = {};
  let rest = text.slice(name.length);
  for (let found = PARAM.exec(rest); found !== null; found = PARAM.exec(rest)) {
    params[found[1] as string] = (found[2] as string).replaceAll('"', '');
    rest = rest.slice(found[0].length);
  }
  if (!rest.startsWith(':')) throw new Error(`not a content line: ${text}`);
  return { name, params, value: rest.slice(1) };
}

export function all(part: Part, name: string): Line[] {
  return part.lines.filter((line) => line.name === name);
}

/** The value of a property that is there at most once. */
export function oneOf(part: Part, name: string): string | undefined {
  return all(part, name)[0]?.value;
}

export function parts(part: Part, name: string): Part[] {
  return part.parts.filter((one) => one.name === name);
}

/** Wall time of a DATE-TIME or DATE value, as if it were UTC. */
export function wallOf(value: string): number {
  const [, year, month, day, hours = '0', minutes = '0', seconds = '0'] =
    /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)Z?)?$/.exec(value) ?? [];
  return Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hours), Number(minutes), Number(seconds));
}
