import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

const GRACE_MS = 10_000;

/** A server whose connections outlast those of the proxies in front of it. */
export function webServer(): Server {
  // Longer than load balancers keep theirs open, so that they never write into a connection we are closing.
  return createServer({ keepAliveTimeout: 65_000, headersTimeout: 20_000, requestTimeout: 60_000 });
}

/** Rejects if the port cannot be had. */
export function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

/** An address that a person can open: "every interface" is this machine. */
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
