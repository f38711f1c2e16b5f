import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One request of a client and how it was answered. */
export interface Seen {
  path: string;
  status: number;
  /** It named the copy it has. */
  isConditional: boolean;
}

/** Stands between the clients and the program, changes nothing, and remembers who was answered what. */
export class Counter {
  readonly url: string;
  readonly seen: Seen[] = [];
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  static async before(service: string): Promise<Counter> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const counter = new Counter(server);
    server.on('request', (asked: IncomingMessage, answer: ServerResponse) => counter.#pass(service, asked, answer));
    return counter;
  }

  /** GET requests for a calendar so far. */
  of(url: string): Seen[] {
    return this.seen.filter(({ path }) => path === new URL(url).pathname);
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #pass(service: string, asked: IncomingMessage, answer: ServerResponse): void {
    const { method, url = '/', headers } = asked;
    const onward = request(`${service}${url}`, { method, headers }, (response) => {
      const { statusCode: status = 0 } = response;
      const isConditional = headers['if-none-match'] !== undefined || headers['if-modified-since'] !== undefined;
      if (method === 'GET') this.seen.push({ path: url, status, isConditional });
      answer.writeHead(status, response.headers);
      response.pipe(answer);
    });
    onward.on('error', () => answer.destroy());
    asked.pipe(onward);
  }
}
