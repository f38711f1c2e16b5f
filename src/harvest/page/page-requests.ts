import { waitInQueue } from '../../fetch/index.ts';

/**
 * Requests for pages, of all feeds. Hundreds of publishers answer at a time, and a body that came waits until there is room
 * for its page (page-room.ts). So nobody asks for another one while the bodies that came, and those that are likely to
 * come, are as many octets as may wait. A body may still be larger than was expected.
 */
export interface PageRequests {
  /** Resolves when a page may be asked for, in the order of asking. Who is stopped before leaves the line, and never gets one. */
  request(signal?: AbortSignal): Promise<PageRequest>;
}

export interface PageRequest {
  /** The body is here, and waits. */
  came(octets: number): void;
  /** The request waits no longer, or will not come. May be called again. */
  end(): void;
}

/** Octets that a body is expected to have at least. The newest may all be the short last pages of feeds, and the next ones not. */
const LEAST = 256 * 1024;
/** The share of the newest body in what the next one is expected to have. */
const SHARE = 0.1;

/**
 * @param most octets of all bodies that wait
 * @param answerMs a request without an answer counts for so long: a publisher that never answers keeps nobody waiting
 */
export function pageRequests(most: number, answerMs: number): PageRequests {
  const line: ((request: PageRequest) => void)[] = [];
  let usual = LEAST;
  let waiting = 0;

  function admit(): void {
    while (line.length > 0 && (waiting === 0 || waiting + usual <= most)) line.shift()?.(begun());
  }

  function begun(): PageRequest {
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
    const timer = setTimeout(end, answerMs).unref();
    count(usual);
    return {
      came(octets) {
        clearTimeout(timer);
        usual += (Math.max(octets, LEAST) - usual) * SHARE;
        count(octets);
        admit();
      },
      end,
    };
  }

  return {
    request(signal) {
      if (signal?.aborted) return Promise.reject(signal.reason);
      const request = waitInQueue(line, signal);
      admit();
      return request;
    },
  };
}
