import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { getRequestListener, type HttpBindings } from '@hono/node-server';
import { DAV_METHODS } from '../dav/index.ts';
import { LIMITS } from '../limits.ts';

/** HTTP servers of Node: their limits, and how they listen, answer and close. */

/** How long running requests may go on while a server closes. */
const GRACE_MS = 10_000;

/** Limits of connections: their number, and their times. */
export type ConnectionLimits = Record<keyof typeof LIMITS.http, number>;

/** A server whose connections are bounded, and outlast those of the proxies in front of it. */
export function webServer(limits: ConnectionLimits = LIMITS.http, isProxy = (_: string | undefined) => false): Server {
  const server = createServer({
    // Longer than in load balancers, so that they never write into a connection that is being closed.
    keepAliveTimeout: 65_000,
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    connectionsCheckingInterval: limits.checkingMs,
    maxHeaderSize: limits.headerBytes,
  });
  server.maxConnections = limits.connections;
  server.timeout = limits.stillMs;
  boundEach(server, limits.connectionsEach, isProxy);
  return server;
}

/** Closes connections of one address beyond `most` at once, so that no client takes all of them. */
function boundEach(server: Server, most: number, isProxy: (address: string | undefined) => boolean): void {
  const open = new Map<string, number>();
  server.on('connection', (socket: Socket) => {
    const { remoteAddress: address = '' } = socket;
    if (isProxy(address)) return;
    const count = (open.get(address) ?? 0) + 1;
    open.set(address, count);
    socket.once('close', () => {
      const left = (open.get(address) ?? 1) - 1;
      if (left === 0) open.delete(address);
      else open.set(address, left);
    });
    if (count > most) socket.destroy();
  });
}

/** Listens on a port; rejects if the port is not free. */
export function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

/** Answers every request of a server. */
export function answerOn(
  server: Server,
  answer: (request: Request, env: HttpBindings) => Response | Promise<Response>,
): void {
  // `hostname` is for requests of HTTP/1.0 without Host; links never depend on it.
  const listener = getRequestListener((request, env) => answer(request, env as HttpBindings), {
    hostname: 'localhost',
  });
  server.on('request', (incoming, outgoing) => {
    const { method, url } = incoming;
    // A Request of the Fetch standard cannot have this method, nor this target (RFC 9110 9.3.7).
    if (method === 'TRACE') outgoing.writeHead(405, { Allow: allowedAt(url) }).end();
    else if (method === 'OPTIONS' && url === '*') outgoing.writeHead(204, { Allow: allowedAt() }).end();
    // RFC 9112 3.2: a proxy in front may have used either Host.
    else if (hasSeveralHosts(incoming)) outgoing.writeHead(400).end();
    else void listener(incoming, outgoing);
  });
}

/** Whether there are several Host fields; Node gives the first of them alone. */
function hasSeveralHosts({ rawHeaders }: IncomingMessage): boolean {
  let hosts = 0;
  // Names and values alternate.
  for (let at = 0; at < rawHeaders.length; at += 2) if (/^host$/i.test(rawHeaders[at] as string)) hosts += 1;
  return hosts > 1;
}

function allowedAt(path = ''): string {
  return /^\/dav(?:[/?]|$)/.test(path) ? DAV_METHODS : 'GET, HEAD, OPTIONS';
}

/** The address of a server for a browser: for "every interface" that of this machine. */
export function addressOf(server: Server, host: string): string {
  const { port } = server.address() as AddressInfo;
  const name = host === '' || host === '0.0.0.0' || host === '::' ? 'localhost' : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}

/** Stops listening, lets running requests end, cuts off what is left after ten seconds. */
export async function closeServer(server: Server): Promise<void> {
  if (!server.listening) return;
  // A connection whose request ends after this is kept alive by node, and would hold the close up.
  const sweep = setInterval(() => server.closeIdleConnections(), 50);
  const cut = setTimeout(() => server.closeAllConnections(), GRACE_MS);
  await new Promise((resolve) => server.close(resolve));
  clearInterval(sweep);
  clearTimeout(cut);
}
