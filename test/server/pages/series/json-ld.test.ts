import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { pageResponse } from '../../../../src/server/pages/frame/document.tsx';
import { eventJsonLd } from '../../../../src/server/pages/series/json-ld.ts';
import { seriesPage } from '../../../../src/server/pages/series/page.tsx';
import type { SeriesView } from '../../../../src/server/pages/series/view.ts';
import { DAY, on, viewOf } from './views.ts';

/** The Event of schema.org in the page of a series, and hostile texts in all of that page. */

describe('the Event of schema.org', () => {
  test('says of more offers than it lists how many there are', () => {
    const offers = Array.from({ length: 25 }, (_, at) => ({ name: `For ${at}`, price: at + 1, currency: 'GBP' }));
    const { offers: found } = eventJsonLd(viewOf({ details: { offers } })) as { offers: { offers: object[] } };
    expect(found).toMatchObject({
      '@type': 'AggregateOffer',
      offerCount: 25,
      lowPrice: 1,
      highPrice: 25,
      priceCurrency: 'GBP',
    });
    expect(found.offers).toHaveLength(20);
  });

  test('is the next date, with place, organiser and offers', () => {
    const view = viewOf({
      details: {
        location: { name: 'Old Mill', address: '3 Mill Street, Wexcombe', latitude: 50.7, longitude: -3.5 },
        organizer: { name: 'Marlowe', url: 'javascript:alert(1)' },
        offers: [{ name: 'Adult', price: 8.5, currency: 'GBP', url: 'https://x.example/book' }],
      },
      dates: [on(25, 7, { status: 'EventCancelled' }), on(27, 7)],
      more: { place: { street: '3 Mill Street', locality: 'Wexcombe', key: 'p1' } },
    });
    expect(eventJsonLd(view)).toEqual({
      '@context': 'https://schema.org',
      '@type': 'Event',
      name: 'Dawn Yoga',
      url: 'https://wexcombe.example/open/series/abc',
      startDate: '2026-11-27T07:00:00Z',
      endDate: '2026-11-27T08:00:00Z',
      eventStatus: 'https://schema.org/EventScheduled',
      eventAttendanceMode: 'https://schema.org/OfflineEventAttendanceMode',
      location: {
        '@type': 'Place',
        name: 'Old Mill',
        address: { '@type': 'PostalAddress', streetAddress: '3 Mill Street', addressLocality: 'Wexcombe' },
        geo: { '@type': 'GeoCoordinates', latitude: 50.7, longitude: -3.5 },
      },
      organizer: { '@type': 'Organization', name: 'Marlowe' },
      offers: [{ '@type': 'Offer', name: 'Adult', price: 8.5, priceCurrency: 'GBP', url: 'https://x.example/book' }],
      isAccessibleForFree: false,
    });
  });

  test('the last of whole days is part of it; what is online has an address', () => {
    const start = Date.UTC(2026, 10, 28);
    const view = viewOf({
      details: { attendance: 'online' },
      dates: [{ start, end: start + 2 * DAY, allDay: true, status: 'EventScheduled' }],
    });
    expect(eventJsonLd(view)).toMatchObject({
      startDate: '2026-11-28',
      endDate: '2026-11-29',
      location: { '@type': 'VirtualLocation', url: 'https://wexcombe.example/open/series/abc' },
    });
  });

  test.each([
    ['none has one', [{ price: 4 }], ['GBP']],
    ['the others have one', [{ price: 5, currency: 'EUR' }, { price: 4 }], ['EUR', 'EUR']],
    [
      'the others have two',
      [{ price: 5, currency: 'EUR' }, { price: 5, currency: 'GBP' }, { price: 4 }],
      ['EUR', 'GBP', undefined],
    ],
    ['its own cannot be read', [{ price: 3, currency: '' }], [undefined]],
    ['it has no price', [{ name: 'Adult' }, { price: 4 }], ['GBP']],
  ])('the currency of an offer that names none: %s', (_, offers, expected) => {
    const event = eventJsonLd(viewOf({ details: { offers } })) as { offers: { priceCurrency?: string }[] };
    expect(event.offers.map(({ priceCurrency }) => priceCurrency)).toEqual(expected);
  });

  test('says nothing of money where no offer has a price, and has an address where there is a name alone', () => {
    const event = eventJsonLd(viewOf({ details: { location: { name: 'Old Mill' }, offers: [{ name: 'Adult' }] } }));
    expect(event).toMatchObject({ location: { name: 'Old Mill', address: 'Old Mill' } });
    expect(event).not.toHaveProperty('offers');
    expect(event).not.toHaveProperty('isAccessibleForFree');
  });

  test('there is none without a date', () => {
    expect(eventJsonLd(viewOf({ dates: [] }))).toBeUndefined();
  });

  test('is on the page only where somebody says where it is', () => {
    const [nowhere, online] = [viewOf(), viewOf({ details: { attendance: 'online' } })];
    expect([nowhere, online].map((view) => seriesPage(view).jsonLd !== undefined)).toEqual([false, true]);
  });
});

/** One text wherever a publisher can write to. */
function everywhere(text: string): SeriesView {
  const url = 'https://x.example/';
  const view = viewOf({
    details: {
      name: text,
      description: text,
      activity: [text],
      category: [text],
      offers: [{ name: text, price: 1, currency: text, url }],
      programme: { name: text, url },
      leader: [text],
      level: [text],
      location: { name: text, address: text, url, telephone: text },
      room: text,
      meetingPoint: text,
      virtualLocation: { name: text, url, description: text },
      schedulingNote: text,
      attendeeInstructions: text,
      accessibilitySupport: [text],
      accessibilityInformation: text,
      organizer: { name: text, url, telephone: text, email: text },
      image: url,
    },
    dates: [
      on(25, 7, { name: text, note: text, place: text, url, was: Date.UTC(2026, 10, 24, 7) }),
      on(27, 7, { status: 'EventCancelled', note: text }),
    ],
    more: {
      times: [{ days: text, time: text, zone: 'Europe/London' }],
      place: { key: 'p1', street: text, locality: text, region: text, postalCode: text, country: text },
    },
    series: { publisher: { name: text, url, license: text }, url },
    view: { image: { path: '/open/images/1' } },
  });
  const entry = { id: '1', at: view.now, series: { key: 'abc', name: text }, zone: text, start: view.now };
  return { ...view, changes: [{ ...entry, what: 'place', place: text, wasPlace: text }] };
}

/** Elements with the names of their attributes. */
function structure(text: string): string[] {
  return [...text.matchAll(/<(\/?[a-z0-9!]+)((?:\s+[a-z-]+(?:="[^"]*")?)*)\s*\/?>/g)].map(
    ([, tag, attributes = '']) =>
      `${tag} ${[...attributes.matchAll(/([a-z-]+)(?==")/g)].map(([name]) => name).join(' ')}`,
  );
}

describe('hostile texts', () => {
  const nasty = [
    '<script>alert(1)</script>',
    '</script><script>alert(1)</script>',
    '"><img src=x onerror=alert(1)>',
    "' onmouseover='alert(1)",
    '<!--<script>',
    ']]>',
    '&lt;b&gt;',
    '\u0000\u0008\u202e',
    '\ud800',
    '🧘'.repeat(100),
  ];
  const text = fc.oneof(fc.constantFrom(...nasty), fc.string({ unit: 'binary', minLength: 1, maxLength: 60 }));
  const render = async (view: SeriesView) => {
    const response = await pageResponse(seriesPage(view), view.site);
    return { response, html: await response.text() };
  };

  test('an activity whose name no filter can have is no link to others of its kind', async () => {
    const { response, html } = await render(everywhere('🧘'.repeat(500)));
    expect(response.status).toBe(200);
    expect(html).not.toContain('/search?activity=');
  });

  test('never become markup, in the page nor in its JSON-LD', async () => {
    const plain = structure((await render(everywhere('plain'))).html);
    await fc.assert(
      fc.asyncProperty(text, async (hostile) => {
        const { response, html } = await render(everywhere(hostile));
        expect(response.status).toBe(200);
        expect(structure(html).filter((one) => !/^\/?(?:svg|path|figure|figcaption|small) /.test(one))).toEqual(
          plain.filter((one) => !/^\/?(?:svg|path|figure|figcaption|small) /.test(one)),
        );
        const json = /<script type="application\/ld\+json">([\s\S]*?)<\/script>/.exec(html)?.[1] ?? '';
        expect(json).not.toContain('<');
        expect(JSON.parse(json)).toMatchObject({ name: hostile });
      }),
      { numRuns: 60 },
    );
  });

  test('the policy allows the style and the script of the frame alone', async () => {
    const { response, html } = await render(everywhere('plain'));
    const policy = response.headers.get('content-security-policy') ?? '';
    const style = /<style>([\s\S]*?)<\/style>/.exec(html)?.[1] ?? '';
    expect(policy).toContain(createHash('sha256').update(style).digest('base64'));
    expect(html).not.toMatch(/ (?:on[a-z]+|style)="/);
    expect(style.length).toBeLessThan(14 * 1024);
  });
});
