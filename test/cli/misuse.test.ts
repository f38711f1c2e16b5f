import { describe, expect, test } from 'vitest';
import { cli, type World } from './io.ts';

const COMMANDS = ['serve', 'sync', 'convert', 'expand', 'hours', 'check', 'feeds', 'publish', 'config'];

/** Command line, exit code, and what standard error says in one line. */
const MISUSE: [string, number, string, World?][] = [
  ['nope', 2, 'there is no command "nope"; there are '],
  ['--nope', 2, 'there is no command "--nope"; there are '],
  ['constructor', 2, 'there is no command "constructor"; there are '],
  ['help nope', 2, 'there is no command "nope"; there are '],
  ['check', 2, 'check needs FILE|FOLDER|URL|-… (see check --help)'],
  ['expand a b', 2, 'expand: "b" is one argument too many (see expand --help)'],
  ['check --format xml a', 2, '--format "xml": allowed are table, jsonl'],
  ['check --format', 2, "check: Option '--format <value>' argument missing (see check --help)"],
  ['check --format= a', 2, '--format needs a value'],
  ['check --format table --format jsonl a', 2, '--format is given 2 times, once is allowed'],
  ['check --colour a', 2, 'check: there is no option --colour (see check --help)'],
  ['check --allow-private=yes a', 2, "check: Option '--allow-private' does not take an argument (see check --help)"],
  ['check --timezone Mars/Base a', 2, '--timezone is "Mars/Base", allowed is an IANA time zone, as Europe/London'],
  ['check --timezone +01:00 a', 2, '--timezone is "+01:00", allowed is an IANA time zone, as Europe/London'],
  ['check a.json ./a.json', 2, 'check: ./a.json is named twice'],
  ['check - -', 2, 'check: - is named twice'],
  ['check gone.json', 1, 'gone.json: there is no such file'],
  ['expand ftp://a/b', 1, 'ftp://a/b: is no file, and of addresses only http and https are read'],
  [
    'convert -',
    1,
    'standard input:1: is a calendar; the JSON of a feed is needed here, and `publish` reads calendars',
    { stdin: ['BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n'] },
  ],
  ['check http://', 1, '(an address that cannot be read): is not an address'],
  ['check https://[bad', 1, '(an address that cannot be read): is not an address'],
  ['expand http://', 1, '(an address that cannot be read): is not an address'],
  ['expand /', 1, '/: is a folder, a file is needed here'],
  ['feeds extra', 2, 'feeds: "extra" is one argument too many (see feeds --help)'],
  ['feeds --format xml', 2, '--format "xml": allowed are table, jsonl'],
  ['feeds --data ./no', 1, '/nowhere/no: holds no database yet: serve and sync make one; --data names its folder'],
  ['config extra', 2, 'config: "extra" is one argument too many (see config --help)'],
  ['config --port 99999', 2, 'Bad setting: --port is 99999, allowed is a whole number from 0 (any free port) to 65535'],
  ['config --config no.json', 2, 'Bad setting: /nowhere/no.json: there is no such file'],
  ['config', 2, 'Bad setting: OPENACTIVE_ICAL_PROT is not a setting', { env: { OPENACTIVE_ICAL_PROT: '1' } }],
  ['sync', 2, 'sync needs a feed: --feed URL, --feed DIR, --dataset URL, --catalog URL, --samples, or a settings file'],
  ['sync --feed ./no', 2, 'Bad setting: feed /nowhere/no: there is no such file or folder'],
  [
    'sync --feed ftp://a.example/',
    2,
    'Bad setting: --feed is "ftp://a.example/", allowed is an http(s) address or a folder',
  ],
  ['sync --feed http://a.example/ --feed http://a.example/', 2, 'Bad setting: feed http://a.example/ is named twice'],
  [
    'serve',
    2,
    'serve has no feed to harvest: give --feed URL, --feed DIR, --dataset URL, --catalog URL, --samples, or a settings file',
  ],
  [
    'sync --samples',
    2,
    'The database postgres://me@127.0.0.1:1/x failed: it cannot be reached; check DATABASE_URL, and whether PostgreSQL runs there.',
    { env: { DATABASE_URL: 'postgres://me:hunter2@127.0.0.1:1/x' } },
  ],
  [
    'feeds',
    2,
    'Bad setting: DATABASE_URL is "mysql://***@db/x", allowed is a postgres:// address',
    { env: { DATABASE_URL: 'mysql://me:hunter2@db/x' } },
  ],
  [
    'store backup copy.sqlite',
    2,
    'Bad setting: DATABASE_URL names postgres://me@db/x, and store backup copies the embedded database only: use pg_dump',
    { env: { DATABASE_URL: 'postgres://me:hunter2@db/x' } },
  ],
  ['serve --role boss --samples', 2, 'Bad setting: --role is "boss", allowed is all, harvest or web'],
];

describe('misuse is one clear line and exit code 2', () => {
  test.each(MISUSE)('%s', async (line, code, expected, world) => {
    const ran = await cli(line.split(' '), world);
    expect(ran.err).toMatch(/^openactive-ical: [^\n]+\n$/);
    expect(ran.err.slice('openactive-ical: '.length)).toContain(expected);
    expect([ran.code, ran.out]).toEqual([code, '']);
  });

  test('nothing at all: the overview, as an error', async () => {
    const ran = await cli([]);
    expect([ran.code, ran.out]).toEqual([2, '']);
    expect(ran.err).toContain('Usage: openactive-ical COMMAND [OPTIONS]');
  });

  test('several bad settings are reported at once, a line each', async () => {
    const ran = await cli(['config', '--port', 'x', '--role', 'y']);
    expect(ran.err.split('\n')).toHaveLength(4);
    expect(ran.code).toBe(2);
  });
});

describe('help', () => {
  test.each([['--help'], ['-h'], ['help']])('%s lists the commands', async (word) => {
    const ran = await cli([word]);
    expect(ran).toMatchObject({ code: 0, err: '' });
    for (const name of COMMANDS) expect(ran.out).toMatch(new RegExp(`^ {2}${name} +\\S`, 'm'));
  });

  test.each(COMMANDS)('%s --help, -h and help %s say the same', async (name) => {
    const ran = await cli([name, '--help']);
    expect(ran).toMatchObject({ code: 0, err: '' });
    expect(ran.out).toContain(`Usage: openactive-ical ${name} `);
    expect(await cli([name, '-h'])).toEqual(ran);
    expect(await cli(['help', name])).toEqual(ran);
    for (const line of ran.out.trimEnd().split('\n')) expect(line.length, line).toBeLessThan(100);
  });

  test('--version is that of the package', async () => {
    expect(await cli(['--version'])).toMatchObject({ code: 0, out: expect.stringMatching(/^\d+\.\d+\.\d+\S*\n$/) });
  });
});

describe('config', () => {
  test('lists every setting with where it comes from', async () => {
    const { out, code } = await cli(['config']);
    expect(code).toBe(0);
    expect(out).toMatch(/^port\n.*\n.*\n.*8080\n.*OPENACTIVE_ICAL_PORT, PORT, --port$/m);
  });

  test('--print shows what is in force, its secrets masked', async () => {
    const env = { DATABASE_URL: 'postgres://me:hunter2@db/x', PORT: '81' };
    const { out, code } = await cli(['config', '--print', '--role', 'web'], { env });
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ port: 81, role: 'web', databaseUrl: 'postgres://***@db/x' });
    expect(out).not.toContain('hunter2');
  });

  test('--print shows the colours that pages make of an accent', async () => {
    const env = { OPENACTIVE_ICAL_BRAND: '{"accent":"#ffff00"}' };
    const { brand } = JSON.parse((await cli(['config', '--print'], { env })).out);
    expect(brand.colours.light.accent).toMatch(/^#[0-9a-f]{6}$/);
    expect(brand.colours.note).toContain('#ffff00 is shown as');
  });
});

describe('commands that read one input take its defaults from the settings', () => {
  test.each(['convert', 'expand', 'hours', 'check'])('%s', async (name) => {
    const run = (zone: string, ...more: string[]) =>
      cli([name, 'fixtures/place.json', ...more], { env: { OPENACTIVE_ICAL_DEFAULT_TIMEZONE: zone } });
    const { code, err } = await run('Mars');
    expect([code, err]).toEqual([
      2,
      expect.stringMatching(/^.*OPENACTIVE_ICAL_DEFAULT_TIMEZONE is "Mars", allowed is .*\n$/),
    ]);
    expect((await run('Mars', '--timezone', 'Europe/Paris')).code).not.toBe(2);
    expect((await run('Europe/Paris')).code).not.toBe(2);
  });
});
