import { type Facts, FINDINGS, type FindingCode } from '../opportunity/findings.ts';
import { compareText } from '../opportunity/ids.ts';
import { type CodeCount, type Reader, shownText } from '../store/index.ts';
import { shownHealth } from './feeds.ts';
import type { FindingKind } from './library.ts';

/** Findings by kind, over all feeds. */

/** Most items with findings that are read for one answer, of all feeds together. */
const MOST_ITEMS = 20_000;
/** Items that are read of each feed, even where these are more than `MOST_ITEMS` together. */
const FEWEST = 20;

interface CountedCodes {
  /** The version of the feed at the count. */
  version: string;
  codes: readonly CodeCount[];
}

/** Counts the findings of each feed anew when it has changed. */
export class FindingKinds {
  readonly #read: Reader;
  readonly #counted = new Map<number, CountedCodes>();

  constructor(read: Reader) {
    this.#read = read;
  }

  /** Kinds of one feed, or of all; the most frequent first. */
  async of(feed?: number): Promise<FindingKind[]> {
    const reports = await this.#read.feedStates();
    const most = Math.max(FEWEST, Math.floor(MOST_ITEMS / Math.max(1, reports.length)));
    const kinds = new Map<string, FindingKind>();
    for (const report of reports) {
      if (report.findings === 0 || (feed !== undefined && report.id !== feed)) continue;
      const codes = await this.#codes(report.id, `${report.findings} ${report.lastChange}`, most);
      const isMore = codes.reduce((sum, { count }) => sum + count, 0) < report.findings;
      const { id, name } = shownHealth(report);
      for (const one of codes) addKind(kinds, one, { isMore, feed: { id, name }, listed: report.listed });
    }
    return [...kinds.values()].toSorted((a, b) => b.count - a.count || compareText(a.code, b.code));
  }

  async #codes(feed: number, version: string, most: number): Promise<CountedCodes['codes']> {
    const known = this.#counted.get(feed);
    if (known?.version === version) return known.codes;
    const codes = await this.#read.findingCodes(feed, most);
    this.#counted.set(feed, { version, codes });
    return codes;
  }
}

function addKind(
  kinds: Map<string, FindingKind>,
  { code, count, facts }: CodeCount,
  { isMore, feed, listed }: { isMore: boolean; feed: FindingKind['feeds'][number]; listed: boolean },
): void {
  // A store of an earlier release may have codes that this one does not know.
  if (!Object.hasOwn(FINDINGS, code)) return;
  const known = kinds.get(code);
  if (known === undefined) {
    const { severity, text } = FINDINGS[code as FindingCode];
    const words = text(ANY_FACTS);
    // The example may quote an address that only the operator knows.
    const example = facts === undefined ? words : shownText(text(JSON.parse(facts) as Facts), { listed });
    kinds.set(code, {
      code: code as FindingCode,
      severity,
      words,
      ...(example !== words && { example }),
      count,
      isMore,
      feeds: [feed],
    });
    return;
  }
  known.count += count;
  known.isMore ||= isMore;
  known.feeds.push(feed);
}

const ANY_FACTS = new Proxy<Facts>({}, { get: () => '…' });
