/** The contract of every database of the store, and the types of its rows. */

export * from '../kept-lists.ts';
export * from '../leases.ts';
export * from '../trouble.ts';
export * from './calendars.ts';
export * from './change-log.ts';
export * from './changes.ts';
export * from './claims.ts';
export * from './feeds.ts';
export * from './held.ts';
export * from './items.ts';
export * from './record-watch.ts';
export * from './records.ts';
export * from './search.ts';
export * from './sessions.ts';
export * from './store.ts';
export * from './stored-hash.ts';
export * from './tail.ts';
