/** The log: JSON lines for machines, plain lines on a terminal. */

import { type Logger, pino } from 'pino';
import type { Settings } from '../../config.ts';
import type { Io } from '../io.ts';

export function createLog(settings: Settings, io: Io): Logger {
  const write = io.columns === undefined ? io.stderr : (line: string) => io.stderr(plainLine(line));
  return pino(
    { level: settings.logLevel, base: null, timestamp: () => `,"time":"${new Date(io.now()).toISOString()}"` },
    { write },
  );
}

const LEVELS: Record<number, string> = { 10: 'trace ', 20: 'debug ', 40: 'warning: ', 50: 'error: ', 60: 'error: ' };

function plainLine(line: string): string {
  const { level, time, msg, ...facts } = JSON.parse(line) as Record<string, unknown>;
  const rest = Object.entries(facts).map(
    ([name, value]) => ` ${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  return `${String(time).slice(11, 19)} ${LEVELS[level as number] ?? ''}${msg}${rest.join('')}\n`;
}
