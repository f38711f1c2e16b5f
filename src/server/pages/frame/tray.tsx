import { Icon } from './icons.tsx';
import type { Markup } from './markup.tsx';
import type { Site } from './site.ts';

/** What goes on the person's list: the first part of its address, as `series/abc`. */
interface Addable {
  entry: string;
  name: string;
}

/** The + beside a thing. Without JavaScript it is a link that adds it. */
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

export function addAddress(site: Site, entry: string): string {
  return site.links.path(`/my?add=${encodeURIComponent(entry).replaceAll('%2F', '/')}`);
}

/** Shown by the script once something is on the list. */
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
