import { comparedId, withSmallHost } from '../opportunity/ids.ts';
import { type Instant, utcText } from '../time/instant.ts';

/** RFC 6570 level 1 with two variables; the values are written unescaped, as the specification's examples do (semantics 3). */
const PLACEHOLDER = /\{(startDate|endDate)\}/;

/**
 * Substitutes `{startDate}` and `{endDate}` as `YYYY-MM-DDThh:mm:ssZ` in UTC, unescaped (semantics 3).
 *
 * @example
 * ```ts
 * const id = fillTemplate('https://example.org/sessions/{startDate}', Date.UTC(2026, 2, 1, 18), Date.UTC(2026, 2, 1, 19));
 * ```
 */
export function fillTemplate(template: string, start: Instant, end: Instant): string {
  return templateFiller(template)(start, end);
}

/** Like `fillTemplate` for many occurrences of one template. */
export function templateFiller(template: string): (start: Instant, end: Instant) => string {
  const parts = template.split(PLACEHOLDER);
  return (start, end) => {
    let text = parts[0] as string;
    for (let i = 1; i < parts.length; i += 2) {
      text += utcText(parts[i] === 'startDate' ? start : end) + (parts[i + 1] as string);
    }
    return text;
  };
}

/** An id in the form it is compared in: as `identOf` has it, with a dashed time (`T10-30-00Z`) in its colon form, and Z for an offset of zero. */
export function canonicalId(id: string): string {
  return comparedId(canonicalPart(id));
}

function canonicalPart(id: string): string {
  const text = decode(id).replace(/(\d{4}-\d\d-\d\dT\d\d)-(\d\d)-(\d\dZ)/g, '$1:$2:$3');
  return text.includes('+00:00') ? text.replace(/(T\d\d:\d\d:\d\d)\+00:00/g, '$1Z') : text;
}

/** An id without the fractions of a second in its times, which a template never gives. */
export function withoutFractions(id: string): string {
  return decode(id).replace(/(\d{4}-\d\d-\d\dT\d\d[:-]\d\d[:-]\d\d)\.\d{1,9}Z/g, '$1Z');
}

/** Undoes percent-encoding where it is valid UTF-8; the rest stays as it is, for ids need not be proper URLs. */
function decode(text: string): string {
  if (!text.includes('%')) return text;
  return text.replace(/(?:%[0-9A-Fa-f]{2})+/g, (run) => {
    try {
      return decodeURIComponent(run);
    } catch {
      return run;
    }
  });
}

/** The values of a template's placeholders in an id. */
export interface Filled {
  start?: Instant;
  end?: Instant;
}

/** The values with which a template gives an id, in any spelling of the id; undefined where none give it. */
export function readId(template: string, id: string): Filled | undefined {
  return templateReader(template)(canonicalId(id));
}

/**
 * The `{startDate}` with which a template gives an id, in any spelling of the id; undefined where none gives it.
 *
 * @example
 * ```ts
 * const start = startFromId('https://example.org/{startDate}', 'https://example.org/2026-03-01T18:00:00Z');
 * ```
 */
export function startFromId(template: string, id: string): Instant | undefined {
  return readId(template, id)?.start;
}

/** Like `readId` for many ids of one template; takes canonical ids. */
export function templateReader(template: string): (canonical: string) => Filled | undefined {
  const parts = template.split(PLACEHOLDER).map((part, i) => (i % 2 === 0 ? canonicalPart(part) : part));
  parts[0] = withSmallHost(parts[0] as string);
  parts.push((parts.pop() as string).replace(/\/+$/, ''));
  return (canonical) => {
    const filled: Filled = {};
    let at = 0;
    for (const [i, part] of parts.entries()) {
      if (i % 2 === 0) {
        if (!canonical.startsWith(part, at)) return undefined;
        at += part.length;
        continue;
      }
      const value = instantOf(canonical.slice(at, at + 20));
      const name = part === 'startDate' ? 'start' : 'end';
      if (value === undefined || (filled[name] ?? value) !== value) return undefined;
      filled[name] = value;
      at += 20;
    }
    return at === canonical.length ? filled : undefined;
  };
}

/** The instant of `YYYY-MM-DDThh:mm:ssZ`; undefined for other texts and for dates that do not exist. */
function instantOf(text: string): Instant | undefined {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(text)) return undefined;
  const instant = Date.parse(text);
  return Number.isNaN(instant) || utcText(instant) !== text ? undefined : instant;
}

/**
 * A canonical template or id with `{}` for its times. An id has the skeleton of its template; an equal skeleton alone
 * proves nothing.
 */
export function skeleton(canonical: string): string {
  return canonical.replace(/\{(?:startDate|endDate)\}|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, '{}');
}
