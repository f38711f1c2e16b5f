import { describe, expect, test } from 'vitest';
import { DatasetError, RefusedAddressError } from '../../../src/errors.ts';
import { readSite } from '../../../src/harvest/discovery/site.ts';
import { stepAfter } from '../../../src/harvest/feed/next-page.ts';
import { cli } from '../../cli/io.ts';
import { failure, naming, serve, stranger } from './rig.ts';

/** Only http and https are fetched, whoever names the address: the operator, a page, a redirect, a dataset. */
const OTHERS = [
  'file:///etc/passwd',
  'FILE:///etc/passwd',
  'ftp://example.org/',
  'gopher://127.0.0.1:6379/_x',
  'data:application/json,{}',
  'javascript:1',
  'blob:https://example.org/x',
  'webcal://example.org/',
  'ws://example.org/',
  'jar:http://example.org/!/x',
  'view-source:http://example.org/',
];

describe('an address with another scheme', () => {
  test.each([...OTHERS, 'no address', '', `http://a.example/${'x'.repeat(9000)}`])(
    '%.40s is not asked',
    async (address) => {
      const error = await failure(stranger({ allowPrivate: true }).get(address));
      expect(error).toBeInstanceOf(RefusedAddressError);
      expect(error.message.length).toBeLessThan(500);
    },
  );

  test.each(OTHERS)('%s as a redirect', async (location) => {
    const server = await serve((_request, response) => response.writeHead(302, { location }).end());
    expect(await failure(naming(server, { allowPrivate: true }).get(server.url))).toBeInstanceOf(RefusedAddressError);
    expect(server.asked).toHaveLength(1);
  });

  test.each(OTHERS)('%s as "next"', (next) => {
    const page = { next, items: [{ id: '1', modified: '1' }] };
    const here = 'https://a.example/feed';
    const step = stepAfter(page, { requestUrl: here, responseUrl: here, named: new Set([new URL(next).origin]) });
    expect(step).toMatchObject({ next: here, end: false, stuck: '"next" is not an address' });
    expect(step.findings.map(({ code }) => code)).toEqual(['next-invalid']);
  });

  test.each(OTHERS)('%s as a feed of a dataset', (contentUrl) => {
    const dataset = { '@type': 'Dataset', distribution: [{ name: 'SessionSeries', contentUrl }] };
    expect(() => readSite(JSON.stringify(dataset), 'https://a.example/')).toThrow(DatasetError);
  });

  test.each(OTHERS)('%s as --feed, --dataset or --catalog', async (address) => {
    for (const flag of ['--feed', '--dataset', '--catalog']) {
      const ran = await cli(['sync', flag, address]);
      expect(ran, flag).toMatchObject({ code: 2, out: '' });
    }
  });
});
