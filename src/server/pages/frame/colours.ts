/** Colours as numbers: sRGB of `#rrggbb`, OKLCH, and the contrast of WCAG 2.2. Pure. */

type Rgb = readonly [red: number, green: number, blue: number];

interface Oklch {
  lightness: number;
  chroma: number;
  hue: number;
}

const linear = (part: number): number => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
const linearOf = ([red, green, blue]: Rgb): Rgb => [linear(red), linear(green), linear(blue)];
const curved = (part: number): number => (part <= 0.0031308 ? part * 12.92 : 1.055 * part ** (1 / 2.4) - 0.055);

/** The parts of `#rgb` or `#rrggbb`, each from 0 to 1. */
function rgbOf(hex: string): Rgb {
  const digits = hex.replace('#', '');
  const six = digits.length === 3 ? [...digits].map((digit) => digit + digit).join('') : digits;
  const part = (at: number): number => Number.parseInt(six.slice(at, at + 2), 16) / 255;
  return [part(0), part(2), part(4)];
}

/** `#rrggbb` of three parts, each from 0 to 1; parts beyond these are clipped. */
export function hexOf(rgb: Rgb): string {
  const parts = rgb.map((part) =>
    Math.round(Math.min(1, Math.max(0, part)) * 255)
      .toString(16)
      .padStart(2, '0'),
  );
  return `#${parts.join('')}`;
}

/** The contrast ratio, from 1 (equal) to 21 (black on white). */
export function contrast(one: string, other: string): number {
  const [dark, light] = [one, other].map(luminance).sort((a, b) => a - b) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

function luminance(hex: string): number {
  const [red, green, blue] = linearOf(rgbOf(hex));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** A mix of two colours, with `share`, from 0 to 1, of the first. */
export function mixed(one: string, other: string, share: number): string {
  const [a, b] = [rgbOf(one), rgbOf(other)];
  const part = (at: 0 | 1 | 2): number => a[at] * share + b[at] * (1 - share);
  return hexOf([part(0), part(1), part(2)]);
}

/** The lightness of OKLCH, from 0 to 1. */
export function lightnessOf(hex: string): number {
  return oklchOf(hex).lightness;
}

/** A colour of the same hue at another lightness, with as much of its chroma as sRGB has there. */
export function withLightness(hex: string, lightness: number): string {
  const { chroma, hue } = oklchOf(hex);
  let [least, most] = [0, chroma];
  if (isInSrgb({ lightness, chroma, hue })) return hexOf(srgbOf({ lightness, chroma, hue }));
  while (most - least > 0.0005) {
    const middle = (least + most) / 2;
    if (isInSrgb({ lightness, chroma: middle, hue })) least = middle;
    else most = middle;
  }
  return hexOf(srgbOf({ lightness, chroma: least, hue }));
}

/** OKLCH of a colour, by Björn Ottosson's matrices, as CSS Color 4 has them. */
function oklchOf(hex: string): Oklch {
  const [red, green, blue] = linearOf(rgbOf(hex));
  const long = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue);
  const medium = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue);
  const short = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue);
  const lightness = 0.2104542553 * long + 0.793617785 * medium - 0.0040720468 * short;
  const a = 1.9779984951 * long - 2.428592205 * medium + 0.4505937099 * short;
  const b = 0.0259040371 * long + 0.7827717662 * medium - 0.808675766 * short;
  return { lightness, chroma: Math.hypot(a, b), hue: Math.atan2(b, a) };
}

function srgbOf({ lightness, chroma, hue }: Oklch): Rgb {
  const [a, b] = [chroma * Math.cos(hue), chroma * Math.sin(hue)];
  const long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const medium = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const short = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    curved(4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short),
    curved(-1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short),
    curved(-0.0041960863 * long - 0.7034186147 * medium + 1.707614701 * short),
  ];
}

function isInSrgb(colour: Oklch): boolean {
  return srgbOf(colour).every((part) => part >= -0.0005 && part <= 1.0005);
}
