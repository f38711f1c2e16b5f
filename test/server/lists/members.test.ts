import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Served, served } from '../stored-rig.ts';

/** The members of a list that is sent as JSON. */

let one: Served;
beforeEach(async () => {
  one = await served();
});
afterEach(() => one.close());

const send = (path: string, method: string, body: object) =>
  one.app.request(path, { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });

async function made(): Promise<{ token: string; editKey: string }> {
  return (await send('/my', 'POST', { things: ['series/a'] })).json() as Promise<{ token: string; editKey: string }>;
}

test.each(['editKey', 'edit'])('the key is taken as %s', async (name) => {
  const { token, editKey } = await made();
  expect((await send(`/my/${token}`, 'PUT', { [name]: editKey, things: ['series/b'] })).status).toBe(200);
  expect((await send(`/my/${token}`, 'PUT', { [name]: `${editKey}x`, things: [] })).status).toBe(403);
});

test('an answer may be sent back with other things', async () => {
  const answer = await (await send('/my', 'POST', { things: ['series/a'], name: 'Sport', cancelled: '0' })).json();
  const { token } = answer as { token: string };
  const changed = await send(`/my/${token}`, 'PUT', { ...(answer as object), things: ['series/b'] });
  expect([changed.status, await changed.json()]).toEqual([
    200,
    expect.objectContaining({ things: ['series/b'], name: 'Sport', cancelled: false }),
  ]);
});

test.each([
  ['thing', '"thing" is not known here (did you mean things?).'],
  ['zzzzzz', '"zzzzzz" is not known here.'],
])('a member that is not known is refused by its name: %s', async (name, detail) => {
  const { token, editKey } = await made();
  const refused = await send(`/my/${token}`, 'PUT', { editKey, [name]: ['series/b'] });
  expect([refused.status, await refused.json()]).toEqual([400, expect.objectContaining({ detail })]);
});
