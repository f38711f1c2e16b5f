import type { Context } from 'hono';
import type { FoundPage } from '../../library/index.ts';
import { type FilterProblem, unknownParameters } from '../../search/query.ts';
import { problem } from './json.ts';
import type { Paths } from './openapi-operations.ts';

/** Problem details for unknown parameters, and for values that cannot be read. */

/** The refusal of problems: all of them, and the first in words. */
export function refusal(problems: readonly FilterProblem[]): Response {
  const [first] = problems as [FilterProblem, ...FilterProblem[]];
  return problem(400, sentence(first), { parameters: problems });
}

/** The problems of a request. "Near me" without a position is one of them, because a program cannot be asked for it. */
export function problemsOf({ problems, nowhere }: Pick<FoundPage<unknown>, 'problems' | 'nowhere'>): FilterProblem[] {
  return nowhere === undefined ? problems : [...problems, nowhere];
}

/** A problem as a sentence: `"maxprice" is no parameter of this address. Did you mean "maxPrice"? It has …` */
export function sentence({ name, value, allowed, nearest: meant, instead }: FilterProblem): string {
  const other = instead && `${instead.name}=${instead.value}`;
  const likely = [meant, other].filter((one) => one !== undefined).map((one) => `"${one}"`);
  const question = likely.length === 0 ? '' : ` Did you mean ${likely.join(' or ')}?`;
  if (value === undefined) return `"${name}" is no parameter of this address.${question} It has ${allowed}.`;
  return `"${name}" must be ${allowed}, not "${value}".${question}`;
}

/** The refusal of parameters that `/openapi.json` does not describe for a path; undefined where there are none. */
export function unknownRefusal(c: Context, path: string, described: Paths): Response | undefined {
  const { parameters = [] } = described[path]?.get ?? {};
  const known = parameters.filter((one) => one.in === 'query').map(({ name }) => name);
  const problems = unknownParameters(new URL(c.req.url).searchParams, known);
  return problems.length === 0 ? undefined : refusal(problems);
}
