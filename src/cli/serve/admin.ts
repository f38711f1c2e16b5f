/** The admin address of a process: checks who can reach it, and opens it. */

import type { Logger } from 'pino';
import type { Settings } from '../../config.ts';
import { ConfigError } from '../../errors.ts';
import type { Health } from '../../library/index.ts';
import type { FeedActions, Serving } from '../../server/index.ts';
import type { Io } from '../io.ts';
import type { ReadService } from './service.ts';
import { listening } from './waiting.ts';

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|::1)$/;

/**
 * Checks the settings of the admin address. A loopback address needs no token, any other one does. Its port differs from that
 * of the pages, unless both are any free port (0). @throws ConfigError
 */
export function checkAdmin({ adminPort, adminHost, adminToken, port, role }: Settings): void {
  if (adminPort === port && port !== 0 && role !== 'harvest')
    throw new ConfigError([
      `port and adminPort are both ${port}: give adminPort (OPENACTIVE_ICAL_ADMIN_PORT) another one`,
    ]);
  if (adminPort === undefined || adminToken !== undefined || LOOPBACK.test(adminHost)) return;
  throw new ConfigError([
    `adminHost is "${adminHost}", which others can reach: set adminToken (OPENACTIVE_ICAL_ADMIN_TOKEN) too, or leave it at 127.0.0.1`,
  ]);
}

/** Opens the admin address; undefined: the settings give it no port. */
export async function openAdmin(
  { adminPort: port, adminHost: host, adminToken: token, notifyUrl }: Settings,
  { service, serving, writes, retries, notices, facts, actions }: Administered,
  log: Logger,
  { now }: Io,
): Promise<{ close(): Promise<void> } | undefined> {
  if (port === undefined) return undefined;
  const { Metrics, startAdmin } = await import('../../server/index.ts');
  const { feedsInFull, feedsOf, healthOf } = await import('../../library/index.ts');
  const { read, troubles } = service.store;
  const health = async () => {
    const { facts: known, ...more } = await healthOf(service.store);
    return { ...more, facts: { ...known, ...facts() } };
  };
  const sent = notifyUrl !== undefined && { notices: () => notices() ?? { delivered: 0, failed: 0 } };
  const counted = { ...(serving && { serving }), ...sent, writes, retries };
  const trouble = () => troubles.current;
  const metrics = new Metrics({ ...counted, feeds: () => feedsOf(read), trouble, now, log });
  const feeds = () => feedsInFull(read);
  const starting = startAdmin({ port, host, token, library: { health }, feeds, actions, metrics, log, now });
  const running = await listening(starting, host, port, '--admin-port');
  log.info({ url: running.url }, 'The admin address answers /admin, /metrics, /healthz and /readyz.');
  return running;
}

interface Administered {
  service: ReadService;
  /** Counts of served requests, of a process that serves. */
  serving: Serving | undefined;
  writes(): number;
  retries(): number;
  /** Messages to the webhook; undefined: none was sent. */
  notices(): { delivered: number; failed: number } | undefined;
  facts(): NonNullable<Health['facts']>;
  /** Absent: this process only reads. */
  actions: FeedActions | undefined;
}
