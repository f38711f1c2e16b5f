import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadSettings, maskedSettings, SETTING_LINES, type SettingSources } from '../src/cli/settings.ts';
import { variablesOf } from '../src/config.ts';
import { ConfigError } from '../src/errors.ts';
import { FEED_TYPES } from '../src/opportunity/feed-types.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'oai-config-'));
});
afterAll(() => rm(folder, { recursive: true }));

const load = (sources: Partial<SettingSources>) => loadSettings({ env: {}, folder, ...sources });

async function problems(sources: Partial<SettingSources>): Promise<readonly string[]> {
  try {
    await load(sources);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems.map((text) => text.replaceAll(folder, '.'));
    throw error;
  }
  return [];
}

async function file(name: string, content: unknown): Promise<string> {
  await writeFile(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content));
  return name;
}

describe('where a value comes from', () => {
  test('nothing given: the defaults', async () => {
    expect(await load({})).toMatchObject({
      port: 8080,
      defaultTimezone: 'Europe/London',
      feeds: [],
      placesLeft: false,
    });
  });

  test('flag over environment over file over default', async () => {
    const config = await file('order.json', { port: 1, role: 'web', holidays: 'GB-SCT' });
    const settings = await load({
      file: config,
      env: { PORT: '2', OPENACTIVE_ICAL_ROLE: 'harvest' },
      flags: { port: '3' },
    });
    expect(settings).toMatchObject({ port: 3, role: 'harvest', holidays: 'GB-SCT', horizonDays: 365 });
  });

  test('our own variable wins over the common one', async () => {
    expect((await load({ env: { PORT: '2', OPENACTIVE_ICAL_PORT: '4' } })).port).toBe(4);
  });

  test('an empty variable is not set', async () => {
    expect((await load({ env: { PORT: '', OPENACTIVE_ICAL_CONFIG: '' } })).port).toBe(8080);
  });

  test.each([
    ['apply', 'apply'],
    ['http://a.example/x file:///feeds/b/', ['http://a.example/x', 'file:///feeds/b/']],
    ['["http://a.example/x?key=***"]', ['http://a.example/x?key=***']],
  ])('deletions are confirmed by %s', async (text, expected) => {
    expect((await load({ flags: { 'confirm-deletes': text } })).confirmDeletes).toEqual(expected);
  });

  test('an earlier spelling is still read, and the present one wins', async () => {
    const [former, present] = ['harvest.confirm-deletes', 'confirmDeletes'];
    const before = await file('former.json', { [former]: 'apply' });
    expect((await load({ file: before })).confirmDeletes).toBe('apply');
    const both = await file('both.json', { [former]: 'apply', [present]: ['https://a.example/'] });
    expect((await load({ file: both })).confirmDeletes).toEqual(['https://a.example/']);
    const env = { OPENACTIVE_ICAL_HARVEST_CONFIRM_DELETES: 'apply' };
    expect((await load({ env })).confirmDeletes).toBe('apply');
    expect((await load({ env: { ...env, OPENACTIVE_ICAL_CONFIRM_DELETES: 'ask' } })).confirmDeletes).toBe('ask');
  });

  test('the default file is read when it is there', async () => {
    await file('openactive-ical.config.json', { port: 99 });
    expect((await load({})).port).toBe(99);
    await rm(join(folder, 'openactive-ical.config.json'));
  });

  test('a byte order mark before the file does not matter', async () => {
    expect((await load({ file: await file('bom.json', '\uFEFF{"port": 7}') })).port).toBe(7);
  });
});

describe('spellings of one value', () => {
  const rows: [string, Record<string, string>, Record<string, unknown>][] = [
    ['yes', { OPENACTIVE_ICAL_PLACES_LEFT: 'yes' }, { placesLeft: true }],
    ['1', { OPENACTIVE_ICAL_PLACES_LEFT: '1' }, { placesLeft: true }],
    ['FALSE', { OPENACTIVE_ICAL_PLACES_LEFT: 'FALSE' }, { placesLeft: false }],
    ['megabytes', { OPENACTIVE_ICAL_CACHE_BYTES: '64MB' }, { cacheBytes: 67108864 }],
    ['kilobytes', { OPENACTIVE_ICAL_CACHE_BYTES: '8 k' }, { cacheBytes: 8192 }],
    ['bytes', { OPENACTIVE_ICAL_CACHE_BYTES: '100' }, { cacheBytes: 100 }],
    ['fractions of a second', { OPENACTIVE_ICAL_POLL_SECONDS: '0.5' }, { pollSeconds: 0.5 }],
    [
      'feeds by commas',
      { OPENACTIVE_ICAL_FEEDS: 'http://a/x,http://b/y' },
      { feeds: [{ url: 'http://a/x' }, { url: 'http://b/y' }] },
    ],
    [
      'feeds as JSON',
      { OPENACTIVE_ICAL_FEEDS: '[{"url":"http://a/x","slots":true}]' },
      { feeds: [{ url: 'http://a/x', slots: true }] },
    ],
    [
      'a publisher by name',
      { OPENACTIVE_ICAL_FEEDS: '[{"url":"http://a/","publisher":"P"}]' },
      { feeds: [{ url: 'http://a/', publisher: { name: 'P' } }] },
    ],
  ];
  test.each(rows)('%s', async (_name, env, expected) => {
    expect(await load({ env })).toMatchObject(expected);
  });

  test('folders are found from where they are written', async () => {
    const { feeds, data } = await load({ flags: { feed: ['./pages', 'https://a.example/rpde'] } });
    expect(feeds.map(({ url }) => url)).toEqual([join(folder, 'pages'), 'https://a.example/rpde']);
    expect(data).toBe('./data');
    const config = await file('places.json', { feeds: ['there'], data: '/var/oai' });
    expect(await loadSettings({ env: {}, folder: '/', file: join(folder, config) })).toMatchObject({
      data: '/var/oai',
      feeds: [{ url: join(folder, 'there') }],
    });
  });
});

test('the brand: its logo is found from where it is written', async () => {
  const config = await file('brand.json', { brand: { name: 'Active Wexcombe', logo: 'logo.svg' } });
  const settings = await loadSettings({ env: {}, folder: '/', file: join(folder, config) });
  expect(settings.brand).toEqual({ name: 'Active Wexcombe', logo: join(folder, 'logo.svg') });
  const env = { OPENACTIVE_ICAL_BRAND: '{"accent":"#0b6338"}' };
  expect((await load({ env })).brand).toEqual({ accent: '#0b6338' });
});

describe('what is refused, with its name, its value and what is allowed', () => {
  const rows: [string, () => Promise<Partial<SettingSources>> | Partial<SettingSources>, string[]][] = [
    [
      'a port out of range',
      () => ({ env: { PORT: '70000' } }),
      ['PORT is 70000, allowed is a whole number from 0 (any free port) to 65535'],
    ],
    [
      'a colour that is none',
      async () => ({ file: await file('accent.json', { brand: { accent: 'red;}' } }) }),
      ['brand.accent in ./accent.json is "red;}", allowed is a colour such as #2440cc'],
    ],
    [
      'a brand with what it has not',
      () => ({ env: { OPENACTIVE_ICAL_BRAND: '{"colour":"#fff"}' } }),
      ['OPENACTIVE_ICAL_BRAND: "colour" is not known here'],
    ],
    [
      'a port that is a word',
      () => ({ flags: { port: 'eighty' } }),
      ['--port is "eighty", allowed is a whole number from 0 (any free port) to 65535'],
    ],
    [
      'an unknown zone',
      () => ({ flags: { timezone: 'Europe/Lundon' } }),
      ['--timezone is "Europe/Lundon", allowed is an IANA time zone, as Europe/London (did you mean Europe/London?)'],
    ],
    [
      'an offset in place of a zone',
      () => ({ flags: { timezone: '+01:00' } }),
      ['--timezone is "+01:00", allowed is an IANA time zone, as Europe/London'],
    ],
    [
      'a city in place of a zone, in a feed',
      async () => ({ file: await file('zone.json', { feeds: [{ url: 'https://a.example/', zone: 'berlin' }] }) }),
      [
        'feeds[0].zone in ./zone.json is "berlin", allowed is an IANA time zone, as Europe/London (did you mean Europe/Berlin?)',
      ],
    ],
    [
      'a misspelt key of a feed',
      async () => ({ file: await file('key.json', { feeds: [{ url: 'https://a.example/', nmae: 'A' }] }) }),
      ['feeds[0] in ./key.json: "nmae" is not known here (did you mean name?)'],
    ],
    [
      'misspelt words',
      () => ({
        flags: { role: 'havrest', types: ['Place,SessionSereis'], 'confirm-deletes': 'aplly', holidays: 'gb-sct' },
        env: { OPENACTIVE_ICAL_IMAGES: 'flase', OPENACTIVE_ICAL_LOG_LEVEL: 'wran' },
      }),
      [
        `--types is "SessionSereis", allowed is a list of ${FEED_TYPES.join(', ')} (did you mean SessionSeries?)`,
        '--role is "havrest", allowed is all, harvest or web (did you mean harvest?)',
        '--holidays is "gb-sct", allowed is a country or region, as GB-ENG (did you mean GB-SCT?)',
        'OPENACTIVE_ICAL_IMAGES is "flase", allowed is true or false (did you mean false?)',
        '--confirm-deletes is "aplly", allowed is ask, apply, or a list of addresses of feeds whose deletions are applied (did you mean apply?)',
        'OPENACTIVE_ICAL_LOG_LEVEL is "wran", allowed is trace, debug, info, warn, error or silent (did you mean warn?)',
      ],
    ],
    [
      'a role there is not',
      () => ({ env: { OPENACTIVE_ICAL_ROLE: 'boss' } }),
      ['OPENACTIVE_ICAL_ROLE is "boss", allowed is all, harvest or web'],
    ],
    [
      'a duration without its P',
      () => ({ env: { OPENACTIVE_ICAL_REFRESH: '6H' } }),
      ['OPENACTIVE_ICAL_REFRESH is "6H", allowed is a duration, as PT6H or P1D'],
    ],
    [
      'an empty duration',
      () => ({ env: { OPENACTIVE_ICAL_REFRESH: 'PT' } }),
      ['OPENACTIVE_ICAL_REFRESH is "PT", allowed is a duration, as PT6H or P1D'],
    ],
    [
      'holidays of a region that there is not',
      () => ({ flags: { holidays: 'GB-XYZ' } }),
      ['--holidays is "GB-XYZ", allowed is a country or region, as GB-ENG'],
    ],
    [
      'a misspelt variable',
      () => ({ env: { OPENACTIVE_ICAL_PROT: '1' } }),
      ['OPENACTIVE_ICAL_PROT is not a setting (did you mean OPENACTIVE_ICAL_PORT?)'],
    ],
    [
      'a password in an address of the wrong kind',
      () => ({ env: { DATABASE_URL: 'mysql://me:hunter2@db/x' } }),
      ['DATABASE_URL is "mysql://***@db/x", allowed is a postgres:// address'],
    ],
    [
      'a misspelt key in the file',
      async () => ({ file: await file('a.json', { prot: 1 }) }),
      ['"prot" in ./a.json is not a setting (did you mean port?)'],
    ],
    [
      'a key every object has',
      async () => ({ file: await file('p.json', '{"__proto__": {"port": 1}, "constructor": 2}') }),
      ['"__proto__" in ./p.json is not a setting', '"constructor" in ./p.json is not a setting'],
    ],
    [
      'a string for a number in the file',
      async () => ({ file: await file('b.json', { port: '80' }) }),
      ['port in ./b.json is "80", allowed is a whole number from 0 (any free port) to 65535'],
    ],
    ['a file that is not there', () => ({ file: 'gone.json' }), ['./gone.json: there is no such file']],
    [
      'a file that is not JSON, its text unshown',
      async () => ({ file: await file('c.json', '{"secret') }),
      ['./c.json:1: is not JSON: a text does not end on its line (column 2)'],
    ],
    [
      'a file that holds a list',
      async () => ({ file: await file('d.json', []) }),
      ['./d.json: a JSON object of settings is needed'],
    ],
    [
      'a base address with a query',
      async () => ({ file: await file('q.json', { baseUrl: 'https://x.example/a/?q=1#f' }) }),
      ['baseUrl in ./q.json is "https://x.example/a/?q=1#f", allowed is an http(s) address without ? and #'],
    ],
    [
      'a feed without an address',
      async () => ({ file: await file('e.json', { feeds: [{ name: 'x' }] }) }),
      ['feeds[0].url in ./e.json is missing, allowed is an http(s) address or a folder'],
    ],
    [
      'a feed with an unknown zone',
      async () => ({ file: await file('f.json', { feeds: ['http://a/', { url: 'http://b/', zone: 'Mars' }] }) }),
      ['feeds[1].zone in ./f.json is "Mars", allowed is an IANA time zone, as Europe/London'],
    ],
    [
      'a feed with a field too many',
      async () => ({ file: await file('g.json', { feeds: [{ url: 'http://b/', ulr: 1 }] }) }),
      ['feeds[0] in ./g.json: "ulr" is not known here (did you mean url?)'],
    ],
    [
      'a header that is no text, its neighbours unshown',
      async () => ({
        file: await file('h.json', { feeds: [{ url: 'http://b/', headers: { 'x-key': 'k-123', n: 5 } }] }),
      }),
      ['feeds[0].headers.n in ./h.json is "***", allowed is a text'],
    ],
    [
      'a misspelt word for deletions',
      () => ({ flags: { 'confirm-deletes': 'aply' } }),
      [
        '--confirm-deletes is "aply", allowed is ask, apply, or a list of addresses of feeds whose deletions are applied (did you mean apply?)',
      ],
    ],
    [
      'a feed for deletions that is no address',
      async () => ({ file: await file('cd.json', { confirmDeletes: ['https://a.example/', 'b'] }) }),
      [
        'confirmDeletes[1] in ./cd.json is "b", allowed is ask, apply, or a list of addresses of feeds whose deletions are applied',
      ],
    ],
    [
      'a token that is none, unshown, in one line',
      () => ({ env: { OPENACTIVE_ICAL_ADMIN_TOKEN: 'short pw' } }),
      ['OPENACTIVE_ICAL_ADMIN_TOKEN is "***", allowed is at least 16 letters, digits or . ~ + / = _ -'],
    ],
    [
      'a webhook without its scheme, unshown',
      () => ({ env: { OPENACTIVE_ICAL_NOTIFY_URL: 'hooks.example/services/hunter2' } }),
      ['OPENACTIVE_ICAL_NOTIFY_URL is "***", allowed is an http(s) address'],
    ],
    [
      'everything at once',
      async () => ({
        env: { PORT: '-1', OPENACTIVE_ICAL_PLACES_LEFT: 'maybe' },
        file: await file('i.json', { holidays: 'England' }),
      }),
      [
        'PORT is "-1", allowed is a whole number from 0 (any free port) to 65535',
        'holidays in ./i.json is "England", allowed is a country or region, as GB-ENG',
        'OPENACTIVE_ICAL_PLACES_LEFT is "maybe", allowed is true or false',
      ],
    ],
  ];
  test.each(rows)('%s', async (_name, sources, expected) => {
    expect(await problems(await sources())).toEqual(expected);
  });
});

test('no secret of any kind is in what may be shown', async () => {
  const settings = await load({
    env: {
      DATABASE_URL: 'postgres://user:hunter2@db.example/oai?sslmode=require',
      CACHE_URL: 'redis://:hunter2@cache/0',
      OPENACTIVE_ICAL_ADMIN_TOKEN: 'hunter2-and-16-letters',
      OPENACTIVE_ICAL_NOTIFY_URL: 'https://hooks.example/services/T0/hunter2',
      OPENACTIVE_ICAL_FEEDS: JSON.stringify([
        { url: 'https://u:hunter2@a.example/rpde?apiKey=hunter2&page=1', headers: { Authorization: 'Bearer hunter2' } },
      ]),
    },
  });
  const shown = JSON.stringify(maskedSettings(settings));
  expect(shown).not.toContain('hunter2');
  expect(maskedSettings(settings)).toMatchObject({
    adminToken: '***',
    databaseUrl: 'postgres://***@db.example/oai?sslmode=require',
    notifyUrl: 'https://hooks.example/***',
    feeds: [{ url: 'https://***@a.example/rpde?apiKey=***&page=1', headers: { Authorization: '***' } }],
  });
});

test('every default passes its own check, and every line can be set from the environment', () => {
  for (const [key, line] of SETTING_LINES) {
    expect(line.schema.safeParse(line.default).success, key).toBe(true);
    expect(variablesOf(key)[0], key).toBe(
      `OPENACTIVE_ICAL_${key
        .replace(/[.-]/g, '_')
        .replace(/[A-Z]/g, (letter) => `_${letter}`)
        .toUpperCase()}`,
    );
    expect(line.help, key).not.toBe('');
  }
});
