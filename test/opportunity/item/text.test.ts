import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toLine, toLines } from '../../../src/opportunity/item/text.ts';
import { runs } from '../../runs.ts';

describe('a line', () => {
  test.each([
    ['plain text stays', 'Yoga', 'Yoga'],
    ['white space is one space', '  Yoga\r\n\t for  all ', 'Yoga for all'],
    ['a line end of mainframes', 'Yoga\u0085for all', 'Yoga for all'],
    ['a no-break space is a space', 'Yoga\u00a0for all', 'Yoga for all'],
    ['entities', 'Zumba &amp; Tone &#8211; caf&eacute; &#x2665;', 'Zumba & Tone – café ♥'],
    ['letters with marks', 'd&wcirc;r &Scaron;&imath;&lstrok; &Aacute;&uuml;', 'dŵr Šıł Áü'],
    ['a mark on what has none is no entity', '&sdot;&wacute;&qcirc;', '&sdot;&wacute;&qcirc;'],
    ['links keep their words alone', '<a href="https://x.org">Yoga</a>', 'Yoga'],
    ['an unknown entity stays', '&bogus; & &; &#; R&B', '&bogus; & &; &#; R&B'],
    ['names of object properties are no entities', '&constructor;&toString;', '&constructor;&toString;'],
    ['entities are undone once', '&amp;lt;b&amp;gt;', '&lt;b&gt;'],
    ['what was escaped does not become a tag', '&lt;script&gt;', '<script>'],
    ['tags', '<b>Yoga</b> <i>for</i> all', 'Yoga for all'],
    ['< that is no tag', 'a < b, 3 <4, I <3 you', 'a < b, 3 <4, I <3 you'],
    ['emoji', 'Run 🏃‍♀️ 👍🏽', 'Run 🏃‍♀️ 👍🏽'],
    ['control characters', 'Yo\u0000g\u0007a\u009f\u001b[31m', 'Yoga[31m'],
    ['marks that turn the direction', 'gpj.\u202eexe', 'gpj.exe'],
    ['half a surrogate pair', 'a\ud83db', 'a\ufffdb'],
    ['control characters as entities', 'a&#0;&#7;&#x1b;b', 'ab'],
    ['surrogates and more as entities', '&#xd83d;&#9999999;', ''],
    ['a line end as an entity', 'a&#10;&#13;b', 'a b'],
  ])('%s', (_name, value, expected) => {
    expect(toLine(value).text).toBe(expected);
  });

  test('it ends at 300 characters, and not within an emoji', () => {
    const { text, cut } = toLine('🏃'.repeat(400));
    expect([text.length <= 300, text.endsWith('🏃…'), text.isWellFormed(), cut]).toEqual([true, true, true, true]);
  });
});

describe('several lines', () => {
  test.each([
    ['all line ends are one', 'a\r\nb\rc\nd\u2028e\u2029f\u0085g', 'a\nb\nc\nd\ne\nf\ng'],
    ['one empty line at most', '\n\na\n\n\n \nb\n\n', 'a\n\nb'],
    ['blanks at both ends of lines', ' a \n\tb\t', 'a\nb'],
    ['paragraphs', '<p>One.</p>\r\n<p>Two.</p>', 'One.\n\nTwo.'],
    ['the empty paragraph of an editor', '<p><br></p>', ''],
    ['breaks', 'One<br>Two<br/>Three<BR />Four', 'One\nTwo\nThree\nFour'],
    ['two breaks', 'One<br><br>Two', 'One\n\nTwo'],
    ['headings', '<h2>What</h2><div><div>Yoga</div></div>', 'What\n\nYoga'],
    [
      'a table',
      '<table><caption>Times</caption><tr><th>Day</th><th>From</th></tr><tr><td>Mon</td><td>6&nbsp;pm</td></tr></table>',
      'Times\nDay From\nMon 6 pm',
    ],
    ['choices', 'Bring<select><option>a mat</option><option>a towel</option></select>', 'Bring\na mat\na towel'],
    ['a list', '<ul><li>Mat</li><li>Towel</li></ul>', '- Mat\n- Towel'],
    ['white space of the source does not count where blocks do', '<div>a\n   b</div>\n<div>c</div>', 'a b\nc'],
    ['line ends count where only words are marked', 'First\n<b>Second</b>', 'First\nSecond'],
    [
      'links keep their words and addresses',
      '<a href="https://x.org?a=1&amp;b=2">here</a>',
      'here (https://x.org?a=1&b=2)',
    ],
    [
      'links in other quotation marks',
      "<a class=b href='http://x.org/1' >Book <b>now</b></a>.",
      'Book now (http://x.org/1).',
    ],
    ['links without quotation marks', '<a href=https://x.org/1>here</a>', 'here (https://x.org/1)'],
    ['a link whose words are its address', '<a href="https://www.x.org/">x.org</a>', 'x.org'],
    ['a link without words', '<a href="https://x.org/"><img src="x"></a>', ''],
    [
      'a link that is no web address',
      '<a href="javascript:x()">a</a> <a href="mailto:a@x.org">b</a> <a>c</a>',
      'a b c',
    ],
    ['a link that is not closed', '<a href="https://x.org/1">here', 'here'],
    ['a link as long as a page', `<a href="https://x.org/${'a'.repeat(600)}">here</a>`, 'here'],
    ['scripts and styles are gone', 'a<script>alert("<b>")</SCRIPT>b<style>p { }</style>c', 'abc'],
    ['comments are gone', 'a<!-- <p>x</p> -->b', 'ab'],
    ['an open tag at the end', 'a <b', 'a <b'],
    ['an open comment takes the rest', 'a<!-- b > c', 'a'],
  ])('%s', (_name, value, expected) => {
    expect(toLines(value).text).toBe(expected);
  });

  test('says what was done', () => {
    expect(toLines('plain')).toEqual({ text: 'plain' });
    expect(toLines('<p>x</p>')).toMatchObject({ html: true });
    expect(toLines('a\u0000')).toMatchObject({ controls: true });
    expect(toLines('a & b &lt; c')).toEqual({ text: 'a & b < c' });
  });

  test('10 MB are cut to 8,000 characters', () => {
    const { text, cut } = toLines('word '.repeat(2_000_000));
    expect([text.length <= 8000, cut]).toEqual([true, true]);
  });
});

describe('any text', () => {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not come through
  const FORBIDDEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;
  const piece = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('<p>', '</p>', '<br', '<!--', '-->', '&amp;', '&#', '<script', '\r\n', '<'),
  );
  const text = fc.array(piece).map((pieces) => pieces.join(''));

  test('comes out without control characters, well formed, and as itself when cleaned again', () => {
    fc.assert(
      fc.property(text, (value) => {
        for (const clean of [toLine, toLines]) {
          const once = clean(value).text;
          expect(once).not.toMatch(FORBIDDEN);
          expect(once.isWellFormed()).toBe(true);
          expect(once).toBe(once.trim());
        }
        expect(toLine(value).text).not.toMatch(/[\r\n\t]| {2}/);
        expect(toLines(value).text).not.toMatch(/\n{3}/);
      }),
      { numRuns: runs(2000) },
    );
  });

  test.each([
    ['<', '<'.repeat(60_000)],
    ['<a', '<a'.repeat(30_000)],
    ['<!--', '<!--'.repeat(15_000)],
    ['<script>', '<script>'.repeat(8_000)],
    ['&', '&'.repeat(60_000)],
    ['&#1', '&#1'.repeat(20_000)],
    ['blanks', `${' '.repeat(60_000)}x`],
    ['line ends', `${'\n'.repeat(60_000)}x`],
  ])('sixty thousand characters of %s take no time', (_name, value) => {
    // A quadratic step would exceed the test's time many times over when repeated.
    for (let round = 0; round < 20; round += 1) {
      expect(toLines(value).text.length).toBeLessThanOrEqual(8000);
      expect(toLine(value).text.length).toBeLessThanOrEqual(300);
    }
  });
});
