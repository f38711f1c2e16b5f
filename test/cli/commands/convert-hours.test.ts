import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { HOURS_AS, type HoursOptions } from '../../../src/cli/commands/convert-hours.ts';
import { write } from '../../../src/ical/write.ts';
import { readInput } from '../../../src/join/input.ts';
import { type Zone, zone } from '../../../src/time/zone.ts';
import { Random } from '../../generate/random.ts';
import { randomVenueJson } from '../../hours/random-place.ts';
import { readAllDay, readAvailability, readEvents } from '../../hours/read-calendar.ts';
import { referencePeriods } from '../../hours/reference.ts';
import { UK_HOLIDAYS } from '../../hours/uk-holidays.ts';
import { runs } from '../../runs.ts';
import { samplesDir } from '../../samples.ts';

const RUNS = runs(8);
const FROM = Date.UTC(2026, 0, 1);
const TO = Date.UTC(2028, 0, 1);
const OPTIONS: HoursOptions = {
  zone: zone('Europe/London') as Zone,
  holidays: { country: 'GB', region: 'ENG' },
  now: Date.UTC(2026, 10, 21, 15),
  revision: { sequence: 0, modified: Date.UTC(2000, 0, 1) },
};

function convert(as: keyof typeof HOURS_AS, json: unknown, options: Partial<HoursOptions> = {}): string {
  const input = readInput(JSON.stringify(json), { zone: 'Europe/London', feed: '-', slots: true });
  return write(HOURS_AS[as](input, { ...OPTIONS, ...options }));
}

const blocks = (text: string, name: string) => text.split(`BEGIN:${name}\r\n`).length - 1;

describe('from the JSON of a place to what readers see', () => {
  test.each(['availability', 'hours'] as const)('--as %s gives what a literal reading of the JSON says', (as) => {
    for (let run = 0; run < RUNS; run++) {
      const { json, hours, zone: zoneId, nation } = randomVenueJson(new Random(run + 31), run);
      // Without a window twenty years are written, which take long to read.
      const window = run % 8 > 0 ? { from: FROM, to: TO } : {};
      const text = convert(as, json, window);
      if (hours.standard.length + hours.special.length === 0) continue;
      const open = referencePeriods(hours, zoneId, new Set(UK_HOLIDAYS[nation]), FROM, TO);
      const read = as === 'availability' ? readAvailability : readEvents;
      expect(read(text, 'nominal', FROM, TO), `run ${run}`).toEqual(open);
      expect(read(text, 'exact', FROM, TO), `run ${run}`).toEqual(open);
    }
  });
});

describe('the calendar around it', () => {
  const daily = { opens: '09:00', closes: '17:00' };
  const place = (id: string, more: object = {}) => ({
    '@type': 'Place',
    '@id': `https://example.org/${id}`,
    name: `The ${id}`,
    url: 'https://example.org/about',
    address: { streetAddress: '1 High St', addressLocality: 'Leeds', addressCountry: 'GB' },
    openingHoursSpecification: [{ dayOfWeek: ['Monday'], ...daily }],
    ...more,
  });

  test('has a header, the zones in use and one component a place', () => {
    const text = convert('availability', [place('gym'), place('pool')]);
    expect(text).toMatch(/^BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:/);
    expect([blocks(text, 'VTIMEZONE'), blocks(text, 'VAVAILABILITY'), blocks(text, 'AVAILABLE')]).toEqual([1, 2, 2]);
    expect(text.indexOf('END:VTIMEZONE')).toBeLessThan(text.indexOf('BEGIN:VAVAILABILITY'));
    expect(convert('availability', place('gym'))).toContain('NAME:Opening hours: The gym\r\n');
  });

  test('of a place without hours has no claim in it, and is a calendar still', () => {
    const silent = place('shed', { openingHoursSpecification: undefined });
    for (const as of ['availability', 'freebusy', 'hours'] as const) {
      const text = convert(as, silent);
      expect([blocks(text, 'VAVAILABILITY'), blocks(text, 'VFREEBUSY'), blocks(text, 'VEVENT')]).toEqual([0, 0, 0]);
      expect(blocks(text, 'VTIMEZONE')).toBe(1);
    }
  });

  test('with a window holds its whole years, without one the same years on every day', () => {
    expect(convert('availability', place('gym'), { from: Date.UTC(2026, 5, 1), to: Date.UTC(2026, 6, 1) })).toMatch(
      /DTSTART:20260101T000000Z\r\nDTEND:20270101T000000Z/,
    );
    const later = { now: Date.UTC(2031, 0, 1) };
    for (const as of ['availability', 'hours'] as const) {
      expect(convert(as, place('gym'), later)).toBe(convert(as, place('gym')));
    }
  });

  test('holds the years the hours name themselves', () => {
    const closed = { opens: '00:00', closes: '00:00', validFrom: '2015-12-25', validThrough: '2015-12-25' };
    const text = convert('hours', place('gym', { specialOpeningHoursSpecification: [closed] }));
    expect(readAllDay(text)).toEqual(['2015-12-25 2015-12-26 Closed: Christmas Day']);
    const ancient = { validFrom: '1900-01-01', validThrough: '9999-12-31', dayOfWeek: ['Monday'], ...daily };
    expect(convert('availability', place('gym', { openingHoursSpecification: [ancient] }))).toMatch(
      /DTSTART:20200101T000000Z\r\nDTEND:20400101T000000Z/,
    );
  });

  test('of free and busy spans the window asked for, or eight weeks from today', () => {
    const line = /DTSTART:(\w+)\r\nDTEND:(\w+)/;
    expect(line.exec(convert('freebusy', place('gym')))?.slice(1)).toEqual(['20261121T000000Z', '20270116T000000Z']);
    const asked = convert('freebusy', place('gym'), { from: Date.UTC(2026, 0, 5), to: Date.UTC(2026, 0, 6) });
    expect(asked).toContain('FREEBUSY;FBTYPE=BUSY-UNAVAILABLE:20260105T000000Z/20260105T090000Z\r\n');
    expect(line.exec(asked)?.slice(1)).toEqual(['20260105T000000Z', '20260106T000000Z']);
  });

  test('of a facility with slots is free where one has uses left', () => {
    const id = 'https://example.org/court';
    const slot = (startDate: string, endDate: string, remainingUses: number) => ({
      '@type': 'Slot',
      '@id': `${id}/${startDate}`,
      facilityUse: id,
      startDate,
      endDate,
      duration: 'PT1H',
      remainingUses,
    });
    const facility = {
      '@type': 'FacilityUse',
      '@id': id,
      name: 'Court',
      hoursAvailable: [{ dayOfWeek: ['Monday'], ...daily }],
    };
    const text = convert(
      'freebusy',
      [
        facility,
        slot('2026-01-05T09:00:00Z', '2026-01-05T10:00:00Z', 1),
        slot('2026-01-05T10:00:00Z', '2026-01-05T11:00:00Z', 0),
      ],
      { from: Date.UTC(2026, 0, 5), to: Date.UTC(2026, 0, 6) },
    );
    expect(text.match(/FREEBUSY;.*/g)?.map((one) => one.trim())).toEqual([
      'FREEBUSY;FBTYPE=BUSY:20260105T100000Z/20260105T110000Z',
      'FREEBUSY;FBTYPE=BUSY-UNAVAILABLE:20260105T000000Z/20260105T090000Z',
      'FREEBUSY;FBTYPE=BUSY-UNAVAILABLE:20260105T110000Z/20260106T000000Z',
    ]);
  });

  test('of a facility whose courts have slots is free where one court is', () => {
    const id = 'https://example.org/tennis';
    const slot = (court: number, hour: number, remainingUses: number) => ({
      '@type': 'Slot',
      '@id': `${id}/${court}/${hour}`,
      facilityUse: `${id}/${court}`,
      startDate: `2026-01-05T${hour}:00:00Z`,
      duration: 'PT1H',
      remainingUses,
    });
    const text = convert(
      'freebusy',
      [
        { '@type': 'FacilityUse', '@id': id, name: 'Tennis' },
        ...[1, 2].map((n) => ({
          '@type': 'IndividualFacilityUse',
          '@id': `${id}/${n}`,
          name: `Court ${n}`,
          aggregateFacilityUse: id,
        })),
        slot(1, 10, 0),
        slot(2, 10, 1),
        slot(1, 11, 0),
        slot(2, 11, 0),
      ],
      { from: Date.UTC(2026, 0, 5, 10), to: Date.UTC(2026, 0, 5, 12) },
    );
    const each = text.split('BEGIN:VFREEBUSY').map((one) => one.match(/FBTYPE=.*(?=\r)/g));
    expect(each).toEqual([
      null,
      ['FBTYPE=BUSY:20260105T110000Z/20260105T120000Z'],
      ['FBTYPE=BUSY:20260105T100000Z/20260105T120000Z'],
      ['FBTYPE=BUSY:20260105T110000Z/20260105T120000Z'],
    ]);
  });

  test('survives names that try to break out of their line', () => {
    const text = convert('availability', place('x\r\nBEGIN:VEVENT', { name: 'Gym\r\nEND:VCALENDAR\u0000' }));
    expect(text.split('\r\n').filter((one) => one.startsWith('END:VCALENDAR'))).toHaveLength(1);
    expect(blocks(text, 'VEVENT')).toBe(0);
  });
});

describe.skipIf(samplesDir === undefined)('real samples', () => {
  test('Lincs Inspire: a facility without hours, whose slots say when it is free', () => {
    const sample = (name: string) =>
      JSON.parse(readFileSync(join(samplesDir as string, 'feed-normaliser', name), 'utf8'));
    const input = [sample('facilityuse-2.json'), sample('slot-referenced-facilityuse-2.json')];
    const { startDate, endDate } = input[1].data;
    const [start, end] = [Date.parse(startDate), Date.parse(endDate)];
    const text = convert('freebusy', input, { from: start - 3_600_000, to: end + 3_600_000 });
    const basic = (at: number) => new Date(at).toISOString().replace(/[-:]|\.000/g, '');
    expect(text.match(/FBTYPE=[A-Z-]+/g)?.map((one) => one.slice(7))).toEqual(['BUSY-UNAVAILABLE', 'BUSY-UNAVAILABLE']);
    expect(text).toContain(`FREEBUSY;FBTYPE=BUSY-UNAVAILABLE:${basic(start - 3_600_000)}/${basic(start)}\r\n`);
  });
});
