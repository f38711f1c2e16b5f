import { licenseName } from '../../../calendar/wording/attribution.ts';
import {
  counted,
  dueWords,
  type FeedFindings,
  type FeedHealth,
  type FindingKind,
  grouped,
} from '../../../library/index.ts';
import type { Finding } from '../../../opportunity/findings.ts';
import { safeLink } from '../../links.ts';
import type { Page } from '../frame/document.tsx';
import { linked, type Markup, type Piece } from '../frame/markup.tsx';
import type { Site } from '../frame/site.ts';
import { KindsOfFeed } from './kinds.tsx';
import { FRESH, Moment, publishersOf, Standing } from './page.tsx';

/** `/feeds/{id}`: one feed, and the findings of its data. */

/** The page of a feed. `kinds`: its findings by code. */
export function feedPage(
  { feed, findings, next, kinds }: FeedFindings & { kinds: readonly FindingKind[] },
  now: number,
  site: Site,
): Page {
  const { path } = site.links;
  const body = (
    <>
      <p>
        <a href={path('/feeds')}>All feeds</a>
      </p>
      <h1>
        <bdi>{feed.name}</bdi>
      </h1>
      <div class="card part stack">
        <div>
          <Standing feed={feed} />
        </div>
        <Facts feed={feed} now={now} />
      </div>
      <section class="part">
        <div class="head">
          <h2>Findings</h2>
          <span class="soft">{counted(feed.findings, 'finding')}</span>
        </div>
        {findings.length === 0 ? <p>There are none.</p> : null}
        <KindsOfFeed kinds={kinds} />
        <ul class="found">
          {findings.map((one) => (
            <FindingLine finding={one} />
          ))}
        </ul>
        {next === undefined ? null : (
          <p>
            <a class="btn line" href={path(`/feeds/${feed.id}?after=${next}`)} rel="next">
              More findings
            </a>
          </p>
        )}
      </section>
    </>
  );
  const title = `Feed: ${feed.name}`;
  return { title, body, publishers: publishersOf([feed]), freshFor: FRESH, style: ['tables', 'feeds'] };
}

/** The state of a feed as terms and values: counts, times, last error. */
export function Facts({ feed, now }: { feed: FeedHealth; now: number }): Markup {
  return (
    <dl class="feed-facts">
      {factsOf(feed, now).map(([term, fact]) =>
        fact === undefined || fact === null ? null : (
          <div>
            <dt>{term}</dt>
            <dd>{fact}</dd>
          </div>
        ),
      )}
    </dl>
  );
}

function factsOf(feed: FeedHealth, now: number): readonly (readonly [term: string, fact: Piece])[] {
  const { publisher, license, resync, lastError, lastErrorAt } = feed;
  const licence = safeLink(publisher?.license ?? license);
  return [
    ['Address', linked(feed.address, feed.address)],
    ['Publisher', publisher && linked(publisher.name, publisher.url)],
    [
      'Licence',
      licence && (
        <a href={licence} rel="license">
          {licenseName(licence)}
        </a>
      ),
    ],
    [
      'Items',
      grouped(feed.items) + (feed.deleted > 0 ? `, and ${grouped(feed.deleted)} deleted ones that are remembered` : ''),
    ],
    ['Pages', `${grouped(feed.pages)} taken in, with ${counted(feed.taken, 'item')}`],
    ['Last asked', <Moment at={feed.lastAttempt} now={now} />],
    ['Last read to its end', <Moment at={feed.lastSuccess} now={now} />],
    ['Last change', <Moment at={feed.lastChange} now={now} />],
    ['Next visit', <Moment at={feed.nextVisit} now={now} words={dueWords} />],
    [
      'Read from the start',
      resync && ['since ', <Moment at={resync.since} now={now} />, ': ', <bdi>{resync.reason}</bdi>],
    ],
    ['Last error', lastError && [<bdi>{lastError}</bdi>, ' (', <Moment at={lastErrorAt} now={now} />, ')']],
    [
      'Failures',
      feed.totalFailures > 0 ? `${grouped(feed.failures)} in a row, ${grouped(feed.totalFailures)} in all` : 'None',
    ],
  ];
}

const FLAGS: Readonly<Record<Finding['severity'], string>> = { error: 'flag bad', warning: 'flag new', info: 'flag' };

function FindingLine({ finding }: { finding: Finding }): Markup {
  const { severity, message, code, item, path, rule } = finding;
  return (
    <li>
      <p>
        <strong class={FLAGS[severity]}>{severity}</strong> {message}
      </p>
      <p class="soft">
        <bdi>{item}</bdi>: <code>{code}</code> at <code>{path}</code> ({rule})
      </p>
    </li>
  );
}
