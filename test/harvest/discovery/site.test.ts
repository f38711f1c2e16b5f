import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { DatasetError } from '../../../src/errors.ts';
import { readSite } from '../../../src/harvest/discovery/site.ts';
import { samplesDir } from '../../samples.ts';

const PAGE = 'https://data.example.org/openactive/';
const RPDE = 'application/vnd.openactive.rpde+json; version=1';
const download = (more: object = {}) => ({
  '@type': 'DataDownload',
  name: 'SessionSeries',
  additionalType: 'https://openactive.io/SessionSeries',
  encodingFormat: RPDE,
  contentUrl: 'https://feeds.example.org/series',
  ...more,
});
const dataset = (more: object = {}) => ({
  '@context': ['https://schema.org/', 'https://openactive.io/'],
  '@type': 'Dataset',
  '@id': PAGE,
  url: PAGE,
  name: 'Example Sessions',
  license: 'https://creativecommons.org/licenses/by/4.0/',
  publisher: { '@type': 'Organization', name: 'Example Leisure', url: 'https://example.org/' },
  distribution: [download()],
  ...more,
});
const html = (...values: unknown[]) =>
  `<!doctype html><head>${values.map((value) => `<script type="application/ld+json">${typeof value === 'string' ? value : JSON.stringify(value)}</script>`).join('')}</head><body>Hello</body>`;

const EXPECTED = {
  name: 'Example Sessions',
  url: PAGE,
  publisher: 'Example Leisure',
  license: 'https://creativecommons.org/licenses/by/4.0/',
  feeds: [{ url: 'https://feeds.example.org/series', type: 'SessionSeries', name: 'SessionSeries' }],
  others: [],
};

describe('one dataset in every shape', () => {
  const prefixed = {
    '@context': { schema: 'http://schema.org/' },
    '@type': 'schema:Dataset',
    'schema:url': { '@id': PAGE },
    'schema:name': { '@value': 'Example Sessions' },
    'schema:license': { '@id': 'https://creativecommons.org/licenses/by/4.0/' },
    'schema:publisher': { '@type': 'schema:Organization', 'schema:name': 'Example Leisure' },
    'schema:distribution': {
      '@type': 'schema:DataDownload',
      'schema:name': 'SessionSeries',
      'schema:additionalType': { '@id': 'oa:SessionSeries' },
      'schema:encodingFormat': RPDE,
      'schema:contentUrl': { '@id': 'https://feeds.example.org/series' },
    },
  };
  const { '@id': id, '@type': type, ...bare } = dataset();
  const graph = {
    '@graph': [
      { '@type': 'WebSite', name: 'Not this', hasPart: ['https://example.org/shop'] },
      { '@id': '#dist', ...download() },
      { '@id': '#pub', '@type': 'Organization', name: 'Example Leisure' },
      dataset({ distribution: { '@id': '#dist' }, publisher: { '@id': '#pub' } }),
    ],
  };
  const rows: [string, string][] = [
    ['a page', html(dataset())],
    ['plain JSON', JSON.stringify(dataset())],
    ['JSON with a byte order mark and blank lines', `\uFEFF\n  ${JSON.stringify(dataset())}`],
    ['among other scripts', `<script>var a = "{";</script>${html({ '@type': 'BreadcrumbList' }, dataset())}`],
    ['beside a script that is no JSON', html('{oops', dataset())],
    [
      'a script type in capitals, with a charset',
      html(dataset()).replace('application/ld+json', 'Application/LD+JSON; charset=utf-8'),
    ],
    ['a script without quotes', html(dataset()).replace('"application/ld+json"', 'application/ld+json')],
    ['an end tag in capitals', html(dataset()).replace('</script>', '</SCRIPT >')],
    ['wrapped in a comment', html(`<!-- ${JSON.stringify(dataset())} -->`)],
    ['wrapped in CDATA', html(`//<![CDATA[\n${JSON.stringify(dataset())}\n//]]>`)],
    ['in a list', html([dataset()])],
    ['in a graph, parts by reference', html(graph)],
    ['as what the page is about', html({ '@type': 'WebPage', mainEntity: dataset() })],
    ['prefixed names', html(prefixed)],
    ['aliases of keywords', html({ type: 'Dataset', id: PAGE, ...bare })],
    ['several types', html(dataset({ '@type': ['Dataset', 'dcat:Dataset'] }))],
    ['an old context', html(dataset({ '@context': 'http://schema.org' }))],
    ['one distribution, no list', html(dataset({ distribution: download() }))],
    [
      'the format of old sites',
      html(
        dataset({
          distribution: [download({ encodingFormat: 'application/vnd.openactive+json; rpde=1.0, model=2.0' })],
        }),
      ),
    ],
    [
      'the format under its older name',
      html(dataset({ distribution: [download({ encodingFormat: undefined, fileFormat: RPDE })] })),
    ],
    ['no format, a type', html(dataset({ distribution: [download({ encodingFormat: undefined })] }))],
    ['plain JSON as format', html(dataset({ distribution: [download({ encodingFormat: 'application/json' })] }))],
    ['a type by name alone', html(dataset({ distribution: [download({ additionalType: undefined })] }))],
    ['a relative address', html(dataset({ distribution: [download({ contentUrl: '//feeds.example.org/series' })] }))],
    [
      'a password in the address',
      html(dataset({ distribution: [download({ contentUrl: 'https://a:b@feeds.example.org/series#x' })] })),
    ],
    [
      'beside the catalogue that lists it',
      html(dataset(), { '@type': 'DataCatalog', dataset: ['https://other.example/'] }),
    ],
    ['a publisher by name', html(dataset({ publisher: 'Example Leisure' }))],
    ['markup and line ends in names', html(dataset({ name: ' Example\r\n <b>Sessions</b> ' }))],
  ];
  test.each(rows)('%s', (_name, text) => {
    expect(readSite(text, PAGE)).toEqual({ datasets: [EXPECTED], links: [] });
  });

  test('a list of types, plurals, and what has none', () => {
    const named = (name: string, additionalType?: unknown) =>
      download({ name, additionalType, contentUrl: `https://feeds.example.org/${encodeURIComponent(name)}` });
    const distribution = [
      named('Anything', ['https://example.org/Other', 'https://openactive.io/Events']),
      named('Scheduled Sessions'),
      named('facility-uses'),
      named('FacilityUse.Slot'),
      named('FacilityUse/Slot'),
      named('Individual Facility Use Slots'),
      named('Sessions'),
      named('Something new'),
    ];
    const [found] = readSite(html(dataset({ distribution })), PAGE).datasets;
    expect(found?.feeds.map(({ type }) => type)).toEqual([
      'Event',
      'ScheduledSession',
      'FacilityUse',
      'Slot',
      'Slot',
      'Slot',
      'ScheduledSession',
      undefined,
    ]);
  });

  test('what is no open RPDE feed is counted apart', () => {
    const distribution = [
      download(),
      download({ name: 'As CSV', encodingFormat: 'text/csv' }),
      download({ name: 'Orders', encodingFormat: 'application/vnd.openactive.booking+json; version=1' }),
      download({ name: 'No address', contentUrl: undefined }),
      download({ name: 'A file', contentUrl: 'file:///etc/passwd' }),
      'https://example.org/just-a-text',
    ];
    const [found] = readSite(html(dataset({ distribution })), PAGE).datasets;
    expect(found).toEqual({ ...EXPECTED, others: ['As CSV', 'Orders', 'No address', 'A file'] });
  });
});

describe('catalogues', () => {
  const links = ['https://a.example/', 'https://b.example/b'];
  const rows: [string, unknown][] = [
    ['a collection', { '@type': 'DataCatalog', hasPart: links }],
    ['a catalogue', { '@type': 'DataCatalog', dataset: links }],
    ['one with neither type nor context', { dataset: links }],
    ['in a list', [{ '@type': 'DataCatalog', dataset: links }]],
    [
      'objects in place of addresses',
      { '@type': 'DataCatalog', dataset: [{ '@type': 'Dataset', url: links[0] }, { '@id': links[1] }] },
    ],
    ['relative addresses', { '@type': 'DataCatalog', dataset: ['https://a.example/', '//b.example/b'] }],
    [
      'catalogues within a collection',
      {
        '@type': 'DataCatalog',
        hasPart: [
          { '@type': 'DataCatalog', dataset: [links[0]] },
          { '@type': 'DataCatalog', dataset: links[1] },
        ],
      },
    ],
    [
      'an empty catalogue within, to be looked up',
      { '@type': 'DataCatalog', hasPart: [{ '@type': 'DataCatalog', '@id': links[0] }, links[1]] },
    ],
  ];
  test.each(rows)('%s', (_name, value) => {
    expect(readSite(JSON.stringify(value), PAGE)).toEqual({ datasets: [], links });
  });

  test('a dataset that stands in the catalogue itself', () => {
    const value = { '@type': 'DataCatalog', dataset: [dataset(), 'https://b.example/'] };
    expect(readSite(JSON.stringify(value), PAGE)).toEqual({ datasets: [EXPECTED], links: ['https://b.example/'] });
  });
});

describe('what names nothing', () => {
  const rows: [string, string, string][] = [
    ['nothing', ' ', 'the answer is empty'],
    ['a page without JSON-LD', '<!doctype html><title>Just a moment…</title>', 'the page has no JSON-LD in it'],
    ['broken JSON-LD', html('{"@type": "Dataset",}'), 'the JSON-LD of the page is not JSON'],
    ['JSON-LD of something else', html({ '@type': 'Organization' }), 'the JSON-LD of the page describes no Dataset'],
    ['half a JSON', '{"@type": "Dataset"', 'the answer is not JSON'],
    ['another JSON', '{"items": []}', 'the JSON describes neither a Dataset nor a DataCatalog'],
    [
      'a dataset of nothing',
      html(dataset({ distribution: [] })),
      'the Dataset it describes has no distribution that is an RPDE feed',
    ],
    [
      'a dataset of files',
      html(dataset({ distribution: [download({ encodingFormat: 'text/csv' })] })),
      'the Dataset it describes has no distribution',
    ],
  ];
  test.each(rows)('%s', (_name, text, words) => {
    expect(() => readSite(text, `${PAGE}?key=hunter2`)).toThrow(DatasetError);
    expect(() => readSite(text, `${PAGE}?key=hunter2`)).toThrow(`${PAGE}?key=***: ${words}`);
  });

  test('deep and wide input costs no stack', () => {
    const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
    const nested = `${'{"@graph":['.repeat(100_000)}${']}'.repeat(100_000)}`;
    const parts = `${'{"@type":"DataCatalog","hasPart":['.repeat(50_000)}${']}'.repeat(50_000)}`;
    for (const text of [deep, nested, parts]) expect(() => readSite(text, PAGE)).toThrow(DatasetError);
  });
});

describe.skipIf(samplesDir === undefined)('real samples', () => {
  const samples = samplesDir as string;
  const text = (path: string) => readFileSync(join(samples, path), 'utf8');

  test('four dataset sites of two booking systems', () => {
    const read = readdirSync(join(samples, 'dataset-directory-fixtures')).map((name) =>
      readSite(html(text(`dataset-directory-fixtures/${name}`)), PAGE),
    );
    expect(
      read.map(({ datasets: [one] }) => [one?.publisher, one?.url, one?.feeds.map(({ type }) => type).join()]),
    ).toEqual([
      ['1Life', 'https://booking.1life.co.uk/OpenActive/', 'SessionSeries,ScheduledSession,FacilityUse,Slot'],
      [
        'activeNewham',
        'https://api.activenewham.org.uk/OpenActive/',
        'SessionSeries,ScheduledSession,FacilityUse,Slot',
      ],
      [
        'BwD Leisure',
        'https://blackburnwithdarwen-openactive.legendonlineservices.co.uk/openactive/',
        'SessionSeries,FacilityUse,Slot',
      ],
      ['Halo', 'https://halo-openactive.legendonlineservices.co.uk/openactive/', 'SessionSeries,FacilityUse,Slot'],
    ]);
  });

  test('the collections and the lists of single datasets', () => {
    const counts = readdirSync(join(samples, 'data-catalogs')).map((name) => [
      name,
      readSite(text(`data-catalogs/${name}`), PAGE).links.length,
    ]);
    expect(counts).toEqual([
      ['data-catalog-collection-preview.jsonld', 1],
      ['data-catalog-collection-test.jsonld', 1],
      ['data-catalog-collection.jsonld', 4],
      ['singular-preview.jsonld', 5],
      ['singular-test.jsonld', 1],
      ['singular.jsonld', 23],
    ]);
  });
});
