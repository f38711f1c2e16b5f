import type { Details, Offer } from '../../../opportunity/records.ts';
import { safeLink } from '../../links.ts';
import { linked, type Markup, type Piece } from '../frame/markup.tsx';
import { agesWords, priceText } from '../wording.ts';
import type { SeriesView } from './view.ts';

/** What it costs, for whom it is, who leads it: terms with what is known of each. */

export function Facts({ view }: { view: SeriesView }): Markup {
  const { details } = view.series;
  const lines: (readonly [term: string, fact: Piece])[] = [
    ['Price', <Prices offers={details.offers ?? []} />],
    ['Activity', pieces([...(details.activity ?? []), ...(details.category ?? [])])],
    ['Level', pieces(details.level)],
    ['Ages', agesWords(details.ageRange)],
    ['Open to', genderWords(details.gender)],
    ['Led by', pieces(details.leader)],
    ['Organiser', <Organiser of={details.organizer} />],
    ['Programme', details.programme?.name && linked(details.programme.name, details.programme.url)],
    ['Room', named(details.room)],
    ['Meeting point', named(details.meetingPoint)],
    ['Online', <Online details={details} />],
    ['Places', details.maximumAttendeeCapacity],
    ['Note', named(details.schedulingNote)],
    ['Access', <Access details={details} />],
  ];
  return (
    <dl class="facts part0">
      {lines.map(([term, fact]) => {
        if (isNothing(term, fact, details)) return null;
        // An e-mail address does not fit one column.
        const isWide = term === 'Organiser' && details.organizer?.email !== undefined;
        return <Fact {...{ term, isWide }}>{fact}</Fact>;
      })}
    </dl>
  );
}

function Fact({ term, isWide, children }: { term: string; isWide: boolean; children?: Piece }): Markup {
  return (
    <div class={isWide ? 'two-wide' : undefined}>
      <dt>{term}</dt>
      <dd dir="auto">{children}</dd>
    </div>
  );
}

/** Price and access are always there: who looks for them learns that they are not given. */
function isNothing(term: string, fact: Piece, { organizer, attendance, virtualLocation }: Details): boolean {
  if (term === 'Organiser') return organizer?.name === undefined;
  if (term === 'Online') return attendance !== 'mixed' && virtualLocation === undefined;
  return fact === undefined || fact === '' || fact === null || fact === 0;
}

function named(text: string | undefined): Piece {
  return text === undefined ? undefined : <bdi>{text}</bdi>;
}

/** Each a piece of its own: one text of a publisher must not turn the direction of the next. */
function pieces(texts: readonly string[] | undefined): Piece {
  const distinct = [...new Set((texts ?? []).filter((text) => text !== ''))];
  if (distinct.length === 0) return undefined;
  return distinct.map((text, at) => (
    <>
      {at > 0 ? ', ' : null}
      <bdi>{text}</bdi>
    </>
  ));
}

function genderWords(gender: Details['gender']): string | undefined {
  if (gender === undefined) return undefined;
  return gender === 'FemaleOnly' ? 'Women and girls only' : 'Men and boys only';
}

const ADULT = /\b(?:adult|standard|full|general|non[- ]?member)/i;

/** Offers with those that most people take first. */
export function adultFirst(offers: readonly Offer[]): Offer[] {
  const rank = ({ name }: Offer) => (name === undefined || ADULT.test(name) ? 0 : 1);
  return offers.toSorted((a, b) => rank(a) - rank(b));
}

function Prices({ offers }: { offers: readonly Offer[] }): Markup {
  const priced = adultFirst(offers).filter(({ price }) => price !== undefined);
  const lines = [...new Map(priced.map((offer) => [`${offer.price} ${offer.currency} ${offer.name}`, offer])).values()];
  if (lines.length === 0) return <>Not given</>;
  return (
    <>
      {lines.map((offer, at) => (
        <>
          {at > 0 ? <br /> : null}
          {priceText(offer.price as number, offer.currency)}
          {offer.name === undefined || offer.name === 'Free' ? null : (
            <>
              {' '}
              <bdi>{offerName(offer.name)}</bdi>
            </>
          )}
        </>
      ))}
    </>
  );
}

/** `Adult` is `adult` after a price; other names stay as they are. */
function offerName(name: string): string {
  return /^(?:Adult|Child|Concession|Junior|Senior|Student|Member|Standard)s?$/.test(name) ? name.toLowerCase() : name;
}

function Organiser({ of }: { of: Details['organizer'] }): Markup | null {
  const { name, url, telephone, email } = of ?? {};
  if (name === undefined) return null;
  return (
    <>
      {linked(name, url)}
      {telephone === undefined ? null : (
        <>
          <br />
          <a href={`tel:${telephone.replaceAll(/[^\d+]/g, '')}`}>
            <bdi>{telephone}</bdi>
          </a>
        </>
      )}
      {email === undefined ? null : (
        <>
          <br />
          <Email address={email} />
        </>
      )}
    </>
  );
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

/** The line below the name says "Online" already. */
function Online({ details: { virtualLocation } }: { details: Details }): Markup {
  const { name, url, description } = virtualLocation ?? {};
  const href = safeLink(url);
  const words = name ?? (href === undefined ? 'As well as at the place' : new URL(href).host);
  return (
    <>
      {linked(words, href)}
      {description === undefined ? null : (
        <>
          <br />
          <bdi>{description}</bdi>
        </>
      )}
    </>
  );
}

function Access({ details: { accessibilitySupport, accessibilityInformation } }: { details: Details }): Markup {
  const support = pieces(accessibilitySupport);
  if (support === undefined && accessibilityInformation === undefined) return <>Not given</>;
  return (
    <>
      {support}
      {support !== undefined && accessibilityInformation !== undefined ? <br /> : null}
      {named(accessibilityInformation)}
    </>
  );
}

/** What the publisher says of it, and what those who come are to know. */
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
