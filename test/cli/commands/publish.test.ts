import { mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { StoppedError } from '../../../src/errors.ts';
import { openStore } from '../../../src/store/index.ts';
import { type FaultServer, faultServer } from '../../harvest/ingest/faults.ts';
import { failures, feedFailures, harvested, type RpdeItemJson } from '../../publish/feed/judges.ts';
import { cli, type Ran, type World } from '../io.ts';
import { rig } from '../rig.ts';

/** `publish`, from calendars to what harvesters and judges see of them. */

const NOW = Date.UTC(2026, 10, 21, 9);
const FEEDS = ['session-series', 'scheduled-sessions', 'facility-uses'];

const { path, closing } = rig();

/** A folder of one test. */
let places = 0;
async function place(files: Record<string, string> = {}): Promise<string> {
  const at = path(`place-${places++}`);
  await mkdir(at);
  for (const [name, text] of Object.entries(files)) await writeFile(join(at, name), text);
  return at;
}

const EVENT = (uid: string, name: string, more = '') => `BEGIN:VEVENT
UID:${uid}
DTSTAMP:20261101T000000Z
DTSTART;TZID=Europe/London:20270104T180000
DTEND;TZID=Europe/London:20270104T190000
RRULE:FREQ=WEEKLY;BYDAY=MO
SUMMARY:${name}
LOCATION:Village Hall
DESCRIPTION:For everybody.
${more}END:VEVENT
`;
const MOVED = `BEGIN:VEVENT
UID:yoga
DTSTAMP:20261101T000000Z
RECURRENCE-ID;TZID=Europe/London:20270111T180000
DTSTART;TZID=Europe/London:20270111T200000
DTEND;TZID=Europe/London:20270111T210000
SUMMARY:Yoga
LOCATION:Village Hall
END:VEVENT
`;
const HOURS = `BEGIN:VAVAILABILITY
UID:hours
DTSTAMP:20261101T000000Z
BEGIN:AVAILABLE
UID:hours-1
DTSTAMP:20261101T000000Z
DTSTART;TZID=Europe/London:20270104T090000
DTEND;TZID=Europe/London:20270104T170000
RRULE:FREQ=WEEKLY;BYDAY=MO,TU
END:AVAILABLE
END:VAVAILABILITY
`;
const calendar = (...parts: string[]) =>
  `BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:-//test//EN\n${parts.join('')}END:VCALENDAR\n`.replaceAll('\n', '\r\n');

const ACTIVITY = {
  label: 'Dance',
  id: 'https://openactive.io/activity-list#6ca15167-51da-4d91-a1ae-8a45dc47b0ea',
  scheme: 'https://openactive.io/activity-list',
};
const MAPPING = JSON.stringify({
  base: 'https://club.example/',
  url: 'https://club.example/timetable',
  organizer: { name: 'The Club', id: 'https://club.example/', url: 'https://club.example/' },
  activity: ACTIVITY,
  place: {
    name: 'Village Hall',
    street: '1 High Street',
    locality: 'Ashford',
    region: 'Kent',
    postalCode: 'TN23 1AA',
    country: 'GB',
  },
  places: [
    {
      location: 'Village Hall',
      place: {
        name: 'Village Hall',
        street: '1 High Street',
        locality: 'Ashford',
        region: 'Kent',
        postalCode: 'TN23 1AA',
        country: 'GB',
      },
    },
  ],
  offers: [{ name: 'Adult', price: 5, currency: 'GBP' }],
  calendars: [
    {
      source: 'hours',
      openingHours: true,
      facility: {
        name: 'Village Hall',
        url: 'https://club.example/hall',
        type: {
          label: 'Hall',
          id: 'https://openactive.io/facility-types#hall',
          scheme: 'https://openactive.io/facility-types',
        },
      },
    },
  ],
});

/** Starts `publish`, waits until it tells its address; `stop` ends it. */
async function publishing(argv: string[], world: World = {}): Promise<{ url: string; stop(): Promise<Ran> }> {
  const stopper = new AbortController();
  const { promise: ready, resolve, reject } = Promise.withResolvers<string>();
  const onOut = (text: string) => {
    const url = /http:\/\/\S+?(?=\/rpde\/\s)/.exec(text)?.[0];
    if (url !== undefined) resolve(url);
  };
  const env = {
    OPENACTIVE_ICAL_FOLDER_POLL_SECONDS: '0.1',
    OPENACTIVE_ICAL_CALENDAR_POLL_SECONDS: '0.1',
    ...world.env,
  };
  const running = cli(['publish', '--port', '0', '--host', '127.0.0.1', ...argv], {
    ...world,
    env,
    onOut,
    signal: stopper.signal,
  });
  running.then(({ err }) => reject(new Error(`ended: ${err}`)), reject);
  const stop = async () => {
    stopper.abort(new StoppedError('SIGTERM'));
    return running;
  };
  closing.push(stop);
  return { url: await ready, stop };
}

const feedOf = (url: string, feed: string) => `${url}/rpde/${feed}`;
const changes = (items: readonly RpdeItemJson[]) => items.map(({ id, state, modified }) => [id, state, modified]);

describe('publish', () => {
  test('what it serves is found faultless by the judges, before and after changes and deletions', async () => {
    const at = await place({
      'club.ics': calendar(EVENT('yoga', 'Yoga'), MOVED, EVENT('judo', 'Judo'), EVENT('chess', 'Chess')),
      'hours.ics': calendar(HOURS),
      'mapping.json': MAPPING,
    });
    const data = await place();
    const { url } = await publishing([at, '--mapping', join(at, 'mapping.json'), '--data', data]);
    const validate = async () => {
      for (const feed of FEEDS) {
        expect(await feedFailures(feedOf(url, feed)), feed).toMatchObject({ failures: [] });
        for (const { data: object } of await harvested(feedOf(url, feed))) {
          if (object !== undefined) expect(await failures(object)).toEqual([]);
        }
      }
    };
    await validate();
    const before = await harvested(feedOf(url, 'session-series'));
    expect(before.map(({ data: one }) => one?.name).sort()).toEqual(['Chess', 'Judo', 'Yoga']);
    await writeFile(join(at, 'club.ics'), calendar(EVENT('yoga', 'Yoga for all'), EVENT('judo', 'Judo')));
    const names = async () => (await harvested(feedOf(url, 'session-series'))).map(({ data: one }) => one?.name);
    await vi.waitFor(async () => expect(await names()).toContain('Yoga for all'), { timeout: 20_000 });
    const after = await harvested(feedOf(url, 'session-series'));
    expect(after.map(({ state, data: one }) => [state, one?.name])).toEqual([
      ['updated', 'Judo'],
      ['updated', 'Yoga for all'],
      ['deleted', undefined],
    ]);
    // What did not change kept its number, and the rest is above all that were there.
    const [judo] = before.filter(({ data: one }) => one?.name === 'Judo');
    expect(after[0]).toEqual(judo);
    expect(after[1]?.modified).toBeGreaterThan(Math.max(...before.map(({ modified }) => modified)));
    await validate();
  });

  test('harvested by sync it comes back equal', async () => {
    const at = await place({ 'club.ics': calendar(EVENT('yoga', 'Yoga'), MOVED), 'mapping.json': MAPPING });
    const { url } = await publishing([at, '--mapping', join(at, 'mapping.json'), '--data', await place()]);
    const data = await place();
    const feeds = FEEDS.flatMap((feed) => ['--feed', feedOf(url, feed)]);
    expect(await cli(['sync', ...feeds, '--data', data])).toMatchObject({ code: 0 });
    const store = await openStore({ data });
    closing.push(() => store.close());
    const items = await store.read.liveItems(0, 100);
    const raws = await store.read.raw(items.map(({ id }) => id));
    const sent = (await Promise.all(FEEDS.map((feed) => harvested(feedOf(url, feed))))).flat();
    expect([...raws.values()].map((raw) => JSON.parse(raw) as unknown)).toEqual(sent.map(({ data: object }) => object));
  });

  test('goes on with the same numbers after a restart, and with a change above them', async () => {
    const at = await place({ 'club.ics': calendar(EVENT('yoga', 'Yoga'), EVENT('judo', 'Judo')) });
    const data = await place();
    const first = await publishing([at, '--data', data]);
    const before = changes(await harvested(feedOf(first.url, 'session-series')));
    expect((await first.stop()).code).toBe(0);
    const second = await publishing([at, '--data', data]);
    expect(changes(await harvested(feedOf(second.url, 'session-series')))).toEqual(before);
  });

  test('a calendar that is gone deletes nothing, also after a restart', async () => {
    const at = await place({ 'club.ics': calendar(EVENT('yoga', 'Yoga')) });
    const [data, out] = [await place(), await place()];
    const run = () => cli(['publish', join(at, 'club.ics'), '--data', data, '--out', out]);
    expect(await run()).toMatchObject({ code: 0 });
    await rm(join(at, 'club.ics'));
    const again = await run();
    expect(again).toMatchObject({ code: 0, err: expect.stringContaining('club.ics: ') });
    expect(again.err).toContain('added 0, updated 0, deleted 0, unchanged 1');
  });

  test('a folder that is empty all at once is a disk that is missing; one file less is a calendar withdrawn', async () => {
    const at = await place({ 'a.ics': calendar(EVENT('yoga', 'Yoga')), 'b.ics': calendar(EVENT('judo', 'Judo')) });
    const data = await place();
    const out = await place();
    const run = () => cli(['publish', at, '--data', data, '--out', out]);
    await run();
    await rm(join(at, 'a.ics'));
    expect((await run()).err).toContain('added 0, updated 0, deleted 1, unchanged 1');
    await rm(join(at, 'b.ics'));
    expect((await run()).err).toContain('added 0, updated 0, deleted 0, unchanged 1');
    await rm(at, { recursive: true });
    expect(await run()).toMatchObject({ code: 0, err: expect.stringContaining('deleted 0, unchanged 1') });
  });

  test.each<[string, (at: string) => string[]]>([
    ['a mistyped name', (at) => [join(at, 'klub.ics')]],
    ['one mistyped name of two', (at) => [join(at, 'b.ics'), join(at, 'klub.ics')]],
    ['a new folder without calendars', (at) => [join(at, 'none')]],
  ])('%s withdraws nothing, and says how that is done on purpose', async (_name, named) => {
    const at = await place({ 'a.ics': calendar(EVENT('yoga', 'Yoga')), 'b.ics': calendar(EVENT('judo', 'Judo')) });
    await mkdir(join(at, 'none'));
    const data = await place();
    const out = await place();
    await cli(['publish', at, '--data', data, '--out', out]);
    const { err } = await cli(['publish', ...named(at), '--data', data, '--out', out]);
    expect(err).toContain('deleted 0, unchanged 2');
    expect(err).toContain('to withdraw them, name only calendars that can be read');
  });

  test('an address: polled with validators, its failure logged, its key shown nowhere', async () => {
    let text = calendar(EVENT('yoga', 'Yoga'));
    let status = 200;
    const server: FaultServer = await faultServer((request, response) => {
      const tag = `"${text.length}"`;
      if (status !== 200) return response.writeHead(status).end();
      if (request.headers['if-none-match'] === tag) return response.writeHead(304).end();
      return response.writeHead(200, { etag: tag, 'content-type': 'text/calendar' }).end(text);
    });
    closing.push(server.close);
    const address = `${server.url}/ical/private-0123456789abcdef0123456789abcdef/basic.ics?token=hush`;
    const { url, stop } = await publishing([address, '--data', await place()]);
    const names = async () => (await harvested(feedOf(url, 'session-series'))).map(({ data: one }) => one?.name);
    expect(await names()).toEqual(['Yoga']);
    await vi.waitFor(() => expect(server.asked.length).toBeGreaterThan(3), { timeout: 20_000 });
    text = calendar(EVENT('yoga', 'Yoga for all'));
    await vi.waitFor(async () => expect(await names()).toEqual(['Yoga for all']), { timeout: 20_000 });
    status = 500;
    const asked = server.asked.length;
    await vi.waitFor(() => expect(server.asked.length).toBeGreaterThan(asked), { timeout: 20_000 });
    await vi.waitFor(async () => expect(await (await fetch(url)).text()).toContain('cannot be read just now'), {
      timeout: 20_000,
    });
    expect(await names()).toEqual(['Yoga for all']);
    const home = await (await fetch(`${url}/`)).text();
    const { err, out } = await stop();
    expect(err).toContain('the server answered 500');
    for (const shown of [home, err, out]) expect(shown).not.toMatch(/0123456789abcdef|hush/);
  });

  test('its page leads to the feeds', async () => {
    const at = await place({ 'club.ics': calendar(EVENT('yoga', 'Yoga')), 'mapping.json': MAPPING });
    const { url } = await publishing([at, '--mapping', join(at, 'mapping.json'), '--data', await place()]);
    expect(await (await fetch(`${url}/`)).text()).toContain(`href="${url}/rpde/"`);
    const synced = await cli(['sync', '--dataset', `${url}/rpde/`, '--data', await place()]);
    expect(synced).toMatchObject({ code: 0, out: expect.stringContaining('items 1') });
  });
});

describe('publish --out', () => {
  const pages = async (out: string, feed: string) =>
    Promise.all(
      (await readdir(join(out, feed))).sort().map(async (name) => ({
        name,
        ...(JSON.parse(await readFile(join(out, feed, name), 'utf8')) as { next: string; items: RpdeItemJson[] }),
      })),
    );

  test('pages lead to each other; a reader who stopped at the last finds what is new there', async () => {
    const at = await place({ 'club.ics': calendar(EVENT('yoga', 'Yoga'), EVENT('judo', 'Judo')) });
    const out = await place();
    const argv = ['publish', at, '--data', await place(), '--out', out, '--base-url', 'https://club.example/open/'];
    expect((await cli(argv)).code).toBe(0);
    const first = await pages(out, 'session-series');
    const end = first[1]?.name as string;
    expect(first.map(({ name, next, items }) => [name, next, items.length])).toEqual([
      ['page-000001.json', `https://club.example/open/session-series/${end}`, 2],
      [end, `https://club.example/open/session-series/${end}`, 0],
    ]);
    await writeFile(join(at, 'club.ics'), calendar(EVENT('yoga', 'Yoga for all')));
    expect((await cli(argv)).code).toBe(0);
    const second = await pages(out, 'session-series');
    const last = second.at(-1)?.name as string;
    expect(second.map(({ name, next, items }) => [name, basename(next), items.map(({ state }) => state)])).toEqual([
      ['page-000001.json', last, ['updated', 'deleted']],
      [end, last, ['updated', 'deleted']],
      [last, last, []],
    ]);
    const dataset = await readFile(join(out, 'index.html'), 'utf8');
    expect(dataset).toContain('https://club.example/open/session-series/page-000001.json');
  });

  test('the same again writes nothing; from scratch at the same time, the same bytes', async () => {
    const at = await place({ 'club.ics': calendar(EVENT('yoga', 'Yoga'), MOVED) });
    const [out, other] = [await place(), await place()];
    const data = await place();
    const run = (to: string, memory: string) => cli(['publish', at, '--data', memory, '--out', to], { now: () => NOW });
    expect((await run(out, data)).err).toMatch(/files written [1-9]/);
    expect((await run(out, data)).err).toMatch(/files written 0/);
    await run(other, await place());
    for (const feed of FEEDS) expect(await pages(other, feed)).toEqual(await pages(out, feed));
  });

  test('a folder of pages is a feed for sync', async () => {
    const at = await place({ 'club.ics': calendar(EVENT('yoga', 'Yoga'), MOVED) });
    const out = await place();
    await cli(['publish', at, '--data', await place(), '--out', out]);
    const feeds = ['session-series', 'scheduled-sessions'].flatMap((feed) => ['--feed', join(out, feed)]);
    const synced = await cli(['sync', ...feeds, '--data', await place()]);
    expect(synced).toMatchObject({ code: 0, out: expect.stringMatching(/items 1, kept 1[\s\S]*items 1, kept 1/) });
  });

  test('two runs at once on one --data come one after the other', async () => {
    const events = Array.from({ length: 600 }, (_, i) => EVENT(`e${i}`, `Event ${i}`));
    const at = await place({ 'club.ics': calendar(...events) });
    const [data, out] = [await place(), await place()];
    const run = () => cli(['publish', at, '--data', data, '--out', out]);
    const ran = await Promise.all([run(), run(), run()]);
    expect(ran.map(({ code }) => code)).toEqual([0, 0, 0]);
    expect(ran.filter(({ err }) => err.includes('waiting for it'))).toHaveLength(2);
    const items = (await pages(out, 'session-series')).flatMap((page) => page.items);
    expect(new Set(items.map(({ id }) => id)).size).toBe(600);
  });

  describe('with --strict ends with 1', () => {
    const everything = JSON.stringify({
      base: 'https://club.example/',
      organizer: { name: 'Club' },
      activity: 'Yoga',
      place: { name: 'Hall', street: 'High Street' },
      offers: [{ price: 0 }],
    });
    const club = () => calendar(EVENT('yoga', 'Yoga'), EVENT('judo', 'Judo'));
    const published = async (mapping: string, change: (file: string) => Promise<void>, ...flags: string[]) => {
      const at = await place({ 'club.ics': club(), 'mapping.json': mapping });
      const file = join(at, 'club.ics');
      const argv = [
        'publish',
        file,
        '--mapping',
        join(at, 'mapping.json'),
        '--data',
        await place(),
        '--out',
        await place(),
      ];
      await cli(argv);
      await change(file);
      return cli([...argv, ...flags]);
    };
    const nothing = async () => {};

    test.each<[string, string, (file: string) => Promise<void>]>([
      ['a calendar is gone', everything, (file) => rm(file)],
      ['is empty', everything, (file) => writeFile(file, '')],
      ['is cut off', everything, (file) => writeFile(file, club().slice(0, -40))],
      [
        'is too large',
        everything,
        (file) => writeFile(file, club().replace('END:VCALENDAR', `X:${'x'.repeat(21 * 2 ** 20)}\r\nEND:VCALENDAR`)),
      ],
      ['a required value is missing', '{}', nothing],
    ])('where %s; what was published stays', async (_name, mapping, change) => {
      const strict = await published(mapping, change, '--strict');
      expect(strict).toMatchObject({ code: 1, err: expect.stringContaining('deleted 0, unchanged 2') });
      expect(await published(mapping, change)).toMatchObject({ code: 0 });
    });

    test('and else with 0', async () => {
      expect(await published(everything, nothing, '--strict')).toMatchObject({ code: 0 });
    });
  });

  test('a calendar in Latin-1 is read, also the next time, and a finding says so', async () => {
    const at = await place();
    await writeFile(join(at, 'club.ics'), Buffer.from(calendar(EVENT('yoga', 'Yoga für alle')), 'latin1'));
    const out = await place();
    const run = () => cli(['publish', at, '--data', data, '--out', out]);
    const data = await place();
    for (const ran of [await run(), await run()]) expect(ran.err).toContain('calendar-not-utf-8');
    const [page] = await pages(out, 'session-series');
    expect(page?.items.map((item) => item.data?.name)).toEqual(['Yoga für alle']);
  });

  test('findings: a line for each kind, and all of them in a file', async () => {
    const at = await place({ 'club.ics': calendar(EVENT('yoga', 'Yoga'), EVENT('judo', 'Judo')) });
    const file = join(at, 'findings.jsonl');
    const ran = await cli(['publish', at, '--data', await place(), '--out', await place(), '--findings', file]);
    const lines = (await readFile(file, 'utf8')).trimEnd().split('\n');
    const codes = new Set(lines.map((line) => (JSON.parse(line) as { code: string }).code));
    expect(codes.size).toBeGreaterThan(0);
    for (const code of codes)
      expect(ran.err.split('\n').filter((line) => line.includes(`  ${code}: `))).toHaveLength(1);
  });
});

describe('publish --init', () => {
  test('writes a mapping whose open questions are errors, and never data, until they are answered', async () => {
    const at = await place({ 'club.ics': calendar(EVENT('yoga', 'Yoga'), EVENT('brunch', 'Brunch')) });
    const made = await cli(['publish', '--init', at]);
    expect(made.code).toBe(0);
    expect(made.err).toMatch(/^1 +Yoga +Yoga$/m);
    expect(made.err).toMatch(/^1 +Brunch +nothing: it names no activity of the list$/m);
    const file = join(at, 'mapping.json');
    await writeFile(file, made.out);
    const [out, data] = [await place(), await place()];
    const base = ['--base-url', 'https://club.example/open'];
    const publishing = () => cli(['publish', at, '--strict', '--mapping', file, '--data', data, '--out', out, ...base]);
    const open = await publishing();
    expect(open.code).toBe(1);
    const places = [...open.err.matchAll(/^error +1 {2}mapping-placeholder: .* \(mapping (\S+)\)$/gm)];
    expect(places.map(([, path]) => path)).toEqual(['$.base', '$.url', '$.organizer', '$.offers[0]']);
    expect(open.err).toMatch(/mapping-undecided: .*No activity of the list.* \(mapping \$\.events\[0\]\)$/m);
    const written = await readdir(out, { recursive: true, withFileTypes: true });
    for (const one of written.filter((entry) => entry.isFile()))
      expect(await readFile(join(one.parentPath, one.name), 'utf8')).not.toMatch(/example\.org|To (?:be )?decide/);

    const answered = made.out
      .replaceAll('https://example.org/', 'https://club.example/')
      .replaceAll('To be decided', '1 High Street')
      .replaceAll(/"\$comment": "To decide[^\n]*/g, '"$comment": "",');
    await writeFile(file, answered.replaceAll(/,,$/gm, ','));
    const closed = await publishing();
    expect(closed.err).not.toMatch(/mapping-(?:placeholder|undecided)/);
    expect(closed.code).toBe(0);
  });

  test('tells what cannot be read, and makes no file of nothing', async () => {
    const at = await place({ 'club.ics': 'BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n' });
    await mkdir(join(at, 'none'));
    const ran = await cli(['publish', '--init', at, join(at, 'missing.ics'), join(at, 'none')]);
    expect(ran.code).toBe(1);
    expect(ran.err).toContain('none: there are no calendars (*.ics) in this folder');
    expect(ran.out).toBe('');
    expect(ran.err).toContain('missing.ics: ');
    expect(ran.err).toContain('club.ics: there are no events in it');
    expect(ran.err).toContain('there is nothing to make a mapping of');
  });

  test('reads standard input', async () => {
    const ran = await cli(['publish', '--init', '-'], { stdin: [calendar(EVENT('yoga', 'Yoga'))] });
    expect([ran.code, JSON.parse(ran.out)]).toEqual([0, expect.any(Object)]);
  });
});

describe('what cannot be published', () => {
  test('a folder that may not be read leaves the other calendars published', async () => {
    const at = await place({ 'club.ics': calendar(EVENT('yoga', 'Yoga')) });
    await symlink(join(at, 'loop'), join(at, 'loop'));
    const ran = await cli(['publish', join(at, 'club.ics'), join(at, 'loop'), '--data', await place(), '--out', at]);
    expect(ran.err).toMatch(/loop: is a symbolic link that leads back to itself: name the file itself\n/);
    expect(ran.err).toContain('added 1');
    expect(ran.code).toBe(0);
  });

  test.each<[string, string, string]>([
    ['a page', '<html>', 'club.ics: it is not a calendar (no BEGIN:VCALENDAR)'],
    ['a calendar without events', calendar(), 'club.ics: there are no events in it'],
  ])('%s: the cause, also with --init', async (_name, text, cause) => {
    const at = await place({ 'club.ics': text });
    for (const more of [['--data', await place()], ['--init']]) {
      const ran = await cli(['publish', join(at, 'club.ics'), ...more]);
      expect([ran.code, ran.out]).toEqual([1, '']);
      expect(ran.err).toContain(cause);
    }
  });

  test('a calendar of which nothing is read has its own finding, and not that it is empty', async () => {
    const at = await place({ 'club.ics': `BEGIN:VCALENDAR\r\nX-NOTE:${'x'.repeat(20 * 1024 * 1024)}` });
    const ran = await cli(['publish', join(at, 'club.ics'), '--data', await place()]);
    expect(ran.code).toBe(1);
    expect(ran.err).toContain('calendar-too-large');
    expect(ran.err).not.toContain('there are no events in it');
  });

  test.each<[string, string, string]>([
    [
      'is too large',
      `X-NOTE:${'x'.repeat(20 * 1024 * 1024)}`,
      'Divide the calendar: it has more than 20,971,520 characters',
    ],
    ['has too many lines', 'X-NOTE:x\r\n'.repeat(1_000_000), 'it has more than 100,000 components or 1,000,000 lines'],
    ['ends within an event', 'BEGIN:VEVENT\r\nUID:a\r\n', 'Get the whole calendar: it ends within BEGIN:VEVENT'],
  ])('--init of a calendar that %s: what is wrong, and the limit', async (_name, text, cause) => {
    const at = await place({ 'club.ics': `BEGIN:VCALENDAR\r\n${text}` });
    const ran = await cli(['publish', '--init', join(at, 'club.ics')]);
    expect([ran.code, ran.out]).toEqual([1, '']);
    expect(ran.err).toContain(cause);
    expect(ran.err).not.toContain('there are no events in it');
  });

  test.each([
    ['ftp://club.example/club.ics', 'of addresses only http, https and webcal are read'],
    ['webcal://127.0.0.1:1/club.ics', 'webcal is read as https: give the http address where there is no https'],
  ])('%s: what is read of addresses', async (address, cause) => {
    expect((await cli(['publish', address, '--data', await place()])).err).toContain(cause);
  });

  test.each([
    ['nothing', ['publish'], 2],
    ['a file that is not there', ['publish', '/nowhere/club.ics'], 1],
    ['another scheme', ['publish', 'ftp://club.example/club.ics'], 1],
    ['an option that is not known', ['publish', 'club.ics', '--as', 'events'], 2],
  ])('%s: one line, no stack trace', async (_name, argv, code) => {
    const ran = await cli(argv.length > 1 ? [...argv, '--data', await place()] : argv);
    expect(ran.code).toBe(code);
    expect(ran.err).not.toMatch(/^\s+at /m);
  });

  test.each(['--out', '--findings'])('%s where nothing can be written: the path and the reason', async (option) => {
    const at = await place({ 'club.ics': calendar(EVENT('yoga', 'Yoga')) });
    const taken = join(at, 'club.ics', 'below');
    const ran = await cli([
      'publish',
      at,
      '--data',
      await place(),
      ...(option === '--out' ? [] : ['--out', await place()]),
      option,
      taken,
    ]);
    expect(ran.code).toBe(1);
    expect(ran.err).toContain(`openactive-ical: ${taken}: cannot be written: `);
    expect(ran.err).not.toContain('fault of the program');
  });

  test.each(['--data', '--out'])('%s that is a file: one line that says so', async (option) => {
    const at = await place({ 'club.ics': calendar(EVENT('yoga', 'Yoga')) });
    const file = join(at, 'club.ics');
    const others = ['--data', '--out'].filter((one) => one !== option);
    const ran = await cli(['publish', at, ...others.flatMap((one) => [one, join(at, one)]), option, file]);
    expect(ran.code).toBe(1);
    expect(ran.err).toContain(`openactive-ical: ${file}: cannot be written: a file is there, and a folder is needed`);
    expect(ran.err).not.toContain('fault of the program');
  });

  test('a mapping with several faults names them all', async () => {
    const at = await place({
      'club.ics': calendar(EVENT('yoga', 'Yoga')),
      'mapping.json': '{"base": "club", "colour": 1, "zone": "Mars/Base"}',
    });
    const ran = await cli(['publish', at, '--mapping', join(at, 'mapping.json'), '--data', await place()]);
    expect(ran.code).toBe(2);
    for (const name of ['base', 'colour', 'zone']) expect(ran.err).toContain(name);
  });
});
