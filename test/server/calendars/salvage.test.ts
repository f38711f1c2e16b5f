import { describe, expect, test } from 'vitest';
import type { CalendarEvent } from '../../../src/calendar/objects.ts';
import type { Component } from '../../../src/ical/tree.ts';
import type { StoredCalendar } from '../../../src/library/library.ts';
import { salvage } from '../../../src/server/calendars/renderer.ts';

const component = (name: string): Component => ({ name, properties: [], components: [] });
const event = (uid: string, summary = uid): CalendarEvent => ({
  uid,
  summary,
  status: 'CONFIRMED',
  span: {
    zone: 'UTC',
    start: 0,
    end: 0,
  },
});

function stored(events: CalendarEvent[], names: string[] | undefined): StoredCalendar {
  return {
    head: { key: 'p1', kind: 'places', state: 'live', revision: 1, changedAt: 0 },
    calendar: { name: 'x', zone: 'UTC', color: { name: 'teal', hex: '#008080' }, refresh: 'PT6H', events },
    ...(names && { more: { components: names.map(component), zones: new Map() } }),
    revision: () => ({ sequence: 0, modified: 0 }),
    slug: 'x',
  };
}

/** Names what it writes; cannot write anything that is called bad. */
function render({ calendar, more }: StoredCalendar): Uint8Array<ArrayBuffer> {
  const names = [...calendar.events.map(({ summary }) => summary), ...(more?.components ?? []).map(({ name }) => name)];
  if (names.some((name) => name.startsWith('bad'))) throw new Error('cannot be written');
  return new TextEncoder().encode(names.join(' '));
}

describe('what is left of a calendar of which something cannot be written', () => {
  const table: [title: string, events: CalendarEvent[], more: string[] | undefined, left: string | undefined][] = [
    ['a bad event', [event('a'), event('b', 'bad')], undefined, 'a'],
    ['an override of a good master', [event('a'), event('a', 'bad override'), event('b')], undefined, 'b'],
    ['nothing but bad events', [event('a', 'bad')], undefined, undefined],
    ['bad opening hours beside events', [event('a'), event('b')], ['bad hours'], 'a b'],
    ['a bad event beside opening hours', [event('a', 'bad'), event('b')], ['hours'], 'b hours'],
    ['nothing but bad events beside opening hours', [event('a', 'bad')], ['hours'], 'hours'],
    ['bad events and bad opening hours', [event('a', 'bad')], ['bad hours'], undefined],
    ['a good and a bad component, without events', [], ['hours', 'bad hours'], 'hours'],
    ['nothing but bad opening hours', [], ['bad hours'], undefined],
  ];
  test.each(table)('%s', (_, events, more, left) => {
    const bytes = salvage(stored(events, more), render);
    expect(bytes && new TextDecoder().decode(bytes)).toBe(left);
  });
});
