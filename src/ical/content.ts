/** TEXT (RFC 5545 3.3.11): `\n`, `\,`, `\;`, `\\`; a backslash before anything else is itself. */
export function textOf(value: string): string {
  if (!value.includes('\\')) return value;
  return value.replace(/\\([\\;,nN])/g, (_, sign: string) => (sign === 'n' || sign === 'N' ? '\n' : sign));
}

/** A list of TEXT: divided at commas that are not escaped. */
export function textsOf(value: string): string[] {
  return (value.match(/(?:\\.|[^,\\])+/gs) ?? []).map((one) => textOf(one).trim()).filter((one) => one !== '');
}

/** DURATION in ms, exact part and whole days apart: a day is nominal (RFC 5545 3.3.6). */
export interface Length {
  days: number;
  exact: number;
}

const DURATION = /^([+-]?)P(?:(\d{1,6})W)?(?:(\d{1,6})D)?(?:T(?:(\d{1,7})H)?(?:(\d{1,8})M)?(?:(\d{1,9})S)?)?$/i;

/** The length of a DURATION; undefined for other texts and for negative durations. */
export function lengthOf(value: string): Length | undefined {
  const text = value.trim();
  const match = text.length > 60 || !/\d/.test(text) ? null : DURATION.exec(text);
  if (match === null || match[1] === '-') return undefined;
  const parts = match.slice(2).map((digits) => Number(digits ?? 0));
  const [weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = parts;
  return { days: weeks * 7 + days, exact: (hours * 3600 + minutes * 60 + seconds) * 1000 };
}
