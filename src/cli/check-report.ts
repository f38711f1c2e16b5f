/** Findings for people and programs, written as they come. */

import { type Finding, type Severity, shown } from '../opportunity/findings.ts';
import type { Io } from './io.ts';

/** Writes findings as they come, so that the largest feed needs no memory; then the sums. */
export class Report {
  readonly #jsonl: boolean;
  readonly #io: Io;
  readonly counts: Record<Severity, number> = { error: 0, warning: 0, info: 0 };
  items = 0;

  constructor(jsonl: boolean, io: Io) {
    this.#jsonl = jsonl;
    this.#io = io;
  }

  get total(): number {
    return this.counts.error + this.counts.warning + this.counts.info;
  }

  async tell(finding: Finding): Promise<void> {
    this.counts[finding.severity] += 1;
    await this.#io.stdout(this.#jsonl ? `${JSON.stringify(finding)}\n` : row(finding));
  }

  /** What is no finding about the data, to standard error: standard output is the findings alone. */
  say(line: string): void {
    this.#io.stderr(`openactive-ical: ${line}\n`);
  }

  end(): void {
    const { error, warning, info } = this.counts;
    this.#io.stderr(`items ${this.items}, errors ${error}, warnings ${warning}, infos ${info}\n`);
  }
}

function row({ severity, code, item, path, message }: Finding): string {
  const where = shown(item === '' ? path : `${item} ${path}`, 200);
  return `${severity.padEnd(7)}  ${code.padEnd(28)}  ${where}\n${' '.repeat(9)}${message}\n`;
}
