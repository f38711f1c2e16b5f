import type { Instant } from '../../time/instant.ts';
import { escaped } from '../xml/write.ts';

/** Values that several resources share, as XML. */

export function href(path: string): string {
  return `<D:href>${escaped(path)}</D:href>`;
}

const privilege = (name: string): string => `<D:privilege><${name}/></D:privilege>`;

/** The privileges of every client: none to write, so that programs do not try (feed rule 34). */
export const PRIVILEGES = ['D:read', 'D:read-current-user-privilege-set', 'C:read-free-busy'].map(privilege).join('');

const supported = (name: string, text: string, inner = ''): string =>
  `<D:supported-privilege>${privilege(name)}<D:description xml:lang="en">${text}</D:description>${inner}</D:supported-privilege>`;

/** The privileges that exist here (RFC 3744 5.3). */
export const SUPPORTED_PRIVILEGES = supported(
  'D:read',
  'Read',
  supported('D:read-current-user-privilege-set', 'Read own privileges') +
    supported('C:read-free-busy', 'Read free and busy times'),
);

/** Reports of every resource. */
const OF_ALL = ['D:expand-property', 'D:principal-property-search', 'D:principal-search-property-set'];

/** Reports of each kind of resource. */
export const REPORTS = {
  calendar: ['C:calendar-query', 'C:calendar-multiget', 'C:free-busy-query', 'D:sync-collection', ...OF_ALL],
  home: ['C:free-busy-query', ...OF_ALL],
  root: OF_ALL,
  folder: OF_ALL,
  object: ['C:calendar-query', 'C:calendar-multiget', ...OF_ALL],
};

export function reportSet(names: readonly string[]): string {
  return names.map((name) => `<D:supported-report><D:report><${name}/></D:report></D:supported-report>`).join('');
}

/** A time of change as an HTTP-date (RFC 9110 5.6.7), never later than the answer (8.8.2.1). */
export function dateText(changed: Instant, now: Instant): string {
  return new Date(Math.min(changed, now)).toUTCString();
}

export const OBJECT_TYPE = 'text/calendar; charset=utf-8; component=VEVENT';
