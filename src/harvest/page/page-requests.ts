import { waitInQueue } from '../../fetch/index.ts';

/**
 * Requests for pages, of all feeds. Hundreds of publishers answer at a time, and a body that came waits until there is room
 * for its page (page-room.ts). So nobody asks for another one while the bodies that came, and those that are likely to
 * come, are as many octets as may wait. A body may still be larger than was expected.
 */
export interface PageRequests {
  /** Resolves when a page may be asked for, in the order of asking. An aborted signal takes the request out of the queue. */
  request(signal?: AbortSignal): Promise<PageRequest>;
}

export interface PageRequest {
  /** The body is here, and waits. */
  received(octets: number): void;
  /** The request waits no longer, or will not come. May be called again. */
  end(): void;
}

/** Octets that a body is expected to have at least. The newest may all be the short last pages of feeds, and the next ones not. */
const LEAST = 256 * 1024;
/** The share of the newest body in what the next one is expected to have. */
const SHARE = 0.1;

/**
 * @param most octets of all bodies that wait
 * @param responseMs a request without a response counts for so long: a publisher that never responds keeps nobody waiting
 */
export function pageRequests(most: number, responseMs: number): PageRequests {
  const queue: ((request: PageRequest) => void)[] = [];
  let expected = LEAST;
  let waiting = 0;

  function admit(): void {
    while (queue.length > 0 && (waiting === 0 || waiting + expected <= most)) queue.shift()?.(startRequest());
  }

  function startRequest(): PageRequest {
    let own = 0;
    const count = (octets: number) => {
      waiting += octets - own;
      own = octets;
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
