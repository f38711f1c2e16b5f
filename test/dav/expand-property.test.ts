import { afterEach, beforeEach, describe, expect, it, test } from 'vitest';
import type { Element } from '../../src/dav/xml/read.ts';
import { type DavRig, davServed, listOf, placePath, seriesKey, seriesPath, singles, weekly } from './rig.ts';

/** expand-property (RFC 3253 3.8), and which reports each resource says that it answers. */

let dav: DavRig;
let list: string;
beforeEach(async () => {
  dav = await davServed();
  await dav.feed(weekly('w'), singles('s'));
  list = `/dav/my/${listOf(`series/${seriesKey('w')}`, `series/${seriesKey('s')}`)}/`;
});
afterEach(() => dav.close());

const expand = (inner: string): string => `<D:expand-property xmlns:D="DAV:">${inner}</D:expand-property>`;
const asked = (path: string, inner: string, headers: Record<string, string> = {}) =>
  dav.ask('REPORT', path, { body: expand(inner), headers });

/** A response as one line: its address, and names with texts, of what is found and what is not. */
function outlineOf(element: Element): string {
  if (element.local === 'status') return element.text.split(' ')[1] as string;
  const inner = element.children.map(outlineOf).join(' ');
  if (element.local === 'prop' || element.local === 'href') return inner || element.text;
  return `${element.local}(${inner || element.text.trim()})`;
}

describe('expand-property', () => {
  test('has what is at the address that a property holds, in its place', async () => {
    const inner =
      '<D:property name="current-user-principal"><D:property name="displayname"/><D:property name="calendar-home-set" namespace="urn:ietf:params:xml:ns:caldav"/><D:property name="calendar-proxy-write-for" namespace="http://calendarserver.org/ns/"/></D:property>';
    const { status, root } = await asked(list, inner);
    expect(status).toBe(207);
    expect(root?.children.map(outlineOf)).toEqual([
      `response(${list} propstat(current-user-principal(response(${list} propstat(displayname(My list) calendar-home-set(${list}) 200) propstat(calendar-proxy-write-for() 404))) 200))`,
    ]);
  });

  test('goes on from there as far as it is asked', async () => {
    const principal = '<D:property name="principal-URL"><D:property name="principal-URL"/></D:property>';
    const { root } = await asked(list, `<D:property name="owner">${principal}</D:property>`);
    const [line] = root?.children.map(outlineOf) ?? [];
    expect(line?.split(`response(${list} `)).toHaveLength(4);
    expect(line).toContain(`principal-URL(${list}) 200`);
  });

  test('leaves an address as it is where nothing is asked of it, and other values', async () => {
    const { root } = await asked(
      seriesPath('w'),
      '<D:property name="displayname"/><D:property name="principal-collection-set"/>',
    );
    expect(root?.children.map(outlineOf)).toEqual([
      `response(${seriesPath('w')} propstat(displayname(Yoga w, Town Hall) principal-collection-set(/dav/) 200))`,
    ]);
  });

  test('says that it cannot follow an address to elsewhere', async () => {
    const source =
      '<D:property name="source" namespace="http://calendarserver.org/ns/"><D:property name="displayname"/></D:property>';
    const { root } = await asked(seriesPath('w'), source);
    expect(outlineOf(root as Element)).toMatch(/source\(response\(https:\S+\.ics 404\)\) 200/);
  });

  test('of Depth 1 is of the members too; of none, of the resource alone', async () => {
    const name = '<D:property name="displayname"/>';
    const paths = async (headers: Record<string, string>) => [...(await asked(list, name, headers)).responses.keys()];
    expect(await paths({})).toEqual([list]);
    expect(await paths({ depth: '0' })).toEqual([list]);
    expect(await paths({ depth: '1' })).toEqual([
      list,
      `${list}series-${seriesKey('w')}/`,
      `${list}series-${seriesKey('s')}/`,
    ]);
    expect((await asked(list, name, { depth: 'infinity' })).status).toBe(403);
  });

  test('without what is missing, where that is preferred', async () => {
    const { text } = await asked(list, '<D:property name="none"/><D:property name="displayname"/>', { brief: 't' });
    expect(text).toContain('<D:prop><D:displayname>My list</D:displayname></D:prop>');
    expect(text).not.toContain('404');
  });

  test('answers a name that is asked twice once, whatever stands in the second', async () => {
    const twice = '<D:property name="owner"/><D:property name="owner"><D:property name="displayname"/></D:property>';
    const { text } = await asked(list, twice);
    expect(text.match(/<D:owner>/g)).toHaveLength(1);
  });
});

describe('supported-report-set', () => {
  const body = '<D:propfind xmlns:D="DAV:"><D:prop><D:supported-report-set/></D:prop></D:propfind>';
  const ALL = [
    ...['calendar-query', 'calendar-multiget', 'free-busy-query'].map((name) => `C:${name}`),
    ...[
      'sync-collection',
      'expand-property',
      'principal-property-search',
      'principal-search-property-set',
      'acl-principal-prop-set',
    ].map((name) => `D:${name}`),
  ];

  it.each<[what: string, path: () => Promise<string> | string]>([
    ['the root', () => '/dav/'],
    ['a folder', () => '/dav/series/'],
    ['a home', () => list],
    ['a series', () => seriesPath('w')],
    ['a place', () => placePath],
    ['an object', async () => objectPath()],
  ])('of %s names what is answered there, and nothing else', async (_, pathOf) => {
    const path = await pathOf();
    const { text } = await dav.ask('PROPFIND', path, { depth: '0', body });
    for (const name of ALL) {
      const sent = `<${name} xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"/>`;
      const answered = await dav.ask('REPORT', path, { depth: '0', body: sent });
      expect([name, answered.text.includes('supported-report')]).toEqual([name, !text.includes(`<${name}/>`)]);
    }
  });

  async function objectPath(): Promise<string> {
    const { responses } = await dav.ask('PROPFIND', seriesPath('w'), { depth: '1', body });
    return [...responses.keys()].find((path) => path.endsWith('.ics')) as string;
  }
});
