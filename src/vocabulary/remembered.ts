/** Most results that a function keeps by default. */
const MOST = 5000;

/**
 * A pure function of a text, with its results kept, because names and labels of a feed repeat. It keeps `most` results, and
 * drops all of them when there are more.
 *
 * @example const stemOf = remembered(stem)
 */
export function remembered<T>(make: (text: string) => T, most = MOST): (text: string) => T {
  const made = new Map<string, T>();
  return (text) => {
    const known = made.get(text);
    if (known !== undefined) return known;
    if (made.size >= most) made.clear();
    const value = make(text);
    made.set(text, value);
    return value;
  };
}
