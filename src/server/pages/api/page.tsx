import type { Publisher } from '../../../library/index.ts';
import type { Description } from '../../api/openapi.ts';
import type { Method, Operation, Parameter } from '../../api/openapi-operations.ts';
import { type Page, pageResponse } from '../frame/document.tsx';
import type { Markup } from '../frame/markup.tsx';
import type { Pages, Site } from '../frame/site.ts';
import { exampleOf, type KnownExamples, knownOf } from './examples.ts';

/** `/api`: the description of `/openapi.json` for people, with examples that work on this server. */

const TITLE = 'For developers';

/** The page `/api` as a response. */
export async function apiForPeople(described: Description, { library, site }: Pages): Promise<Response> {
  const [known, publishers] = await Promise.all([knownOf(library), library.publishers()]);
  return pageResponse(apiPage({ described, known, publishers, site }), site);
}

interface ApiView {
  described: Description;
  known: KnownExamples;
  publishers: readonly Publisher[];
  site: Site;
}

function apiPage({ described, known, publishers, site }: ApiView): Page {
  const { info, tags, paths } = described;
  const { path } = site.links;
  const body = (
    <>
      <div class="stack">
        <h1>{TITLE}</h1>
        <p>{info.summary}</p>
        <p>
          {info.description} Programs read the same as <a href={path('/openapi.json')}>OpenAPI 3.1</a>.
        </p>
        <ul class="chips" aria-label="Kinds of addresses">
          {tags.map(({ name }) => (
            <li>
              <a class="chip" href={`#${anchorOf(name)}`}>
                {name}
              </a>
            </li>
          ))}
        </ul>
      </div>
      {tags.map(({ name }) => (
        <Group name={name} paths={paths} known={known} site={site} />
      ))}
    </>
  );
  return { title: TITLE, description: info.summary, path: '/api', body, publishers, style: ['api'] };
}

const anchorOf = (name: string) => name.toLowerCase().replaceAll(' ', '-');

interface GroupView {
  name: string;
  paths: Description['paths'];
  known: KnownExamples;
  site: Site;
}

function Group({ name, paths, known, site }: GroupView): Markup {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    (Object.entries(methods) as [Method, Operation][])
      .filter(([, { tags = [] }]) => tags.includes(name))
      .map(([method, operation]) => ({ path, method, operation })),
  );
  return (
    <section class="part" id={anchorOf(name)}>
      <div class="head">
        <h2>{name}</h2>
      </div>
      <ul class="card ops">
        {operations.map(({ path, method, operation }) => (
          <li>
            <h3>
              <code>
                {method.toUpperCase()} {path}
              </code>
            </h3>
            <p>{operation.summary}</p>
            {method === 'get' ? <Example path={exampleOf(path, known)} site={site} /> : null}
            <Parameters all={operation.parameters ?? []} />
            <p class="soft">{answersOf(operation)}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** A link to an example, with values that this server has. */
function Example({ path, site }: { path: string | undefined; site: Site }): Markup | null {
  if (path === undefined) return null;
  return (
    <p>
      Example: <a href={site.links.path(path)}>{path}</a>
    </p>
  );
}

/** More parameters than these are in a `<details>`. */
const SHOWN = 4;

function Parameters({ all }: { all: readonly Parameter[] }): Markup | null {
  if (all.length === 0) return null;
  const list = (
    <dl>
      {all.map((one) => (
        <div>
          <dt>
            <code>{one.name}</code>
            {one.in === 'path' ? <small> in the path</small> : null}
          </dt>
          <dd>
            {one.description} <small>{allowedOf(one)}</small>
          </dd>
        </div>
      ))}
    </dl>
  );
  if (all.length <= SHOWN) return list;
  return (
    <details>
      <summary>{all.length} parameters</summary>
      {list}
    </details>
  );
}

/** `1 to 500, usually 50`, `light or dark`, `such as yoga` */
function allowedOf({ schema, example }: Parameter): string {
  const { minimum, maximum, default: usual, enum: values, items } = schema as Schema;
  const among = values ?? items?.enum ?? [];
  const parts = [
    among.length > 1 ? among.join(', ') : undefined,
    minimum !== undefined && maximum !== undefined ? `${minimum} to ${maximum}` : undefined,
    usual === undefined ? undefined : `usually ${usual}`,
    example === undefined ? undefined : `such as ${[example].flat().join(',')}`,
  ].filter((part) => part !== undefined);
  return parts.length === 0 ? '' : `(${parts.join('; ')})`;
}

interface Schema {
  minimum?: number;
  maximum?: number;
  default?: number;
  enum?: readonly string[];
  items?: { enum?: readonly string[] };
}

/** `200: application/json. Otherwise 400, 404, 429.` */
function answersOf({ responses }: Operation): string {
  const answers = Object.entries(responses as Record<string, { content?: object }>);
  const [good, others] = [
    answers.filter(([status]) => status < '300'),
    answers.filter(([status]) => status >= '300').map(([status]) => status),
  ];
  const types = good.map(([status, { content = {} }]) => `${status}: ${Object.keys(content).join(', ')}.`);
  return [...types, ...(others.length > 0 ? [`Otherwise ${others.join(', ')}.`] : [])].join(' ');
}
