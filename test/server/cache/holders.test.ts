import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BoundedMap } from '../../../src/bounded-map.ts';
import { FirstSeen } from '../../../src/server/cache/first-seen.ts';
import { Holders } from '../../../src/server/cache/holders.ts';

describe('which calendars hold a series', () => {
  it('are those that were said to, and those that may hold anything', () => {
    const holders = new Holders();
    holders.hold('my/a', ['x', 'y']);
    holders.hold('my/b', ['y']);
    holders.hold('search?q=yoga', 'all');
    expect([...holders.of(['x'])].sort()).toEqual(['my/a', 'search?q=yoga']);
    expect([...holders.of(['y'])].sort()).toEqual(['my/a', 'my/b', 'search?q=yoga']);
    holders.hold('my/a', ['z']);
    expect([...holders.of(['x'])]).toEqual(['search?q=yoga']);
  });

  it('are known of no more calendars than are in memory', () => {
    const holders = new Holders();
    const map = new BoundedMap<string>(
      1000,
      (text) => text.length,
      (name) => holders.drop(name),
    );
    for (let at = 0; at < 5000; at += 1) {
      const name = `my/${at}`;
      map.set(name, 'a'.repeat(100));
      holders.hold(name, [`series${at}`, `series${at + 1}`, 'shared']);
    }
    expect(holders.size).toEqual({ calendars: map.size, parts: map.size + 2 });
    for (let at = 0; at < 5000; at += 1) map.delete(`my/${at}`);
    expect(holders.size).toEqual({ calendars: 0, parts: 0 });
  });
});

describe('the time when octets were first seen', () => {
  it('stays while they do, never goes back, and moves by a second at least', () => {
    const seen = new FirstSeen();
    expect(seen.of('a', 'one', 10_500)).toBe(10_000);
    expect(seen.of('a', 'one', 99_000)).toBe(10_000);
    expect(seen.of('a', 'two', 10_900)).toBe(11_000);
    expect(seen.of('a', 'one', 5_000)).toBe(12_000);
    expect(seen.of('b', 'one', 20_000, 15_200)).toBe(15_000);
    expect(seen.of('b', 'two', 20_000, 15_900)).toBe(16_000);
  });

  it('is learnt from another process by who does not know it, or knows earlier octets', () => {
    const seen = new FirstSeen();
    seen.learn('a', 'one', 7000);
    expect(seen.of('a', 'one', 20_000)).toBe(7000);
    seen.learn('a', 'two', 9000);
    seen.learn('a', 'old', 8000);
    expect(seen.of('a', 'two', 20_000)).toBe(9000);
  });

  it('never goes back for clients of several processes that share it, whichever octets return', () => {
    const step = fc.record({ process: fc.nat(2), hash: fc.constantFrom('one', 'two', 'three'), after: fc.nat(3000) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const processes = [new FirstSeen(), new FirstSeen(), new FirstSeen()];
        let shared: { hash: string; at: number } | undefined;
        let now = 100_000;
        for (const { process, hash, after } of steps) {
          now += after;
          const seen = processes[process] as FirstSeen;
          if (shared !== undefined) seen.learn('a', shared.hash, shared.at);
          const at = seen.of('a', hash, now);
          if (shared !== undefined) expect(at - shared.at).toBeGreaterThanOrEqual(shared.hash === hash ? 0 : 1000);
          shared = { hash, at };
        }
      }),
    );
  });

  it('is forgotten of those that were asked for longest ago', () => {
    const seen = new FirstSeen();
    for (let at = 0; at < 30_000; at += 1) seen.of(`search?q=${at}`, 'one', 1000);
    expect(seen.size).toBe(20_000);
    expect(seen.of('search?q=29999', 'one', 9000)).toBe(1000);
    expect(seen.of('search?q=0', 'one', 9000)).toBe(9000);
  });
});
