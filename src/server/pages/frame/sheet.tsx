import { encode } from 'uqr';
import { type SubscribeLink, safeLink, subscribeLinks } from '../../links.ts';
import { CopyField } from '../parts.tsx';
import { Icon, type IconName } from './icons.tsx';
import type { Markup, Piece } from './markup.tsx';

/** The Subscribe sheet of a calendar, its button, and the QR code of a page. */

/** The calendar of one Subscribe button. */
export interface Subscription {
  /** The id of the dialog; one page may have several. */
  id: string;
  /** `Subscribe to this search` */
  title: string;
  /** The contents of the calendar in a sentence. */
  says: string;
  address: string;
  /** Full address of the calendar by CalDAV, where there is one. */
  dav?: string;
  /** The name of the calendar in programs. */
  name: string;
  /** Full address of the page, for the QR code. */
  page: string;
  /** The entry in a list: `series/abc`. */
  add?: { entry: string; href: string };
}

/**
 * Attributes of a button that opens the sheet with this id as a modal dialog, which keeps the focus without a script. A
 * browser without `commandfor` opens it as a popover.
 */
export function opening(id: string): Record<'popovertarget' | 'commandfor' | 'command', string> {
  return { popovertarget: id, commandfor: id, command: 'show-modal' };
}

/** The button that opens the sheet. In Safari on Apple's systems the script makes it subscribe at once. */
export function SubscribeButton({ id, big, children }: { id: string; big?: boolean; children?: Piece }): Markup {
  return (
    <button class={big ? 'btn big full' : 'btn full'} type="button" {...opening(id)}>
      <Icon name="cal" />
      {children ?? 'Subscribe'}
    </button>
  );
}

/** The ways to subscribe, each with its sentence. There is no sheet for a subject without dates. */
export function SubscribeSheet({ id, title, says, address, dav, name, page, add }: Subscription): Markup {
  const ways = subscribeLinks(address, name);
  const download = ways.find(({ device }) => device === undefined);
  return (
    <dialog
      id={id}
      popover="auto"
      closedby="any"
      aria-labelledby={`${id}-h`}
      data-cal={address}
      data-page={subscribePage(page)}
    >
      <div class="head">
        <h2 id={`${id}-h`}>
          <bdi>{title}</bdi>
        </h2>
        <button class="go" type="button" popovertarget={id} popovertargetaction="hide" commandfor={id} command="close">
          <Icon name="cross" />
          <span class="vh">Close</span>
        </button>
      </div>
      <div class="sheet">
        <div>
          <p class="soft" dir="auto">
            <bdi>{says}</bdi>
          </p>
          <ul class="opts">
            {ways.map((way) => (way.device === undefined ? null : <Way way={way} device={way.device} />))}
          </ul>
          <AddressField id={`${id}-a`} label="Any other program: paste this address" what="address" value={address} />
          {dav === undefined ? null : (
            <AddressField
              id={`${id}-d`}
              label="Thunderbird, DAVx5, GNOME, and others with CalDAV: this one brings changes sooner"
              what="CalDAV address"
              value={dav}
            />
          )}
          <p class="soft">
            <a href={download?.href} rel="nofollow">
              Download a copy
            </a>{' '}
            (never updates)
            {add === undefined ? null : (
              <>
                {' · '}
                <a href={add.href} data-add={add.entry} rel="nofollow">
                  Add it to my list
                </a>
              </>
            )}
          </p>
        </div>
        <figure class="wide">
          <QrCode text={subscribePage(page)} />
          <figcaption>
            <small>For your phone: point its camera here and subscribe there.</small>
          </figcaption>
        </figure>
      </div>
    </dialog>
  );
}

function AddressField({ label, ...field }: { id: string; label: string; what: string; value: string }): Markup {
  return (
    <>
      <label class="soft" for={field.id}>
        {label}
      </label>
      <CopyField {...field} />
    </>
  );
}

/** The page with its sheet open. */
function subscribePage(page: string): string {
  return `${page}${page.includes('?') ? '&' : '?'}subscribe`;
}

const SHAPES: Record<NonNullable<SubscribeLink['device']>, IconName> = {
  apple: 'phone',
  google: 'screen',
  ms: 'screen',
  office: 'screen',
};

function Way({ way, device }: { way: SubscribeLink; device: NonNullable<SubscribeLink['device']> }): Markup {
  return (
    <li>
      <a href={way.href} data-d={device} rel={way.external ? 'noopener noreferrer nofollow' : 'nofollow'}>
        <Icon name={SHAPES[device]} />
        <b>{way.label}</b>
        <small>{way.says}</small>
      </a>
    </li>
  );
}

/** The longest address of a QR code: cameras cannot read a larger code from a screen. */
const LONGEST = 600;

/**
 * The QR code of an address, black on white in both schemes; none for a long or unsafe address. `label`: for screen readers.
 */
export function QrCode({
  text,
  label = 'QR code of this page’s address',
}: {
  text: string;
  label?: string;
}): Markup | null {
  const address = safeLink(text);
  if (address === undefined || address.length > LONGEST) return null;
  const { data, size } = encode(address, { ecc: 'L', border: 0 });
  return (
    <svg class="qr" viewBox={`-1 -1 ${size + 2} ${size + 2}`} role="img" aria-label={label}>
      <path stroke="currentColor" shape-rendering="crispEdges" d={data.map(rowPath).join('')} />
    </svg>
  );
}

/** The address of the page for paper, as text and for a camera. */
export function OnPaper({ address }: { address: string }): Markup {
  return (
    <figure class="onpaper">
      <QrCode text={address} />
      <figcaption>
        <PrintedAddress address={address} />
      </figcaption>
    </figure>
  );
}

/** An address on paper, which may break before each slash, and before each filter. */
export function PrintedAddress({ address }: { address: string }): Markup {
  const parts = address.replace(/^https?:\/\//, '').split(/(?=[/?&])/);
  return <>Changes after printing: {parts.map((part) => [<wbr />, part])}</>;
}

/** One row of a QR code: each run of dark modules is a line. As rectangles the path would be twice as long. */
function rowPath(row: readonly boolean[], y: number): string {
  const text = row.map((dark) => (dark ? '1' : '0')).join('');
  return [...text.matchAll(/1+/g)].map(({ index, 0: { length } }) => `M${index} ${y}.5h${length}`).join('');
}
