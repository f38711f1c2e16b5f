import { raw } from 'hono/html';
import type { Markup } from './markup.tsx';

/** Drawings of 24 by 24, in lines: each stands once in a page as a `<symbol>`. */
const ICONS = {
  near: '<circle cx="12" cy="12" r="4"/><path d="M12 2v4M12 18v4M2 12h4M18 12h4"/>',
  search: '<circle cx="11" cy="11" r="7"/><path d="M16 16l5 5"/>',
  cross: '<path d="M6 6l12 12M18 6L6 18"/>',
  sliders: '<path d="M4 7h9M17 7h3M4 17h3M11 17h9"/><circle cx="15" cy="7" r="2"/><circle cx="9" cy="17" r="2"/>',
  cal: '<path d="M4 6h16v14H4zM4 10h16M8 3v4M16 3v4"/>',
  plus: '<path d="M12 5v14M5 12h14"/>',
  tick: '<path d="M5 12.5l5 5L19.5 7"/>',
  clock: '<circle cx="12" cy="12" r="9"/><path d="M12 7v5l3.5 2"/>',
  pause: '<path d="M9 5v14M15 5v14"/>',
  left: '<path d="M15 5l-7 7 7 7"/>',
  right: '<path d="M9 5l7 7-7 7"/>',
  phone: '<rect x="7" y="2" width="10" height="20" rx="2"/><path d="M11 18h2"/>',
  screen: '<rect x="3" y="4" width="18" height="12" rx="2"/><path d="M8 20h8M12 16v4"/>',
  copy: '<rect x="8" y="8" width="12" height="12" rx="2"/><path d="M16 8V4H4v12h4"/>',
  share: '<path d="M12 15V3M7 8l5-5 5 5M5 13v7h14v-7"/>',
  pin: '<path d="M12 21s7-6.5 7-12a7 7 0 0 0-14 0c0 5.5 7 12 7 12z"/><circle cx="12" cy="9" r="2.5"/>',
  call: '<path d="M6 3h4l2 5-2.5 1.5a11 11 0 0 0 5 5L16 12l5 2v4a2 2 0 0 1-2 2A16 16 0 0 1 4 5a2 2 0 0 1 2-2z"/>',
  out: '<path d="M14 4h6v6M20 4l-9 9M18 14v6H4V6h6"/>',
  rss: '<path d="M5 11a8 8 0 0 1 8 8M5 5a14 14 0 0 1 14 14"/><circle cx="6" cy="18" r="1"/>',
  warn: '<path d="M12 3L2 20h20zM12 10v4M12 17v.5"/>',
  print: '<path d="M7 8V3h10v5M7 17H4V8h16v9h-3M7 14h10v7H7z"/>',
};

export type IconName = keyof typeof ICONS;

/** An icon beside words of the same meaning, hidden from screen readers. */
export function Icon({ name, class: more }: { name: IconName; class?: string }): Markup {
  return (
    <svg class={more === undefined ? 'i' : `i ${more}`} aria-hidden="true">
      <use href={`#i-${name}`} />
    </svg>
  );
}

/** The symbols of the icons that a page uses. */
export function symbolsOf(page: string): Markup | undefined {
  const used = (Object.keys(ICONS) as IconName[]).filter((name) => page.includes(`"#i-${name}"`));
  if (used.length === 0) return undefined;
  return (
    <svg width="0" height="0" aria-hidden="true" hidden>
      {used.map((name) => (
        <symbol id={`i-${name}`} viewBox="0 0 24 24">
          {raw(ICONS[name])}
        </symbol>
      ))}
    </svg>
  );
}

/** The calendar with a ball, where the operator has no logo. */
export function Emblem({ hero }: { hero: string }): Markup {
  return (
    <svg viewBox="0 0 28 28" aria-hidden="true">
      {raw(drawing(hero, 'currentColor'))}
    </svg>
  );
}

/** The emblem on the colour of the band, as the icon of the site. */
export function favicon(hero: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="-3 -3 34 34"><rect x="-3" y="-3" width="34" height="34" rx="7" fill="${hero}"/>${drawing(hero, '#fff')}</svg>`;
}

/** `lines`: the colour of the calendar, which in forced colours is that of the name beside it. */
const drawing = (hero: string, lines: string) =>
  `<path d="M11 22.5H3.5V6h18v6M3.5 10.5h18M8 3v4.5M17 3v4.5" fill="none" stroke="${lines}" stroke-width="2.3" stroke-linejoin="round" stroke-linecap="round"/><circle cx="19.5" cy="19.5" r="6.5" fill="#dcf24a"/><path d="M14.8 15.3a7 7 0 0 1 0 8.4M24.2 15.3a7 7 0 0 0 0 8.4" fill="none" stroke="${hero}" stroke-width="1.3"/>`;
