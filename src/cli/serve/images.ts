/** Images of publishers, for `serve`: a guarded client that nothing is named for, so that each address must be public. */

import { join } from 'node:path';
import type { Settings } from '../../config.ts';
import { createClient, createHostQueue, octetsAt } from '../../fetch/index.ts';
import { LIMITS } from '../../limits.ts';
import type { ImageSource } from '../../server/index.ts';
import type { Io } from '../io.ts';
import { userAgent } from '../package.ts';

const ACCEPT = 'image/avif, image/webp, image/png, image/jpeg, image/gif';
/** Requests at a time to one host. */
const AT_ONCE = 2;

/** Undefined: the settings turn them off. */
export function imageSource(
  { images, data, allowPrivate, contact }: Settings,
  io: Pick<Io, 'now'>,
): ImageSource | undefined {
  if (!images) return undefined;
  const limits = { totalMs: LIMITS.imageMs };
  const client = createClient({ userAgent: userAgent(contact), allowPrivate, now: io.now, limits });
  const queue = createHostQueue({ atOnce: AT_ONCE, placeMs: LIMITS.imageMs });
  return {
    folder: join(data, 'images'),
    download: (url, bytes) => queue.run(new URL(url).host, () => octetsAt(client, url, { bytes, accept: ACCEPT })),
    close: () => client.close(),
  };
}
