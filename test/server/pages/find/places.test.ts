import { expect, test } from 'vitest';
import { item as rpde, served } from '../../stored-rig.ts';
import { words } from './items.ts';

/** The list of places, from a store. */

test('each of 50 places without hours says what is on next, of 150 sessions there', async () => {
  const rig = await served();
  try {
    const events = Array.from({ length: 150 }, (_, at) =>
      rpde('Event', `event${at}`, {
        '@id': `https://example.org/events/${at}`,
        name: `Class ${at}`,
        startDate: `2026-12-0${1 + Math.floor(at / 50)}T18:00:00Z`,
        location: { '@type': 'Place', '@id': `https://example.org/halls/${at % 50}`, name: `Hall ${at % 50}` },
      }),
    );
    await rig.feed(...events);
    const text = words(await rig.text('/search?kind=places'));
    expect(text).toContain('50 places');
    expect(text.match(/Next: Tue 1 Dec, 18:00/g)).toHaveLength(50);
  } finally {
    await rig.close();
  }
});

test('places without a name come after all others, on whatever page, and what is on now says so', async () => {
  const rig = await served();
  try {
    const { now } = rig.rig.clock;
    const events = ['', 'Hall', '', 'Barn', ''].map((name, at) =>
      rpde('Event', `event${at}`, {
        '@id': `https://example.org/events/${at}`,
        name: 'Yoga',
        startDate: new Date(now - 1_800_000).toISOString(),
        endDate: new Date(now + 7_200_000).toISOString(),
        location: {
          '@type': 'Place',
          '@id': `https://example.org/halls/${at}`,
          ...(name ? { name } : { address: `${at} Mill Lane` }),
        },
      }),
    );
    await rig.feed(...events);
    const names: string[] = [];
    let after: string | undefined;
    do {
      const page = await rig.library.search.venues('places', {}, { limit: 2, ...(after && { after }) });
      names.push(...page.items.map(({ name }) => name ?? ''));
      after = page.next;
    } while (after !== undefined);
    expect(names).toEqual(['Barn', 'Hall', '', '', '']);
    expect(words(await rig.text('/search?kind=places')).match(/On now/g)).toHaveLength(5);
  } finally {
    await rig.close();
  }
});
