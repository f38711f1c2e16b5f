import { type ChosenList, tokenOf } from '../../../library/index.ts';
import { Icon } from '../frame/icons.tsx';
import type { Markup } from '../frame/markup.tsx';
import type { Site } from '../frame/site.ts';
import type { ShownThing } from './shown.ts';

/** Forms of a list besides the one of its entries. */

interface UndoOptions {
  site: Site;
  list: ChosenList;
  removed: ShownThing | undefined;
  isMine: boolean;
  kept?: { token: string; editKey?: string | undefined };
}

/** The form that puts a removed thing back. */
export function Undo({ site, list, removed, isMine, kept }: UndoOptions): Markup | null {
  if (removed === undefined) return null;
  return (
    <form
      class="undo"
      action={site.links.path(kept === undefined ? '/my' : `/my/${kept.token}`)}
      method={kept && 'post'}
    >
      <p role="status">
        <bdi>{removed.name}</bdi> is off the list.
      </p>
      {kept === undefined ? <ListFields list={list} /> : <input type="hidden" name="edit" value={kept.editKey} />}
      {isMine ? <input type="hidden" name="mine" value="1" /> : null}
      <button class="btn line" type="submit" name="add" value={removed.entry}>
        Undo
      </button>
    </form>
  );
}

/** The form that stores the list, which gives it an address that stays. */
export function KeepForm({ list, site }: { list: ChosenList; site: Site }): Markup {
  return (
    <form method="post" action={site.links.path('/my')}>
      <ListFields list={list} />
      <button class="btn full big" type="submit">
        <Icon name="cal" />
        Subscribe
      </button>
    </form>
  );
}

/** The list as hidden fields. */
function ListFields({ list: { things, name, prefix, cancelled } }: { list: ChosenList }): Markup {
  return (
    <>
      <input type="hidden" name="token" value={things.length === 0 ? '' : tokenOf(things)} />
      <input type="hidden" name="name" value={name ?? ''} />
      <input type="hidden" name="prefix" value={prefix ?? ''} />
      <input type="hidden" name="cancelled" value={cancelled === false ? '0' : '1'} />
    </>
  );
}
