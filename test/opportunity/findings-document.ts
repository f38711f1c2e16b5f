/** docs/findings.md, made of the tables it lists. */

import { FINDINGS, type FindingCode, type FindingRule } from '../../src/opportunity/findings.ts';
import { MODEL_RULES, type OfficialRule, RPDE_RULES } from './official/ledger.ts';

const HEAD = `# Findings

Everything odd that is tolerated in a feed is a finding: a stable code, a severity, the JSON path in the item, and one
sentence that says what to change. \`check\` lists them for a file, a folder or whole feeds
(\`openactive-ical check URL…\`); those that calendars depend on are also on the pages of each feed, series and place.

- **error**: a MUST of the specifications is broken, or something could not be shown.
- **warning**: a rule is broken, and what is meant was understood all the same.
- **info**: advice, or something that was left out by right.

This page is made from the code: \`UPDATE_FINDINGS=1 vitest run test/opportunity/findings-document.test.ts\`.
`;

export function findingsDocument(): string {
  const sections = [HEAD, '## All codes', allCodes()];
  sections.push('## The official validators', OFFICIAL, '### @openactive/data-model-validator', official(MODEL_RULES));
  sections.push('### @openactive/rpde-validator', official(RPDE_RULES), '## What only we find', ONLY, onlyOurs());
  return `${sections.join('\n\n').replaceAll(/\n{3,}/g, '\n\n')}\n`;
}

const OFFICIAL = `What the two official validators fail on the same input, \`check\` finds at the same place. Tests break valid objects
and pages at random, and read real samples, to prove it. A rule without codes has its reason. Their warnings and
suggestions are listed too.`;

const ONLY = `Codes that no rule of the official validators corresponds to.`;

const entries = Object.entries(FINDINGS) as [FindingCode, FindingRule][];

function allCodes(): string {
  const rows = entries.map(
    ([code, { severity, rule, text }]) => `| \`${code}\` | ${severity} | ${cell(text(FACTS))} | ${cell(rule)} |`,
  );
  return ['| code | severity | what it says | rule |', '|---|---|---|---|', ...rows].join('\n');
}

/** Each fact by its name, in the place where the value found will stand. */
const FACTS: Record<string, string | number> = new Proxy(
  {},
  { get: (_, name) => (name === 'count' ? 3 : `‹${String(name)}›`) },
);

function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}

function official(rules: Record<string, OfficialRule>): string {
  const rows = Object.entries(rules).map(([rule, { codes = [], reason = '' }]) => {
    return `| ${rule} | ${codes.map((code) => `\`${code}\``).join(', ')} | ${cell(reason)} |`;
  });
  return ['| their rule | our codes | why not, or not all |', '|---|---|---|', ...rows].join('\n');
}

function onlyOurs(): string {
  const theirs = new Set(
    [...Object.values(MODEL_RULES), ...Object.values(RPDE_RULES)].flatMap(({ codes = [] }) => codes),
  );
  const own = entries.filter(([code]) => !theirs.has(code)).map(([code]) => `\`${code}\``);
  return `${own.join(', ')}.`;
}
