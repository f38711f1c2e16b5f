import { raw } from 'hono/html';
import { Emblem, Icon } from './icons.tsx';
import type { Markup, Piece } from './markup.tsx';
import type { Site } from './site.ts';

/** The header of a page, and the band with the search form. */

/** The links of the header. */
export type Section = 'search' | 'places' | 'my';

/** The header: the operator's name and logo, links, and the number of entries on the person's list. */
export function Header({ site, current }: { site: Site; current?: Section | undefined }): Markup {
  const { path } = site.links;
  return (
    <header class="band">
      <div class="top wrap">
        <a class="brand" href={path('/')}>
          <Logo site={site} />
          <bdi>{site.name}</bdi>
        </a>
        <nav aria-label="Main">
          <ul class="nav">
            <li class="wide">
              <a href={path('/search')} aria-current={current === 'search' ? 'page' : undefined}>
                What’s on
              </a>
            </li>
            <li class="wide">
              <a href={path('/search?kind=places')} aria-current={current === 'places' ? 'page' : undefined}>
                Places
              </a>
            </li>
            <li>
              <a href={path('/my')} aria-current={current === 'my' ? 'page' : undefined}>
                <Icon name="cal" />
                My list <span class="pill" data-n="" hidden />
              </a>
            </li>
          </ul>
        </nav>
      </div>
    </header>
  );
}

function Logo({ site }: { site: Site }): Markup {
  const { logo } = site.brand;
  if (logo === undefined) return <Emblem hero={site.theme.light.hero} />;
  return <img src={site.links.path(logo.path)} width={logo.width} height={logo.height} alt="" />;
}

/** The band below the header, which holds the search form. `slim`: in one line, on results. */
export function Hero({ slim = false, children }: { slim?: boolean; children?: Piece }): Markup {
  return (
    <div class={slim ? 'band hero slim' : 'band hero'}>
      <svg class="court" viewBox="0 0 960 360" preserveAspectRatio="xMaxYMid slice" aria-hidden="true">
        {raw(COURT)}
      </svg>
      <div class="wrap">{children}</div>
    </div>
  );
}

const COURT =
  '<g transform="rotate(-14 700 200)"><path d="M360 -60h800v520H360zM760 -60v520M360 60h190v280H360M1160 60H970v280h190"/><circle cx="760" cy="200" r="86"/><path d="M550 140a72 72 0 0 1 0 120"/></g>';

interface SearchWords {
  q?: string | undefined;
  /** The position as the person wrote it. */
  near?: string | undefined;
  wrongNear?: Piece;
  /** Hidden fields of the form. */
  hidden?: readonly (readonly [name: string, value: string])[];
}

/** The list that the address carries (`my/carried.ts`), as a hidden field. */
export function CarriedField({ site: { carried } }: { site: Site }): Markup | null {
  return carried === undefined ? null : <input type="hidden" name="list" value={carried} />;
}

/** The search form, with two fields: `q` and `near`. */
export function SearchForm({ site, words = {} }: { site: Site; words?: SearchWords }): Markup {
  const { q, near, wrongNear, hidden = [] } = words;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a form may be the landmark itself, and older readers know no <search>.
    <form class="find" action={site.links.path('/search')} role="search">
      <div>
        <label for="q">What</label>
        <input
          id="q"
          name="q"
          type="search"
          value={q ?? ''}
          maxlength={200}
          placeholder="Yoga, swimming, football…"
          autocomplete="off"
        />
      </div>
      <div class="in">
        <label for="near">Where</label>
        <input
          id="near"
          name="near"
          value={near ?? ''}
          maxlength={100}
          placeholder="Town or postcode"
          autocomplete="postal-code"
          {...(wrongNear ? { 'aria-invalid': 'true', 'aria-describedby': 'near-wrong' } : {})}
        />
        <button class="go" type="button" data-near="" hidden>
          <Icon name="near" />
          <span class="vh">Use where I am</span>
        </button>
      </div>
      {hidden.map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
      <CarriedField site={site} />
      <button class="btn" type="submit">
        <Icon name="search" />
        Search
      </button>
      {wrongNear ? (
        <p class="wrong" id="near-wrong">
          {wrongNear}
        </p>
      ) : null}
    </form>
  );
}
