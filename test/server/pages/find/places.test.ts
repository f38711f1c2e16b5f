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
