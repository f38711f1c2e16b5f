import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { absent, deploy } from './proxies.ts';

/** What `deploy/prometheus` ships, with Debian's promtool. Without it nothing is tested, but in CI. */

const run = promisify(execFile);

describe.skipIf(absent('promtool'))('the alerts', () => {
  test('are rules that Prometheus loads, and ring when they should', async () => {
    const rules = await run('promtool', ['check', 'rules', deploy('prometheus/rules.yml')]);
    expect(rules.stdout).toMatch(/SUCCESS: \d+ rules found/);
    const tested = await run('promtool', ['test', 'rules', deploy('prometheus/rules-test.yml')]);
    expect(tested.stdout).toContain('SUCCESS');
  });
});
