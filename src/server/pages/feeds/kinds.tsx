import { counted, type FindingKind, grouped } from '../../../library/index.ts';
import type { Markup, Piece } from '../frame/markup.tsx';
import type { Site } from '../frame/site.ts';
import { ColumnHeads } from '../parts.tsx';
import { address, type FeedsQuery } from './groups.ts';

/** Findings by kind, and the feeds that have them. */

/** Kinds that are seen at once; the others are in a `<details>`. */
const FIRST_KINDS = 3;

/** The findings of all feeds by kind, each with a link to the feeds that have it. */
export function Kinds({ kinds, site }: { kinds: readonly FindingKind[]; site: Site }): Markup | null {
  if (kinds.length === 0) return null;
  const rest = kinds.slice(FIRST_KINDS);
  const table = {
    caption: 'Findings by kind, with the feeds that have them',
    columns: [TIMES, { head: 'Feeds', cell: (kind: FindingKind) => <KindFeeds kind={kind} site={site} /> }],
  };
  return (
    <section class="part">
      <div class="head">
        <h2>Findings by kind</h2>
      </div>
      <KindTable {...table} kinds={kinds.slice(0, FIRST_KINDS)} />
      {rest.length === 0 ? null : (
        <details>
          <summary class="more">{counted(rest.length, 'more kind')}</summary>
          <KindTable {...table} kinds={rest} />
        </details>
      )}
    </section>
  );
}

interface Column {
  head: string;
  cell(kind: FindingKind): Piece;
}

const TIMES: Column = { head: 'Times', cell: ({ count, isMore }) => grouped(count) + (isMore ? ' or more' : '') };
const CODE: Column = { head: 'Code', cell: ({ code }) => <code>{code}</code> };

interface KindTableOptions {
  kinds: readonly FindingKind[];
  caption: string;
  /** The columns behind the first, `What publishers could mend`. */
  columns: readonly Column[];
}

function KindTable({ kinds, caption, columns }: KindTableOptions): Markup {
  return (
    <table class="kinds">
      <caption class="vh">{caption}</caption>
      <ColumnHeads names={['What publishers could mend', ...columns.map(({ head }) => head)]} />
      <tbody>
        {kinds.map((kind) => (
          <tr>
            <th scope="row">
              <KindWords kind={kind} />
            </th>
            {columns.map(({ cell }) => (
              <td>{cell(kind)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Findings of one feed, by code. */
export function KindsOfFeed({ kinds }: { kinds: readonly FindingKind[] }): Markup | null {
  if (kinds.length === 0) return null;
  return <KindTable kinds={kinds} caption="Findings of this feed, by code" columns={[CODE, TIMES]} />;
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

/** The kind of finding by which the feeds of the page were chosen, and a link to all feeds. */
export function WithKind({ kind, query, path }: { kind: FindingKind; query: FeedsQuery; path: string }): Markup {
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

/** What a publisher could change, with an example where the kind has one. */
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
