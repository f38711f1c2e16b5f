import { Hero, SearchForm } from './band.tsx';
import { pageResponse } from './document.tsx';
import type { Markup, Piece } from './markup.tsx';
import type { Site } from './site.ts';

/** A page that only says something: not found, gone, failed. */

interface Notice {
  title: string;
  /** Paragraphs. */
  says: readonly Piece[];
  status: number;
  /** Other places to go, below the text. */
  more?: Piece;
}

export function noticeResponse({ title, says, status, more }: Notice, site: Site): Promise<Response> {
  const { path } = site.links;
  const hero = (
    <Hero slim>
      <SearchForm site={site} />
    </Hero>
  );
  const body = (
    <div class="notice">
      <h1>{title}</h1>
      {says.map((paragraph) => (
        <p>{paragraph}</p>
      ))}
      {more}
      <ul class="chips">
        <Way href={path('/search')}>What’s on today</Way>
        <Way href={path('/search?kind=places')}>Places</Way>
      </ul>
    </div>
  );
  return pageResponse({ title, hero, body, publishers: [], status, style: ['notice'] }, site);
}

function Way({ href, children }: { href: string; children?: Piece }): Markup {
  return (
    <li>
      <a class="chip" href={href}>
        {children}
      </a>
    </li>
  );
}

export function notFound(site: Site): Promise<Response> {
  const says = ['It may have moved, or the address was cut off. Search above, or see what is on.'];
  return noticeResponse({ title: 'This page is not here', says, status: 404 }, site);
}

/** `when`: the day on which its calendar ended, in words. */
export function ended(site: Site, when?: string, more?: Piece): Promise<Response> {
  const title = when === undefined ? 'This calendar has ended' : `This calendar ended on ${when}`;
  const says = ['The publisher has withdrawn it. Calendars that subscribed to it show nothing of it any more.'];
  return noticeResponse({ title, says, status: 410, more }, site);
}

/** For a fault of ours. It says nothing of the cause: that is in the log, under the number. */
export function failed(site: Site, status: 500 | 503, number: string): Promise<Response> {
  const says = [
    'The page could not be made. Try again in a few minutes.',
    <>
      If it stays, tell the operator this number: <code>{number}</code>
    </>,
  ];
  return noticeResponse({ title: 'Something broke on our side', says, status }, site);
}
