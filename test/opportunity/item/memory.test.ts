import { describe, expect, it } from 'vitest';
import { type CleanOptions, cleanItem } from '../../../src/opportunity/clean.ts';
import type { JsonObject } from '../../../src/opportunity/item/json.ts';
import { Memory } from '../../../src/opportunity/item/memory.ts';
import type { RpdeItem } from '../../../src/opportunity/page/page.ts';

const OPTIONS: CleanOptions = { zone: 'Europe/London', feed: 'https://example.org/feed' };

const PLACE: JsonObject = {
  '@type': 'Place',
  '@id': 'https://example.org/places/1',
  name: 'Baths',
  address: '1 High Street',
  openingHoursSpecification: [{ dayOfWeek: 'Monday', opens: '9:00', closes: '25:00' }],
};
const ORGANIZER: JsonObject = { '@type': 'Organization', '@id': 'https://example.org/us', name: 'Us <b>all</b>' };

function session(id: number, about: JsonObject = {}): RpdeItem {
  const data = {
    '@type': 'ScheduledSession',
    '@id': `https://example.org/sessions/${id}`,
    startDate: '2026-05-01T10:00:00Z',
    superEvent: 'https://example.org/series/1',
    organizer: ORGANIZER,
    location: PLACE,
    ...about,
  };
  return { state: 'updated', kind: 'ScheduledSession', id: String(id), modified: '1', data: structuredClone(data) };
}

/** Each item is cleaned after all before it, and must come out as it does alone. */
function check(items: readonly RpdeItem[], options: readonly CleanOptions[] = [OPTIONS]): void {
  const memory = new Memory();
  for (const item of items) {
    for (const one of options) {
      const { records, findings } = cleanItem(item, { ...one, memory });
      const alone = cleanItem(item, one);
      expect(findings).toEqual(alone.findings);
      expect(records.map(({ record, rank }) => ({ record, rank }))).toEqual(alone.records);
    }
  }
}

const placeOf = (item: RpdeItem, memory: Memory) =>
  cleanItem(item, { ...OPTIONS, memory }).records.find(({ record }) => record.kind === 'place');

describe('what many items embed', () => {
  it('is read once, with what is odd about it noted for each', () => {
    const memory = new Memory();
    const first = placeOf(session(1), memory);
    expect(first?.record).toBeDefined();
    expect(placeOf(session(2), memory)).toBe(first);
    const { findings } = cleanItem(session(3), { ...OPTIONS, memory });
    expect(findings.map(({ code }) => code)).toEqual(
      expect.arrayContaining(['html-in-text', 'address-as-text', 'time-invalid']),
    );
    check([session(1), session(2), session(3)]);
  });

  it.each<[string, JsonObject]>([
    ['says something else', { location: { ...PLACE, name: 'Pool' } }],
    ['says more', { location: { ...PLACE, telephone: '01234 567890' } }],
    ['says less', { location: { '@type': 'Place', '@id': PLACE['@id'] as string, name: 'Baths' } }],
    ['has other hours', { location: { ...PLACE, openingHoursSpecification: [] } }],
    ['has an array for a text', { location: { ...PLACE, name: ['Baths'] } }],
    ['is at another path', { location: [], superEvent: { '@type': 'SessionSeries', name: 'Swim', location: PLACE } }],
    ['has no id', { location: { '@type': 'Place', name: 'Baths', telephone: '01234 567890' } }],
    ['has an id that is none', { location: { ...PLACE, '@id': 'a\u0007b' } }],
    ['has an empty id and another', { location: { ...PLACE, '@id': '', id: 'https://example.org/places/1' } }],
    ['was noted before for another reason', { name: '<i>Swim</i>', description: '<p>Swim</p>' }],
    [
      'comes after as many findings as are kept',
      {
        activity: Array.from({ length: 20 }, () => ({ prefLabel: {} })),
        offers: Array.from({ length: 90 }, () => ({ price: 'x' })),
      },
    ],
  ])('is read again where it %s', (_, about) => {
    check([session(1), session(2, about), session(3), session(4, about)]);
  });

  it('is reported apart by feed where it states no id', () => {
    const unnamed = { location: { '@type': 'Place', name: 'Baths', address: '1 High Street' } };
    check([session(1, unnamed), session(2, unnamed)], [OPTIONS, { ...OPTIONS, feed: 'https://example.com/feed' }]);
  });

  it('is reported apart by the zone of the feed', () => {
    const transposed = { location: { ...PLACE, geo: { latitude: -0.1, longitude: 51.5 } } };
    check([session(1, transposed), session(2, transposed)], [OPTIONS, { ...OPTIONS, zone: 'Africa/Mogadishu' }]);
  });

  it('is forgotten in the end', () => {
    const memory = new Memory();
    const first = placeOf(session(1), memory);
    for (let id = 0; id < 1000; id += 1)
      placeOf(session(id, { location: { ...PLACE, '@id': `urn:${id}`, description: 'x'.repeat(4000) } }), memory);
    expect(placeOf(session(2), memory)).not.toBe(first);
    expect(placeOf(session(2), memory)?.record).toEqual(first?.record);
  });
});
