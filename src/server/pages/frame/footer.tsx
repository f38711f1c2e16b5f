import { licenseName } from '../../../calendar/wording/attribution.ts';
import type { Publisher } from '../../../library/index.ts';
import { safeLink } from '../../links.ts';
import { linked, type Markup, type Piece, separated } from './markup.tsx';
import type { Site } from './site.ts';

/** Publishers that are seen at once; the others are in a `<details>`, as the licence asks that all are named. */
const NAMED = 5;
/** OpenActive, whose vocabularies come with the program; their licence asks for this address and for its own. */
const OPENACTIVE = 'https://openactive.io/';
const CC_BY = 'https://creativecommons.org/licenses/by/4.0/';

/** The footer: publishers of the page's data, with their licences, and links. */
export function Footer({ site, publishers }: { site: Site; publishers: readonly Publisher[] }): Markup {
  const { links, brand } = site;
  return (
    <footer class="wrap">
      <Attribution publishers={publishers} />
      <ul>
        <FooterLink href={links.path('/search')}>What’s on</FooterLink>
        <FooterLink href={links.path('/search?kind=places')}>Places</FooterLink>
        <FooterLink href={links.path('/feeds')}>Where the data comes from</FooterLink>
        <FooterLink href={links.path('/api')}>For developers</FooterLink>
        <FooterLink href={safeLink(brand.imprint)}>Imprint</FooterLink>
        <FooterLink href={safeLink(brand.privacy)}>Privacy</FooterLink>
      </ul>
      <p>
        <small>No cookies, no tracking. Made with openactive-ical.</small>
      </p>
    </footer>
  );
}

function FooterLink({ href, children }: { href: string | undefined; children?: Piece }): Markup | null {
  if (href === undefined) return null;
  return (
    <li>
      <a href={href}>{children}</a>
    </li>
  );
}

function Attribution({ publishers }: { publishers: readonly Publisher[] }): Markup {
  const licences = new Set(publishers.map(({ license }) => safeLink(license)));
  const [common] = licences.size === 1 ? licences : [];
  // The publisher of a folder of pages may have neither name nor address.
  const known = publishers.filter(({ name }) => name !== '');
  const [first, rest] = [known.slice(0, NAMED), known.slice(NAMED)];
  const named = (some: readonly Publisher[]) =>
    separated(some, ', ', (one) => <Named publisher={one} withLicence={common === undefined} />);
  return (
    <>
      <p>
        {publishers.length > 0 ? (
          <>
            Times and places come from open data{first.length > 0 ? <>: {named(first)}</> : null}
            {common === undefined ? null : (
              <>
                {first.length > 1 ? ', each' : first.length > 0 ? ',' : null} under <Licence address={common} />
              </>
            )}
            .{' '}
          </>
        ) : null}
        Activity names: <a href={OPENACTIVE}>OpenActive</a>, <a href={CC_BY}>CC BY 4.0</a>.
        {publishers.length > 0 ? ' Ask the organiser before you travel far.' : null}
      </p>
      {rest.length > 0 ? (
        <details>
          <summary>and {rest.length} more</summary>
          <p>{named(rest)}</p>
        </details>
      ) : null}
    </>
  );
}

function Named({ publisher, withLicence }: { publisher: Publisher; withLicence: boolean }): Markup {
  const licence = safeLink(publisher.license);
  return (
    <>
      {linked(publisher.name, publisher.url)}
      {withLicence && licence !== undefined ? [' (', <Licence address={licence} />, ')'] : null}
    </>
  );
}

function Licence({ address }: { address: string }): Markup {
  return (
    <a href={address} rel="license">
      {licenseName(address)}
    </a>
  );
}
