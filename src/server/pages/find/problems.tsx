import type { FilterName, Filters } from '../../../search/filters.ts';
import { type FilterProblem, isWritable } from '../../../search/query.ts';
import { dateOfDay, dayOfDate } from '../../../time/days.ts';
import type { Page } from '../frame/document.tsx';
import type { Markup, Piece } from '../frame/markup.tsx';
import type { Site } from '../frame/site.ts';
import { dateWords } from '../wording.ts';
import { type FindQuery, searchPath, withoutFilter } from './asked.ts';
import { SearchBand } from './found.tsx';

/** The page of a search whose address has filters that cannot be read, or names that are unknown. */

/** Nouns of the filters whose values are names. */
const NOUNS: Readonly<Record<string, string>> = {
  activity: 'activity',
  organizer: 'organiser',
  place: 'place',
  series: 'session',
};

/** The page that names these filters. Its status is 400, or 200 where all problems are unknown names. */
export function problemsPage(asked: FindQuery, problems: readonly FilterProblem[], site: Site): Page {
  const near = problems.find(({ name }) => name === 'near');
  const isUnknown = asked.problems.length === 0 && problems.every(({ name }) => NOUNS[name] !== undefined);
  const title = near
    ? 'This place is not known here'
    : isUnknown
      ? unknownTitle(problems)
      : 'This search cannot be read';
  const others = problems.filter((one) => one !== near);
  const readable = { ...asked, filters: problems.reduce(withoutProblem, asked.filters) };
  return {
    title,
    hero: <SearchBand site={site} asked={readable} wrongNear={near && nearWords(near, asked, site)} />,
    body: (
      <div class="notice">
        <h1>
          <bdi>{title}</bdi>
        </h1>
        {others.map((problem) => (
          <>
            {isUnknown ? null : isBackwards(problem, asked) ? (
              <Backwards asked={asked} site={site} />
            ) : (
              <Wrong problem={problem} />
            )}
            <Instead problem={problem} asked={asked} site={site} />
            <Meant problem={problem} asked={asked} site={site} />
          </>
        ))}
        {isUnknown && others.every((one) => one.nearest === undefined && one.instead === undefined) ? (
          <p>Nothing of this name is published here now. Search for a part of the name instead.</p>
        ) : null}
        <Without problems={problems} readable={readable} site={site} />
        <p>
          <a href={site.links.path('/search')}>Start a new search</a>
        </p>
      </div>
    ),
    publishers: [],
    // An unknown name is a readable search: data with that name may come tomorrow.
    ...(isUnknown ? { isHidden: true } : { status: 400 }),
    current: 'search',
    style: ['notice'],
  };
}

/** Filters without the value of a problem, or without the whole filter where it does not have that value. */
function withoutProblem(filters: Filters, { name, value }: FilterProblem): Filters {
  const given = filters[name as FilterName];
  const isOne = Array.isArray(given) && given.some((one) => one === value);
  return withoutFilter(filters, name as FilterName, isOne ? value : undefined);
}

interface WithoutOptions {
  problems: readonly FilterProblem[];
  /** The query without the filters of the problems. */
  readable: FindQuery;
  site: Site;
}

/** A link to the same search without the filters of the problems. */
function Without({ problems, readable, site }: WithoutOptions): Markup | null {
  const { filters, kind, view } = readable;
  if (Object.keys(filters).length === 0) return null;
  const [only, ...more] = problems;
  const left = more.length > 0 ? undefined : (only?.value ?? only?.name);
  return (
    <p>
      <a class="chip fill" href={site.links.path(searchPath(filters, { kind, view }))}>
        {left === undefined ? 'Search without these' : ['Search without ', <bdi>“{left}”</bdi>]}
      </a>
    </p>
  );
}

/** `No place called “Harbor Lane”` */
function unknownTitle([first]: readonly FilterProblem[]): string {
  return `No ${NOUNS[first?.name ?? ''] ?? 'session'} called “${first?.value ?? ''}”`;
}

interface WrongOptions {
  problem: FilterProblem;
  asked: FindQuery;
  site: Site;
}

function nearWords(near: FilterProblem, asked: FindQuery, site: Site): Piece {
  if (near.nearest === undefined || !isWritable({ near: near.nearest }))
    return 'No place of this name is known here. Give a town or the first part of a postcode.';
  return (
    <>
      Not known here. Did you mean{' '}
      <a class="chip" href={site.links.path(searchPath({ ...asked.filters, near: near.nearest }))}>
        <bdi>{near.nearest}</bdi>
      </a>
    </>
  );
}

function Wrong({ problem: { name, value, allowed } }: { problem: FilterProblem }): Markup {
  if (value === undefined) {
    return (
      <p class="wrong">
        “<bdi>{name}</bdi>” is not known here.
      </p>
    );
  }
  return (
    <p class="wrong">
      {name} is “<bdi>{value}</bdi>”, allowed is {allowed}.
    </p>
  );
}

/** Whether a problem is a range of days that ends on or before its first day. */
function isBackwards({ name }: FilterProblem, { filters: { from, to } }: FindQuery): boolean {
  return name === 'to' && from !== undefined && to !== undefined && to <= from;
}

/** A link to the first of the days: a person who gives one date twice means that day. */
function Backwards({ asked: { filters, kind, view }, site }: Pick<WrongOptions, 'asked' | 'site'>): Markup {
  const { from = '' } = filters;
  const day = dayOfDate(from);
  const one = { ...filters, to: dateOfDay(day + 1) };
  return (
    <>
      <p class="wrong">The last day is not after the first.</p>
      <p>
        <a class="chip" href={site.links.path(searchPath(one, { kind, view }))}>
          What is on {dateWords(day, day)}
        </a>
      </p>
    </>
  );
}

/** A link to the same search with another filter: `near` where the value of `place` is a town. */
function Instead({ problem: { name, value, instead }, asked, site }: WrongOptions): Markup | null {
  if (instead === undefined || !isWritable({ [instead.name]: instead.value })) return null;
  const { filters, kind, view } = asked;
  const rest = withoutFilter(filters, name as FilterName, value);
  return (
    <p>
      <a class="chip" href={site.links.path(searchPath({ ...rest, [instead.name]: instead.value }, { kind, view }))}>
        What is on {instead.name} <bdi>{instead.value}</bdi>
      </a>
    </p>
  );
}

/** The nearest known value, as a link to the same search with it; for an unknown filter the nearest name, without a link. */
function Meant({ problem, asked, site }: WrongOptions): Markup | null {
  const { name, value, nearest } = problem;
  if (nearest === undefined) return null;
  // A name in the data may be longer than the value of a filter may be.
  if (Array.isArray(asked.filters[name as FilterName]) && !isWritable({ [name]: [nearest] })) return null;
  if (value === undefined) {
    return (
      <p>
        Did you mean <b>{nearest}</b>?
      </p>
    );
  }
  return (
    <p>
      <a class="chip" href={site.links.path(correctedPath(asked, name, value, nearest))}>
        Did you mean <bdi>{nearest}</bdi>?
      </a>
    </p>
  );
}

function correctedPath(asked: FindQuery, name: string, value: string, nearest: string): string {
  const { filters, kind, view } = asked;
  const given = filters[name as FilterName];
  if (Array.isArray(given)) {
    const values = given.map((one) => (one === value ? nearest : one));
    return searchPath({ ...filters, [name]: values }, { kind, view });
  }
  const path = searchPath(withoutFilter(filters, name as FilterName), { kind, view });
  return `${path}${path.includes('?') ? '&' : '?'}${name}=${encodeURIComponent(nearest)}`;
}
