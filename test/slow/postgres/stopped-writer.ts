/** `node stopped-writer.ts URL KIND`: begins a transaction of the store, and stops itself in it. */

import { openPostgres } from '../../../src/store/postgres/store.ts';

/** More octets than the buffers of a connection hold. */
const LARGE = 'x'.repeat(100_000_000);

const [url = '', kind] = process.argv.slice(2);
const store = await openPostgres(url);
if (kind === 'receiving') await store.write((tx) => tx.setMeta('large', LARGE));
await store.write(async (tx) => {
  await tx.meta('small');
  const asked = kind === 'receiving' ? tx.meta('large') : kind === 'sending' ? tx.setMeta('large', LARGE) : undefined;
  // By now the statement is on its way.
  setImmediate(() => process.kill(process.pid, 'SIGSTOP'));
  await (asked ?? new Promise(() => {}));
});
