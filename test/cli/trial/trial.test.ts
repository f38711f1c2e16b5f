import { readFile } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, expect, test } from 'vitest';
import { packageFolder } from '../../../src/cli/package.ts';
import { type CalendarTrial, calendarTrial } from '../../../src/cli/trial/trial.ts';
import type { TrialAnswers } from '../../../src/publish/index.ts';

/** What `/publish` answers to addresses of all kinds: a trial, or a sentence that says what is wrong. */

const NOW = Date.UTC(2026, 10, 21, 9, 30);
const io = { now: () => NOW };
const settings = { publishPage: true, allowPrivate: false, contact: undefined };

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function serving(answer: RequestListener): Promise<string> {
  const server: Server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Trusts the origins of `named` alone. */
function opened(named: readonly string[], limits?: { totalMs: number; bytes: number }): CalendarTrial {
  const made = calendarTrial(settings, io, { named, ...(limits && { limits }) }) as CalendarTrial;
  closing.push(() => made.close());
  return made;
}

async function tried(answer: RequestListener, limits?: { totalMs: number; bytes: number }, answers: TrialAnswers = {}) {
  const url = await serving(answer);
  return opened([url], limits).trial(`${url}/club.ics`, answers, new AbortController().signal);
}

const troubleOf = async (answer: RequestListener, limits?: { totalMs: number; bytes: number }) =>
  (await tried(answer, limits)) as { trouble: string };

const calendar = (...lines: string[]) => ['BEGIN:VCALENDAR', 'VERSION:2.0', ...lines, 'END:VCALENDAR', ''].join('\r\n');
const sends =
  (text: string | Buffer, type = 'text/calendar'): RequestListener =>
  (_request, response) => {
    response.setHeader('Content-Type', type);
    response.end(text);
  };

test('a calendar of a club, with what is published of it and what is not', async () => {
  const text = await readFile(join(packageFolder, 'fixtures', 'calendars', 'thunderbird-swim.ics'));
  const outcome = await tried(sends(text));
  if (!('trial' in outcome)) throw new Error(outcome.trouble);
  const { trial } = outcome;
  expect(trial.counts.series).toBeGreaterThan(0);
  expect(trial.series.length).toBe(trial.counts.series);
  expect(trial.series.every(({ when, sessions }) => when.length + sessions > 0)).toBe(true);
  expect(JSON.parse(trial.mapping)).toHaveProperty('activities');
});

test('the next date is the first that takes place, by the rule with what changes it', async () => {
  const event = (...lines: string[]) => ['BEGIN:VEVENT', 'UID:1', 'SUMMARY:Yoga', ...lines, 'END:VEVENT'];
  const rule = event('DTSTART:20261201T180000Z', 'DURATION:PT1H', 'RRULE:FREQ=WEEKLY;COUNT=4');
  const change = (from: string, to: string, ...more: string[]) =>
    event(`RECURRENCE-ID:${from}T180000Z`, `DTSTART:${to}T180000Z`, 'DURATION:PT1H', ...more);
  const nextOf = async (...lines: string[]) => {
    const outcome = await tried(sends(calendar(...lines)));
    return 'trial' in outcome ? outcome.trial.series[0]?.next : outcome.trouble;
  };
  const moved = change('20261208', '20270105');
  expect(await nextOf(...rule)).toBe('2026-12-01T18:00:00Z');
  expect(await nextOf(...rule, ...moved)).toBe('2026-12-01T18:00:00Z');
  const off = change('20261201', '20261201', 'STATUS:CANCELLED');
  expect(await nextOf(...rule, ...off, ...moved)).toBe('2026-12-15T18:00:00Z');
  expect(await nextOf(...event('DTSTART:20261201T180000Z', 'STATUS:CANCELLED'))).toBeUndefined();
  expect(await nextOf(...event('DTSTART:20261101T180000Z', 'RDATE:20261209T180000Z'))).toBe('2026-12-09T18:00:00Z');
});

test('titles that name no activity are for the person to decide, and what is a placeholder is no price', async () => {
  const event = (uid: string, summary: string, day = '20261201T180000Z') => [
    'BEGIN:VEVENT',
    `UID:${uid}`,
    `DTSTART:${day}`,
    `SUMMARY:${summary}`,
    'RRULE:FREQ=WEEKLY',
    'END:VEVENT',
  ];
  const text = calendar(...event('1', 'Yoga'), ...event('2', 'Track training'), ...event('3', 'Pool closed'));
  const outcome = await tried(sends(text));
  expect(outcome).toMatchObject({
    trial: {
      series: [{ name: 'Yoga', when: ['Tuesdays 18:00'], activity: 'Yoga' }],
      undecided: [{ title: 'Track training', events: 1 }],
      left: [{ title: 'Pool closed', events: 1, why: 'says that something is closed' }],
    },
  });
  if ('trial' in outcome) expect(outcome.trial.series[0]).not.toHaveProperty('price');
});

test('the page is there only where the settings say so', () => {
  expect(calendarTrial({ ...settings, publishPage: false }, io)).toBeUndefined();
});

test('what a person answers is in the mapping file, and is no question there any more', async () => {
  const event = (uid: string, summary: string) => [
    'BEGIN:VEVENT',
    `UID:${uid}`,
    'DTSTART:20261201T180000Z',
    'DTEND:20261201T190000Z',
    'LOCATION:The hall\\, 1 High Street\\, Wexcombe WX1 2AB',
    `SUMMARY:${summary}`,
    'END:VEVENT',
  ];
  const text = calendar(...event('1', 'Yoga'), ...event('2', 'Track training'), ...event('3', 'Committee'));
  const answers = {
    site: 'https://club.example',
    organizer: 'The Club',
    price: 4.5,
    activities: [{ title: 'Track training', activity: 'Running' }],
  };
  const outcome = await tried(sends(text), undefined, answers);
  if (!('trial' in outcome)) throw new Error(outcome.trouble);
  const { trial } = outcome;
  expect(trial.mapping).not.toMatch(/To decide|example\.org/);
  expect(trial.undecided).toEqual([{ title: 'Committee', events: 1 }]);
  expect(trial.series.map(({ name, activity, price }) => [name, activity, price])).toEqual(
    expect.arrayContaining([
      ['Yoga', 'Yoga', { amount: 4.5, currency: 'GBP' }],
      ['Track training', 'Running', { amount: 4.5, currency: 'GBP' }],
    ]),
  );
  expect(trial.findings.filter(({ severity }) => severity === 'error')).toEqual([]);
  expect(JSON.parse(trial.mapping)).toMatchObject({
    base: 'https://club.example/open-data/',
    organizer: { name: 'The Club', id: 'https://club.example/#organizer' },
    events: [{ title: ['Committee'], as: 'nothing' }],
  });
});

test.each([
  ['nothing', ''],
  ['words', 'my calendar'],
  ['a file', 'file:///etc/passwd'],
  ['a script', 'javascript:alert(1)'],
  ['more than an address is', `https://a.example/${'x'.repeat(3000)}`],
])('what is no address: %s', async (_name, pasted) => {
  const outcome = await opened([]).trial(pasted, {}, new AbortController().signal);
  expect(outcome).toEqual({ trouble: expect.stringContaining('no address of a calendar') });
});

test.each([
  'http://127.0.0.1:1/a.ics',
  'http://[::1]/a.ics',
  'http://localhost/a.ics',
  'http://169.254.169.254/latest/meta-data/',
  'http://10.0.0.1/a.ics',
  'http://0x7f.1/a.ics',
  'webcal://192.168.0.1/a.ics',
])('a private address: %s', async (pasted) => {
  const outcome = await opened([]).trial(pasted, {}, new AbortController().signal);
  expect(outcome).toEqual({ trouble: expect.stringContaining('not on the public internet') });
});

test('a redirect to a private address reaches nobody', async () => {
  let reached = 0;
  const inside = await serving((_request, response) => {
    reached += 1;
    response.end(calendar());
  });
  const outcome = await troubleOf((_request, response) => {
    response.writeHead(302, { Location: `${inside}/secret.ics` });
    response.end();
  });
  expect(outcome.trouble).toContain('not on the public internet');
  expect(reached).toBe(0);
});

test.each([
  ['404', 404, 'There is nothing at this address'],
  ['403', 403, 'does not give this calendar to everybody'],
  ['500', 500, 'answered 500'],
])('the status %s', async (_name, status, words) => {
  const { trouble } = await troubleOf((_request, response) => {
    response.writeHead(status);
    response.end('no');
  });
  expect(trouble).toContain(words);
});

test.each([
  ['a page of Google', sends('<!doctype html><title>Calendar</title>', 'text/html'), 'a web page, not of a calendar'],
  ['JSON', sends('{"items":[]}', 'application/json'), 'does not begin with BEGIN:VCALENDAR'],
  ['nothing', sends(''), 'the calendar is empty'],
  ['octets at random', sends(Buffer.from([0, 255, 1, 254, 200])), 'does not begin with BEGIN:VCALENDAR'],
])('what is no calendar: %s', async (_name, answer, words) => {
  expect((await troubleOf(answer)).trouble).toContain(words);
});

test('a body without an end, and one of a hundred megabytes', async () => {
  const endless: RequestListener = (_request, response) => {
    response.write('BEGIN:VCALENDAR\r\n');
    const timer = setInterval(() => response.write('X:y\r\n'), 10);
    response.on('close', () => clearInterval(timer));
  };
  expect((await troubleOf(endless, { totalMs: 300, bytes: 1_000_000 })).trouble).toContain('did not come within');
  const large: RequestListener = (_request, response) => {
    const piece = Buffer.alloc(1024 * 1024, 'X');
    let left = 100;
    const more = () => {
      while (left > 0 && response.write(piece)) left -= 1;
      if (left > 0) response.once('drain', more);
      else response.end();
    };
    more();
  };
  expect((await troubleOf(large)).trouble).toContain('larger than 10 MB');
});

test('a bomb that unpacks to a hundred megabytes', async () => {
  const bomb = gzipSync(Buffer.alloc(100 * 1024 * 1024, 'X'));
  const { trouble } = await troubleOf((_request, response) => {
    response.setHeader('Content-Encoding', 'gzip');
    response.end(bomb);
  });
  expect(trouble).toMatch(/larger than 10 MB|does not unpack/);
});

test('rules without an end in sight', async () => {
  const rule = (index: number, value: string) => [
    'BEGIN:VEVENT',
    `UID:${index}`,
    'SUMMARY:Yoga',
    'DTSTART:19700101T000000Z',
    `RRULE:${value}`,
    'END:VEVENT',
  ];
  const rules = [
    'FREQ=SECONDLY',
    'FREQ=MINUTELY;BYSETPOS=-1',
    'FREQ=YEARLY;BYMONTHDAY=31;BYMONTH=2',
    'FREQ=SECONDLY;COUNT=1000000000',
  ];
  const events = Array.from({ length: 400 }, (_, index) => rule(index, rules[index % rules.length] as string)).flat();
  const outcome = await tried(sends(calendar(...events)));
  // Either in its limits, or refused in words.
  if ('trial' in outcome) expect(outcome.trial.counts.sessions).toBeLessThanOrEqual(50_000);
  else expect(outcome.trouble).toContain('holds more than can be tried here');
});

test('hostile words come out as words, and nothing of a person', async () => {
  const text = calendar(
    'X-WR-CALNAME:<script>alert(1)</script>',
    'BEGIN:VEVENT',
    'UID:1',
    'DTSTART:20261201T180000Z',
    'SUMMARY:Yoga',
    'DESCRIPTION:Ring Sue on 01632 960123',
    'ORGANIZER;CN=Sue Smith:mailto:sue@club.example',
    'END:VEVENT',
    'BEGIN:VEVENT',
    'UID:2',
    'CLASS:PRIVATE',
    'DTSTART:20261202T180000Z',
    'SUMMARY:Yoga with the doctor',
    'END:VEVENT',
  );
  const outcome = await tried(sends(text));
  if (!('trial' in outcome)) throw new Error(outcome.trouble);
  expect(outcome.trial).toMatchObject({ private: 1, counts: { series: 1 } });
  expect(JSON.stringify(outcome.trial)).not.toMatch(/960123|Sue|doctor/);
});

test('no more than two calendars are worked out at once', async () => {
  const waiting: (() => void)[] = [];
  const url = await serving((_request, response) => {
    waiting.push(() => response.end(calendar()));
  });
  const { trial } = opened([url]);
  const { signal } = new AbortController();
  // One request at a time goes to one host.
  const [first, second] = [trial(`${url}/1`, {}, signal), trial(`${url}/2`, {}, signal)];
  expect(await trial(`${url}/3`, {}, signal)).toEqual({ trouble: expect.stringContaining('Try again'), isBusy: true });
  const timer = setInterval(() => waiting.shift()?.(), 10);
  closing.push(() => clearInterval(timer));
  expect((await Promise.all([first, second])).every((outcome) => 'trial' in outcome)).toBe(true);
});
