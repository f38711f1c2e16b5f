import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/opportunity/item/json.ts';
import type { CalendarText, PublishedObject, PublishResult } from '../../../src/publish/contract.ts';
import { judge, type SourceState, sourceKey } from '../../../src/publish/feed/last-good.ts';
import { Publisher, type SourceReading } from '../../../src/publish/feed/publisher.ts';
import { NO_MAPPING } from '../../../src/publish/map/mapping.ts';
import { type ChangeLog, openPublishedLog } from '../../../src/store/index.ts';

/** What sources may do to what is published, and what they may not. */

const NOW = Date.UTC(2026, 10, 21);
const MINUTE = 60_000;

const calendar = (...uids: string[]) =>
  ['BEGIN:VCALENDAR', ...uids.map((uid) => `BEGIN:VEVENT\r\nUID:${uid}\r\nEND:VEVENT`), 'END:VCALENDAR', ''].join(
    '\r\n',
  );
const event = (uid: string) => `BEGIN:VEVENT\r\nUID:${uid}\r\nEND:VEVENT\r\n`;
const many = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => `class-${from + index}`);

describe('judge', () => {
  const good = (...uids: string[]): SourceState => ({ good: calendar(...uids) });

  test.each<[name: string, state: SourceState, text: string, trouble: RegExp | undefined]>([
    ['the first calendar', {}, calendar('a'), undefined],
    ['a first calendar without events', {}, calendar(), undefined],
    ['a first calendar that is cut off', {}, calendar('a').slice(0, 40), undefined],
    ['a byte order mark and blank lines before it', {}, `\uFEFF\r\n${calendar('a')}`, undefined],
    ['an event without a calendar around it', {}, event('a'), undefined],
    ['one after a calendar that was cut off', good('a'), event('a').slice(0, -9), /ends in the middle/],
    ['one after another', good('a'), event('a'), undefined],
    ['nothing', {}, ' \r\n', /empty/],
    ['a page to sign in', {}, '<html>BEGIN:VCALENDAR</html>', /not a calendar/],
    ['a calendar that is cut off', good('a', 'b'), calendar('a', 'b').slice(0, 60), /ends in the middle/],
    ['a calendar without events after one with some', good('a'), calendar(), /no events/],
    ['a few events less', good(...many(0, 5)), calendar('class-0'), undefined],
    ['half of many events less', good(...many(0, 20)), calendar(...many(10, 20)), undefined],
    ['more than half of many events less', good(...many(0, 20)), calendar(...many(11, 20)), /11 of 20 events/],
    ['all other events', good(...many(0, 10)), calendar(...many(10, 20)), /10 of 10 events/],
  ])('%s', (_name, state, text, trouble) => {
    const verdict = judge(state, text, NOW);
    expect(verdict.take ? undefined : verdict.trouble).toEqual(trouble && expect.stringMatching(trouble));
    expect(verdict.state.good).toBe(verdict.take ? text : state.good);
  });

  test('a great loss is believed when it has lasted an hour, and begins anew when it was made good', () => {
    const whole = calendar(...many(0, 20));
    const few = calendar('class-0');
    const first = judge({ good: whole }, few, NOW);
    const second = judge(first.state, few, NOW + 59 * MINUTE);
    expect([first.take, second.take]).toEqual([false, false]);
    expect(judge(second.state, few, NOW + 60 * MINUTE)).toEqual({ take: true, state: { good: few } });
    const healed = judge(second.state, whole, NOW + 59 * MINUTE);
    expect(judge(healed.state, few, NOW + 60 * MINUTE).take).toBe(false);
  });
});

describe('a publisher', () => {
  let folder: string;
  let log: ChangeLog;
  /** Calendars of which nothing can be made, and ones that are left out altogether. */
  let barren: Set<string>;
  let leftOut: Set<string>;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'publisher-'));
    log = await openPublishedLog(folder);
    barren = new Set();
    leftOut = new Set();
  });
  afterEach(async () => {
    await log.close();
    rmSync(folder, { recursive: true });
  });

  /** Makes a series of each UID. */
  async function make(inputs: readonly CalendarText[]): Promise<PublishResult> {
    const used = inputs.filter(({ text }) => !leftOut.has(text));
    const uids = (text: string) => [...text.matchAll(/UID:(.*)\r/g)].map(([, uid = '']) => uid);
    const series = used.flatMap(({ text }) => (barren.has(text) ? [] : uids(text)));
    const objects = series.map((id) => ({ id, kind: 'SessionSeries', data: { '@id': id } as JsonObject }));
    return {
      published: { 'session-series': objects, 'scheduled-sessions': [], 'facility-uses': [] },
      findings: [],
      overLimit: [],
      calendars: used.map(({ source, text }) => {
        const events = barren.has(text) ? 0 : text.split('BEGIN:VEVENT').length - 1;
        return {
          source,
          events,
          overrides: 0,
          availabilities: 0,
          skipped: 0,
          ids: { series: uids(text), facilities: [] },
        };
      }),
    };
  }

  const reading = (name: string, got: SourceReading['got']): SourceReading => ({ id: `/${name}`, name, got });
  const round = (...readings: SourceReading[]) => new Publisher(log, NO_MAPPING, make).round(readings, NOW);
  const live = async () => (await log.liveOf('session-series', '', 100)).map(({ id }) => id);

  test('goes on with the last good text of a source that fails or did not change', async () => {
    await round(reading('a', { text: calendar('a1', 'a2') }), reading('b', { text: calendar('b1') }));
    const { troubles, yielding } = await round(
      reading('a', { trouble: 'cannot be reached' }),
      reading('b', { unchanged: true }),
    );
    expect([troubles, yielding]).toEqual([new Map([['a', 'cannot be reached']]), 2]);
    expect(await live()).toEqual(['a1', 'a2', 'b1']);
  });

  test('deletes what is no longer in a calendar, and what was in one that is no longer named', async () => {
    await round(reading('a', { text: calendar('a1', 'a2') }), reading('b', { text: calendar('b1') }));
    await round(reading('a', { text: calendar('a2') }));
    expect(await live()).toEqual(['a2']);
  });

  test.each<[string, SourceReading['got']]>([
    ['a mistyped name', { trouble: 'there is no such file' }],
    ['a page to sign in', { text: '<html></html>' }],
    ['a calendar without events', { text: calendar() }],
    ['a source that was never read, and is what it was', { unchanged: true }],
  ])('withdraws nothing of what is no longer named where there is %s', async (_name, got) => {
    await round(reading('a', { text: calendar('a1') }), reading('b', { text: calendar('b1', 'b2') }));
    barren.add(calendar());
    const { withheld } = await round(reading('b', { text: calendar('b2') }), reading('A', got));
    expect(withheld).toContain('1 of the series and facilities of calendars that are no longer named stay published');
    expect(await live()).toEqual(['a1', 'b2']);
    expect((await round(reading('b', { unchanged: true }))).withheld).toBeUndefined();
    expect(await live()).toEqual(['b2']);
  });

  test('a calendar under another name is what it was, and nothing is withheld', async () => {
    await round(reading('a', { text: calendar('a1') }), reading('b', { text: calendar('b1') }));
    const { changes, withheld } = await round(
      reading('A', { text: calendar('a1') }),
      reading('b', { trouble: 'cannot be reached' }),
    );
    expect([changes.deleted, changes.unchanged, withheld]).toEqual([0, 2, undefined]);
  });

  test.each([
    ['of which nothing can be made any more', () => barren],
    ['that takes too much to read', () => leftOut],
  ])('a new text %s is as good as a failure', async (_name, set) => {
    await round(reading('a', { text: calendar('a1') }), reading('b', { text: calendar('b1') }));
    set().add(calendar('a1', 'a2'));
    const { troubles } = await round(
      reading('a', { text: calendar('a1', 'a2') }),
      reading('b', { text: calendar('b1', 'b2') }),
    );
    expect([...troubles.keys()]).toEqual(['a']);
    expect(await live()).toEqual(['a1', 'b1', 'b2']);
  });

  test('when even the last good text gives nothing, what it published stays, and the others go on', async () => {
    await round(reading('a', { text: calendar('a1') }), reading('b', { text: calendar('b1') }));
    leftOut.add(calendar('a1'));
    const { troubles, changes } = await round(
      reading('a', { unchanged: true }),
      reading('b', { text: calendar('b2') }),
    );
    expect([...troubles.keys()]).toEqual(['a']);
    expect(changes).toEqual({ added: 1, updated: 0, deleted: 1, unchanged: 1 });
    expect(await live()).toEqual(['a1', 'b2']);
    leftOut.clear();
    await round(reading('a', { unchanged: true }), reading('b', { text: calendar('b2') }));
    expect(await live()).toEqual(['a1', 'b2']);
  });

  test('what does not fit stays as it was, with its sessions', async () => {
    const session = (id: string, start: number): PublishedObject => ({ id, kind: 'ScheduledSession', data: { start } });
    let overLimit: string[] = [];
    let sessions = [session('a1/1', 1), session('a1/2', 1), session('a2/1', 1)];
    const some = async (inputs: readonly CalendarText[]): Promise<PublishResult> => {
      const made = await make(inputs);
      const series = made.published['session-series'].filter(({ id }) => !overLimit.includes(id));
      return {
        ...made,
        overLimit,
        published: { ...made.published, 'session-series': series, 'scheduled-sessions': sessions },
      };
    };
    const publisher = new Publisher(log, NO_MAPPING, some);
    await publisher.round([reading('a', { text: calendar('a1', 'a2') })], NOW);
    overLimit = ['a1', 'a3'];
    sessions = [session('a2/1', 2)];
    const { changes } = await publisher.round([reading('a', { text: calendar('a1', 'a2', 'a3') })], NOW);
    expect(changes).toEqual({ added: 0, updated: 1, deleted: 0, unchanged: 4 });
    expect((await log.liveOf('scheduled-sessions', '', 10)).map(({ id }) => id)).toEqual(['a1/1', 'a1/2', 'a2/1']);
  });

  test('where nobody knows what a source published, the feeds stay as they are', async () => {
    await round(reading('a', { text: calendar('a1') }), reading('b', { text: calendar('b1') }));
    const key = sourceKey('/a');
    const { ids: _, ...state } = JSON.parse((await log.value(key)) as string) as SourceState;
    await log.setValue({ key, value: JSON.stringify(state) });
    leftOut.add(calendar('a1'));
    await round(reading('a', { unchanged: true }), reading('b', { text: calendar('b2') }));
    expect(await live()).toEqual(['a1', 'b1']);
  });

  test('remembers the validators of the text it publishes, and of no other', async () => {
    await round(reading('a', { text: calendar('a1'), etag: '"1"' }));
    const publisher = new Publisher(log, NO_MAPPING, make);
    expect(await publisher.state('/a')).toMatchObject({ etag: '"1"', good: calendar('a1') });
    await round(reading('a', { text: calendar(), etag: '"2"' }));
    expect(await publisher.state('/a')).toMatchObject({ good: calendar('a1') });
    expect((await publisher.state('/a')).etag).not.toBe('"2"');
  });
});
