import type { PreparedItem, PreparedPage, PreparedRecord } from '../../revision/records/prepared.ts';
import { bundled } from '../../store/bundles.ts';

/** A prepared page as it goes from one thread to another, item by item: data alone, the raw data in bundles. */
export class SentPage {
  readonly #items: PreparedItem[] = [];
  readonly #raws: (string | Uint8Array)[] = [];

  add({ kind, rpdeId, modified, hash, raw, content }: PreparedItem<string | Uint8Array>): void {
    const { records, findings, findingsText } = content;
    const plain = { records: records.map(dataOf), findings, findingsText };
    this.#items.push({ kind, rpdeId, modified, hash, raw: undefined, content: plain });
    if (raw !== undefined) this.#raws.push(raw);
  }

  done(page: Omit<PreparedPage, 'items'>): PreparedPage {
    const places = bundled(this.#raws).values();
    for (const item of this.#items) if (item.hash !== undefined) item.raw = places.next().value;
    return { ...page, items: this.#items };
  }
}

function dataOf({ record: _, ...data }: PreparedRecord): PreparedRecord {
  return data;
}
