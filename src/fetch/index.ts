/** The one guarded HTTP client: addresses, bodies, deadlines, a queue a host, back-off. */

export { isGone, quietWait, resendWait, waitAfter } from './back-off.ts';
export { bodyError, sizeOf } from './body.ts';
export {
  authorizationOf,
  type Client,
  createClient,
  octetsAt,
  type Sender,
  type TextResponse,
  targetUrl,
  webUrl,
} from './client.ts';
export { type Body, charsetOf, octetsOf } from './decode.ts';
export { type Freshness, freshnessOf } from './freshness.ts';
export { createHostQueue, type HostQueue, waitInQueue } from './host-queue.ts';
