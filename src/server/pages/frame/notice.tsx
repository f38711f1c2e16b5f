import type { Collection, Library } from '../../../library/index.ts';
import { safeLink } from '../../links.ts';
import { Hero, SearchForm } from './band.tsx';
import { pageResponse } from './document.tsx';
import type { Markup, Piece } from './markup.tsx';
import type { Site } from './site.ts';

/** Notices: pages of a few sentences for what was not found, was withdrawn, or failed. */

interface Notice {
  title: string;
  /** Paragraphs. */
  says: readonly Piece[];
  status: number;
  /** Links in front of the usual ones. */
  more?: Piece;
  /** Whether the same address may answer later. */
  isPassing?: true;
  /** The form that the request sent, to be sent again. */
  sent?: SentForm | undefined;
}

/** The fields of a form that was sent: names and values, as they came. */
export type SentForm = readonly (readonly [name: string, value: string])[];

/** A notice as a response. */
export function noticeResponse({ title, says, status, more, isPassing, sent }: Notice, site: Site): Promise<Response> {
  const { path } = site.links;
  const hero = (
    <Hero slim>
      <SearchForm site={site} />
    </Hero>
  );
  const body = (
    <div class="notice">
      <h1 dir="auto">{title}</h1>
      {says.map((paragraph) => (
        <p>{paragraph}</p>
      ))}
      {sent && <SendAgain sent={sent} />}
      <ul class="chips">
        {isPassing && !sent ? (
          <Way href="" isMain>
            Try again
          </Way>
        ) : null}
        {more}
        <Way href={path('/search')}>What’s on today</Way>
        <Way href={path('/search?kind=places')}>Places</Way>
      </ul>
    </div>
  );
  return pageResponse({ title, hero, body, publishers: [], status, style: ['notice'] }, site);
}

/** Labels of the fields that people type, which a form shows before it is sent again. */
const TYPED: Readonly<Record<string, string>> = { name: 'Name of the calendar', calendar: 'Address of the calendar' };
/** The most fields that are written back; no form of this site has more. */
const MOST_FIELDS = 1000;

/** The form as it was sent, to the address of the request. */
function SendAgain({ sent }: { sent: SentForm }): Markup {
  return (
    <form class="stack" method="post">
      {sent.slice(0, MOST_FIELDS).map(([name, value]) =>
        TYPED[name] === undefined || value === '' ? (
          <input type="hidden" name={name} value={value} />
        ) : (
          <p>
            <label for={`sent-${name}`}>{TYPED[name]}</label>
            <input id={`sent-${name}`} name={name} value={value} autocomplete="off" />
          </p>
        ),
      )}
      <button class="btn" type="submit">
        Try again
      </button>
    </form>
  );
}

/** `href`: empty for the page itself. */
function Way({ href, isMain, children }: { href: string; isMain?: boolean; children?: Piece }): Markup {
  return (
    <li>
      <a class={isMain ? 'chip fill' : 'chip'} href={href}>
        <bdi>{children}</bdi>
      </a>
    </li>
  );
}

/** The notice of an address that nothing has: 404. */
export function notFound(site: Site): Promise<Response> {
  const says = ['It may have moved, or the address was cut off. Search above, or see what is on.'];
  return noticeResponse({ title: 'This page is not here', says, status: 404 }, site);
}

/**
 * The notice of a withdrawn series or venue: 410, with its name, its publisher and, while its calendar is served, its place.
 */
export async function withdrawnResponse(
  kind: Collection,
  key: string,
  library: Library,
  site: Site,
): Promise<Response> {
  const { name: named = '', publisher } = (await library.changeFeed(kind, key, 1)) ?? {};
  const last = kind === 'series' ? await library.calendar(key) : undefined;
  const place = last?.calendar.events.find(({ location }) => location !== undefined)?.location?.title;
  // The name of a calendar ends with the name of its place.
  const name = place === undefined ? named : named.replace(`, ${place}`, '');
  const url = safeLink(publisher?.url);
  const { path } = site.links;
  const more = (
    <>
      {name ? <Way href={path(`/search?q=${nameInAddress(name)}`)}>More like it</Way> : null}
      {place ? <Way href={path(`/search?kind=places&q=${nameInAddress(place)}`)}>{place}</Way> : null}
      {url === undefined ? null : <Way href={url}>{publisher?.name || 'The publisher'}</Way>}
    </>
  );
  const title = name ? `${name} has ended` : 'This calendar has ended';
  const says = [
    'The publisher has withdrawn it, and no new dates will come.',
    'If it is in your calendar, you can unsubscribe there.',
  ];
  return noticeResponse({ title, says, status: 410, more }, site);
}

/** The most characters of a name in a link to a search. */
const MOST_SEARCHED = 100;

const nameInAddress = (name: string): string => encodeURIComponent(name.slice(0, MOST_SEARCHED).toWellFormed());

interface Failure {
  status: 500 | 503;
  /** The number under which the log has the cause. */
  number: string;
  /** When to try again. */
  words: string;
  sent?: SentForm | undefined;
}

/** The notice of an internal error. The log has the cause, under the number. */
export function failureResponse(site: Site, { status, number, words, sent }: Failure): Promise<Response> {
  const says = [
    `The page could not be made. ${words}`,
    <>
      If it stays, tell the operator this number: <code>{number}</code>
    </>,
  ];
  return noticeResponse({ title: 'Something broke on our side', says, status, isPassing: true, sent }, site);
}
