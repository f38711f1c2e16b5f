import { agoWords, counted, dueWords, type FeedHealth, grouped, stateWords } from '../../../library/index.ts';
import { isTroubled } from '../../../store/index.ts';
import type { Markup, Piece } from '../frame/markup.tsx';
import { adminPage } from '../frame/plain.tsx';
import { ColumnHeads, NameLink } from '../parts.tsx';
import { Facts } from './feed.tsx';
import { byPublisher, type FeedsQuery, groupOf, inTrouble, matching } from './groups.ts';
import { Dot, NameFilter, Standing, States } from './page.tsx';

/** `/admin`: feeds with addresses and errors in full, and the actions of an operator on each. No page has a script. */

/** The actions on a feed; a form posts to `/admin/feeds/{id}/{action}`. */
export const FEED_ACTIONS = ['retry', 'confirm', 'pause', 'resume', 'forget'] as const;
export type FeedAction = (typeof FEED_ACTIONS)[number];

interface AdminView {
  feeds: readonly FeedHealth[];
  query: FeedsQuery;
  now: number;
  /** The token that each form carries against forged requests; undefined in a process that only reads. */
  formToken: string | undefined;
}

const LABELS: Readonly<Record<FeedAction, string>> = {
  retry: 'Retry now',
  confirm: 'Confirm deletions',
  pause: 'Pause',
  resume: 'Resume',
  forget: 'Forget…',
};

/** The most feeds in trouble that are shown with their actions. */
const MOST_TROUBLES = 100;

/** `/admin`: all feeds, those in trouble first. */
export function adminFeedsPage(view: AdminView): Promise<string> {
  const { feeds, query, now, formToken } = view;
  const named = matching(feeds, query);
  const shown = query.state === undefined ? named : named.filter((feed) => groupOf(feed) === query.state);
  const troubles = inTrouble(shown);
  const items = feeds.reduce((sum, feed) => sum + feed.items, 0);
  const publishers = counted(byPublisher(feeds).length, 'publisher');
  return adminPage(
    'Feeds',
    <>
      <h1>Feeds</h1>
      <p class="lead soft">
        {counted(feeds.length, 'feed')} of {publishers}, {counted(items, 'item')}.
      </p>
      <ReadOnly formToken={formToken} />
      <States feeds={named} query={query} path="/admin" />
      {troubles.length === 0 ? null : (
        <section class="part">
          <h2>In trouble</h2>
          <ul class="card trouble">
            {troubles.slice(0, MOST_TROUBLES).map((feed) => (
              <li>
                <h3>
                  <NameLink href={addressOf(feed)} name={feed.name} />
                </h3>
                <p class="soft">
                  <bdi>{feed.address}</bdi>
                </p>
                <Standing feed={feed} />
                <LastError feed={feed} now={now} />
                <Actions feed={feed} formToken={formToken} />
              </li>
            ))}
          </ul>
          {troubles.length > MOST_TROUBLES ? <p class="soft">The others are in the table below.</p> : null}
        </section>
      )}
      <section class="part">
        <div class="head">
          <h2>All</h2>
          <NameFilter query={query} path="/admin" />
        </div>
        <FeedTable feeds={shown} now={now} />
      </section>
    </>,
  );
}

/** `/admin/feeds/{id}`: one feed. */
export function adminFeedPage(
  feed: FeedHealth,
  { now, formToken }: Omit<AdminView, 'feeds' | 'query'>,
): Promise<string> {
  return adminPage(
    `Feed: ${feed.name}`,
    <>
      <AllFeeds />
      <h1>
        <bdi>{feed.name}</bdi>
      </h1>
      <ReadOnly formToken={formToken} />
      <div class="card part stack">
        <div>
          <Standing feed={feed} />
        </div>
        <Facts feed={feed} now={now} />
        <Actions feed={feed} formToken={formToken} />
      </div>
    </>,
  );
}

/** `/admin/feeds/{id}/forget`: asks for confirmation before a feed is forgotten for good. */
export function adminForgetPage(feed: FeedHealth, formToken: string): Promise<string> {
  return adminPage(
    `Forget ${feed.name}?`,
    <>
      <AllFeeds />
      <h1>
        Forget <bdi>{feed.name}</bdi>?
      </h1>
      <div class="stack part">
        <p>
          <bdi>{feed.address}</bdi>
        </p>
        <p>
          {counted(feed.items, 'item')} and all that was made of them go, as if the feed had never been. Calendars of it
          alone are cancelled, and served for 90 days more. This cannot be taken back.
        </p>
        <p>Take the feed out of the settings too: the next start that names it reads it anew.</p>
        <div class="acts">
          <ActionForm feed={feed} action="forget" formToken={formToken}>
            Forget it
          </ActionForm>
          <a class="btn line" href={addressOf(feed)}>
            Keep it
          </a>
        </div>
      </div>
    </>,
  );
}

/** The answer to a form that was refused, or that failed. */
export function adminProblemPage(title: string, detail: string): Promise<string> {
  return adminPage(
    title,
    <>
      <AllFeeds />
      <h1>{title}</h1>
      <p class="bad note">{detail}</p>
    </>,
  );
}

const addressOf = ({ id }: FeedHealth, action?: FeedAction) =>
  `/admin/feeds/${id}${action === undefined ? '' : `/${action}`}`;

function AllFeeds(): Markup {
  return (
    <p>
      <a href="/admin">All feeds</a>
    </p>
  );
}

function LastError({ feed, now }: { feed: FeedHealth; now: number }): Markup | null {
  const { lastError, lastErrorAt, nextVisit } = feed;
  if (lastError === undefined) return null;
  return (
    <p>
      <bdi>{lastError}</bdi>{' '}
      <span class="soft">
        ({agoWords(lastErrorAt, now)}; next visit: {dueWords(nextVisit, now)})
      </span>
    </p>
  );
}

function ReadOnly({ formToken }: Pick<AdminView, 'formToken'>): Markup | null {
  if (formToken !== undefined) return null;
  return (
    <p class="soft">
      This process only reads the store: feeds are retried, paused and forgotten where they are harvested.
    </p>
  );
}

/** The actions that change something about a feed in its state. */
export function actionsFor(feed: FeedHealth): FeedAction[] {
  const { state, held } = feed;
  return [
    ...(isTroubled(feed) ? (['retry'] as const) : []),
    ...(held === undefined ? [] : (['confirm'] as const)),
    ...(state === 'paused' ? (['resume'] as const) : state === 'retired' ? [] : (['pause'] as const)),
    'forget',
  ];
}

function Actions({ feed, formToken }: { feed: FeedHealth; formToken: string | undefined }): Markup | null {
  if (formToken === undefined) return null;
  return (
    <div class="acts">
      {actionsFor(feed).map((action) =>
        action === 'forget' ? (
          <a class="btn line" href={addressOf(feed, action)}>
            {LABELS[action]}
          </a>
        ) : (
          <ActionForm feed={feed} action={action} formToken={formToken}>
            {LABELS[action]}
          </ActionForm>
        ),
      )}
    </div>
  );
}

interface FormOf {
  feed: FeedHealth;
  action: FeedAction;
  formToken: string;
  children?: Piece;
}

function ActionForm({ feed, action, formToken, children }: FormOf): Markup {
  return (
    <form method="post" action={addressOf(feed, action)}>
      <input type="hidden" name="token" value={formToken} />
      <button class="btn" type="submit">
        {children}
        <span class="vh">: {feed.name}</span>
      </button>
    </form>
  );
}

function FeedTable({ feeds, now }: { feeds: readonly FeedHealth[]; now: number }): Markup {
  if (feeds.length === 0) return <p>No feed is like that.</p>;
  return (
    <table class="all">
      <caption class="vh">Feeds, with state, items and times</caption>
      <ColumnHeads names={['Feed', 'State', 'Items', 'Read to its end', 'Next visit']} />
      <tbody>
        {feeds.map((feed) => (
          <tr>
            <th scope="row">
              <NameLink href={addressOf(feed)} name={feed.name} />
            </th>
            <td>
              <Dot group={groupOf(feed)} /> {stateWords(feed)}
            </td>
            <td>{grouped(feed.items)}</td>
            <td>{agoWords(feed.lastSuccess, now)}</td>
            <td>{dueWords(feed.nextVisit, now)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
