import { contrast, lightnessOf, mixed, withLightness } from './colours.ts';

/** The colours of the pages, with those that an operator's accent gives: `brand.accent`. Pure. */

/** The colours of one scheme. `on`: text on `accent`; `hero`: the band, with white text. */
interface Accents {
  accent: string;
  on: string;
  wash: string;
  hero: string;
}

export interface Theme {
  light: Accents;
  dark: Accents;
  /** A sentence for the operator, where a colour is far from the accent so that it can be read. */
  note?: string;
}

const INK = '#11142a';
const WHITE = '#ffffff';
const GROUNDS = { light: { bg: '#f3f5fa', card: WHITE }, dark: { bg: '#0c0f1e', card: '#161a2f' } };
/** Share of the accent in the card. */
const WASH = 0.1;
/** The lowest contrast of text, and that of text on the band. */
const OF_TEXT = 4.5;
const OF_BAND = 7;
/** The step by which lightness moves, and the shift that is reported. Lightness of OKLCH is from 0 to 1. */
const STEP = 0.004;
const FAR = 0.12;

/** The theme without an accent: hard-court blue. */
const COURT: Theme = {
  light: { accent: '#2440cc', on: '#fff', wash: '#e8ecfd', hero: '#1b33b2' },
  dark: { accent: '#acb9ff', on: '#0c0f1e', wash: '#242b52', hero: '#1a2875' },
};

/**
 * The theme of an accent, `#rgb` or `#rrggbb`; without one, `COURT`. The hue stays, and lightness moves until text in the
 * accent, and text on it, can be read in both schemes.
 *
 * @example themeOf('#0b6338').light.hero
 */
export function themeOf(accent?: string): Theme {
  if (accent === undefined) return COURT;
  const hero = shifted(accent, -STEP, (colour) => contrast(colour, WHITE) >= OF_BAND);
  const light = accentsOf('light', accent, -STEP, hero);
  const dark = accentsOf('dark', accent, STEP, withLightness(hero, lightnessOf(hero) * 0.88));
  const far = (['light', 'dark'] as const)
    .map((scheme) => ({ scheme, colour: { light, dark }[scheme].accent }))
    .filter(({ colour }) => Math.abs(lightnessOf(colour) - lightnessOf(accent)) > FAR)
    .map(({ scheme, colour }) => `${colour} in the ${scheme} scheme`);
  const note = `${accent} is shown as ${far.join(' and as ')}, where it could not be read otherwise`;
  return { light, dark, ...(far.length > 0 && { note }) };
}

function accentsOf(scheme: 'light' | 'dark', accent: string, step: number, hero: string): Accents {
  const { bg, card } = GROUNDS[scheme];
  const isRead = (colour: string) =>
    [bg, card, mixed(colour, card, WASH)].every((ground) => contrast(colour, ground) >= OF_TEXT);
  const found = shifted(accent, step, isRead);
  const on = contrast(found, WHITE) >= contrast(found, INK) ? WHITE : INK;
  return { accent: found, on, wash: mixed(found, card, WASH), hero };
}

/** The first colour that is enough, by steps of lightness towards black (a negative step) or white. */
function shifted(colour: string, step: number, isEnough: (colour: string) => boolean): string {
  if (isEnough(colour)) return colour;
  for (let lightness = lightnessOf(colour); lightness > 0 && lightness < 1; lightness += step) {
    const next = withLightness(colour, lightness);
    if (isEnough(next)) return next;
  }
  return step < 0 ? '#000000' : WHITE;
}

/** The custom properties of both schemes, as CSS. `scheme`: the only one, whatever the reader's device prefers. */
export function tokensOf({ light, dark }: Theme, scheme?: 'light' | 'dark'): string {
  const bright = `${own(light)};${LIGHT}`;
  const night = `${own(dark)};${DARK}`;
  if (scheme === 'dark') return `:root{color-scheme:dark;${night};--ball:#dcf24a}`;
  if (scheme === 'light') return `:root{color-scheme:light;${bright};--ball:#dcf24a}`;
  return `:root{color-scheme:light dark;${bright};--ball:#dcf24a}
@media(prefers-color-scheme:dark){:root{${night}}}`;
}

const own = ({ accent, on, wash, hero }: Accents) => `--accent:${accent};--on:${on};--wash:${wash};--hero:${hero}`;

const LIGHT =
  '--bg:#f3f5fa;--card:#fff;--ink:#11142a;--soft:#4f5677;--line:#dde1ee;--edge:#767e9f;--red:#a8152a;--red-w:#fdeaec;--amber:#7a4300;--amber-w:#fff0d6;--green:#0b6338;--green-w:#e0f5e9;--t1:#7b3fd0;--t2:#0b7fa8;--t3:#c4490a;--t4:#1a8046;--t5:#8a6d00;--t6:#c02672;--shade:0 1px 2px #11142a12,0 6px 20px -8px #11142a24';
const DARK =
  '--bg:#0c0f1e;--card:#161a2f;--ink:#eceefa;--soft:#a9b0cf;--line:#2a3050;--edge:#7981a8;--red:#ff9ca7;--red-w:#3b1a26;--amber:#ffc774;--amber-w:#382a12;--green:#7bdca7;--green-w:#133222;--t1:#b79bff;--t2:#5cc8ea;--t3:#ff9d66;--t4:#6fd39a;--t5:#dcc04c;--t6:#ff8fc0;--shade:0 0 0 1px #2a3050';
