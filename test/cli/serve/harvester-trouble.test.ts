import { expect, test } from 'vitest';
import type { HarvesterMessage } from '../../../src/cli/io.ts';
import { run } from '../../../src/cli/run.ts';
import { settingsOf } from '../../../src/cli/settings.ts';
import { StoppedError } from '../../../src/errors.ts';
import { testIo } from '../io.ts';
import { rig } from '../rig.ts';

const { data } = rig();

test('a harvester that begins says that no fault is met, for the one before may have died of a full disk', async () => {
  const stopper = new AbortController();
  const io = testIo({ signal: stopper.signal });
  const messages: HarvesterMessage[] = [];
  const send = (message: HarvesterMessage) => {
    messages.push(message);
    if (message.ready) stopper.abort(new StoppedError('SIGTERM'));
  };
  const settings = await settingsOf({ data: data(), samples: true }, io);
  expect(await run(['serve'], { ...io, parent: { settings: Promise.resolve(settings), send } })).toBe(0);
  expect(messages.filter(({ ready }) => ready)).toEqual([expect.objectContaining({ ready: true, trouble: 'over' })]);
});
