import { globSync, readFileSync } from 'node:fs';
import ICAL from 'ical.js';
import ical from 'node-ical';
import { describe, expect, test } from 'vitest';
import { textOf } from '../../src/ical/content.ts';
import { type ReadComponent, readCalendars } from '../../src/ical/read.ts';
import { Random } from '../generate/random.ts';
import { calendarOf, eventOf } from './published.ts';
import { randomEvent } from './random-event.ts';

/**
 * What each reader of calendars loses: every content line of every calendar here, looked for in what the reader gives. The
 * lines are taken from the text by the few lines of code below, which know only folds, quotes and BEGIN.
 */

interface Line {
  /** `VEVENT` with its UID and RECURRENCE-ID, so that lines of two components are not mixed up. */
  component: string;
  name: string;
  params: string[];
  value: string;
}

const QUOTED = /^([\w-]+)((?:;[\w-]+=(?:"[^"]*"|[^":;]*)(?:,(?:"[^"]*"|[^":;,]*))*)*):(.*)$/s;

function linesOf(text: string): Line[] {
  const found: Line[] = [];
  const open: { kind: string; lines: Line[] }[] = [];
  const close = () => {
    const { lines = [], kind = '' } = open.pop() ?? {};
    const of = (one: string) => lines.find((line) => line.name === one)?.value ?? '';
    for (const line of lines) found.push({ ...line, component: `${kind} ${of('UID')} ${of('RECURRENCE-ID')}` });
  };
  const unfolded = text.replace(/^\uFEFF/, '').replaceAll(/(?:\r\n|\r|\n)[ \t]/g, '');
  for (const written of unfolded.split(/\r\n|\r|\n/)) {
    const [, given = '', params = '', value = ''] = QUOTED.exec(written) ?? [];
    const name = given.toUpperCase();
    if (name === 'BEGIN') open.push({ kind: value.toUpperCase(), lines: [] });
    else if (name === 'END') close();
    else if (name !== '')
      open.at(-1)?.lines.push({ component: '', name, params: paramsOf(params), value: textOf(value) });
  }
  while (open.length > 0) close();
  return found;
}

/** VALUE is left out: where it names the usual type, it says nothing. */
function paramsOf(params: string): string[] {
  const list = (params.match(/;[\w-]+=(?:"[^"]*"|[^;"])*/g) ?? []).map((one) => plain(one.slice(1)));
  return list.filter((one) => !one.startsWith('VALUE=')).sort();
}

/** Without quotes; `^'` is what RFC 6868 writes for one. */
function plain(param: string): string {
  return param.replaceAll('"', '').replaceAll("^'", '"').replaceAll('^n', '\n').replaceAll('^^', '^');
}

type Reader = (text: string) => Line[];

/** Ours, flattened the same way. */
const readByUs: Reader = (text) => {
  const limits = { components: 1e5, lines: 1e6, lineChars: 1e6 };
  const found: Line[] = [];
  const add = (one: ReadComponent): void => {
    const of = (name: string) => one.lines.find((line) => line.name === name)?.value ?? '';
    for (const { name, params, value } of one.lines) {
      const own = [...params].filter(([key]) => key !== 'VALUE').map(([key, text]) => `${key}=${text}`);
      const component = `${one.name} ${of('UID')} ${of('RECURRENCE-ID')}`;
      found.push({ component, name, params: own.sort(), value: textOf(value) });
    }
    one.components.forEach(add);
  };
  readCalendars(text, limits).calendars.forEach(add);
  return found;
};

const readByIcalJs: Reader = (text) => {
  const lines: string[] = [];
  const add = (jcal: unknown): void => {
    lines.push(String(new ICAL.Component(jcal as never)));
  };
  const parsed = ICAL.parse(text) as unknown[];
  (Array.isArray(parsed[0]) ? parsed : [parsed]).forEach(add);
  return linesOf(lines.join('\r\n'));
};

/** A line is kept where a value of the same component says what it says; how node-ical spells names does not matter. */
const readByNodeIcal: Reader = (text) => {
  const parsed = ical.sync.parseICS(text) as unknown as Record<string, NodeComponent>;
  const all: NodeComponent[] = [];
  const add = (one: unknown): void => {
    if (typeof one !== 'object' || one === null || all.includes(one as NodeComponent)) return;
    if ('type' in one) all.push(one as NodeComponent);
    Object.values(one).forEach(add);
  };
  add(parsed);
  // It puts what it takes for an event of its own beside the calendars.
  all.push({ ...parsed, type: 'VCALENDAR' });
  return linesOf(text).filter((line) => all.some((one) => isOf(one, line) && keeps(one, line)));
};

type NodeComponent = { type?: string; uid?: string; recurrences?: Record<string, NodeComponent> } & Record<
  string,
  unknown
>;
const KEYS: Record<string, string> = {
  DTSTART: 'start',
  DTEND: 'end',
  TRANSP: 'transparency',
  'RECURRENCE-ID': 'recurrenceid',
  'LAST-MODIFIED': 'lastmodified',
};

function isOf(one: NodeComponent | undefined, { component }: Line): boolean {
  const [kind, uid, recurrence] = component.split(' ');
  if (one === undefined || one.type !== kind) return false;
  return kind !== 'VEVENT' || ((one.uid ?? '') === uid && (one.recurrenceid !== undefined) === (recurrence !== ''));
}

function keeps(one: NodeComponent, { name, params, value }: Line): boolean {
  const key = KEYS[name] ?? name.replace(/^X-/, '');
  const kept = one[key] ?? one[key.toLowerCase()];
  if (kept === undefined) return false;
  const json = JSON.stringify(kept);
  // A Windows name is kept where it became an IANA name.
  if (kept instanceof Date) {
    const { tz } = kept as Date & { tz?: string };
    return params.every((param) => param === `TZID=${tz}` || (tz !== undefined && param.endsWith(' Standard Time')));
  }
  if (typeof kept !== 'string' && typeof kept !== 'object' && typeof kept !== 'number') return false;
  if (name === 'RRULE' || name === 'EXDATE' || name === 'GEO' || name === 'CATEGORIES') return true;
  const values = [kept]
    .flat()
    .map((entry) => (typeof entry === 'object' && entry !== null && 'val' in entry ? entry.val : entry));
  const hasParams = params.every((param) => json.includes(param.slice(param.indexOf('=') + 1)));
  return hasParams && values.some((entry) => textOf(`${entry}`).trim() === value.trim());
}

const PLAIN = calendarOf(
  eventOf('UID:1', 'SUMMARY:Yoga', 'DTSTART;TZID=Europe/London:20270105T183000', 'DURATION:PT1H'),
);
/** What exports are found to do: other line ends, damage, several calendars, one UID twice, a zone's phrase without quotes. */
const ODD = [
  PLAIN.replaceAll('\r\n', '\n'),
  PLAIN.replaceAll('\r\n', '\r'),
  `${PLAIN}${PLAIN.replace('UID:1', 'UID:2')}`,
  PLAIN.replace(/END:VEVENT[\s\S]*/, ''),
  PLAIN.replace('SUMMARY', 'no content line\r\nSUMMARY'),
  PLAIN.replace('SUMMARY', 'summary'),
  PLAIN.replace('Europe/London', 'GMT Standard Time'),
  PLAIN.replace('DURATION:PT1H', 'RRULE:FREQ=WEEKLY;BYDAY=0MO'),
  calendarOf(
    eventOf('UID:1', 'SUMMARY:Yoga', 'DTSTART:20270105T183000Z', 'RDATE:20270106T183000Z', 'RDATE:20270107T183000Z'),
    eventOf('UID:1', 'SUMMARY:Zumba', 'DTSTART:20270205T183000Z'),
  ),
];

/** Every calendar of the repository, odd ones, and random ones of other people. */
const texts = [
  ...ODD,
  ...globSync('fixtures/**/*.ics').map((file) => readFileSync(file, 'utf8')),
  ...Array.from({ length: 100 }, (_, seed) => {
    const { lines, overrides } = randomEvent(new Random(seed), seed);
    return calendarOf(eventOf(...lines), ...overrides.map((one) => eventOf(...one)));
  }),
];

function keyOf({ component, name, params, value }: Line): string {
  return [component, name, ...params, value].join('\n');
}

interface Losses {
  lost: number;
  /** Calendars that the reader throws at, of which all is lost. */
  refused: number;
  names: string;
}

/** How many lines are not found again, by name. */
function lossesOf(read: Reader): Losses {
  const names = new Map<string, number>();
  let refused = 0;
  for (const text of texts) {
    const kept = new Map<string, number>();
    try {
      for (const line of read(text)) kept.set(keyOf(line), (kept.get(keyOf(line)) ?? 0) + 1);
    } catch {
      refused++;
    }
    for (const line of linesOf(text)) {
      const left = kept.get(keyOf(line)) ?? 0;
      if (left > 0) kept.set(keyOf(line), left - 1);
      else names.set(line.name, (names.get(line.name) ?? 0) + 1);
    }
  }
  const sorted = [...names].sort(([, a], [, b]) => b - a);
  const lost = sorted.reduce((sum, [, count]) => sum + count, 0);
  return { lost, refused, names: sorted.map((pair) => pair.join(' ')).join(', ') };
}

test('there are lines to lose', () => {
  expect(texts.flatMap(linesOf).length).toBeGreaterThan(2500);
});

describe('content lines that a reader loses', () => {
  test.each<[string, Reader, Losses]>([
    ['ours', readByUs, { lost: 0, refused: 0, names: '' }],
    [
      'ical.js',
      readByIcalJs,
      { lost: 24, refused: 4, names: 'UID 4, SUMMARY 4, DTSTART 4, VERSION 4, PRODID 4, DURATION 3, RRULE 1' },
    ],
    [
      'node-ical',
      readByNodeIcal,
      {
        lost: 28,
        refused: 1,
        names:
          'SUMMARY 5, DTSTART 5, UID 4, DURATION 3, VERSION 3, PRODID 3, RDATE 2, RRULE 1, X-APPLE-STRUCTURED-LOCATION 1, DTEND 1',
      },
    ],
  ])('%s', (_name, read, losses) => {
    expect(lossesOf(read)).toEqual(losses);
  });
});
