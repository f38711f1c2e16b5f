import { describe, expect, test } from 'vitest';
import { calendarAddress } from '../../src/publish/trial/address.ts';

/** Addresses as people paste them. */

const GOOGLE = 'https://calendar.google.com/calendar/ical/club%40group.calendar.google.com/public/basic.ics';

describe('the address of a calendar', () => {
  test.each([
    ['https://club.example/a.ics', 'https://club.example/a.ics'],
    ['  https://club.example/a.ics \n', 'https://club.example/a.ics'],
    ['<https://club.example/a.ics>', 'https://club.example/a.ics'],
    ['webcal://club.example/a.ics', 'https://club.example/a.ics'],
    ['webcals://club.example/a.ics', 'https://club.example/a.ics'],
    ['club.example/a.ics', 'https://club.example/a.ics'],
    [GOOGLE, GOOGLE],
    ['https://calendar.google.com/calendar/embed?src=club%40group.calendar.google.com&ctz=Europe%2FLondon', GOOGLE],
    ['https://calendar.google.com/calendar/u/0/embed?src=club@group.calendar.google.com', GOOGLE],
    [
      `https://calendar.google.com/calendar/u/0?cid=${Buffer.from('club@group.calendar.google.com').toString('base64url')}`,
      GOOGLE,
    ],
    [
      'https://calendar.google.com/calendar/ical/a%40b.example/private-0123/basic.ics',
      'https://calendar.google.com/calendar/ical/a%40b.example/private-0123/basic.ics',
    ],
    ['https://calendar.google.com/calendar/u/0/r', 'https://calendar.google.com/calendar/u/0/r'],
    ['https://evil.example/calendar/embed?src=a@b.example', 'https://evil.example/calendar/embed?src=a@b.example'],
  ])('%s', (pasted, address) => {
    expect(calendarAddress(pasted)).toBe(address);
  });

  test.each([
    '',
    ' ',
    'calendar',
    'my club',
    'file:///a.ics',
    'ftp://a.example/a.ics',
    'javascript:alert(1)',
    'https://',
    'a@b@c d',
  ])('is not %s', (pasted) => {
    expect(calendarAddress(pasted)).toBeUndefined();
  });
});
