/**
 * The style sheet of the pages, in parts. A part is a constant in a file of its own in this folder; a page names the parts it
 * uses, and has them in one `<style>` of at most 14 KiB.
 */

/** Parts by name. `base` is on every page. */
const PARTS = {
  base: '',
};

export type StylePart = keyof typeof PARTS;

/**
 * The style sheet of a page that uses these parts.
 *
 * @example styleOf(['month', 'rows'])
 */
export function styleOf(parts: readonly StylePart[]): string {
  const used = new Set<StylePart>(['base', ...parts]);
  return (Object.keys(PARTS) as StylePart[])
    .filter((part) => used.has(part))
    .map((part) => PARTS[part])
    .join('\n');
}
