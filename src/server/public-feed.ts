import { publicUrl } from '../errors.ts';

/** A feed's address as anybody may see it: without keys; folders of the operator's are not named. */
export function publicFeed(url: string): string {
  return /^https?:/i.test(url) ? publicUrl(url) : (url.split('/').at(-1) ?? url);
}
