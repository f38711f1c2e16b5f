import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { packageFolder } from '../../src/cli/package.ts';
import type { FeedHealth } from '../../src/library/index.ts';
import { silent } from '../../src/server/operations/log.ts';
import { Meters } from '../../src/server/operations/meters.ts';
import { Metrics } from '../../src/server/operations/metrics.ts';
import { NOW } from '../server/fake.ts';
import { feed } from '../server/made.ts';

/** What monitors the service asks for metrics, labels and values that `/metrics` has. */

const read = (path: string) => readFileSync(join(packageFolder, 'deploy', path), 'utf8');

interface Panel {
  id: number;
  type: string;
  title: string;
  gridPos: { h: number; w: number; x: number; y: number };
  targets?: { expr: string; datasource: unknown }[];
}
const dashboard = JSON.parse(read('grafana/dashboard.json')) as { uid: string; panels: Panel[] };
const queries = dashboard.panels.flatMap(({ title, targets = [] }) =>
  targets.map(({ expr }): [string, string] => [title, expr]),
);
const alerts = read('prometheus/rules.yml')
  .split(/^ +- alert: /m)
  .slice(1)
  .map((text): [string, string] => [
    text.split('\n')[0] ?? '',
    /expr: (?:\|\n)?([\s\S]*?)\n +(?:for|labels):/.exec(text)?.[1] ?? '',
  ]);

const STATES: FeedHealth['state'][] = ['ended', 'failing', 'stalled', 'gone', 'held'];

/** Each sample of a process of every role, with all that settings can add. */
let samples: string[];
beforeAll(async () => {
  const metrics = new Metrics({
    serving: {
      meters: new Meters(),
      cached: () => ({ entries: 0, bytes: 0 }),
      shared: () => ({ hits: 0, misses: 0, refused: 0, failures: 0 }),
    },
    feeds: async () => STATES.map((state, id) => feed({ id, state, name: state })),
    trouble: () => undefined,
    writes: () => 0,
    notices: () => ({ delivered: 0, failed: 0 }),
    now: () => NOW,
    log: silent,
  });
  samples = (await metrics.text()).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
});

/** Selectors of ours and of Node's in an expression: the name, and what its labels must be. */
function selectorsIn(expression: string): { name: string; labels: [label: string, value: string][] }[] {
  const found = expression.matchAll(/\b((?:openactive_ical|nodejs|process)_\w+)(?:\{([^}]*)\})?/g);
  return [...found].map(([, name = '', labels = '']) => ({
    name,
    labels: [...labels.matchAll(/(\w+)=~?"([^"]*)"/g)].map(([, label = '', value = '']) => [label, value]),
  }));
}

/** Labels that Prometheus adds. */
const OF_PROMETHEUS = new Set(['job', 'instance']);

function unknownIn(expression: string): string[] {
  return selectorsIn(expression).flatMap(({ name, labels }) => {
    const own = samples.filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `));
    if (own.length === 0) return [name];
    return labels
      .filter(([label]) => !OF_PROMETHEUS.has(label))
      .flatMap(([label, values]) => values.split('|').map((value) => `${label}="${value}"`))
      .filter((pair) => !own.some((line) => line.includes(pair)))
      .map((pair) => `${name}{${pair}}`);
  });
}

test('finds what it forbids', () => {
  expect(unknownIn('rate(openactive_ical_none_total[5m])')).toEqual(['openactive_ical_none_total']);
  expect(unknownIn('openactive_ical_feed_state{state=~"failing|broken"}')).toEqual([
    'openactive_ical_feed_state{state="broken"}',
  ]);
});

describe('the alerts', () => {
  test('there are some', () => expect(alerts.length).toBeGreaterThan(8));
  test.each(alerts)('%s', (_name, expression) => {
    if (!expression.startsWith('up{')) expect(selectorsIn(expression)).not.toEqual([]);
    expect(unknownIn(expression)).toEqual([]);
  });
});

describe('the dashboard', () => {
  test('has panels that cover one another nowhere, each with its own number', () => {
    const { panels } = dashboard;
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    const cells = panels.flatMap(({ gridPos: { h, w, x, y } }) =>
      Array.from({ length: w * h }, (_, at) => `${x + (at % w)}/${y + Math.floor(at / w)}`),
    );
    expect(new Set(cells).size).toBe(cells.length);
    expect(panels.every(({ gridPos: { x, w } }) => x + w <= 24)).toBe(true);
  });

  test('asks the data source that is chosen, everywhere', () => {
    const asked = dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ datasource }) => datasource));
    expect(new Set(asked.map((one) => JSON.stringify(one)))).toEqual(
      new Set(['{"type":"prometheus","uid":"${datasource}"}']),
    );
  });

  test.each(queries)('%s: %s', (_title, expression) => {
    expect(selectorsIn(expression)).not.toEqual([]);
    expect(unknownIn(expression)).toEqual([]);
  });
});

test('every metric that the page names exists', () => {
  const page = readFileSync(join(packageFolder, 'docs', 'operating.md'), 'utf8');
  const named = [...page.matchAll(/`(openactive_ical_\w+)`/g)].map(([, name = '']) => name);
  expect(named.flatMap(unknownIn)).toEqual([]);
});
