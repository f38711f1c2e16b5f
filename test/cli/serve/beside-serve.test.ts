import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Instead, RpdePublisher } from '../../harvest/rpde-publisher.ts';
import { PROGRAM, PROGRAM_ENV } from '../../program.ts';

/** What `feeds` does beside a `serve` whose harvester is a process of its own: three real processes and one store. */

let data: string;
let publisher: RpdePublisher;
/** Of a feed that is read all the time: what it was asked is how the others' time is reported. */
let witness: RpdePublisher;
const children = new Set<ChildProcess>();
beforeEach(async () => {
  data = await mkdtemp(join(tmpdir(), 'oai-beside-'));
  [publisher, witness] = [await RpdePublisher.open(), await RpdePublisher.open()];
  for (const one of [publisher, witness]) one.instead = askedAtAnyPace;
  publisher.put('s1', yoga('Yoga'));
  witness.put('s1', { ...yoga('Swim'), '@id': 'https://witness.example/1' });
});
afterEach(async () => {
  for (const child of children) await stopped(child);
  await publisher.close();
  await witness.close();
  await rm(data, { recursive: true });
});

const askedAtAnyPace: Instead = (_request, _response, { headers }) => {
  headers['cache-control'] = 'max-age=0';
  return false;
};

const DAY = 86_400_000;
const day = (days: number): string => new Date(Date.now() + days * DAY).toISOString().slice(0, 10);

function yoga(name: string): object {
  const eventSchedule = [
    {
      '@type': 'Schedule',
      startDate: day(-20),
      endDate: day(60),
      startTime: '18:00',
      endTime: '19:00',
      repeatFrequency: 'P1W',
      scheduleTimezone: 'Europe/London',
      scheduledEventType: 'ScheduledSession',
      idTemplate: 'https://yoga.example/{startDate}',
    },
  ];
  return { '@type': 'SessionSeries', '@id': 'https://yoga.example/series', name, eventSchedule };
}

function start(...argv: string[]): ChildProcess {
  const child = spawn(process.execPath, [PROGRAM, ...argv, '--data', data], {
    env: { ...PROGRAM_ENV, OPENACTIVE_ICAL_POLL_SECONDS: '0.2', OPENACTIVE_ICAL_IDLE_POLL_SECONDS: '0.2' },
  });
  children.add(child);
  return child;
}

async function stopped(child: ChildProcess): Promise<void> {
  children.delete(child);
  if (child.exitCode === null && child.kill('SIGTERM')) await once(child, 'exit');
}

async function ran(...argv: string[]): Promise<{ code: number | null; out: string }> {
  const child = start(...argv);
  let out = '';
  child.stdout?.on('data', (piece) => {
    out += piece;
  });
  const [code] = (await once(child, 'close')) as [number | null];
  children.delete(child);
  return { code, out };
}

const FEEDS = () => ['--feed', publisher.url, '--feed', witness.url];

/** `serve`, once it answers. */
async function serving(): Promise<{ child: ChildProcess; url: string; log(): string }> {
  const child = start('serve', ...FEEDS(), '--port', '0', '--host', '127.0.0.1');
  let log = '';
  child.stderr?.on('data', (piece) => {
    log += piece;
  });
  const [ready] = (await once(child.stdout as NodeJS.ReadableStream, 'data')) as [Buffer];
  return { child, url: /http:\/\/\S+(?=\/\s)/.exec(String(ready))?.[0] ?? '', log: () => log };
}

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((done) => setTimeout(done, 50));
}

const text = async (address: string): Promise<string> => (await fetch(address)).text();

/** The calendar of the publisher's series, once it is served. */
async function calendarOf(url: string): Promise<string> {
  for (;;) {
    const { items } = (await (await fetch(`${url}/api/series`)).json()) as {
      items: { calendar: string; name: string }[];
    };
    const found = items.find(({ name }) => name === 'Yoga');
    if (found !== undefined) return found.calendar;
  }
}

/** How often the publisher is asked while the witness is three times. */
async function askedMeanwhile(): Promise<number> {
  const [from, before] = [witness.asked.length, publisher.asked.length];
  await until(() => witness.asked.length >= from + 3);
  return publisher.asked.length - before;
}

test('a feed that is paused is asked by no process, also after a restart, until it is resumed', async () => {
  let { child, url, log } = await serving();
  const calendar = await calendarOf(url);
  expect((await ran('feeds', '--pause', publisher.url)).out).toContain(`${publisher.url}: Paused by somebody since`);
  await until(() => log().includes('"state":"paused"'));
  publisher.put('s1', yoga('Pilates'));
  expect(await askedMeanwhile()).toBe(0);
  expect(await text(calendar)).toContain('SUMMARY:Yoga');
  await stopped(child);
  ({ child, url, log } = await serving());
  await until(() => log().includes('"state":"paused"'));
  expect(await askedMeanwhile()).toBe(0);
  expect(await text(`${url}/feeds`)).toContain('Paused by somebody since');
  const again = await calendarOf(url);
  expect(await text(again)).toContain('SUMMARY:Yoga');
  expect((await ran('feeds', '--resume', publisher.url)).code).toBe(0);
  await until(async () => (await text(again)).includes('SUMMARY:Pilates'));
  expect(await text(`${url}/feeds`)).not.toContain('Paused by somebody since');
});

test('a feed that is forgotten is asked no more; its calendar cancels the future, and no page lists it', async () => {
  const { url } = await serving();
  const calendar = await calendarOf(url);
  expect(await text(calendar)).not.toContain('STATUS:CANCELLED');
  const id = new RegExp(`${publisher.url.slice(0, -5)} \\(feed \\d+\\)`);
  expect(await text(`${url}/feeds`)).toMatch(id);
  expect((await ran('feeds', '--forget', publisher.url)).out).toBe(`${publisher.url}: forgotten, with 1 item\n`);
  await until(async () => (await text(calendar)).includes('STATUS:CANCELLED'));
  publisher.put('s1', yoga('Pilates'));
  expect(await askedMeanwhile()).toBe(0);
  expect(await text(`${url}/feeds`)).not.toMatch(id);
  const cancelled = await text(calendar);
  expect(cancelled).toContain('SUMMARY:Yoga');
  const events = cancelled.split('BEGIN:VEVENT').slice(1);
  const left = events.filter((event) => !event.includes('STATUS:CANCELLED'));
  const today = day(0).replaceAll('-', '');
  expect(left.map((event) => (/UNTIL=(\d{8})/.exec(event)?.[1] ?? '9') <= today)).toEqual([true]);
  const { items } = (await (await fetch(`${url}/api/series`)).json()) as { items: { name: string }[] };
  expect(items.map(({ name }) => name)).toEqual(['Swim']);
});
