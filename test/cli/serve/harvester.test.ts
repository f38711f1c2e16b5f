import type { ChildProcess } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { HarvesterMessage } from '../../../src/cli/io.ts';
import { hostHarvester } from '../../../src/cli/serve/harvester.ts';
import { createLog } from '../../../src/cli/serve/log.ts';
import type { Settings } from '../../../src/config.ts';
import { StoppedError } from '../../../src/errors.ts';
import { allocatorOf } from '../../../src/process/heap.ts';
import { testIo } from '../io.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A harvester's process as its parent sees it. */
class FakeChild extends EventEmitter {
  pid = 1;
  given: unknown[] = [];
  killed: string[] = [];
  isObedient = true;

  send(message: unknown): void {
    this.given.push(message);
  }

  tell(told: HarvesterMessage): void {
    this.emit('message', told);
  }

  end(code: number | null, signal: string | null = null): void {
    this.emit('exit', code, signal);
  }

  kill(signal: string): void {
    this.killed.push(signal);
    if (this.isObedient || signal === 'SIGKILL') this.end(0);
  }
}

const settings = { role: 'all', logLevel: 'info' } as Settings;

function hosted() {
  const children: FakeChild[] = [];
  const stopper = new AbortController();
  const io = testIo({ signal: stopper.signal, now: () => Date.now() });
  const fork = () => {
    const child = new FakeChild();
    children.push(child);
    return child as unknown as ChildProcess;
  };
  const changes = { count: 0 };
  const onMessage = (told: HarvesterMessage) => {
    if (told.changed) changes.count += 1;
  };
  const harvester = hostHarvester({ settings, fork, onMessage, log: createLog(settings, io), io });
  const child = (at: number) => children[at] as FakeChild;
  return { children, child, changes, harvester, stop: () => stopper.abort(new StoppedError('SIGTERM')), err: io.err };
}

describe('a harvester in a process of its own', () => {
  test('has one arena and gives large buffers back, unless the operator says otherwise', () => {
    const ours = { MALLOC_ARENA_MAX: '1', MALLOC_MMAP_THRESHOLD_: '65536', MALLOC_TRIM_THRESHOLD_: '2097152' };
    expect(allocatorOf({})).toEqual(ours);
    expect(allocatorOf({ MALLOC_ARENA_MAX: '8', PATH: '/bin' })).toEqual({ ...ours, MALLOC_ARENA_MAX: '8' });
  });

  test('gets the settings, and says when there is something to serve and what changed', async () => {
    const { child, changes, harvester, children } = hosted();
    expect(child(0).given).toEqual([settings]);
    expect(harvester.facts()).toEqual({ harvester: 'starting', harvesterRestarts: 0 });
    child(0).tell({ ready: true, writes: 7 });
    await harvester.ready;
    expect(harvester.facts()).toEqual({ harvester: 'running', harvesterRestarts: 0 });
    child(0).tell({ changed: true, writes: 9 });
    expect([changes.count, harvester.writes(), children.length]).toEqual([1, 9, 1]);
    await harvester.close();
    expect(child(0).killed).toEqual(['SIGTERM']);
  });

  test('is started again when it dies, after pauses that grow, and its transactions are counted on', async () => {
    const { children, child, harvester, err } = hosted();
    child(0).tell({ ready: true, writes: 7, retries: 1 });
    const pauses = [1, 2, 4, 8, 16, 32, 60, 60];
    for (const [at, seconds] of pauses.entries()) {
      child(at).end(null, 'SIGKILL');
      await vi.advanceTimersByTimeAsync(0);
      expect(harvester.facts()).toEqual({ harvester: 'ended', harvesterRestarts: at + 1 });
      await vi.advanceTimersByTimeAsync(1000 * seconds - 1);
      expect(children).toHaveLength(at + 1);
      await vi.advanceTimersByTimeAsync(1);
      expect(children).toHaveLength(at + 2);
    }
    expect(err()).toContain('"reason":"SIGKILL","seconds":60,"msg":"The harvester ended unasked');
    child(8).tell({ ready: true, writes: 2, retries: 3 });
    expect([harvester.writes(), harvester.retries(), harvester.facts().harvester]).toEqual([9, 4, 'running']);
    // A minute is a good run: the next end is a new trouble.
    await vi.advanceTimersByTimeAsync(60_001);
    child(8).end(1);
    await vi.advanceTimersByTimeAsync(1000);
    expect(children).toHaveLength(10);
    await harvester.close();
  });

  test('that dies before anything is read does not keep the pages from being served', async () => {
    const { child, harvester } = hosted();
    child(0).end(1);
    await harvester.ready;
    await harvester.close();
  });

  test('ends with the program, and is not started again', async () => {
    const { children, child, harvester, stop } = hosted();
    stop();
    await harvester.close();
    await vi.advanceTimersByTimeAsync(600_000);
    expect([children.length, child(0).killed]).toEqual([1, ['SIGTERM']]);
  });

  test('that does not end when asked to is ended after twelve seconds', async () => {
    const { child, harvester } = hosted();
    child(0).isObedient = false;
    const closed = harvester.close();
    await vi.advanceTimersByTimeAsync(11_999);
    expect(child(0).killed).toEqual(['SIGTERM']);
    await vi.advanceTimersByTimeAsync(1);
    await closed;
    expect(child(0).killed).toEqual(['SIGTERM', 'SIGKILL']);
  });

  test('in a pause before its next start, closing waits for nothing', async () => {
    const { children, child, harvester } = hosted();
    child(0).end(1);
    await vi.advanceTimersByTimeAsync(10);
    await harvester.close();
    expect(children).toHaveLength(1);
  });
});
