import fc from 'fast-check';
import ICAL from 'ical.js';
import nodeIcal from 'node-ical';
import { describe, expect, test } from 'vitest';
import { BugError } from '../../src/errors.ts';
import type { Component, Property } from '../../src/ical/tree.ts';
import { write, writeBytes } from '../../src/ical/write.ts';
import { runs } from '../runs.ts';

const SOURCE: readonly Property[] = [
  { name: 'UID', type: 'raw', value: 'u@x' },
  { name: 'DTSTAMP', type: 'raw', value: '20260101T000000Z' },
  { name: 'DTSTART', type: 'raw', value: '20260101T000000Z' },
];

function calendar(...properties: Property[]): Component {
  const event: Component = { name: 'VEVENT', properties: [...SOURCE, ...properties], components: [] };
  const head: Property[] = [
    { name: 'VERSION', type: 'raw', value: '2.0' },
    { name: 'PRODID', type: 'text', value: '-//test//EN' },
  ];
  return { name: 'VCALENDAR', properties: head, components: [event] };
}

/** The one content line of a property, unfolded. */
function lineOf(property: Property): string {
  const text = write({ name: 'VEVENT', properties: [property], components: [] });
  return text.slice('BEGIN:VEVENT\r\n'.length, -'\r\nEND:VEVENT\r\n'.length).replaceAll('\r\n ', '');
}

/** Any text, rich in what breaks calendars. */
const nasty = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({
    unit: fc.constantFrom(...'aZ9 \\;,:"^=\r\n\t\0\u0007\u007f\u0085\u009f\u2028\u2029\ufeff\ufffe\ud800\udc00é–太🏸'),
    maxLength: 300,
  }),
  fc.constantFrom(
    '\r\nBEGIN:VEVENT',
    'x\nATTENDEE:mailto:a@b',
    '\\n',
    '\\\\n',
    ' '.repeat(200),
    '🏸'.repeat(80),
    'é'.repeat(200),
  ),
);

/** What write.ts says becomes of a text. */
function normal(text: string): string {
  return (
    text
      .replace(/\r\n?|[\n\u0085\u2028\u2029]/g, '\n')
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
      .replace(/[\0-\u0008\u000b-\u001f\u007f-\u009f\ufffe\uffff]/g, '')
      .toWellFormed()
  );
}

describe('a text of any characters', () => {
  test('comes back from ical.js as it went in', () => {
    fc.assert(
      fc.property(nasty, nasty, (summary, description) => {
        const text = write(
          calendar(
            { name: 'SUMMARY', type: 'text', value: summary },
            { name: 'DESCRIPTION', type: 'text', value: description },
          ),
        );
        const event = new ICAL.Component(ICAL.parse(text)).getFirstSubcomponent('vevent');
        expect(event?.getAllProperties().map(({ name }) => name)).toEqual([
          'uid',
          'dtstamp',
          'dtstart',
          'summary',
          'description',
        ]);
        expect(event?.getFirstPropertyValue('summary')).toBe(normal(summary));
        expect(event?.getFirstPropertyValue('description')).toBe(normal(description));
      }),
      { numRuns: runs(1500) },
    );
  });

  test('comes back from a list too, each by itself', () => {
    fc.assert(
      // ical.js does not see that the backslash before a separating comma is itself escaped.
      fc.property(
        fc.array(
          nasty.map((one) => `${one}.`),
          { minLength: 1, maxLength: 4 },
        ),
        (value) => {
          const text = write(calendar({ name: 'CATEGORIES', type: 'text-list', value }));
          const property = new ICAL.Component(ICAL.parse(text))
            .getFirstSubcomponent('vevent')
            ?.getFirstProperty('categories');
          expect(property?.getValues()).toEqual(value.map(normal));
        },
      ),
      { numRuns: runs(500) },
    );
  });

  test('comes back from node-ical, which reads it by its own code', () => {
    fc.assert(
      fc.property(nasty, (summary) => {
        // node-ical trims lines, and reads a backslash before n as a line end even where it is escaped.
        const value = `[${summary.replaceAll('\\', '/')}]`;
        const read = nodeIcal.sync.parseICS(write(calendar({ name: 'SUMMARY', type: 'text', value })));
        const events = Object.values(read).filter((one) => one?.type === 'VEVENT');
        expect(events.map((one) => (one as { summary: string }).summary)).toEqual([normal(value)]);
      }),
      { numRuns: runs(500) },
    );
  });

  test('comes back from a parameter', () => {
    fc.assert(
      fc.property(nasty, nasty, (first, second) => {
        // ical.js reads a backslash in a parameter as an escape, which RFC 6868 does not.
        const [title, address] = [first.replaceAll('\\', '/'), second.replaceAll('\\', '/')];
        const params = [
          ['X-TITLE', title],
          ['X-ADDRESS', address],
        ] as const;
        const text = write(
          calendar({ name: 'X-APPLE-STRUCTURED-LOCATION', params, type: 'x-uri', value: 'geo:51.5,-0.1' }),
        );
        const event = new ICAL.Component(ICAL.parse(text)).getFirstSubcomponent('vevent');
        const property = event?.getFirstProperty('x-apple-structured-location');
        expect(event?.getAllProperties().length).toBe(4);
        expect(property?.getParameter('x-title')).toBe(normal(title));
        expect(property?.getParameter('x-address')).toBe(normal(address));
        expect(property?.getFirstValue()).toBe('geo:51.5,-0.1');
      }),
      { numRuns: runs(1000) },
    );
  });

  test('adds no line of its own to an address', () => {
    fc.assert(
      fc.property(nasty, (path) => {
        const line = lineOf({ name: 'URL', type: 'uri', value: `https://example.org/${path}` });
        expect(line).toMatch(/^URL:https:\/\/example\.org\/[!-~]*$/);
      }),
      { numRuns: runs(500) },
    );
  });

  test('gives only whole characters, in lines of at most 75 octets that end in CRLF', () => {
    fc.assert(
      fc.property(nasty, nasty, (value, title) => {
        const params = [['X-TITLE', title]] as const;
        const bytes = writeBytes(calendar({ name: 'DESCRIPTION', params, type: 'text', value }));
        // An octet of each kind that may stand in a calendar, by itself: fatal decoding of every line finds cut characters.
        const lines = Buffer.from(bytes).toString('latin1').split('\r\n');
        expect(lines.pop()).toBe('');
        for (const line of lines) {
          expect(line.length).toBeLessThanOrEqual(75);
          expect(line).not.toMatch(/^ ?$/);
          expect(line).not.toMatch(/[\r\n]/);
          new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(line, 'latin1'));
        }
      }),
      { numRuns: runs(1500) },
    );
  });
});

describe('a content line', () => {
  test.each<[string, Property, string]>([
    ['escapes what separates', { name: 'SUMMARY', type: 'text', value: 'a\\b;c,d:e"f' }, 'SUMMARY:a\\\\b\\;c\\,d:e"f'],
    [
      'has one kind of line end',
      { name: 'SUMMARY', type: 'text', value: 'a\r\nb\rc\nd\u0085e\u2028f' },
      'SUMMARY:a\\nb\\nc\\nd\\ne\\nf',
    ],
    [
      'leaves out control characters',
      { name: 'SUMMARY', type: 'text', value: 'a\0b\u0007c\u007fd\u009be\tf' },
      'SUMMARY:abcde\tf',
    ],
    ['mends half characters', { name: 'SUMMARY', type: 'text', value: '\ud83c!\udff8' }, 'SUMMARY:\ufffd!\ufffd'],
    [
      'separates a list by bare commas',
      { name: 'CATEGORIES', type: 'text-list', value: ['a,b', 'c'] },
      'CATEGORIES:a\\,b,c',
    ],
    [
      'keeps an address as it is',
      { name: 'URL', type: 'uri', value: 'https://e.org/a,b;c?d=%20&e=(f)' },
      'URL:https://e.org/a,b;c?d=%20&e=(f)',
    ],
    [
      'encodes what no address may hold',
      { name: 'URL', type: 'uri', value: 'https://e.org/a b\r\n"é"' },
      'URL:https://e.org/a%20b%0D%0A%22%C3%A9%22',
    ],
    [
      'quotes parameters, with RFC 6868 for what cannot be quoted',
      { name: 'X-A', params: [['P', 'a;b"c^d\ne']], type: 'text', value: 'v' },
      'X-A;P="a;b^\'c^^d^ne":v',
    ],
    [
      'leaves tokens unquoted',
      { name: 'DTSTART', params: [['TZID', 'America/Port-au-Prince']], type: 'raw', value: '1' },
      'DTSTART;TZID=America/Port-au-Prince:1',
    ],
  ])('%s', (_, property, line) => {
    expect(lineOf(property)).toBe(line);
  });

  test.each<[string, Property]>([
    ['a value that no formatter made', { name: 'RRULE', type: 'raw', value: 'FREQ=DAILY\r\nX-EVIL:1' }],
    ['a value with a space', { name: 'GEO', type: 'raw', value: '51.5; 0' }],
    ['a value beyond ASCII', { name: 'GEO', type: 'raw', value: '51·5' }],
    ['a name in small letters', { name: 'summary', type: 'text', value: '' }],
    ['a name with a colon', { name: 'A:B', type: 'text', value: '' }],
    ['several values that are no list', { name: 'SUMMARY', type: 'text', value: ['a'] }],
  ])('is not made of %s', (_, property) => {
    expect(() => lineOf(property)).toThrow(BugError);
    // The next calendar is whole again.
    expect(lineOf({ name: 'SUMMARY', type: 'text', value: 'x' })).toBe('SUMMARY:x');
  });

  test('is folded after 75 octets, and every 74 from there', () => {
    const text = write({
      name: 'X',
      properties: [{ name: 'SUMMARY', type: 'text', value: 'x'.repeat(150) }],
      components: [],
    });
    expect(text.split('\r\n').map((line) => line.length)).toEqual([7, 75, 75, 10, 5, 0]);
  });

  test('that is shared is the same each time, also among others', () => {
    const shared: Property = { name: 'DESCRIPTION', type: 'text', value: 'ü,'.repeat(60), shared: true };
    const other: Property = { name: 'SUMMARY', type: 'text', value: 'x' };
    const alone = write({ name: 'X', properties: [shared], components: [] });
    const line = alone.slice('BEGIN:X\r\n'.length, -'END:X\r\n'.length);
    const both = write({ name: 'X', properties: [shared, other, shared], components: [] });
    expect(both).toBe(`BEGIN:X\r\n${line}SUMMARY:x\r\n${line}END:X\r\n`);
  });
});

test('a calendar larger than the writer keeps memory for is written whole, and so is the next', () => {
  const value = 'Zumba – '.repeat(200_000);
  const large = write(calendar({ name: 'DESCRIPTION', type: 'text', value }));
  expect(large.replaceAll('\r\n ', '')).toContain(`DESCRIPTION:${value}\r\n`);
  expect(write({ name: 'X', properties: [], components: [] })).toBe('BEGIN:X\r\nEND:X\r\n');
});
