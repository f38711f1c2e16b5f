import { waitInQueue } from '../../fetch/index.ts';

/**
 * Admits requests for pages, of all feeds. Hundreds of publishers answer at a time, and a body waits in memory until there
 * is room for its page (page-room.ts). A request is admitted while the bodies that wait, and those expected of requests
 * under way, are fewer octets than the limit. A body may still be larger than was expected.
 */
export interface PageRequests {
  /** Resolves when a page may be requested, in the order of the calls. An aborted signal takes the request out of the queue. */
  request(signal?: AbortSignal): Promise<PageRequest>;
}

export interface PageRequest {
  /** The body came, and waits for room. */
  received(octets: number): void;
  /** The body waits no longer, or the request failed. A second call does nothing. */
  end(): void;
}

/** The least octets that a body is expected to have: long pages may follow many short last pages of feeds. */
const LEAST = 256 * 1024;
/** The weight of the newest body in the moving average that the next one is expected to have. */
const SHARE = 0.1;

/**
 * @param most octets of all bodies that wait
 * @param responseMs milliseconds after which a request without a response counts no more, so that it holds up no other
 */
export function pageRequests(most: number, responseMs: number): PageRequests {
  const queue: ((request: PageRequest) => void)[] = [];
  let expected = LEAST;
  let waiting = 0;

  function admit(): void {
    while (queue.length > 0 && (waiting === 0 || waiting + expected <= most)) queue.shift()?.(startRequest());
  }

  function startRequest(): PageRequest {
    let counted = 0;
    const count = (octets: number) => {
      waiting += octets - counted;
      counted = octets;
    };
    const end = () => {
      clearTimeout(timer);
      count(0);
      admit();
    };
    const timer = setTimeout(end, responseMs).unref();
    count(expected);
    return {
      received(octets) {
        clearTimeout(timer);
        expected += (Math.max(octets, LEAST) - expected) * SHARE;
        count(octets);
        admit();
      },
      end,
    };
  }

  return {
    request(signal) {
      if (signal?.aborted) return Promise.reject(signal.reason);
      const request = waitInQueue(queue, signal);
      admit();
      return request;
    },
  };
}
