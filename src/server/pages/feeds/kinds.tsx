import { counted, type FindingKind, grouped } from '../../../library/index.ts';
import type { Markup } from '../frame/markup.tsx';
import type { Site } from '../frame/site.ts';
import { ColumnHeads } from '../parts.tsx';
import { address, type FeedsQuery } from './groups.ts';

/** Findings by kind, and the feeds that have them. */

const FIRST_KINDS = 3;

export function Kinds({ kinds, site }: { kinds: readonly FindingKind[]; site: Site }): Markup | null {
  if (kinds.length === 0) return null;
  const rest = kinds.slice(FIRST_KINDS);
  return (
    <section class="part">
      <div class="head">
        <h2>Findings by kind</h2>
      </div>
      <KindTable kinds={kinds.slice(0, FIRST_KINDS)} site={site} />
      {rest.length === 0 ? null : (
        <details>
          <summary class="more">{counted(rest.length, 'more kind')}</summary>
          <KindTable kinds={rest} site={site} />
        </details>
      )}
    </section>
  );
}

function KindTable({ kinds, site }: { kinds: readonly FindingKind[]; site: Site }): Markup {
  return (
    <table class="kinds">
      <caption class="vh">Findings by kind, with the feeds that have them</caption>
      <ColumnHeads names={['What publishers could mend', 'Times', 'Feeds']} />
      <tbody>
        {kinds.map((kind) => (
          <tr>
            <th scope="row">
              <KindWords kind={kind} />
            </th>
            <td>
              <KindCount kind={kind} />
            </td>
            <td>
              <KindFeeds kind={kind} site={site} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Findings of one feed, by code. */
export function KindsOfFeed({ kinds }: { kinds: readonly FindingKind[] }): Markup | null {
  if (kinds.length === 0) return null;
  return (
    <table class="kinds">
      <caption class="vh">Findings of this feed, by code</caption>
      <ColumnHeads names={['What the publisher could mend', 'Code', 'Times']} />
      <tbody>
        {kinds.map((kind) => (
          <tr>
            <th scope="row">
              <KindWords kind={kind} />
            </th>
            <td>
              <code>{kind.code}</code>
            </td>
            <td>
              <KindCount kind={kind} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function KindCount({ kind: { count, isMore } }: { kind: FindingKind }): Markup {
  return (
    <>
      {grouped(count)}
      {isMore ? ' or more' : ''}
    </>
  );
}

function KindFeeds({ kind: { code, words, feeds }, site }: { kind: FindingKind; site: Site }): Markup {
  const [only, ...others] = feeds;
  if (only !== undefined && others.length === 0)
    return (
      <a href={site.links.path(`/feeds/${only.id}`)}>
        1 feed<span class="vh">: {only.name}</span>
      </a>
    );
  return (
    <a href={address(site.links.path('/feeds'), { found: code })} rel="nofollow">
      {counted(feeds.length, 'feed')}
      <span class="vh">: {words}</span>
    </a>
  );
}

interface WithKindOptions {
  kind: FindingKind;
  query: FeedsQuery;
  /** The path of the page. */
  path: string;
}

/** Feeds with findings of one kind are shown: which kind, and the way back. */
export function WithKind({ kind, query, path }: WithKindOptions): Markup {
  return (
    <section class="part">
      <h2>Feeds with one kind of finding</h2>
      <p>
        <KindWords kind={kind} />
      </p>
      <p>
        <a href={address(path, { ...query, found: undefined })}>All feeds</a>
      </p>
    </section>
  );
}

/** What to change, and an example where it differs from one to the next. */
function KindWords({ kind: { words, example } }: { kind: FindingKind }): Markup {
  return (
    <>
      {words}
      {example === undefined ? null : (
        <>
          {' '}
          <small>
            For example: <bdi>{example}</bdi>
          </small>
        </>
      )}
    </>
  );
}
