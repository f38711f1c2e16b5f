/** Comparison and order of ids as texts. */

/**
 * The form of an id for comparisons: percent-decoded, scheme and host in small letters, without a slash at its end
 * (semantics 1.3).
 */
export function identOf(id: string): string {
  return comparedId(decodedId(id));
}

/** The order of two texts by UTF-16 units: the same on every machine. An absent one is the empty text. */
export function compareText(a = '', b = ''): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** The compared form of an id that is percent-decoded already. */
export function comparedId(decoded: string): string {
  return withoutSlash(withSmallHost(decoded));
}

/** An id without slashes at its end, unless it consists of slashes alone. */
function withoutSlash(id: string): string {
  return id.charCodeAt(id.length - 1) === SLASH ? id.replace(/(?<=[^/])\/+$/, '') : id;
}

/** A web address with its scheme and host in small letters. Capitals count in other ids. */
export function withSmallHost(id: string): string {
  let slashes = 0;
  for (let at = 0; at < id.length; at += 1) {
    const unit = id.charCodeAt(at);
    if (unit >= 0x41 && unit <= 0x5a) return id.replace(/^https?:\/\/[^/?#{]*/i, toLower);
    if (unit === SLASH) slashes += 1;
    if (slashes === 3) return id;
  }
  return id;
}

const SLASH = 0x2f;
const toLower = (text: string): string => text.toLowerCase();

/** An id, percent-decoded and otherwise as spelled. UIDs are made of this form, which must never change. */
export function decodedId(id: string): string {
  if (!id.includes('%')) return id;
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}

/**
 * Whether opening an id as an address runs code or reads local data. Such an id is never shown as a link (SECURITY.md, "Links").
 *
 * @example isActive('javascript:alert(1)') // true
 */
export function isActive(id: string): boolean {
  return !id.startsWith('http') && ACTIVE.has(URL.parse(id)?.protocol ?? '');
}

const ACTIVE: ReadonlySet<string> = new Set(['javascript:', 'vbscript:', 'data:', 'blob:', 'file:', 'filesystem:']);
