/** Entity tags in conditions (RFC 9110 8.8.3, 13.1). Pure functions of header values. */

const ENTITY_TAG = /(?:W\/)?("[^"]*")/g;

/**
 * The tag of `tags` that If-None-Match names, by weak comparison (RFC 9110 13.1.2): `W/` does not matter.
 * `*` names the first. `undefined`: none matches. A tag may hold commas, so the list is not split at them.
 */
export function matchingTag(ifNoneMatch: string, tags: readonly string[]): string | undefined {
  if (tags.includes(ifNoneMatch)) return ifNoneMatch;
  if (ifNoneMatch.trim() === '*') return tags[0];
  for (const [, tag] of ifNoneMatch.matchAll(ENTITY_TAG)) {
    if (tag !== undefined && tags.includes(tag)) return tag;
  }
  return undefined;
}

/** Whether If-Match names one of `tags`, by strong comparison (RFC 9110 13.1.1): a weak tag is no tag. `*` names whatever is there. */
export function isMatched(ifMatch: string, tags: readonly string[]): boolean {
  if (ifMatch.trim() === '*') return true;
  return [...ifMatch.matchAll(ENTITY_TAG)].some(([tag]) => tags.includes(tag));
}
