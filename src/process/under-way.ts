/** Operations under way, so that a process that hangs can name them in its log. */

export interface UnderWay {
  /** Adds an operation. `words`: its name and what it waits for now. The caller calls the result when it has ended. */
  begin(words: () => string): () => void;
  /** Adds an operation for as long as a promise is pending. */
  during<T>(words: string, work: Promise<T>): Promise<T>;
  words(): string[];
}

export function underWay(): UnderWay {
  const running = new Set<() => string>();
  const begin = (words: () => string) => {
    running.add(words);
    return () => {
      running.delete(words);
    };
  };
  return {
    begin,
    during: (words, work) => work.finally(begin(() => words)),
    words: () => [...running].map((words) => words()),
  };
}
