/** Writes findings for people and programs: grouped by code, or one by one. */

import { grouped as digits } from '../../library/index.ts';
import { type Finding, type FindingCode, SEVERITIES, type Severity, shown } from '../../opportunity/findings.ts';
import { wrapped } from '../args.ts';
import type { Io } from '../io.ts';

/** `groups`: a paragraph for each code, at the end; `lines`: each finding at once; `jsonl`: the same as JSON. */
export type ReportForm = 'groups' | 'lines' | 'jsonl';

/** The count and first findings of one code, so that the memory does not grow with the feed. */
interface CodeGroup {
  severity: Severity;
  count: number;
  examples: Finding[];
}

/** The most examples of a code that are shown. */
const EXAMPLES = 3;

export class Report {
  readonly #form: ReportForm;
  readonly #io: Io;
  readonly #groups = new Map<FindingCode, CodeGroup>();
  readonly counts: Record<Severity, number> = { error: 0, warning: 0, info: 0 };
  items = 0;

  constructor(form: ReportForm, io: Io) {
    this.#form = form;
    this.#io = io;
  }

  get total(): number {
    return this.counts.error + this.counts.warning + this.counts.info;
  }

  async add(finding: Finding): Promise<void> {
    this.counts[finding.severity] += 1;
    if (this.#form === 'groups') this.#group(finding);
    else
      await this.#io.stdout(
        this.#form === 'jsonl' ? `${JSON.stringify(finding)}\n` : findingLine(finding, this.#io.width),
      );
  }

  #group(finding: Finding): void {
    const { code, severity } = finding;
    const group = this.#groups.get(code) ?? { severity, count: 0, examples: [] };
    this.#groups.set(code, group);
    group.count += 1;
    if (group.examples.length < EXAMPLES) group.examples.push(finding);
  }

  /** Writes a line that is no finding to standard error: standard output has findings alone. */
  note(line: string): void {
    this.#io.stderr(`openactive-ical: ${line}\n`);
  }

  /** Writes the groups, errors first, then those found most often; then the sums. */
  async end(): Promise<void> {
    const groups = [...this.#groups].sort(
      ([, a], [, b]) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity) || b.count - a.count,
    );
    const feeds = new Set(groups.flatMap(([, { examples }]) => examples.map(({ feed }) => feed)));
    for (const [code, group] of groups)
      await this.#io.stdout(paragraphOf(code, group, { withFeed: feeds.size > 1, width: this.#io.width }));
    const { error, warning, info } = this.counts;
    const hint = groups.some(([, { count }]) => count > EXAMPLES) ? ' (--all lists each)' : '';
    this.#io.stderr(`items ${this.items}, errors ${error}, warnings ${warning}, infos ${info}${hint}\n`);
  }
}

interface Layout {
  /** The examples are of several feeds. */
  withFeed: boolean;
  /** Columns of the terminal; absent: not a terminal. */
  width: number | undefined;
}

/** The paragraph of a code. The sentence stands once where it is the same for all examples, else below each. */
function paragraphOf(code: FindingCode, { severity, count, examples }: CodeGroup, { withFeed, width }: Layout): string {
  const sentences = new Set(examples.map(({ message }) => message));
  const times = count === 1 ? 'once' : `${digits(count)} times`;
  const lines = [`${severity}: ${code}, ${times}`];
  if (sentences.size === 1) lines.push(indented([...sentences][0] ?? '', '  ', width));
  for (const { item, path, feed, message } of examples) {
    const place = shown(item === '' ? path : `${item} ${path}`, 200);
    lines.push(`  - ${place}${withFeed ? ` in ${shown(feed, 120)}` : ''}`);
    if (sentences.size > 1) lines.push(indented(message, '    ', width));
  }
  if (count > examples.length) lines.push(`    and ${digits(count - examples.length)} more`);
  return `${lines.join('\n')}\n\n`;
}

function findingLine({ severity, code, item, path, message }: Finding, width?: number): string {
  const where = shown(item === '' ? path : `${item} ${path}`, 200);
  return `${severity.padEnd(7)}  ${code.padEnd(28)}  ${where}\n${indented(message, ' '.repeat(9), width)}\n`;
}

/** A sentence behind an indent, broken between words at the width of a terminal. */
function indented(sentence: string, indent: string, width = Number.POSITIVE_INFINITY): string {
  return wrapped(sentence, Math.max(20, width - indent.length))
    .map((line) => `${indent}${line}`)
    .join('\n');
}

/** The summary of an input, for standard error: standard output has the result alone. */
export function inputSummary(items: number, made: string, findings: readonly Finding[]): string {
  const count = (severity: Severity) => findings.filter((finding) => finding.severity === severity).length;
  const counts = `errors ${count('error')}, warnings ${count('warning')}, infos ${count('info')}`;
  return `items ${items}, ${made}, ${counts}${findings.length === 0 ? '' : ' (check lists them)'}\n`;
}
