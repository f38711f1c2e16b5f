import type { ServerResponse } from 'node:http';
import { closeServer, listen, webServer } from '../listen.ts';

interface Waiting {
  host: string;
  port: number;
  /** Why nothing can be served yet, in words that may be public. */
  reason(): string;
}

const SECONDS = '5';

/** Answers `/healthz` and `/readyz`; everything else is 503 for now. */
export async function startWaiting({ host, port, reason }: Waiting): Promise<{ close(): Promise<void> }> {
  const server = webServer();
  server.on('request', (incoming, outgoing) => {
    const [path] = (incoming.url ?? '').split('?');
    if (path === '/healthz') return answer(outgoing, 200, { status: 'ok', timezones: process.versions.tz });
    return answer(outgoing, 503, { status: 'not ready', reason: reason() });
  });
  await listen(server, port, host);
  return { close: () => closeServer(server) };
}

function answer(outgoing: ServerResponse, status: number, body: object): void {
  outgoing.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Cache-Control': 'no-store',
    Connection: 'close',
    ...(status === 503 && { 'Retry-After': SECONDS }),
  });
  outgoing.end(JSON.stringify(body));
}
