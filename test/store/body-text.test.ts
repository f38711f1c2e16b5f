import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bodyText, packedBody } from '../../src/store/sql/body-text.ts';

/** Texts of records as rows keep them. */

/** Never changed: stores have their numbers. */
const WORDS = [
  'https://a.example/1 https://a.example/ ","url":" https:// ,"currency":" ","price": ,"status":"EventScheduled","details":{',
  ',"remainingAttendeeCapacity": "maximumAttendeeCapacity": {"kind":"session","id":" ","idStated":true,"type":"',
  'offers":[{"name":" ,"statusStated":false ScheduledSession "},{"name":" ,"series":" ","telephone":" ","start":',
  ',"unread":true} "name":" },"end": location":{"id":" "},"organizer":{"',
  'zone":"Europe/London","zoneStated":true,"eventType":" ,"byMonth":[],"byMonthDay":[],"except":[]," "byDay":[{"day":',
  ',"publicHolidays":false,"opens": {"kind":"slot","id":" ","facility":" ,"remainingUses": ,"maximumUses":',
  ',"description":" activity":[" ","address":" ","latitude": ,"longitude": "attendeeInstructions":"',
  ',"frequency":{"unit":" ,"startDate":" ","endDate":" ","startTime": ,"endTime": ,"duration": ,"schedules":[{"partial":',
  '},{"partial": ,"expandable": {"kind":"series","id":" ","type":"SessionSeries {"kind":"place","id":"',
  '","hours":[],"specialHours":[], ,"street":" ","locality":" ","region":" ","postalCode":" ","country":" {"days":[',
  ',"closes": ,"path":"$. ,"image":" ,"level":[" ,"ageRange":{"min": "category":[" EventCancelled',
].join(' ');

const IDENT = 'https://a.example/api/session-series/12/sessions/7';
const SESSION = {
  kind: 'session',
  id: IDENT,
  idStated: true,
  type: 'ScheduledSession',
  start: 1805353200000,
  status: 'EventScheduled',
  details: {
    offers: [{ name: 'Adult', price: 11.5, currency: 'GBP', url: `${IDENT}/book` }],
    maximumAttendeeCapacity: 20,
  },
  end: 1805355900000,
  url: 'https://a.example/api/session-series/12/book/7',
  statusStated: false,
  remainingAttendeeCapacity: 10,
  series: 'https://a.example/api/session-series/12',
  unread: true,
};
const json = JSON.stringify(SESSION);
const PIECES = ['name', 'url', 'kind', 'start', 'EventScheduled', 'ScheduledSession', 'https://', IDENT, '":"'];

test('a session takes less than half of its JSON', () => {
  const packed = packedBody(json, IDENT);
  expect(packed.length).toBeLessThan(json.length / 2);
  expect(bodyText(packed, IDENT)).toBe(json);
});

test('what was packed once is read for ever: the codes stay', () => {
  const one = Array.from({ length: 28 }, (_, at) => String.fromCharCode(4 + at));
  const two = Array.from({ length: 33 }, (_, at) => `\u0003${String.fromCharCode(48 + at)}`);
  const texts = ['\u0001', '\u0002', ...one, ...two].map((body) => bodyText(body, 'https://a.example/1'));
  expect(texts.join(' ')).toBe(WORDS);
});

test('a text of an earlier release is read as it is, and nothing for a stub', () => {
  expect(bodyText(json, IDENT)).toBe(json);
  expect(bodyText(null, IDENT)).toBe('');
});

describe('every text is read as it was written', () => {
  const ident = fc.oneof(
    fc.constantFrom(IDENT, '', 'x', '"', '":"', '\u0001', 'https://', 'https://a.example/', 'urn:a#Place/\n\\'),
    fc.webUrl(),
    fc.string({ unit: 'binary' }),
  );
  const pieces = fc.constantFrom(...PIECES);

  test.each([
    ['of any JSON', fc.jsonValue()],
    [
      'of words that are packed',
      fc.array(fc.tuple(pieces, fc.oneof(pieces, fc.integer(), fc.string({ unit: 'binary' })))),
    ],
  ] as [string, fc.Arbitrary<unknown>][])('%s', (_, value) => {
    fc.assert(
      fc.property(value, ident, (said, own) => {
        for (const text of [
          JSON.stringify(said),
          JSON.stringify({ id: own, said }),
          JSON.stringify(said) + own.length,
        ]) {
          expect(bodyText(packedBody(text, own), own)).toBe(text);
        }
      }),
    );
  });

  test('cut anywhere', () => {
    for (let at = 0; at <= json.length; at += 1) {
      const text = json.slice(at);
      expect(bodyText(packedBody(text, IDENT), IDENT)).toBe(text);
    }
  });
});
