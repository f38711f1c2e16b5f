import { counted } from '../../../library/index.ts';
import {
  type ByKind,
  type Details,
  type Kind,
  type Offer,
  type Organization,
  ROWS,
} from '../../../opportunity/properties.ts';
import { shownCurrency } from '../../../opportunity/records.ts';
import { safeLink } from '../../links.ts';
import { linked, type Markup, type Piece, separated } from '../frame/markup.tsx';
import { adultFirst } from '../offers.ts';
import { agesWords, priceText, telAddress } from '../wording.ts';
import type { SeriesView } from './view.ts';

/** The facts of a series, such as prices, ages, leader and access: each a term with its value. */

/** The list of facts, and below in this file one component for each kind. */
export function Facts({ view }: { view: SeriesView }): Markup {
  const { details } = view.series;
  return (
    <dl class="facts part0">
      {FACTS.map(({ name, term, factOf }) => {
        const fact = factOf(details);
        if (fact === undefined || fact === '' || fact === null || fact === 0) return null;
        const isWide = WIDE[name]?.(details);
        return <Fact {...{ term, isWide }}>{fact}</Fact>;
      })}
    </dl>
  );
}

function Fact({ term, isWide, children }: { term: string; isWide: boolean | undefined; children?: Piece }): Markup {
  return (
    <div class={isWide ? 'two-wide' : undefined}>
      <dt>{term}</dt>
      <dd dir="auto">{children}</dd>
    </div>
  );
}

/** Offers that fit one column. */
const FEW_OFFERS = 3;
/** Facts that take two columns: an organiser with an e-mail address, and many offers, which have long names. */
const WIDE: { readonly [K in keyof Details]?: (details: Details) => boolean } = {
  organizer: ({ organizer }) => organizer?.email !== undefined,
  offers: ({ offers = [] }) => offers.length > FEW_OFFERS,
};

/** Facts made of several properties. Those of price and access are shown without a value too, as `Not given`. */
const COMPOSED: { readonly [K in keyof Details]?: (details: Details) => Piece } = {
  offers: ({ offers }) => <Prices offers={offers ?? []} />,
  activity: ({ activity = [], category = [] }) => pieces([...activity, ...category]),
  virtualLocation: onlineFact,
  accessibilitySupport: (details) => <Access details={details} />,
};

/** Properties with a label and without a fact: the fact of another property has their values, or another part of the page. */
const ELSEWHERE: ReadonlySet<keyof Details> = new Set([
  'attendance',
  'accessibilityInformation',
  'attendeeInstructions',
]);

/** Words of a gender restriction; a series that is open to everybody has none. */
const OPEN_TO: Partial<Record<NonNullable<Details['gender']>, string>> = {
  FemaleOnly: 'Women and girls only',
  MaleOnly: 'Men and boys only',
};

/** How the values of a kind become a fact; undefined: no fact. Values of other kinds are texts, or lists of them. */
const FACTS_BY_KIND: Partial<ByKind<[], Piece>> = {
  organization: (organization) => organizationFact(organization),
  brand: ({ name, url }) => name && linked(name, url),
  ages: agesWords,
  gender: (gender) => OPEN_TO[gender],
  capacity: (places) => places,
};

/**
 * The first facts of a page, in their order. Those of other properties follow in the order of their table, and access is
 * last.
 */
const FIRST: readonly (keyof Details)[] = [
  'offers',
  'activity',
  'level',
  'ageRange',
  'gender',
  'leader',
  'organizer',
  'programme',
  'room',
  'meetingPoint',
  'virtualLocation',
  'maximumAttendeeCapacity',
  'schedulingNote',
];

const FACTS = ROWS.filter(({ name, label, fact }) => (fact ?? label) !== undefined && !ELSEWHERE.has(name))
  .toSorted((a, b) => rankOf(a.name) - rankOf(b.name))
  .map(({ name, kind, label, fact }) => ({
    name,
    term: (fact ?? label) as string,
    factOf: COMPOSED[name] ?? ((details: Details) => factOfKind(kind, details[name])),
  }));

function rankOf(name: keyof Details): number {
  if (name === 'accessibilitySupport') return FIRST.length + 1;
  return FIRST.includes(name) ? FIRST.indexOf(name) : FIRST.length;
}

function factOfKind(kind: Kind, value: unknown): Piece {
  if (value === undefined) return undefined;
  const write = FACTS_BY_KIND[kind] as ((value: unknown) => Piece) | undefined;
  return write === undefined ? pieces([value].flat() as string[]) : write(value);
}

/** Distinct texts, each in its own `<bdi>`, so that the direction of one does not change that of the next. */
function pieces(texts: readonly string[] | undefined): Piece {
  const distinct = [...new Set((texts ?? []).filter((text) => text !== ''))];
  if (distinct.length === 0) return undefined;
  return separated(distinct, ', ', (text) => <bdi>{text}</bdi>);
}

function Prices({ offers }: { offers: readonly Offer[] }): Markup {
  const priced = adultFirst(offers).filter(({ price }) => price !== undefined);
  const lines = [...new Map(priced.map((offer) => [`${offer.price} ${offer.currency} ${offer.name}`, offer])).values()];
  if (lines.length === 0) return <>Not given</>;
  const currency = shownCurrency(offers);
  const [shown, more] =
    lines.length > FEW_PRICES + 1 ? [lines.slice(0, FEW_PRICES), lines.slice(FEW_PRICES)] : [lines, []];
  return (
    <>
      <PriceLines offers={shown} currency={currency} />
      {more.length === 0 ? null : (
        <details>
          <summary>{counted(more.length, 'more price')}</summary>
          <PriceLines offers={more} currency={currency} />
        </details>
      )}
    </>
  );
}

/**
 * Prices that are seen at once; the others are in a `<details>`. A centre may have dozens, which would push the dates down.
 */
const FEW_PRICES = 6;

function PriceLines({ offers, currency }: { offers: readonly Offer[]; currency: string | undefined }): Markup {
  return (
    <>
      {offers.map(({ name, price, currency: own }, at) => (
        <>
          {at > 0 ? <br /> : null}
          {priceText(price as number, own ?? currency)}
          {name === undefined || (price === 0 && /^free\b/i.test(name)) ? null : [' ', <bdi>{offerName(name)}</bdi>]}
        </>
      ))}
    </>
  );
}

/** `Adult` is `adult` after a price; other names stay as they are. */
function offerName(name: string): string {
  return /^(?:Adult|Child|Concession|Junior|Senior|Student|Member|Standard)s?$/.test(name) ? name.toLowerCase() : name;
}

function organizationFact({ name, url, telephone, email }: Organization): Piece {
  if (name === undefined) return undefined;
  return (
    <>
      {linked(name, url)}
      {telephone === undefined ? null : [<br />, <Telephone telephone={telephone} />]}
      {email === undefined ? null : [<br />, <Email address={email} />]}
    </>
  );
}

function Telephone({ telephone }: { telephone: string }): Markup {
  const href = telAddress(telephone);
  const number = <bdi>{telephone}</bdi>;
  return href === undefined ? number : <a href={href}>{number}</a>;
}

const EMAIL = /^[^\s@<>"'?&#%]+@[^\s@<>"'?&#%]+$/;

function Email({ address }: { address: string }): Markup {
  if (!EMAIL.test(address)) return <bdi>{address}</bdi>;
  const [name, host] = address.split('@');
  return (
    <a href={`mailto:${address}`}>
      <bdi>
        {name}@<wbr />
        {host}
      </bdi>
    </a>
  );
}

/** The place online; none where the attendance is online alone and has no details, as `PlaceLine` says `Online` then. */
function onlineFact({ attendance, virtualLocation }: Details): Piece {
  if (attendance !== 'mixed' && virtualLocation === undefined) return undefined;
  const { name, url, description } = virtualLocation ?? {};
  const href = safeLink(url);
  const words = name ?? (href === undefined ? 'As well as at the place' : new URL(href).host);
  return (
    <>
      {linked(words, href)}
      {description === undefined ? null : [<br />, <bdi>{description}</bdi>]}
    </>
  );
}

function Access({ details: { accessibilitySupport, accessibilityInformation } }: { details: Details }): Markup {
  const information = accessibilityInformation === undefined ? undefined : <bdi>{accessibilityInformation}</bdi>;
  const known = [pieces(accessibilitySupport), information].filter((piece) => piece !== undefined);
  return <>{known.length === 0 ? 'Not given' : separated(known, <br />, (piece) => piece)}</>;
}

/** The description, and below it the instructions for attendees. */
export function About({ view }: { view: SeriesView }): Markup | null {
  const { description, attendeeInstructions } = view.series.details;
  if (!description && !attendeeInstructions) return null;
  return (
    <>
      {description ? (
        <p class="part0 about" dir="auto">
          {description}
        </p>
      ) : null}
      {attendeeInstructions ? (
        <section class="part0 about" aria-labelledby="before">
          <h3 id="before">Before you come</h3>
          <p dir="auto">{attendeeInstructions}</p>
        </section>
      ) : null}
    </>
  );
}
