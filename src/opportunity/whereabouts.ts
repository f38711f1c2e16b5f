import type { Details } from './properties.ts';

/** Where something takes place by its details: online alone. Pure. */

type Whereabouts = Pick<Details, 'attendance' | 'virtualLocation' | 'location'>;

/** Whether it takes place online and nowhere else (semantics 2.2). `details`: with all that it inherits. */
export function isOnline({ attendance, virtualLocation, location }: Whereabouts): boolean {
  return (
    attendance === 'online' || (attendance === undefined && virtualLocation !== undefined && location === undefined)
  );
}
