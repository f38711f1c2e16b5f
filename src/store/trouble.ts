import { StoreError, type StoreTrouble } from '../errors.ts';

/**
 * What is the matter with the store, as far as anybody has met it. Damage stays until the process ends: a file does not heal
 * while it is open. What reading met is over with the next answer, everything else with the next transaction that goes through. A
 * full disk is over where there is room besides.
 */
export class Troubles {
  #met: StoreError | undefined;
  /** Nobody who writes has met it. */
  #isOfReading = false;
  #lately: StoreError | undefined;
  readonly #onChange: (trouble: StoreTrouble | undefined, error?: StoreError) => void;

  /** `onChange` hears of each trouble once, and that it is over. */
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

  /** What was met last, since the last time that this was asked; also where it is over. */
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

/** An error for whoever asks over HTTP: neither a file nor an address is named. */
export function troubleWords({ cure = 'the log has the reason' }: Pick<StoreError, 'cure'>): string {
  return `The database failed: ${cure}.`;
}

/** Why nobody can read a store of an earlier schema yet; 0: there is none. */
export function unreadyWords(schema: number): string {
  return schema === 0 ? NOT_MADE : `the database is of an earlier release (schema ${schema}); ${OLDER}`;
}

const NOT_MADE = 'there is no database yet: "serve --role harvest" or "sync" makes it';
const OLDER =
  '"openactive-ical store migrate" brings it up to date, and so does a "serve --role harvest" of this release';

/** JSON that the store wrote itself: what cannot be read is damage, which SQLite does not see within a text. */
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
