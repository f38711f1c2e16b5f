import { raw } from 'hono/html';
import { FAMILIES, type Family } from '../../../vocabulary/families.ts';
import type { Markup } from '../frame/markup.tsx';
import { type SeriesView, seriesClass } from './view.ts';

/**
 * The picture of a series, from this origin, on a plate in the colour of its family. The plate is seen where no picture
 * loads.
 */

/** Attributes of a picture of unknown size, in pixels: 16 to 5, as its box in the style sheet. */
const WIDTH = 1280;
const HEIGHT = 400;

/** The plate, with the picture where the series has one. */
export function Picture({ view }: { view: SeriesView }): Markup {
  const { image } = view;
  const family = seriesClass(view);
  return (
    <div class={`plate ${family}`.trim()}>
      <Plate family={family} />
      {image === undefined ? null : (
        <img
          src={image.path}
          alt=""
          width={image.width ?? WIDTH}
          height={image.height ?? HEIGHT}
          loading="lazy"
          decoding="async"
        />
      )}
    </div>
  );
}

/** The full address of the picture, for search engines and previews of links. */
export function pictureAddress({ image, site }: SeriesView): string | undefined {
  return image && new URL(image.path, `${site.links.base}/`).href;
}

function Plate({ family }: { family: string }): Markup {
  const at = Number(family.slice(1)) - 1;
  return (
    <svg viewBox="0 0 640 200" preserveAspectRatio="xMidYMid slice" aria-hidden="true">
      {raw(DRAWINGS[FAMILIES[at] ?? 'dance'])}
    </svg>
  );
}

const waves = (y: number) => `M-20 ${y}c90-70 170 30 270-20s150-90 250-30 130 10 180-20`;

const DRAWINGS: Record<Family, string> = {
  mind: `<path d="${[150, 175, 200, 225].map(waves).join('')}"/><circle cx="500" cy="62" r="34"/>`,
  water: `<path d="${[60, 100, 140, 180].map((y) => `M-20 ${y}${'q20-18 40 0t40 0'.repeat(9)}`).join('')}"/>`,
  gym: '<path d="M160 100h320M150 60v80M130 72v56M490 60v80M510 72v56M170 45v110M470 45v110"/>',
  ball: '<path d="M60-20v240M320-20v240M580-20v240M60 60h-80M580 60h80M60 140h-80M580 140h80"/><circle cx="320" cy="100" r="56"/>',
  outdoors: '<path d="M-20 190L130 60l80 70L330 30l150 130 70-50 110 90"/><circle cx="520" cy="48" r="24"/>',
  dance:
    '<circle cx="150" cy="70" r="36"/><circle cx="320" cy="130" r="52"/><circle cx="490" cy="70" r="28"/><path d="M-20 190c120-60 220 40 340-10s220-40 340 0"/>',
};
