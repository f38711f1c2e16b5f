import { describe, expect, it } from 'vitest';
import { event, FakeObjects, plainly } from './fake.ts';

/** If-Match (RFC 9110 13.1.1) and If (RFC 4918 10.4) of requests to CalDAV. */

const PATH = '/dav/series/c/';
const OBJECT = `${PATH}a.ics`;
const objects = new FakeObjects();
objects.put('a.ics', [event('a', Date.UTC(2026, 10, 23, 18))]);

const TAG = (await plainly(objects, 'GET', OBJECT)).headers.ETag ?? '';
const ASKED = { headers: { depth: '0' }, body: '<propfind xmlns="DAV:"><prop><sync-token/></prop></propfind>' };
const SYNC = /<D:sync-token>([^<]*)/.exec((await plainly(objects, 'PROPFIND', PATH, ASKED)).text)?.[1];
const NOW = `<${SYNC}>`;
const TOKEN = '<urn:uuid:181d4fae-7d8c-11d0-a765-00a0c91e6bf2>';

describe('PROPFIND of an object with', () => {
  it.each<[name: 'if' | 'if-match', value: string, status: 207 | 400 | 412]>([
    ['if-match', TAG, 207],
    ['if-match', '*', 207],
    ['if-match', '"nope"', 412],
    ['if-match', `W/${TAG}`, 412],
    ['if', `([${TAG}])`, 207],
    ['if', '(["nope"])', 412],
    ['if', `([W/${TAG}])`, 412],
    ['if', `(Not ["nope"])(["nope"])`, 207],
    ['if', `(not [${TAG}])`, 412],
    ['if', `(${TOKEN})`, 412],
    ['if', `(${TOKEN} [${TAG}])`, 412],
    ['if', `(${TOKEN}) ([${TAG}])`, 207],
    ['if', '(Not <DAV:no-lock>)', 207],
    ['if', `(${TOKEN}) (Not <DAV:no-lock>)`, 207],
    ['if', `<${OBJECT}> ([${TAG}])`, 207],
    ['if', `<https://c.example${OBJECT}> (["nope"]) ([${TAG}])`, 207],
    ['if', `<https://d.example${OBJECT}> ([${TAG}])`, 412],
    ['if', `<${PATH}> ([${TAG}])`, 412],
    ['if', `<${PATH}none.ics> (Not [${TAG}])`, 207],
    ['if', '', 400],
    ['if', TAG, 400],
    ['if', '()', 400],
    ['if', `([${TAG}]) x`, 400],
    ['if', `(${TOKEN}`, 400],
    ['if', `${`(${TOKEN})`.repeat(200)}`, 400],
    ['if', Array.from({ length: 20 }, (_, at) => `<${PATH}${at}.ics> (["nope"])`).join(' '), 400],
  ])('%s: %s', async (name, value, status) => {
    const headers = { depth: '0', [name]: value };
    expect((await plainly(objects, 'PROPFIND', OBJECT, { headers })).status).toBe(status);
  });
});

describe('the sync token of a calendar is a state token (RFC 6578 5):', () => {
  it.each<[path: string, value: string, status: 207 | 412]>([
    [PATH, `(${NOW})`, 207],
    [PATH, `(Not ${NOW})`, 412],
    [PATH, `(${NOW.replace('c.example', 'd.example')})`, 207],
    [PATH, `(${NOW.replace(/.>$/, '>')})`, 412],
    [PATH, `(${NOW.replace('>', '/a.ics/->')})`, 412],
    [OBJECT, `(${NOW})`, 412],
    [OBJECT, `<${PATH}> (${NOW})`, 207],
    [OBJECT, `<${PATH}> (${NOW} ["nope"]) (Not ${NOW})`, 412],
  ])('PROPFIND of %s with %s', async (path, value, status) => {
    expect((await plainly(objects, 'PROPFIND', path, { headers: { depth: '0', if: value } })).status).toBe(status);
  });
});

describe('a condition that does not hold', () => {
  it.each<[method: string, path: string, headers: Record<string, string>, status: number]>([
    ['PROPFIND', PATH, { 'if-match': TAG, depth: '0' }, 412],
    ['REPORT', PATH, { 'if-match': TAG }, 412],
    ['GET', OBJECT, { if: '(["nope"])' }, 412],
    // What fails without a condition fails in the same way with one (RFC 9110 13.2.1).
    ['PROPFIND', `${PATH}none.ics`, { if: '(["nope"])', depth: '0' }, 404],
    ['PUT', OBJECT, { if: '(["nope"])' }, 403],
    ['OPTIONS', OBJECT, { if: '(["nope"])' }, 200],
  ])('%s of %s with %o', async (method, path, headers, status) => {
    expect((await plainly(objects, method, path, { headers })).status).toBe(status);
  });
});
