import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { inWindow, type Row } from '../rows.ts';

const run = promisify(execFile);

type Storage = 'http' | 'caldav';

/** Before every row: a title may have several lines. */
const MARK = '\u241e';

/** vdirsyncer brings a calendar over HTTP into files, khal shows them; in a folder thrown away afterwards. */
export class Khal {
  readonly #folder = mkdtempSync(join(tmpdir(), 'openactive-ical-khal-'));
  readonly #calendars = new Map<string, string>();
  readonly #storage: Storage;

  /** How vdirsyncer fetches: whole files, or by CalDAV. */
  constructor(storage: Storage = 'http') {
    this.#storage = storage;
  }

  async subscribe(url: string): Promise<void> {
    const name = `c${this.#calendars.size}`;
    this.#calendars.set(url, name);
    const home = join(this.#folder, name);
    mkdirSync(join(home, 'events'), { recursive: true });
    writeFileSync(join(home, 'vdirsyncer'), syncSettings(home, url, this.#storage));
    writeFileSync(join(home, 'khal'), khalSettings(home));
    await this.#vdirsyncer(url, 'discover');
    await this.refresh(url);
  }

  async refresh(url: string): Promise<void> {
    await this.#vdirsyncer(url, 'sync');
  }

  /** What khal shows of a calendar between two dates. It lists what takes several days on each of them. */
  async shows(url: string, from: string, to: string): Promise<Row[]> {
    const home = this.#homeOf(url);
    const format = `${MARK}{uid}|{start}|{end}|{status}|{title}`;
    const args = ['-c', join(home, 'khal'), 'list', '--format', format, '--day-format', '', from, to];
    const { stdout } = await run('/usr/bin/khal', args, { env: this.#env(home), maxBuffer: 1 << 29, timeout: 300_000 });
    const rows = stdout.split(MARK).slice(1);
    return [...new Set(rows.map((row) => row.trimEnd()))].map(rowOf).filter((row) => inWindow(row, from, to));
  }

  close(): void {
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 5 });
  }

  #homeOf(url: string): string {
    return join(this.#folder, this.#calendars.get(url) as string);
  }

  #env(home: string): NodeJS.ProcessEnv {
    return { ...process.env, TZ: 'UTC', HOME: home, LC_ALL: 'C.UTF-8', COLUMNS: '100000' };
  }

  async #vdirsyncer(url: string, command: string): Promise<void> {
    const home = this.#homeOf(url);
    const env = this.#env(home);
    await run('/usr/bin/vdirsyncer', ['-c', join(home, 'vdirsyncer'), command], { env, timeout: 120_000 });
  }
}

/** `{status}` ends with a space; a day's own heading is empty. */
function rowOf(line: string): Row {
  const [uid = '', start = '', end = '', status = '', ...title] = line.split('|');
  return { uid, start: `${start}:00Z`, end: `${end}:00Z`, status: status.trim(), summary: title.join('|') };
}

function syncSettings(home: string, url: string, storage: Storage): string {
  return `[general]
status_path = "${home}/status"
[pair feed]
a = "remote"
b = "local"
collections = null
conflict_resolution = "a wins"
[storage remote]
type = "${storage}"
url = "${url}"
[storage local]
type = "filesystem"
path = "${home}/events"
fileext = ".ics"
`;
}

function khalSettings(home: string): string {
  return `[calendars]
[[feed]]
path = ${home}/events
type = calendar
readonly = True
[sqlite]
path = ${home}/khal.db
[locale]
local_timezone = UTC
default_timezone = UTC
timeformat = %H:%M
dateformat = %Y-%m-%d
longdateformat = %Y-%m-%d
datetimeformat = %Y-%m-%dT%H:%M
longdatetimeformat = %Y-%m-%dT%H:%M
`;
}
