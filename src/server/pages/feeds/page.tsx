import {
  agoWords,
  counted,
  distinctPublishers,
  dueWords,
  type FeedHealth,
  type FindingKind,
  grouped,
  heldBackWords,
  type Publisher,
  stateWords,
} from '../../../library/index.ts';
import { utcText } from '../../../time/instant.ts';
import type { Page } from '../frame/document.tsx';
import type { Markup } from '../frame/markup.tsx';
import type { Site } from '../frame/site.ts';
import { ChoiceChip, NameLink } from '../parts.tsx';
import {
  address,
  byPublisher,
  DOTS,
  type FeedGroup,
  type FeedsQuery,
  GROUP_LABELS,
  GROUPS,
  groupOf,
  inTrouble,
  matching,
  type PublisherFeeds,
  sumWords,
} from './groups.ts';
import { Kinds, WithKind } from './kinds.tsx';

/** `/feeds`: the publishers of the data, and the state of each feed; hundreds of feeds on a screen or two. */

/** The lifetime of the page in caches, in seconds: "3 min ago" stays near enough. */
export const FRESH = 30;
const TITLE = 'Where the data comes from';
const TROUBLES = 'Needs a look';
/** The most feeds in trouble that are shown at once. */
const MOST_TROUBLES = 20;
/** The most publishers in the footer, as the page itself names all. */
const MOST_IN_FOOTER = 5;
/** The most dots of one publisher. */
const MOST_DOTS = 16;

interface FeedsView extends Omit<Part, 'path'> {
  kinds: readonly FindingKind[];
}

/** The page of all feeds, or of those that the query chooses. */
export function feedsPage(view: FeedsView): Page {
  const { feeds, kinds, query, now, site } = view;
  const path = '/feeds';
  const kind = kinds.find(({ code }) => code === query.found);
  const named = matching(feeds, query, kind);
  const shown = query.state === undefined ? named : named.filter((feed) => groupOf(feed) === query.state);
  const items = feeds.reduce((sum, feed) => sum + feed.items, 0);
  const publishers = publishersOf(feeds).slice(0, MOST_IN_FOOTER);
  const lead = `${counted(feeds.length, 'feed')} of ${counted(byPublisher(feeds).length, 'publisher')}, ${counted(items, 'item')}.`;
  const body = (
    <>
      <h1>{TITLE}</h1>
      <p class="lead soft">{lead} Trouble with one does not touch the others.</p>
      <States feeds={named} query={query} path={site.links.path(path)} />
      {kind === undefined ? null : <WithKind kind={kind} query={query} path={site.links.path(path)} />}
      <Troubles feeds={inTrouble(shown)} query={query} now={now} site={site} path={site.links.path(path)} />
      {kind === undefined ? <Kinds kinds={kinds} site={site} /> : null}
      <Publishers feeds={shown} query={query} now={now} site={site} path={site.links.path(path)} />
    </>
  );
  const description = `State of the ${counted(feeds.length, 'open-data feed')} that are read here. ${lead}`;
  return { title: TITLE, description, path, body, publishers, freshFor: FRESH, style: ['tables', 'feeds'] };
}

/** The publishers of feeds, each once. */
export function publishersOf(feeds: readonly FeedHealth[]): Publisher[] {
  return distinctPublishers(feeds.flatMap(({ publisher }) => publisher ?? []));
}

/** The dot in the colour of a group. */
export function Dot({ group }: { group: FeedGroup }): Markup {
  return <i class={`dot ${DOTS[group]}`.trim()} />;
}

interface Part {
  feeds: readonly FeedHealth[];
  query: FeedsQuery;
  now: number;
  site: Site;
  path: string;
}

/** The groups as chips, each with the number of its feeds. */
export function States({ feeds, query, path }: Omit<Part, 'now' | 'site'>): Markup {
  const counts = Map.groupBy(feeds, groupOf);
  const shown = GROUPS.filter((group) => counts.has(group) || group === query.state);
  return (
    <ul class="chips" aria-label="Feeds by state">
      <State
        href={address(path, { ...query, state: undefined })}
        isOn={query.state === undefined}
        count={feeds.length}
      />
      {shown.map((group) => (
        <State
          href={address(path, { ...query, state: group })}
          isOn={query.state === group}
          group={group}
          count={counts.get(group)?.length ?? 0}
        />
      ))}
    </ul>
  );
}

function State({
  href,
  isOn,
  group,
  count,
}: {
  href: string;
  isOn: boolean;
  group?: FeedGroup;
  count: number;
}): Markup {
  return (
    <li>
      <ChoiceChip href={href} isOn={isOn}>
        {group === undefined ? 'All' : [<Dot group={group} />, GROUP_LABELS[group]]} <small>{grouped(count)}</small>
      </ChoiceChip>
    </li>
  );
}

function Troubles({ feeds, query, now, site, path }: Part): Markup | null {
  if (feeds.length === 0) return null;
  const rest = feeds.length - MOST_TROUBLES;
  return (
    <section class="part">
      <div class="head">
        <h2>{TROUBLES}</h2>
      </div>
      <ul class="card trouble">
        {feeds.slice(0, MOST_TROUBLES).map((feed) => (
          <Trouble feed={feed} now={now} site={site} />
        ))}
      </ul>
      {rest <= 0 ? null : query.state === undefined ? (
        <p>
          <a href={address(path, { ...query, state: groupOf(feeds[MOST_TROUBLES] as FeedHealth) })}>
            {grouped(rest)} more
          </a>
        </p>
      ) : (
        <p class="soft">{grouped(rest)} more are below.</p>
      )}
    </section>
  );
}

function Trouble({ feed, now, site }: { feed: FeedHealth; now: number; site: Site }): Markup {
  return (
    <li>
      <h3>
        <NameLink href={site.links.path(`/feeds/${feed.id}`)} name={feed.name} />
      </h3>
      <div>
        <Standing feed={feed} />
        {feed.lastError !== undefined ? (
          <p class="soft">
            <bdi>{feed.lastError}</bdi>
          </p>
        ) : null}
      </div>
      <p class="soft">
        {counted(feed.items, 'item')}
        {feed.lastSuccess === undefined ? ' so far' : [', read ', <Moment at={feed.lastSuccess} now={now} />]}
        {feed.nextVisit === undefined
          ? null
          : [<br />, 'Next visit ', <Moment at={feed.nextVisit} now={now} words={dueWords} />]}
      </p>
    </li>
  );
}

/** The state of a feed, and the deletions that are held. */
export function Standing({ feed }: { feed: FeedHealth }): Markup {
  const heldBack = heldBackWords(feed);
  return (
    <>
      <p>
        <Dot group={groupOf(feed)} /> <b>{stateWords(feed)}</b>
      </p>
      {heldBack === undefined ? null : <p class="soft">{heldBack}</p>}
    </>
  );
}

type Words = (at: number | undefined, now: number) => string;

/** A moment relative to `now`, in a `<time>`: `3 min ago`. */
export function Moment({ at, now, words = agoWords }: { at: number | undefined; now: number; words?: Words }): Markup {
  const text = words(at, now);
  return at === undefined ? <span>{text}</span> : <time datetime={utcText(at)}>{text}</time>;
}

/** The form that filters feeds by name; it keeps the chosen state and kind of finding. */
export function NameFilter({ query, path }: Pick<Part, 'query' | 'path'>): Markup {
  return (
    <form class="mini" action={path}>
      {query.state === undefined ? null : <input type="hidden" name="state" value={query.state} />}
      {query.found === undefined ? null : <input type="hidden" name="found" value={query.found} />}
      <label class="vh" for="fq">
        Filter by name
      </label>
      <input id="fq" name="q" type="search" placeholder="Filter by name" value={query.q} />
      <button class="btn line" type="submit">
        Filter
      </button>
    </form>
  );
}

function Publishers({ feeds, query, now, site, path }: Part): Markup {
  return (
    <section class="part">
      <div class="head">
        <h2>Publishers</h2>
        <NameFilter query={query} path={path} />
      </div>
      {feeds.length === 0 ? <p>No feed is like that.</p> : null}
      <ul class="pubs">
        {byPublisher(feeds).map((publisher) => (
          <PublisherLine publisher={publisher} now={now} site={site} />
        ))}
      </ul>
    </section>
  );
}

function PublisherLine({ publisher, now, site }: { publisher: PublisherFeeds; now: number; site: Site }): Markup {
  const { name, feeds } = publisher;
  return (
    <li>
      <details>
        <summary>
          <span class="dots" aria-hidden="true">
            {feeds.slice(0, MOST_DOTS).map((feed) => (
              <i class={DOTS[groupOf(feed)] || undefined} />
            ))}
          </span>
          <bdi>{name}</bdi>
          <span class="soft num">{sumWords(feeds)}</span>
        </summary>
        {feeds.map((feed) => (
          <p>
            <NameLink href={site.links.path(`/feeds/${feed.id}`)} name={feed.name} /> {counted(feed.items, 'item')} ·{' '}
            {agoWords(feed.lastSuccess, now)}
          </p>
        ))}
      </details>
    </li>
  );
}
