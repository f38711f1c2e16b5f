import { expect, test } from 'vitest';
import { StoppedError } from '../../../src/errors.ts';
import { storeFile } from '../../../src/store/sqlite/store.ts';
import { flip } from '../../store/flip.ts';
import { cli } from '../io.ts';
import { rig } from '../rig.ts';

const { data } = rig();

const DAMAGED = /^openactive-ical: The database \S+ failed: it is damaged; "openactive-ical store verify" [^\n]*\n$/;

test.each(['claim_item', 'item_tag', 'record'])(
  'flipped bytes in %s: sync ends with 1 and one line, whether or not it meets them',
  async (name) => {
    const at = data();
    expect((await cli(['sync', '--samples', '--data', at])).code).toBe(0);
    await flip(storeFile(at), name);
    const ran = await cli(['sync', '--samples', '--data', at]);
    expect(ran.code).toBe(1);
    expect(ran.err.replace(/^sessions without.*\n/, '')).toMatch(DAMAGED);
  },
);

test('flipped bytes under serve: /readyz says it in words, the API answers 503, and the log says it once', async () => {
  const at = data();
  await cli(['sync', '--samples', '--data', at]);
  await flip(storeFile(at), 'search_kind');
  const stopper = new AbortController();
  const ready = Promise.withResolvers<string>();
  const onOut = (text: string) => {
    const url = /http:\/\/\S+?(?=\/)/.exec(text)?.[0];
    if (url !== undefined) ready.resolve(url);
  };
  const argv = ['serve', '--role', 'web', '--data', at, '--host', '127.0.0.1', '--port', '0'];
  const running = cli(argv, { signal: stopper.signal, onOut });
  const url = await ready.promise;
  for (let time = 0; time < 3; time++) {
    const answer = await fetch(`${url}/api/series`);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      503,
      'application/problem+json; charset=utf-8',
    ]);
    expect(await answer.json()).toMatchObject({
      status: 503,
      detail: expect.stringMatching(/openactive-ical store verify/),
    });
  }
  const readiness = await fetch(`${url}/readyz`);
  expect(readiness.status).toBe(503);
  const { status, reason } = (await readiness.json()) as { status: string; reason: string };
  expect([status, reason]).toEqual([
    'not ready',
    expect.stringMatching(/^The database failed: it is damaged; .*store verify/),
  ]);
  expect(reason).not.toContain(at);
  expect((await fetch(`${url}/series`)).status).toBe(503);
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
  stopper.abort(new StoppedError('SIGTERM'));
  const { code, err } = await running;
  expect(code).toBe(0);
  expect(err.match(/"msg":"The store needs help/g)).toHaveLength(1);
  expect(err).not.toContain('A request failed');
});
