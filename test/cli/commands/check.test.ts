import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { VALID } from '../../opportunity/official/valid.ts';
import { cli } from '../io.ts';
import { rig } from '../rig.ts';

const SERIES = {
  ...VALID.PartialSchedule,
  '@id': 'https://a.example/series/1',
  eventSchedule: [
    {
      '@type': 'Schedule',
      repeatFrequency: 'P1W',
      startDate: '2026-01-05',
      startTime: '18:00',
      endTime: '19:00',
      duration: 'PT1H',
      byDay: ['https://schema.org/Monday'],
      scheduleTimezone: 'Europe/London',
      scheduledEventType: 'ScheduledSession',
    },
  ],
};
const HALL = { '@type': 'Place', name: 'Hall', address: 'High St' };
const LICENSE = 'https://creativecommons.org/licenses/by/4.0/';
const item = (id: string | undefined, data: object) => ({
  state: 'updated',
  kind: 'SessionSeries',
  id,
  modified: 1,
  data,
});
const page = (items: object[], next: string) => JSON.stringify({ items, next, license: LICENSE });

const { path: inFolder, serve: serving } = rig();

/** The address of a server of these pages. */
const serve = async (pages: Record<string, string>): Promise<string> => (await serving(pages)).url;

const lines = (out: string) =>
  out
    .trimEnd()
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));

describe('an RPDE feed by its address', () => {
  test('is followed to its end, each finding with its item', async () => {
    const url = await serve({
      '/feed': page([item('1', SERIES)], '$/feed?2'),
      '/feed?2': page([item(undefined, SERIES)], '$/feed?3'),
      '/feed?3': page(
        [item('3', { ...SERIES, eventSchedule: [{ ...SERIES.eventSchedule[0], scheduleTimezone: 'Mars' }] })],
        '/feed?4',
      ),
      '/feed?4': page([], '$/feed?4'),
    });
    const ran = await cli(['check', '--format', 'jsonl', `${url}/feed`]);
    const found = lines(ran.out);
    expect(found.map(({ code, item: of }) => [code, of])).toEqual(
      expect.arrayContaining([
        ['item-without-id', 'items[0]'],
        ['next-relative', ''],
      ]),
    );
    expect(found.some(({ item: of, path }) => of === 'SessionSeries 3' && path.includes('scheduleTimezone'))).toBe(
      true,
    );
    expect(found.some(({ item: of, severity }) => of === 'SessionSeries 1' && severity === 'error')).toBe(false);
    expect(Object.keys(found[0])).toEqual(['code', 'severity', 'feed', 'item', 'path', 'message', 'rule']);
    expect(ran.code).toBe(1);
    expect(ran.err).toMatch(/^items 2, errors \d+, warnings \d+, infos \d+\n$/);
  });

  test('without an error ends well', async () => {
    const url = await serve({ '/feed': page([item('1', SERIES)], '$/end'), '/end': page([], '$/end') });
    expect(await cli(['check', `${url}/feed`])).toMatchObject({ code: 0, err: expect.stringContaining('errors 0') });
  });

  test('that leads nowhere is an error, told', async () => {
    const url = await serve({ '/feed': page([item('1', SERIES)], '$/feed') });
    const ran = await cli(['check', `${url}/feed`]);
    expect(ran.code).toBe(1);
    expect(ran.out).toContain('next-page-not-current-page');
    expect(ran.err).toContain('a page with items names itself as "next"');
  });

  test('that goes round in circles is one error: a finding, counted once, and where reading stopped', async () => {
    const url = await serve({
      '/feed': page([item('1', SERIES)], '$/feed?2'),
      '/feed?2': page([item('2', SERIES)], '$/feed?3'),
      '/feed?3': page([item('3', SERIES)], '$/feed?2'),
    });
    const ran = await cli(['check', '--format', 'jsonl', `${url}/feed`]);
    const errors = lines(ran.out).filter(({ severity }) => severity === 'error');
    expect(errors.filter(({ code }) => code === 'next-cycle')).toHaveLength(1);
    expect(ran.err.match(/leads back to an earlier page/g)).toHaveLength(1);
    expect(ran.err).toContain(`errors ${errors.length},`);
  });

  test.each([
    ['not there', {}, 'the server answered 404'],
    ['HTML', { '/feed': '<html>' }, 'An HTML page'],
  ])('that is %s', async (_name, pages, words) => {
    const url = await serve(pages);
    // A blip is tried again after a moment; here it stays.
    const ran = await cli(['check', `${url}/feed`]);
    expect(ran.code).toBe(1);
    expect(ran.out).toContain(words);
  });

  test('one object at an address is checked as a file would be', async () => {
    const url = await serve({ '/one.json': JSON.stringify({ ...SERIES, eventSchedule: [{ '@type': 'Schedule' }] }) });
    const ran = await cli(['check', '--format', 'jsonl', `${url}/one.json`]);
    expect(ran.code).toBe(1);
    expect(lines(ran.out).some(({ path }) => path.startsWith('$.eventSchedule[0]'))).toBe(true);
  });
});

describe('feeds that belong together', () => {
  const template = 'https://a.example/series/1/{startDate}';
  const series = {
    ...SERIES,
    maximumAttendeeCapacity: 10,
    eventSchedule: [{ ...SERIES.eventSchedule[0], idTemplate: template }],
  };
  const session = (start: string, superEvent = SERIES['@id']) => ({
    state: 'updated',
    kind: 'ScheduledSession',
    id: start,
    modified: 1,
    data: {
      '@type': 'ScheduledSession',
      '@id': `https://a.example/series/1/${start}`,
      superEvent,
      startDate: start,
      duration: 'PT1H',
      remainingAttendeeCapacity: 10,
    },
  });
  const feeds = (sessions: object[]) => ({
    '/series': page([item('1', series)], '$/series?2'),
    '/series?2': page([], '$/series?2'),
    '/sessions': page(sessions, '$/sessions?2'),
    '/sessions?2': page([], '$/sessions?2'),
  });
  const check = async (sessions: object[], ...names: string[]) => {
    const url = await serve(feeds(sessions));
    const ran = await cli(['check', '--format', 'jsonl', ...names.map((name) => `${url}/${name}`)]);
    return { ...ran, codes: lines(ran.out).map(({ code, feed }) => `${code} ${feed.replace(url, '')}`) };
  };

  test.each([[['series', 'sessions']], [['sessions', 'series']]])(
    'sessions are laid over Schedules: %j',
    async (names) => {
      const { codes, code } = await check([session('2026-02-02T18:00:00Z')], ...names);
      expect(codes).toContain('session-adds-nothing /series');
      expect(codes.some((one) => one.startsWith('series-not-here'))).toBe(false);
      expect(codes.some((one) => one.startsWith('complementary-feed-missing'))).toBe(false);
      expect(code).toBe(1);
    },
  );

  test('sessions of a series that is in no feed', async () => {
    const orphan = session('2026-02-02T18:00:00Z', 'https://a.example/series/2');
    expect((await check([orphan], 'series', 'sessions')).codes).toContain('series-not-here /sessions');
  });

  test('what is not there is one thing, however its id is spelled', async () => {
    const at = session('2026-02-02T18:00:00Z');
    const places = ['https://a.example/places/1', 'HTTPS://A.example/places/1/', 'https://a.example/places/%31'];
    const there = places.map((location, index) => ({
      ...at,
      id: `${index}`,
      data: { ...at.data, '@id': `https://a.example/sessions/${index}`, location },
    }));
    const { codes } = await check(there, 'series', 'sessions');
    expect(codes.filter((code) => code.startsWith('place-not-here'))).toHaveLength(1);
  });

  test('a place that no item describes', async () => {
    const location = 'https://a.example/places/1';
    const at = session('2026-02-02T18:00:00Z');
    const there = { ...at, data: { ...at.data, location } };
    expect((await check([there], 'series', 'sessions')).codes).toContain('place-not-here /sessions');
    const described = {
      ...at,
      id: '2',
      data: { ...at.data, '@id': 'https://a.example/2', location: { ...HALL, '@id': location } },
    };
    expect((await check([there, described], 'series', 'sessions')).codes).not.toContain('place-not-here /sessions');
  });

  test('a session that is deleted later on is not judged', async () => {
    const gone = { state: 'deleted', kind: 'ScheduledSession', id: '2026-02-02T18:00:00Z', modified: 2 };
    const { codes } = await check([session('2026-02-02T18:00:00Z'), gone], 'series', 'sessions');
    expect(codes.filter((one) => /adds-nothing|not-here/.test(one))).toEqual([]);
  });

  test('Schedules without a feed of sessions', async () => {
    const { codes } = await check([], 'series');
    expect(codes).toContain('complementary-feed-missing /series');
  });

  test('one feed that is not there does not stop the others', async () => {
    const { codes, code } = await check([session('2026-02-02T18:00:00Z')], 'gone', 'series', 'sessions');
    expect(codes).toEqual(expect.arrayContaining(['page-not-fetched /gone', 'session-adds-nothing /series']));
    expect(code).toBe(1);
  });
});

describe('a feed as a whole', () => {
  const page1 = (next: string, ids: string[]) =>
    page(
      ids.map((id) => item(id, SERIES)),
      next,
    );
  const check = async (pages: Record<string, string>) => {
    const url = await serve(pages);
    const ran = await cli(['check', '--format', 'jsonl', `${url}/feed`]);
    return lines(ran.out).map(({ code, path }) => `${code} ${path}`);
  };

  test('pages with few items, nothing ever deleted', async () => {
    const codes = await check({
      '/feed': page1('$/feed?2', ['1']),
      '/feed?2': page1('$/feed?3', ['2']),
      '/feed?3': page([], '$/feed?3'),
    });
    expect(codes).toEqual(expect.arrayContaining(['pages-small $', 'deleted-items-missing $']));
  });

  test('one page of few items is not small', async () => {
    const codes = await check({ '/feed': page1('$/feed?2', ['1']), '/feed?2': page([], '$/feed?2') });
    expect(codes).not.toContain('pages-small $');
  });

  test('its last page is judged too', async () => {
    const codes = await check({ '/feed': page1('$/feed?2', ['1']), '/feed?2': '{"items":[],"next":"$/feed?2"}' });
    expect(codes).toContain('license-missing $.license');
  });
});

test('a folder of feeds, as publish writes it, is each of them', async () => {
  const path = await mkdtemp(join(tmpdir(), 'oai-check-feeds-'));
  try {
    for (const feed of ['session-series', 'scheduled-sessions']) {
      await mkdir(join(path, feed));
      await writeFile(
        join(path, feed, 'page-000001.json'),
        page(feed === 'session-series' ? [item('1', SERIES)] : [], ''),
      );
    }
    await writeFile(join(path, 'index.html'), '<!doctype html>');
    await writeFile(join(path, 'catalog.jsonld'), '{}');
    const ran = await cli(['check', '--format', 'jsonl', path]);
    const found = lines(ran.out) as { code: string; feed: string }[];
    expect(found.map(({ code }) => code)).not.toContain('page-not-fetched');
    expect(found.map(({ feed }) => feed)).toContain(join(path, 'session-series'));
    expect(ran.err).toContain('items 1,');
  } finally {
    await rm(path, { recursive: true });
  }
});

test('a folder of pages is a feed', async () => {
  const path = await mkdtemp(join(tmpdir(), 'oai-check-folder-'));
  await writeFile(join(path, '1.json'), page([item('1', SERIES)], 'https://a.example/2'));
  await writeFile(join(path, '2.json'), page([item(undefined, SERIES)], 'https://a.example/3'));
  const ran = await cli(['check', '--format', 'jsonl', path]);
  await rm(path, { recursive: true });
  expect(lines(ran.out).map(({ code, feed }) => [code, feed])).toContainEqual(['item-without-id', path]);
  expect(ran.code).toBe(1);
});

const ORDER = ['error', 'warning', 'info'];

describe('a series without sessions has only patterns', () => {
  const usable = { ...SERIES.eventSchedule[0] };
  const { scheduleTimezone: _, ...unzoned } = usable;
  const pattern = { ...usable, '@type': 'PartialSchedule' };
  test.each([
    ['a Schedule that cannot be used', [{ ...usable, repeatCount: '3 times' }], false],
    ['such a one beside a pattern', [pattern, { ...usable, repeatCount: '3 times' }], false],
    ['a pattern', [pattern], true],
    ['a pattern without a zone', [{ ...unzoned, '@type': 'PartialSchedule' }], true],
  ])('%s', async (_name, eventSchedule, has) => {
    const { out } = await cli(['check', '-', '--format', 'jsonl'], {
      stdin: [JSON.stringify({ ...SERIES, eventSchedule })],
    });
    expect(out.includes('"only-patterns"')).toBe(has);
    expect(out.includes('"schedule-count-unreadable"')).toBe(!has);
  });
});

describe('a file', () => {
  test('in a table for people', async () => {
    const path = inFolder('a.json');
    await writeFile(
      path,
      JSON.stringify([{ ...SERIES, eventSchedule: [{ ...SERIES.eventSchedule[0], startTime: '6pm' }] }]),
    );
    const ran = await cli(['check', path, '--all']);
    expect(ran.out).toMatch(/^error +[a-z-]+ +.*\$\.eventSchedule\[0\]\.startTime\n {9}\S/m);
    expect(ran.code).toBe(1);
  });

  test('grouped by code: how many, what to change, three examples with their place', async () => {
    const path = inFolder('many.json');
    const series = (n: number) => ({
      ...SERIES,
      '@id': `https://a.example/${n}`,
      eventSchedule: [{ ...SERIES.eventSchedule[0], startTime: '6pm' }],
    });
    await writeFile(path, JSON.stringify(Array.from({ length: 2000 }, (_, n) => series(n))));
    const ran = await cli(['check', path]);
    const paragraphs = ran.out.trimEnd().split('\n\n');
    const [group] = paragraphs.filter((one) => one.startsWith('error: time-invalid, '));
    expect(group?.split('\n')).toEqual([
      'error: time-invalid, 2,000 times',
      '  Write "startTime" as a 24-hour time, HH:mm; found "6pm".',
      '  - https://a.example/0 $.eventSchedule[0].startTime',
      '  - https://a.example/1 $.eventSchedule[0].startTime',
      '  - https://a.example/2 $.eventSchedule[0].startTime',
      '    and 1,997 more',
    ]);
    expect(ran.out.split('\n').length).toBeLessThan(200);
    expect(ran.err).toContain('(--all lists each)');
    const severities = paragraphs.map((one) => one.split(':')[0]);
    expect(severities).toEqual([...severities].sort((a = '', b = '') => ORDER.indexOf(a) - ORDER.indexOf(b)));
    expect(ran.code).toBe(1);
  });

  test.each([[], ['--all']])(
    'on a terminal: sentences are broken between words at its width (%s)',
    async (...flags) => {
      const stdin = [
        JSON.stringify({ ...SERIES, '@context': 'https://www.openactive.io/ns/oa.jsonld', eventSchedule: [{}] }),
      ];
      const args = ['check', '-', ...flags];
      const whole = await cli(args, { stdin });
      const broken = await cli(args, { stdin, width: 60 });
      const words = (text: string) => text.split(/\s+/);
      expect(words(broken.out)).toEqual(words(whole.out));
      const isSentence = (line: string) => line.startsWith('  ') && !line.startsWith('  - ');
      const sentences = broken.out.split('\n').filter(isSentence);
      expect(sentences.filter((line) => line.length > 60 && line.trim().includes(' '))).toEqual([]);
      expect(
        whole.out
          .split('\n')
          .filter(isSentence)
          .some((line) => line.length > 80),
      ).toBe(true);
    },
  );

  test('whose ids would move the cursor of a terminal, cannot', async () => {
    const items = [{ ...item('\u001b[2J\u009b31m', { ...SERIES, eventSchedule: [{ '@type': 'Schedule' }] }) }];
    const ran = await cli(['check', '-'], { stdin: [page(items, 'https://a.example/')] });
    expect(ran.out).toContain('SessionSeries');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
    expect(ran.out).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
  });

  test('from standard input', async () => {
    expect(await cli(['check', '-'], { stdin: [JSON.stringify(SERIES)] })).toMatchObject({ code: 0 });
  });

  test('that is no JSON is one line', async () => {
    const path = inFolder('b.json');
    await writeFile(path, '<html>');
    const ran = await cli(['check', path]);
    expect([ran.code, ran.out]).toEqual([1, '']);
    expect(ran.err).toMatch(/^openactive-ical: [^\n]+\n$/);
    expect(ran.err).not.toContain('fault of the program');
  });
});
