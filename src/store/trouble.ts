import { StoreError, type StoreTrouble } from '../errors.ts';

/**
 * The faults of a store that were met. Damage stays until the process ends, as a file does not heal while it is open. A fault
 * of reading is over with the next answer, any other with the next committed transaction; a full disk must also have room
 * again.
 */
export class Troubles {
  #met: StoreError | undefined;
  /** No write has met the fault. */
  #isOfReading = false;
  #lately: StoreError | undefined;
  readonly #onChange: (trouble: StoreTrouble | undefined, error?: StoreError) => void;

  /** `onChange`: called once for each trouble, and once when it is over. */
  constructor(onChange: (trouble: StoreTrouble | undefined, error?: StoreError) => void = () => {}) {
    this.#onChange = onChange;
  }

  get current(): StoreTrouble | undefined {
    return this.#met?.trouble;
  }

  get lastMet(): StoreError | undefined {
    return this.#met;
  }

  met(error: unknown, isOfReading = false): void {
    if (!(error instanceof StoreError) || error.trouble === undefined) return;
    this.#lately = error;
    if (error.trouble === this.current || this.current === 'damaged') {
      this.#isOfReading &&= isOfReading;
      return;
    }
    this.#met = error;
    this.#isOfReading = isOfReading;
    this.#onChange(error.trouble, error);
  }

  /** The last fault since the last call, also one that is over. */
  take(): StoreError | undefined {
    const lately = this.#lately;
    this.#lately = undefined;
    return lately;
  }

  noteAnswer(): void {
    if (this.#isOfReading) this.noteWrite();
  }

  noteWrite(): void {
    if (this.#met === undefined || this.current === 'damaged') return;
    this.#met = undefined;
    this.#onChange(undefined);
  }
}

/** The words of an error for HTTP responses, without file and address. */
export function troubleWords({ cure = 'the log has the reason' }: Pick<StoreError, 'cure'>): string {
  return `The database failed: ${cure}.`;
}

/** Words for why a store of an earlier schema cannot be read yet; 0: there is none. */
export function unreadyWords(schema: number): string {
  return schema === 0 ? NOT_MADE : `the database is of an earlier release (schema ${schema}); ${OLDER}`;
}

const NOT_MADE = 'there is no database yet: "serve --role harvest" or "sync" makes it';
const OLDER =
  '"openactive-ical store migrate" brings it up to date, and so does a "serve --role harvest" of this release';

/** Parses JSON that the store wrote: an error is damage, which SQLite does not notice within a text. */
export function storedJson<T>(text: string): T {
  try {
    return JSON.parse(text) as T;
  } catch (cause) {
    throw damaged(cause);
  }
}

export function damaged(cause: unknown): StoreError {
  return new StoreError(
    'The database is damaged: what it keeps of a record or an item cannot be read; "openactive-ical store verify" says how far.',
    { cause, trouble: 'damaged', cure: 'it is damaged; "openactive-ical store verify" says how far' },
  );
}
