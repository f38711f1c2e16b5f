import { createHash } from 'node:crypto';
import { perObject } from '../../../bounded-map.ts';
import { type StylePart, styleOf } from '../style/index.ts';
import { SCRIPT } from './script.ts';
import { type Theme, tokensOf } from './theme.ts';

/**
 * The headers of pages. Their content security policy allows the style and the scripts of this program, and no other origin.
 */

export interface Style {
  text: string;
  /** The hash of the text, as a policy names it. */
  hash: string;
}

const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

const SCRIPT_HASH = hash(SCRIPT);

/** Style sheets by theme, scheme and parts. */
const stylesOf = perObject((_theme: Theme) => new Map<string, Style>());

/** The style sheet of a page. `scheme`: the only one, whatever the reader's device prefers. */
export function pageStyle(theme: Theme, parts: readonly StylePart[], scheme?: 'light' | 'dark'): Style {
  const known = stylesOf(theme);
  const key = `${scheme} ${parts.join(' ')}`;
  const style = known.get(key);
  if (style !== undefined) return style;
  const text = `${tokensOf(theme, scheme)}\n${styleOf(parts)}`;
  const made = { text, hash: hash(text) };
  known.set(key, made);
  return made;
}

interface PolicyOptions {
  /** The script of the frame may run; default true. */
  script?: boolean;
  /** A script of the page's own. */
  more?: string | undefined;
  /** Other sites may frame it: embeds alone. */
  framed?: boolean;
}

/** The headers of a page: a content security policy that names the hashes of its style and scripts. */
export function pageHeaders(style: Style, options: PolicyOptions = {}): Record<string, string> {
  const { script = true, more, framed = false } = options;
  const scripts = more === undefined ? SCRIPT_HASH : `${SCRIPT_HASH} ${hash(more)}`;
  const policy = [
    "default-src 'none'",
    `style-src ${style.hash}`,
    ...(script ? [`script-src ${scripts}`] : []),
    // The scripts of pages send requests to this origin, and programs that audit a page read its robots.txt.
    ...(framed ? [] : ["connect-src 'self'"]),
    "img-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    framed ? 'frame-ancestors *' : "frame-ancestors 'none'",
  ];
  return {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': policy.join('; '),
    'X-Content-Type-Options': 'nosniff',
    ...(!framed && { 'X-Frame-Options': 'DENY' }),
    'Referrer-Policy': 'no-referrer',
    'Permissions-Policy': 'camera=(), geolocation=(self), microphone=()',
  };
}
