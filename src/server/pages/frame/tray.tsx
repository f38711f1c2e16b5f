import { Icon } from './icons.tsx';
import type { Markup } from './markup.tsx';
import type { Site } from './site.ts';

/** The buttons that add something to the person's list, and the tray that leads to the list. */

/** A thing that can be added to a list. `entry`: its path, as `series/abc`. */
interface Addable {
  entry: string;
  name: string;
}

/** The + beside a thing: a link that adds it, which the script turns into a button. */
export function AddButton({ site, entry, name }: Addable & { site: Site }): Markup {
  return (
    <a class="go" href={addAddress(site, entry)} data-add={entry} rel="nofollow">
      <span class="vh">
        Add <bdi>{name}</bdi> to my list
      </span>
      <Icon name="plus" class="plus" />
      <Icon name="tick" class="tick" />
    </a>
  );
}

/** The path of `/my` that adds an entry. */
export function addAddress(site: Site, entry: string): string {
  return site.links.path(`/my?add=${encodeURIComponent(entry).replaceAll('%2F', '/')}`);
}

/** The tray; the script shows it while the list has an entry. */
export function Tray({ site }: { site: Site }): Markup {
  return (
    <div class="tray" role="status" hidden>
      <span data-tray="" />
      <a class="btn" href={site.links.path('/my')}>
        See and subscribe
      </a>
    </div>
  );
}
