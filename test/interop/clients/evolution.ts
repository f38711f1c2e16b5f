import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { inWindow, type Row } from '../rows.ts';

const script = fileURLToPath(new URL('./evolution.py', import.meta.url));

/** What Evolution's data server shows of each calendar between two dates, by address. In a home thrown away afterwards. */
export async function readWithEvolution(
  urls: readonly string[],
  from: string,
  to: string,
): Promise<Map<string, Row[]>> {
  const home = mkdtempSync(join(tmpdir(), 'openactive-ical-evolution-'));
  const env = {
    ...process.env,
    TZ: 'UTC',
    HOME: home,
    XDG_CONFIG_HOME: join(home, 'config'),
    XDG_CACHE_HOME: join(home, 'cache'),
    XDG_DATA_HOME: join(home, 'data'),
  };
  const args = ['--', '/usr/bin/python3', script, from, to, ...urls];
  try {
    const { stdout } = await promisify(execFile)('dbus-run-session', args, {
      env,
      timeout: 240_000,
      maxBuffer: 64 * 1024 * 1024,
    });
    const lines = stdout.split('\n').filter((line) => line.startsWith('{'));
    return new Map(
      lines
        .map((line) => JSON.parse(line) as { url: string; rows: Row[] })
        .map(({ url, rows }) => [url, rows.filter((row) => inWindow(row, from, to))]),
    );
  } finally {
    rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  }
}
