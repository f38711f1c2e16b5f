/** A loopback server that answers as it is reported, and remembers what it was asked. */

import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';

export interface FaultServer {
  /** `http://127.0.0.1:PORT` */
  url: string;
  port: number;
  asked: IncomingMessage[];
  close(): Promise<void>;
}

/** An HTTP server whose handler a test can swap while it runs. */
export async function faultServer(handler: RequestListener): Promise<FaultServer & { handler: RequestListener }> {
  const asked: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    asked.push(request);
    face.handler(request, response);
  });
  const base = await listen(server, asked);
  const face = Object.assign(base, { handler });
  return face;
}

/** A bare TCP server: what it writes is what is on the wire. */
export async function wireServer(onData: (socket: Socket) => void): Promise<FaultServer> {
  const server = createTcpServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => onData(socket));
  });
  return listen(server, []);
}

async function listen(server: Server, asked: IncomingMessage[]): Promise<FaultServer> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  const close = async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((done) => server.close(done));
  };
  return { url: `http://127.0.0.1:${port}`, port, asked, close };
}
