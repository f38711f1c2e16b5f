import { type ChosenList, listName, MOST_NAME, tokenOf } from '../../../library/index.ts';
import type { Instant } from '../../../time/instant.ts';
import { Icon } from '../frame/icons.tsx';
import type { Markup, Piece } from '../frame/markup.tsx';
import { SubscribeButton } from '../frame/sheet.tsx';
import type { Site } from '../frame/site.ts';
import { CopyField, Flag, familyClass, NameLink, NewTime } from '../parts.tsx';
import { DayName, Times, ZoneNote } from '../times.tsx';
import { dateWords, dayNameIn, localDay, localMoment } from '../wording.ts';
import { KeepForm, Undo } from './forms.tsx';
import type { ShownDate, ShownList, ShownThing } from './shown.ts';

/** The page of a list: its entries and options, its next dates, and its address. */
export interface MyPage {
  site: Site;
  /** The path of another page, with the list in it. */
  to(path: string): string;
  list: ChosenList;
  shown: ShownList;
  /** The thing that was removed just now, and can be put back. */
  removed: ShownThing | undefined;
  now: Instant;
  isMine: boolean;
  /** The token of a stored list, with its edit key where the address has it. */
  kept?: { token: string; editKey?: string | undefined; isWrongKey?: boolean };
  address: string;
}

export const SHEET_ID = 'sub-my';
export const UNNAMED = 'My list';

const NUMBERS = ['No', 'One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven', 'Eight', 'Nine'];

/** The body of the page. */
export function MyBody(page: MyPage): Markup {
  const { site, list, kept } = page;
  const count = list.things.length;
  const known = page.shown.things.filter(({ isUnknown }) => !isUnknown).length;
  const { path } = site.links;
  return (
    <div
      data-my={JSON.stringify(page.shown.things.map(({ entry }) => entry))}
      data-token={kept?.token}
      data-key={kept?.editKey}
      data-mine={page.isMine ? '' : undefined}
      data-base={path('/my')}
    >
      <h1 dir="auto">{list.name ?? UNNAMED}</h1>
      <p class="lead soft">{leadOf(known, kept !== undefined)}</p>
      {kept?.isWrongKey ? <p role="alert">{WRONG_KEY}</p> : null}
      {kept?.editKey === undefined ? null : <OtherList path={path('/my')} />}
      <Undo {...page} />
      {count === 0 ? (
        <p>
          <a class="btn" href={page.to('/search')}>
            Find something to add
          </a>
        </p>
      ) : (
        <div class="two mine">
          <ListForm {...page} />
          {isOffered(page.shown) ? (
            <>
              <Aside {...page} />
              <Preview {...page} />
            </>
          ) : null}
        </div>
      )}
    </div>
  );
}

/** A note that the script shows in a browser whose own list is another one. */
function OtherList({ path }: { path: string }): Markup {
  return (
    <div class="card stack" data-other="" hidden>
      <p>
        This browser has <a href={path}>another list</a>, and + adds to that one. What you change on this page changes
        this list.
      </p>
      <p>
        <button class="btn line" type="button">
          Use this list here instead
        </button>
      </p>
      <p>
        <small>The other list is then forgotten here: copy its edit link first if you want to change it later.</small>
      </p>
    </div>
  );
}

/** Whether the list has an entry that exists or existed, so that its calendar can show something. */
export function isOffered({ things }: ShownList): boolean {
  return things.some(({ isUnknown }) => !isUnknown);
}

/** The sentence where the edit key of an address or a form is not that of the list. */
export const WRONG_KEY = 'This is not the key of this list.';

function leadOf(count: number, isKept: boolean): string {
  if (count === 0) return 'Nothing is on this list yet. The + beside a class, a place or a search puts it here.';
  const things = `${NUMBERS[count] ?? count} ${count === 1 ? 'thing' : 'things'}, one calendar.`;
  return isKept
    ? `${things} The list is kept here, without an account; nothing about you is stored.`
    : `${things} The list is in this page’s address; nothing about you is stored here.`;
}

/** The first button of a form, which Enter in a field presses. */
const DEFAULT_BUTTON = (
  <button type="submit" hidden>
    Save
  </button>
);

/** The entries of the list, in a form; without the edit key of a stored list, no form. */
function ListForm(page: MyPage): Markup {
  const { site, to, list, shown, isMine, kept } = page;
  const path = site.links.path;
  const mayEdit = kept === undefined || kept.editKey !== undefined;
  const body = (
    <div class="stack">
      <ul class="rows">
        {shown.things.map((thing) => (
          <PickRow thing={thing} to={to} mayEdit={mayEdit} />
        ))}
      </ul>
      <p>
        <a class="btn line" href={to('/search')} rel="nofollow">
          <Icon name="plus" />
          Find more
        </a>
      </p>
      {mayEdit && isOffered(shown) ? <Options list={list} /> : null}
    </div>
  );
  if (!mayEdit) return body;
  if (kept !== undefined) {
    return (
      <form method="post" action={path(`/my/${kept.token}`)}>
        {DEFAULT_BUTTON}
        <input type="hidden" name="edit" value={kept.editKey} />
        {body}
      </form>
    );
  }
  return (
    <form action={path('/my')}>
      {DEFAULT_BUTTON}
      <input type="hidden" name="token" value={tokenOf(list.things)} />
      {isMine ? <input type="hidden" name="mine" value="1" /> : null}
      {body}
    </form>
  );
}

function PickRow({ thing, to, mayEdit }: Pick<MyPage, 'to'> & { thing: ShownThing; mayEdit: boolean }): Markup {
  const { entry, name, path, says, family, note } = thing;
  return (
    <li class={family === undefined ? 'pick' : `pick ${familyClass(family)}`}>
      <div>
        <h2 class="h3">{path === undefined ? <bdi>{name}</bdi> : <NameLink href={to(path)} name={name} />}</h2>
        <p class="soft" dir="auto">
          {note === undefined ? null : <span class="flag">{note}</span>} {says}
        </p>
      </div>
      {mayEdit ? (
        <button class="go" type="submit" name="remove" value={entry}>
          <Icon name="cross" />
          <span class="vh">
            Remove <bdi>{name}</bdi>
          </span>
        </button>
      ) : null}
    </li>
  );
}

const KEEP_CANCELLED = 'Keep cancelled dates, marked';

function Options({ list: { name, prefix, cancelled } }: { list: ChosenList }): Markup {
  return (
    <section class="card set noprint">
      <div>
        <label for="name">Name of the calendar</label>
        <input id="name" name="name" value={name ?? ''} maxlength={MOST_NAME} autocomplete="off" />
      </div>
      <input type="hidden" name="prefix" value="" />
      <label class="opt">
        <input type="checkbox" name="prefix" value="place" checked={prefix === 'place'} />
        Put the place before each title
      </label>
      <input type="hidden" name="cancelled" value="0" />
      <label class="opt">
        <input type="checkbox" name="cancelled" value="1" checked={cancelled !== false} />
        {KEEP_CANCELLED}
      </label>
      <button class="btn line" type="submit">
        Save
      </button>
    </section>
  );
}

function Preview({ site, shown: { dates, isCut }, now }: MyPage): Markup {
  return (
    <section class="part">
      <div class="head">
        <h2>What it will show</h2>
        <small>Next 14 days</small>
      </div>
      {dates.length === 0 ? (
        <p class="soft">Nothing in the next 14 days.</p>
      ) : (
        <ol class="rows">
          {dates.map((date) => (
            <DateRow date={date} home={site.zone} now={now} />
          ))}
        </ol>
      )}
      {isCut ? <p class="soft">And more: the first {dates.length} are shown here.</p> : null}
    </section>
  );
}

function DateRow({ date, home, now }: { date: ShownDate; home: string; now: Instant }): Markup {
  const { name, zone, family, isCancelled } = date;
  const day = localDay(date, zone);
  const classes = ['pre', ...(isCancelled ? ['off'] : []), ...(family === undefined ? [] : [familyClass(family)])];
  return (
    <li class={classes.join(' ')}>
      <b>
        <DayName name={dayNameIn(day, { zone, home, now })} date={dateWords(day, localMoment(zone, now).day)} />
      </b>
      <span class="num">
        <Times span={date} zone={zone} />
        {date.allDay ? null : <ZoneNote zone={zone} home={home} at={date.start} />}
      </span>
      <span class="what">
        <bdi class="name">{name}</bdi> {flagOf(date)}
      </span>
    </li>
  );
}

function flagOf({ isCancelled, was, isFull, zone }: ShownDate): Piece {
  if (isCancelled) return <Flag kind="bad" icon="cross" words="Cancelled" />;
  if (was !== undefined) return <NewTime was={localMoment(zone, was).time} />;
  return isFull ? <Flag words="Full" /> : null;
}

function Aside(page: MyPage): Markup {
  const { list, kept, site, address } = page;
  const count = list.things.length;
  return (
    <aside class="card stick stack side noprint" aria-label="Subscribe">
      <h2>{count === 1 ? 'One address' : `One address for ${allWords(count)}`}</h2>
      {kept === undefined ? (
        <KeepForm list={list} site={site} />
      ) : (
        <SubscribeButton id={SHEET_ID} big>
          Subscribe
        </SubscribeButton>
      )}
      <label class="soft" for="adr">
        {kept === undefined ? 'Or an address that holds just this list' : 'Or paste this address'}
      </label>
      <CopyField id="adr" what="address" value={address} />
      <p>
        <small>{kept === undefined ? UNKEPT : <EditLink site={site} kept={kept} />}</small>
      </p>
    </aside>
  );
}

function allWords(count: number): string {
  return count === 2 ? 'both' : `all ${(NUMBERS[count] ?? String(count)).toLowerCase()}`;
}

const UNKEPT =
  'Subscribe keeps the list under an address that stays when you change it. The address here is another one after each change.';

function EditLink({ site, kept }: { site: Site; kept: NonNullable<MyPage['kept']> }): Markup {
  if (kept.editKey === undefined) return <>Whoever made this list can change it; the address stays.</>;
  const href = `${site.links.base}/my/${kept.token}?edit=${encodeURIComponent(kept.editKey)}`;
  return (
    <>
      The address stays when you change the list. <a href={href}>Edit link</a>: open it on another device, and give it
      to nobody who should not change the list.
    </>
  );
}

/** The path of the calendar of a list, below the base address. `kept`: the token of a stored list. */
export function calendarPath({ things, ...options }: ChosenList, kept: string | undefined): string {
  if (kept !== undefined) return `/my/${kept}.ics`;
  const token = tokenOf(things);
  return `/my/${token}.ics${listName(token, options).slice(listName(token).length)}`;
}
