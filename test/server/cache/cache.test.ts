import { gunzipSync } from 'node:zlib';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { OverBudgetError } from '../../../src/errors.ts';
import type { StoredCalendar } from '../../../src/library/library.ts';
import { type CacheAnswer, CalendarCache } from '../../../src/server/cache/cache.ts';
import type { SecondLevel } from '../../../src/server/cache/second-level.ts';
import { type EntrySource, source } from '../../../src/server/calendars/entry.ts';
import { type Renderer, rendererOf } from '../../../src/server/calendars/renderer.ts';
import { silent } from '../../../src/server/operations/log.ts';
import { type FakeLibrary, render, setUp } from '../fake.ts';

afterEach(() => {
  vi.useRealTimers();
});

const text = (answer: CacheAnswer) => (answer.kind === 'entry' ? String(answer.entry.identity.body) : answer.kind);

/** A second level in memory. */
function memoryLevel(): SecondLevel & { kept: Map<string, EntrySource> } {
  const kept = new Map<string, EntrySource>();
  return {
    kept,
    counts: { hits: 0, misses: 0, refused: 0, failures: 0 },
    get: async (key, revision) => {
      const found = kept.get(key);
      return found && (revision === 'any' || found.revision === revision) ? found : undefined;
    },
    put: (key, source) => void kept.set(key, source),
    close: async () => {},
  };
}

/** The renderer, counting, and failing when told to. */
function renderer() {
  const state = { count: 0, fails: (_: StoredCalendar): boolean => false };
  const counted = (stored: StoredCalendar) => {
    state.count++;
    if (state.fails(stored)) throw new Error('cannot be written');
    return render(stored);
  };
  return { state, render: counted };
}

describe('a calendar is rendered once', () => {
  test('for any number of requests at a time and after', async () => {
    const { state, render } = renderer();
    const { library, cache } = setUp({ render });
    library.commit('a', 'Yoga');
    const answers = await Promise.all(Array.from({ length: 20 }, () => cache.load('a')));
    expect(new Set(answers.map(text)).size).toBe(1);
    expect(cache.peek('a')?.revision).toBe(1);
    expect([state.count, library.asked.head, library.asked.calendar]).toEqual([1, 1, 1]);
  });

  test('and again when it changed, but not when another did', async () => {
    const { state, render } = renderer();
    const { library, cache } = setUp({ render });
    library.commit('a', 'Yoga');
    library.commit('b', 'Judo');
    await cache.load('a');
    await cache.load('b');
    library.commit('a', 'Yoga for all');
    expect(cache.peek('a')).toBeUndefined();
    expect(cache.peek('b')?.revision).toBe(1);
    expect(text(await cache.load('a'))).toContain('Yoga for all');
    expect(state.count).toBe(3);
  });

  test('and not again when everything is announced but this has not changed', async () => {
    const { state, render } = renderer();
    const { library, cache } = setUp({ render });
    library.commit('a', 'Yoga');
    await cache.load('a');
    library.tell('all');
    expect(cache.peek('a')).toBeUndefined();
    await cache.load('a');
    expect(cache.peek('a')?.revision).toBe(1);
    expect(state.count).toBe(1);
  });

  test('a change while it is rendered is not covered up by the older bytes', async () => {
    const { library, cache } = setUp();
    library.commit('a', 'Yoga');
    const first = cache.load('a');
    library.commit('a', 'Yoga for all');
    await first;
    expect(cache.peek('a')).toBeUndefined();
    expect(text(await cache.load('a'))).toContain('Yoga for all');
  });

  test('a request after the change gets the new bytes, also while the old are still being made', async () => {
    const { library, cache } = setUp();
    library.commit('a', 'Yoga');
    const before = cache.load('a');
    library.commit('a', 'Yoga for all');
    expect(text(await cache.load('a'))).toContain('Yoga for all');
    await before;
  });

  test('a change at whatever moment of a load is not covered up', async () => {
    const second = memoryLevel();
    const made = setUp({ second });
    made.library.commit('a', 'Yoga');
    await made.cache.load('a');
    for (let turns = 0; turns < 40; turns++) {
      // From the second level: nothing on the way but promises, so that every moment is met.
      const { library, cache } = setUp({ second: { ...second, put: () => {} } });
      library.commit('a', 'Yoga');
      const load = cache.load('a');
      for (let turn = 0; turn < turns; turn++) await Promise.resolve();
      library.commit('a', 'Yoga for all');
      await load;
      expect(cache.peek('a')).toBeUndefined();
      expect(text(await cache.load('a'))).toContain('Yoga for all');
    }
  });

  test('a slow load of the old does not replace the new', async () => {
    const { library, cache } = setUp();
    library.commit('a', 'Yoga');
    const [calendar, old] = [library.calendar.bind(library), library.calendar('a')];
    const [asked, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    library.calendar = async () => {
      asked.resolve();
      await released.promise;
      return old;
    };
    const slow = cache.load('a');
    await asked.promise;
    library.calendar = calendar;
    library.commit('a', 'Yoga for all');
    await cache.load('a');
    released.resolve();
    await slow;
    expect(cache.peek('a')?.revision).toBe(2);
  });
});

describe('what is not there', () => {
  test('unknown, gone and moved keys are answered as such, and are not held', async () => {
    const { library, cache } = setUp();
    library.commit('old', 'Old', { movedTo: 'new' });
    library.commit('ended', 'Ended', { state: 'gone' });
    expect(await cache.load('none')).toEqual({ kind: 'unknown' });
    expect(await cache.load('ended')).toEqual({ kind: 'gone' });
    expect(await cache.load('old')).toEqual({ kind: 'moved', to: 'new' });
    expect(cache.peek('ended')).toBeUndefined();
  });

  test('a deleted calendar is served during its tail, and its bytes are dropped after it', async () => {
    const { library, cache } = setUp();
    library.commit('a', 'Yoga', { state: 'deleted' });
    expect((await cache.load('a')).kind).toBe('entry');
    library.commit('a', 'Yoga', { state: 'gone' });
    expect((await cache.load('a')).kind).toBe('gone');
    library.broken = true;
    expect((await cache.load('a')).kind).toBe('failed');
  });
});

describe('the last good bytes (semantics 6, feed rule 21)', () => {
  test('are served when the store does not answer, and the new ones once it does', async () => {
    const { library, cache } = setUp();
    library.commit('a', 'Yoga');
    await cache.load('a');
    library.commit('a', 'Yoga for all');
    library.broken = true;
    expect(text(await cache.load('a'))).toContain('X-REVISION:1');
    library.broken = false;
    expect(text(await cache.load('a'))).toContain('X-REVISION:2');
  });

  test('are served when rendering fails, which is not tried again before the next change', async () => {
    const { state, render } = renderer();
    const { library, cache } = setUp({ render });
    library.commit('a', 'Yoga');
    await cache.load('a');
    state.fails = () => true;
    library.commit('a', 'Broken');
    expect(text(await cache.load('a'))).toContain('X-REVISION:1');
    expect(cache.peek('a')?.revision).toBe(1);
    state.fails = () => false;
    library.commit('a', 'Mended');
    expect(text(await cache.load('a'))).toContain('X-REVISION:3');
  });

  test('come from the second level after a restart', async () => {
    const second = memoryLevel();
    const before = setUp({ second });
    before.library.commit('a', 'Yoga');
    await before.cache.load('a');
    const after = setUp({ second });
    after.library.broken = true;
    expect(text(await after.cache.load('a'))).toContain('NAME:Yoga');
  });

  test('without any, what can be written of the calendar is served', async () => {
    const { state, render } = renderer();
    const { library, cache } = setUp({ render });
    library.commit('a', 'Yoga');
    const whole = await library.calendar('a');
    const events = [
      ...(whole?.calendar.events ?? []),
      ...(whole?.calendar.events ?? []).map((e) => ({ ...e, uid: 'bad' })),
    ];
    library.calendar = async () => whole && { ...whole, calendar: { ...whole.calendar, events } };
    state.fails = ({ calendar }) => calendar.events.some(({ uid }) => uid === 'bad');
    const served = text(await cache.load('a'));
    expect(served).toContain('UID:a@x');
    expect(served).not.toContain('bad');
    state.fails = () => true;
    library.commit('b', 'Judo');
    expect(await cache.load('b')).toEqual({ kind: 'failed' });
  });
});

describe('a calendar that takes more time than one may', () => {
  function slow(second?: SecondLevel) {
    const made = setUp(second && { second });
    const { renderer, state } = budgeted(made.library);
    return { library: made.library, state, cache: setUpWith(made.library, renderer, second) };
  }

  test('goes on as it was, and is not tried again for a minute', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const { library, cache, state } = slow();
    library.commit('a', 'Yoga');
    await cache.load('a');
    library.commit('a', 'Hostile');
    state.over = true;
    for (const _ of [1, 2, 3]) expect(text(await cache.load('a'))).toContain('NAME:Yoga');
    expect(state.asked).toBe(2);
    vi.advanceTimersByTime(60_000);
    expect(text(await cache.load('a'))).toContain('NAME:Yoga');
    expect(state.asked).toBe(3);
    state.over = false;
    vi.advanceTimersByTime(60_000);
    expect(text(await cache.load('a'))).toContain('NAME:Hostile');
  });

  test('and never was made is not there just now, which costs nothing for a minute', async () => {
    const { library, cache, state } = slow();
    library.commit('a', 'Hostile');
    state.over = true;
    for (const _ of [1, 2, 3]) expect(await cache.load('a')).toEqual({ kind: 'failed' });
    expect(state.asked).toBe(1);
    library.commit('b', 'Judo');
    state.over = false;
    expect(text(await cache.load('b'))).toContain('NAME:Judo');
  });

  test('comes from the second level after a restart, which is asked once', async () => {
    const second = memoryLevel();
    const before = setUp({ second });
    before.library.commit('a', 'Yoga');
    await before.cache.load('a');
    const { library, cache, state } = slow(second);
    library.commit('a', 'Yoga');
    library.commit('a', 'Hostile');
    state.over = true;
    for (const _ of [1, 2, 3]) expect(text(await cache.load('a'))).toContain('NAME:Yoga');
    expect(state.asked).toBe(1);
    expect(cache.peek('a')).toBeUndefined();
  });
});

/** The renderer of a library, which runs over its budget when told to. */
function budgeted(library: FakeLibrary) {
  const state = { asked: 0, over: false };
  const whole = rendererOf(library, render);
  const renderer: Renderer = {
    calendar: (name) => {
      state.asked += 1;
      return state.over ? Promise.reject(new OverBudgetError('It took more than 5 s.')) : whole.calendar(name);
    },
  };
  return { renderer, state };
}

function setUpWith(library: FakeLibrary, renderer: Renderer, second: SecondLevel | undefined): CalendarCache {
  return new CalendarCache({ library, renderer, log: silent, limitBytes: 1_000_000, now: Date.now, second });
}

describe('the second level', () => {
  test('saves rendering after a restart, of this revision only', async () => {
    const second = memoryLevel();
    const before = setUp({ second });
    before.library.commit('a', 'Yoga');
    const first = await before.cache.load('a');
    const { state, render } = renderer();
    const { library, cache } = setUp({ second, render });
    library.commit('a', 'Yoga');
    const again = await cache.load('a');
    const bytes = (answer: CacheAnswer) => answer.kind === 'entry' && { ...answer.entry, meter: undefined };
    expect(bytes(again)).toEqual(bytes(first));
    expect([state.count, library.asked.calendar]).toEqual([0, 0]);
    library.commit('a', 'Yoga for all');
    expect(text(await cache.load('a'))).toContain('Yoga for all');
    expect(second.kept.get('a')?.revision).toBe(2);
  });

  test('gives nothing of what was changed after a copy that the store was restored from, though the revision is the same', async () => {
    const second = memoryLevel();
    const before = setUp({ second });
    before.library.commit('a', 'Yoga at nine', { revision: 2, changedAt: Date.UTC(2026, 10, 21, 10) });
    await before.cache.load('a');
    const { library, cache } = setUp({ second });
    library.commit('a', 'Yoga at ten', { revision: 2, changedAt: Date.UTC(2026, 10, 21, 11) });
    expect(text(await cache.load('a'))).toContain('Yoga at ten');
    expect(second.kept.get('a')?.changedAt).toBe(Date.UTC(2026, 10, 21, 11));
  });

  test('in the memory of a process that ran while the store was restored, likewise', async () => {
    const { library, cache } = setUp();
    library.commit('a', 'Yoga at nine', { revision: 2, changedAt: Date.UTC(2026, 10, 21, 10) });
    await cache.load('a');
    library.commit('a', 'Yoga at ten', { revision: 2, changedAt: Date.UTC(2026, 10, 21, 11) });
    expect(text(await cache.load('a'))).toContain('Yoga at ten');
  });
});

test('a search that another process dated this second, and that cannot be made at first, is later when it is', async () => {
  const [key, now] = ['search?q=yoga', Date.UTC(2026, 10, 25, 21, 18, 52, 300)];
  const octets = (name: string, changedAt: number) =>
    source(Buffer.from(`NAME:${name}`), { revision: 1, changedAt }, name);
  const second = memoryLevel();
  second.kept.set(key, await octets('Yoga', now));
  const made = [undefined, 'Yoga for all'];
  const renderer: Renderer = {
    calendar: async () => {
      const name = made.shift();
      if (name === undefined) throw new Error('cannot be made');
      return { source: await octets(name, 0), ms: 1, merged: { parts: 'all', isDated: false } };
    },
  };
  const cache = new CalendarCache({
    library: setUp().library,
    renderer,
    log: silent,
    limitBytes: 1e6,
    now: () => now,
    second,
  });
  const modified = (answer: CacheAnswer) => (answer.kind === 'entry' ? answer.entry.modified : answer.kind);
  const first = await cache.load(key);
  second.kept.clear();
  const later = await cache.load(key);
  expect([text(first), modified(first)]).toEqual(['NAME:Yoga', now - 300]);
  expect([text(later), modified(later)]).toEqual(['NAME:Yoga for all', now + 700]);
});

test('memory is bounded by bytes', async () => {
  const { library, cache } = setUp({ limitBytes: 30_000 });
  for (let at = 0; at < 100; at++) {
    library.commit(`k${at}`, 'Yoga');
    await cache.load(`k${at}`);
  }
  const held = Array.from({ length: 100 }, (_, at) => cache.peek(`k${at}`)).filter((entry) => entry !== undefined);
  expect(held.length).toBeGreaterThan(2);
  expect(held.length).toBeLessThan(15);
});

test('a cache of no bytes still answers', async () => {
  const { library, cache } = setUp({ limitBytes: 0 });
  library.commit('a', 'Yoga');
  expect(text(await cache.load('a'))).toContain('NAME:Yoga');
});

test('the gzip bytes unpack to the plain ones', async () => {
  const { library, cache } = setUp();
  library.commit('a', 'Yoga – Tŷ Gwyn 🧘');
  await cache.load('a');
  const held = cache.peek('a');
  expect(held?.gzip && gunzipSync(held.gzip.body).toString()).toBe(held?.identity.body.toString());
});

test('closing stops listening', async () => {
  const { library, cache } = setUp();
  await cache.close();
  expect(library.listeners.size).toBe(0);
});
