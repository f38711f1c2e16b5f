/** Results that a function keeps, where it names no other number. */
const MOST = 5000;

/**
 * A pure function of a text that keeps its last results: names and labels of a feed come again and again. It holds `most`
 * of them, and begins anew when there are more.
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
