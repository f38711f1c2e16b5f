import type { OccurrenceItem } from '../../../../src/library/index.ts';
import { DAY, HOUR } from '../../made.ts';

/** Sat 21 Nov 2026, 18:00 in London. */
export const SIX = Date.UTC(2026, 10, 21, 18);

export const item = (more: Partial<OccurrenceItem> = {}): OccurrenceItem => {
  const { start = SIX } = more;
  return {
    start,
    end: start + HOUR,
    zone: 'Europe/London',
    name: 'Gentle yoga',
    status: 'EventScheduled',
    series: { key: 'abc', id: 'https://id.example/1', name: 'Gentle yoga' },
    place: { key: 'p1', name: 'Town Hall', distanceKm: 0.4 },
    activity: [{ name: 'Yoga' }],
    price: { currency: 'GBP', min: 6.5, max: 6.5, free: false },
    details: { name: 'Gentle yoga' },
    rows: { series: 1 },
    ...more,
  };
};

/** As many, each of a series of its own, one after the other; `apart`: milliseconds between two starts. */
export function items(count: number, apart = DAY): OccurrenceItem[] {
  return Array.from({ length: count }, (_, at) =>
    item({
      start: SIX + at * apart,
      name: `Yoga ${at}`,
      series: { key: `y${at}`, id: `https://id.example/y${at}`, name: '' },
    }),
  );
}

/** The words of a page, without its style, script and sheets. */
export function words(text: string): string {
  return text
    .replace(/<(style|script|dialog)[\s\S]*?<\/\1>/g, '')
    .replace(/<[^>]*>/g, ' ')
    .replaceAll('&#39;', '’')
    .replace(/\s+/g, ' ');
}
