import type { Instant } from '../opportunity/records.ts';

export interface Next {
  revision: number;
  changed: Instant;
}

/** The revision after this one. Whole seconds apart: a client that revalidates by date alone sees nothing smaller (feed rule 18). */
export function nextRevision(last: Next | undefined, now: Instant): Next {
  const second = Math.floor(now / 1000) * 1000;
  if (last === undefined) return { revision: 0, changed: second };
  return { revision: last.revision + 1, changed: Math.max(second, last.changed + 1000) };
}
