import { describe, expect, it, test } from 'vitest';
import {
  distinct,
  fitting,
  MOST_SEARCHES,
  MOST_THINGS,
  nameOfList,
  type Thing,
  thingOf,
  thingsIn,
  thingText,
} from '../../../src/library/lists/list.ts';
import { thingsOf, tokenOf } from '../../../src/library/lists/token.ts';
import { Random } from '../../generate/random.ts';

const THINGS: Thing[] = [
  { kind: 'series', key: 'abcdefghijklmnop' },
  { kind: 'places', key: 'p2' },
  { kind: 'facilities', key: 'f7' },
  { kind: 'search', query: 'day=tue&q=yoga+f%C3%BCr+alle' },
];

describe('a token', () => {
  it('names what was chosen, in letters that an address needs no care for', () => {
    const token = tokenOf(THINGS);
    expect(token).toMatch(/^[\w-]+$/);
    expect(thingsOf(token)).toEqual(THINGS);
  });

  it('is the same in every release', () => {
    expect(tokenOf(THINGS.slice(0, 2))).toMatchInlineSnapshot(`"1SabcdefghijklmnopPp2_a43caa0a"`);
  });

  it('holds a hundred things in an address that programs take', () => {
    const things = Array.from(
      { length: MOST_THINGS },
      (_, at): Thing => ({ kind: 'series', key: `abcdefghijklm${100 + at}` }),
    );
    expect(tokenOf(things).length).toBeLessThan(2000);
    expect(thingsOf(tokenOf(things))).toEqual(things);
    expect(thingsOf(tokenOf([...things, { kind: 'series', key: 'another' }]))).toBeUndefined();
  });

  it('holds ten searches, and is nothing with more', () => {
    const searches = Array.from({ length: 11 }, (_, at): Thing => ({ kind: 'search', query: `maxPrice=${at + 1}` }));
    const ten = searches.slice(0, MOST_SEARCHES);
    expect(thingsOf(tokenOf(ten))).toEqual(ten);
    expect(thingsOf(tokenOf(searches))).toBeUndefined();
    const place: Thing = { kind: 'places', key: 'p2' };
    expect(fitting([...searches, place, place])).toEqual([...ten, place]);
  });

  it('has each thing once', () => {
    expect(thingsOf(tokenOf([...THINGS, ...THINGS]))).toEqual(THINGS);
  });

  it('is nothing any more with one character changed, left out or added', () => {
    const random = new Random(1);
    const token = tokenOf(THINGS);
    const letters = [...'abcXYZ019_-.%/'];
    for (let turn = 0; turn < 2000; turn += 1) {
      const at = random.int(0, token.length - 1);
      const [before, after] = [token.slice(0, at), token.slice(at + 1)];
      const other = random.pick([
        before + after,
        before + random.pick(letters) + after,
        `${before}${random.pick(letters)}${token.slice(at)}`,
      ]);
      if (other !== token) expect(thingsOf(other), other).toBeUndefined();
    }
  });

  test.each([
    '',
    '1',
    '1_',
    '1_00000000',
    `1S${'a'.repeat(65)}_00000000`,
    `1${'Sa'.repeat(5000)}_00000000`,
    '2Sabc_00000000',
    'k7Zq2fA9',
  ])('%.20s is none', (text) => expect(thingsOf(text)).toBeUndefined());
});

describe('a thing', () => {
  test.each(THINGS.map((thing) => [thingText(thing), thing] as const))('%s', (text, thing) => {
    expect(thingOf(text)).toEqual(thing);
  });

  it('is a search in its one form', () => {
    expect(thingOf('search?utm_source=x&q=yoga&day=tue,mon')).toEqual({ kind: 'search', query: 'day=mon,tue&q=yoga' });
  });

  test.each([
    '',
    'series',
    'series/',
    'series/A',
    'series/a/b',
    'people/a',
    '__proto__/a',
    'search?',
    'search?colour=red',
    'search?q=',
    `search?q=${'a'.repeat(2000)}`,
  ])('%.30s is none', (text) => expect(thingOf(text)).toBeUndefined());

  it('is counted', () => {
    const texts = Array.from({ length: MOST_THINGS + 1 }, (_, at) => `series/a${at}`);
    expect(thingsIn(texts)).toBeUndefined();
    expect(thingsIn(texts.slice(1))).toHaveLength(MOST_THINGS);
    expect(thingsIn(['series/a', 'nothing'])).toBeUndefined();
    expect(distinct([THINGS[0] as Thing, THINGS[0] as Thing])).toHaveLength(1);
  });
});

test.each([
  ['  Sport\r\nthis winter ', 'Sport this winter'],
  ['', undefined],
  ['a'.repeat(101), undefined],
  [7, undefined],
  ['\ud800', '\ufffd'],
])('the name %j is %j', (given, name) => expect(nameOfList(given)).toBe(name));
