/** What is under way, for whoever has to say in words what does not end. */

export interface UnderWay {
  /** `words`: what it is and what it waits for, now. Call what is given back when it has ended. */
  begin(words: () => string): () => void;
  /** Names what one promise waits for. */
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
