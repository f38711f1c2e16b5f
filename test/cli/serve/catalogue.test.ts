import pino from 'pino';
import { expect, test } from 'vitest';
import { openFeeds } from '../../../src/cli/feeds/configured.ts';
import { openCatalogue } from '../../../src/cli/serve/catalogue.ts';
import { openService } from '../../../src/cli/serve/service.ts';
import { settingsOf } from '../../../src/cli/settings.ts';
import { testIo } from '../io.ts';
import { rig } from '../rig.ts';

const { data } = rig();

test('what serves asks a cache for the newest versions', async () => {
  const log = pino({ level: 'silent' });
  const io = testIo({ folder: '/' });
  const settings = await settingsOf({ data: data() }, io);
  const service = await openService(settings, await openFeeds(settings, io), io);
  let asked = 0;
  const versions = async () => {
    asked += 1;
    return undefined;
  };
  const { library } = await openCatalogue({
    settings,
    service,
    writing: service,
    facts: () => ({}),
    versions,
    log,
    io,
  });
  await library.poll();
  expect(asked).toBe(1);
  await service.close();
});
