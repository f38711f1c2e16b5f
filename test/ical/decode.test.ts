import { describe, expect, test } from 'vitest';
import { decodedCalendar } from '../../src/ical/decode.ts';

/** Calendars in other encodings than UTF-8 (RFC 5545 3.1.4). */

const TEXT = 'BEGIN:VCALENDAR\r\nSUMMARY:Café – für alle\r\n';
const utf16 = (text: string, swap: boolean) => {
  const octets = Buffer.from(text, 'utf16le');
  return swap ? octets.swap16() : octets;
};
const western = (text: string) => Buffer.from(text.replace('–', '\u0096'), 'latin1');

describe('the octets of a calendar', () => {
  test.each<[string, Uint8Array, string | undefined, string | undefined]>([
    ['UTF-8', Buffer.from(TEXT), undefined, undefined],
    ['UTF-8 that is called something else', Buffer.from(TEXT), 'iso-8859-1', undefined],
    ['UTF-16 with a mark', utf16(`\uFEFF${TEXT}`, false), undefined, 'UTF-16LE'],
    ['UTF-16 of the other order', utf16(`\uFEFF${TEXT}`, true), undefined, 'UTF-16BE'],
    ['UTF-16 without a mark', utf16(TEXT, false), undefined, 'UTF-16LE'],
    ['UTF-16 of the other order without a mark', utf16(TEXT, true), undefined, 'UTF-16BE'],
    ['windows-1252', western(TEXT), undefined, 'WINDOWS-1252'],
    ['windows-1252 that is called UTF-8', western(TEXT), 'UTF-8', 'WINDOWS-1252'],
  ])('%s', (_name, octets, charset, encoding) => {
    expect(decodedCalendar(octets, charset)).toEqual({ text: TEXT, ...(encoding && { encoding }) });
  });

  test('are what the Content-Type says, where they are not UTF-8', () => {
    const octets = Uint8Array.from([...Buffer.from('SUMMARY:'), 0xef, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2]);
    expect(decodedCalendar(octets, 'windows-1251')).toEqual({ text: 'SUMMARY:привет', encoding: 'WINDOWS-1251' });
    expect(decodedCalendar(octets, 'klingon').text).toContain('\uFFFD');
  });

  test.each<[string, string, string]>([
    ['CRLF and SPACE', 'Caf\xC3\r\n \xA9 run', 'Caf\u00e9\r\n  run'],
    ['LF and TAB', 'Caf\xC3\n\t\xA9 run', 'Caf\u00e9\n\t run'],
    ['CR', 'Caf\xC3\r \xA9 run', 'Caf\u00e9\r  run'],
    ['each octet on a line', '\xF0\r\n \x9F\r\n \x8F\r\n \x83!', '\u{1F3C3}\r\n \r\n \r\n !'],
    ['at the end', '\xC3\r\n \xA9', '\u00e9\r\n '],
  ])('of a character that is folded between its octets: %s', (_name, written, text) => {
    const octets = Buffer.from(`\xC3\xA9\r\n \xC3\xA9${written}`, 'latin1');
    expect(decodedCalendar(octets, 'iso-8859-1')).toEqual({ text: `\u00e9\r\n \u00e9${text}` });
  });

  test('that are folded in characters and damaged elsewhere lose the damaged ones alone', () => {
    const octets = Buffer.from('\xC3\r\n \xA9\xE2\x82\xAC\xFF\xFF', 'latin1');
    expect(decodedCalendar(octets).text).toBe('\u00e9\r\n \u20ac\uFFFD\uFFFD');
  });

  test('of a million folds in characters are read in one pass', () => {
    const octets = Buffer.from('\xC3\r\n \xA9'.repeat(1_000_000), 'latin1');
    expect(decodedCalendar(octets).text === '\u00e9\r\n '.repeat(1_000_000)).toBe(true);
  });

  test.each([
    ['another alphabet', [0xef, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2]],
    ['what windows-1252 does not have', [0x41, 0x81]],
    ['two encodings at once', [0xc3, 0xa9, 0x41, 0xe9, 0x41]],
  ])('are not guessed: %s', (_name, octets) => {
    const { text, encoding } = decodedCalendar(Uint8Array.from(octets));
    expect([text.includes('\uFFFD'), encoding]).toEqual([true, undefined]);
  });
});
