/** What every database of the store gives, and the values of its rows. */

export * from '../kept-lists.ts';
export * from '../leases.ts';
export * from './calendar-row.ts';
export * from './change-log.ts';
export * from './changes.ts';
export * from './claims.ts';
export * from './feed-state.ts';
export * from './held.ts';
export * from './record-watch.ts';
export * from './rows.ts';
export * from './search.ts';
export * from './sessions.ts';
export * from './store.ts';
export * from './stored-hash.ts';
export * from './tail.ts';
export * from './trouble.ts';
