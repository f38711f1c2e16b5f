import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Row } from '../rows.ts';

/**
 * The real Thunderbird, headless, in a profile thrown away afterwards: it subscribes to addresses as a person would and
 * says what its own calendar shows. Driven over Marionette (`length:json` over TCP, in the browser's own context).
 */
export class Thunderbird {
  readonly #process: ChildProcess;
  readonly #profile: string;
  readonly #marionette: Marionette;

  private constructor(child: ChildProcess, profile: string, marionette: Marionette) {
    this.#process = child;
    this.#profile = profile;
    this.#marionette = marionette;
  }

  static async start(): Promise<Thunderbird> {
    const port = await freePort();
    const profile = mkdtempSync(join(tmpdir(), 'openactive-ical-thunderbird-'));
    writeFileSync(join(profile, 'user.js'), preferences(port));
    const args = ['--headless', '--no-remote', '--profile', profile, '--marionette', '--remote-allow-system-access'];
    const child = spawn('thunderbird', args, { stdio: 'ignore', env: { ...process.env, TZ: 'UTC', HOME: profile } });
    return new Thunderbird(child, profile, await Marionette.connect(port, child));
  }

  /** Subscribes to a calendar and fetches it. */
  async subscribe(url: string): Promise<void> {
    await this.#ask(SUBSCRIBE, [url]);
  }

  /** Asks for a calendar again, as a person may at any time and the program does by itself every half hour. */
  async refresh(url: string): Promise<void> {
    await this.#ask(REFRESH, [url]);
  }

  /** What it shows of a calendar between two dates. */
  async shows(url: string, from: string, to: string): Promise<Row[]> {
    return this.#ask<Row[]>(SHOW, [url, compact(from), compact(to)]);
  }

  async #ask<T>(script: string, args: unknown[]): Promise<T> {
    const answer = await this.#marionette.script<{ value: T; error?: string }>(script, args);
    if (answer === undefined || answer.error !== undefined) throw new Error(`Thunderbird: ${JSON.stringify(answer)}`);
    return answer.value;
  }

  async close(): Promise<void> {
    this.#marionette.close();
    if (this.#process.exitCode === null) {
      this.#process.kill('SIGTERM');
      const force = setTimeout(() => this.#process.kill('SIGKILL'), 10_000);
      await once(this.#process, 'exit');
      clearTimeout(force);
    }
    rmSync(this.#profile, { recursive: true, force: true, maxRetries: 5 });
  }
}

function compact(date: string): string {
  return `${date.replaceAll('-', '')}T000000Z`;
}

function preferences(port: number): string {
  const values: Record<string, string | number | boolean> = {
    'marionette.port': port,
    'calendar.timezone.local': 'UTC',
    'calendar.timezone.useSystemTimezone': false,
    'app.update.enabled': false,
    'app.donation.eoy.version.viewed': 999,
    'mail.provider.suppress_dialog_on_startup': true,
    'mail.spotlight.firstRunDone': true,
    'mail.winsearch.firstRunDone': true,
    'mailnews.start_page.enabled': false,
    'datareporting.policy.dataSubmissionEnabled': false,
    'toolkit.telemetry.enabled': false,
    'extensions.update.enabled': false,
  };
  return Object.entries(values)
    .map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`)
    .join('');
}

/** A script that runs inside Thunderbird; `arguments` are the url and what else it needs, `value` is what it returns. */
function inside(body: string): string {
  return `
const [url, from, to] = arguments;
const done = arguments[arguments.length - 1];
(async () => {
  const { cal } = ChromeUtils.importESModule("resource:///modules/calendar/calUtils.sys.mjs");
  const calendar = cal.manager.getCalendars().find(({ name }) => name === url);
  ${body}
})().then((value) => done({ value: value ?? null }), (error) => done({ error: String(error) }));
`;
}

const SUBSCRIBE = inside(`
  const made = cal.manager.createCalendar(url.includes("/dav/") ? "caldav" : "ics", Services.io.newURI(url));
  made.name = url;
  made.setProperty("cache.enabled", true);
  made.readOnly = true;
  cal.manager.registerCalendar(made);
  made.refresh();
`);

const REFRESH = inside('calendar.refresh();');

const SHOW = inside(`
  const filter = Ci.calICalendar.ITEM_FILTER_TYPE_EVENT | Ci.calICalendar.ITEM_FILTER_CLASS_OCCURRENCES;
  const items = await calendar.getItemsAsArray(filter, 0, cal.createDateTime(from), cal.createDateTime(to));
  const utc = (at) => new Date(at.nativeTime / 1000).toISOString().replace(".000Z", "Z");
  return items.map((item) => ({ uid: item.id, start: utc(item.startDate), end: utc(item.endDate), summary: item.title ?? "", status: item.status ?? "" }));
`);

/** The few commands of the Marionette protocol that are needed. */
class Marionette {
  readonly #socket: Socket;
  #received = Buffer.alloc(0);
  #waiting: { resolve(message: unknown): void; reject(reason: Error): void }[] = [];
  #number = 0;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('data', (chunk: Buffer) => this.#take(chunk));
    socket.on('close', () => {
      for (const one of this.#waiting.splice(0)) one.reject(new Error('Thunderbird closed the connection'));
    });
  }

  static async connect(port: number, child: ChildProcess): Promise<Marionette> {
    for (let tries = 0; tries < 240; tries++) {
      if (child.exitCode !== null) throw new Error(`Thunderbird ended by itself with exit code ${child.exitCode}`);
      try {
        const socket = connect(port, '127.0.0.1');
        await once(socket, 'connect');
        const marionette = new Marionette(socket);
        await marionette.#next();
        await marionette.command('WebDriver:NewSession', { capabilities: { alwaysMatch: {} } });
        await marionette.command('WebDriver:SetTimeouts', { script: 60_000 });
        await marionette.command('Marionette:SetContext', { value: 'chrome' });
        return marionette;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ECONNREFUSED') throw error;
        await sleep(250);
      }
    }
    throw new Error('Thunderbird did not open its Marionette port within a minute');
  }

  async command(name: string, parameters: object): Promise<unknown> {
    const message = JSON.stringify([0, ++this.#number, name, parameters]);
    const answer = this.#next();
    this.#socket.write(`${Buffer.byteLength(message)}:${message}`);
    const [, , error, result] = (await answer) as [number, number, unknown, unknown];
    if (error !== null) throw new Error(`${name}: ${JSON.stringify(error).slice(0, 800)}`);
    return result;
  }

  async script<T>(script: string, args: unknown[]): Promise<T | undefined> {
    const result = await this.command('WebDriver:ExecuteAsyncScript', {
      script,
      args,
      newSandbox: true,
      sandbox: 'system',
    });
    return (result as { value?: T }).value;
  }

  close(): void {
    this.#socket.destroy();
  }

  #next(): Promise<unknown> {
    return new Promise((resolve, reject) => this.#waiting.push({ resolve, reject }));
  }

  #take(chunk: Buffer): void {
    this.#received = Buffer.concat([this.#received, chunk]);
    for (;;) {
      const colon = this.#received.indexOf(':');
      const length = Number(this.#received.subarray(0, Math.max(colon, 0)).toString());
      if (colon < 0 || this.#received.length < colon + 1 + length) return;
      const message: unknown = JSON.parse(this.#received.subarray(colon + 1, colon + 1 + length).toString());
      this.#received = this.#received.subarray(colon + 1 + length);
      this.#waiting.shift()?.resolve(message);
    }
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
