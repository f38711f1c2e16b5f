import { describe, expect, it } from 'vitest';
import { MemoryHistories } from '../../../src/library/objects/memory.ts';
import { keptStates } from '../../../src/library/objects/states.ts';

const HOUR = 3_600_000;
const one = { state: 'one', members: [{ name: 'a', etag: '1' }] };
const two = { state: 'two', members: [{ name: 'b', etag: '1' }] };

function statesOver(histories: MemoryHistories) {
  const faults: string[] = [];
  const clock = { now: 5 * HOUR };
  const onFault = (error: unknown) => void faults.push(String(error));
  return { states: keptStates({ now: () => clock.now, histories, onFault }), faults, clock };
}

describe('states that cannot be kept', () => {
  it('are kept in memory where the file cannot be opened, and that is reported once', async () => {
    const histories = new MemoryHistories();
    histories.open = () => Promise.reject(new Error('read-only'));
    histories.update = () => Promise.reject(new Error('not this one'));
    const { states, faults } = statesOver(histories);
    await states.keep('c', one);
    await states.keep('c', two);
    expect(await states.changes('c', 'one', two)).toEqual({ changed: ['b'], removed: ['a'] });
    expect(faults).toEqual(['Error: read-only']);
  });

  it('are expired later, and no request fails; the same fault is reported once an hour', async () => {
    const histories = new MemoryHistories();
    const { states, faults, clock } = statesOver(histories);
    await states.keep('c', one);
    histories.state = () => Promise.reject(new Error('full'));
    histories.history = () => Promise.reject(new Error('full'));
    await states.keep('c', two);
    expect(await states.changes('c', 'one', two)).toBeUndefined();
    expect(await states.changes('c', 'two', two)).toEqual({ changed: [], removed: [] });
    expect(faults).toEqual(['Error: full']);
    clock.now += HOUR;
    await states.keep('c', two);
    expect(faults.length).toBe(2);
  });
});
