import pino from 'pino';
import { expect, test } from 'vitest';
import { openReadService } from '../../../src/cli/serve/service.ts';
import { settingsOf } from '../../../src/cli/settings.ts';
import { openStore, secretOf } from '../../../src/store/index.ts';
import { testIo } from '../io.ts';
import { rig } from '../rig.ts';

const { data } = rig();

test('a process that writes nothing waits for the key of the shared cache that another one makes', async () => {
  const at = data();
  const store = await openStore({ data: at });
  const io = testIo({ env: { CACHE_URL: 'redis://127.0.0.1:1' }, folder: '/' });
  const settings = await settingsOf({ role: 'web', data: at }, io);
  const opening = openReadService(settings, {}, pino({ level: 'silent' }), io);
  // It has found none by then.
  await new Promise((done) => setTimeout(done, 50));
  const secret = await secretOf(store);
  const service = await opening;
  expect(service.secret).toBe(secret);
  await service.close();
  await store.close();
});
