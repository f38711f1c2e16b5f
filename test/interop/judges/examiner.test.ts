import { expect, test } from 'vitest';
import { expectedRows, index, shownRows } from '../cases.ts';
import { differences } from '../rows.ts';

/** Of sessions that leave out what others say, and of whole days, `expand` says what the examiner decided beforehand. */

const cases = index().events.filter(({ shown }) => shown === true);

test.each(cases.map((one) => [one.name, one] as const))('%s', (_, one) => {
  const shown = shownRows(one);
  expect(shown.length).toBeGreaterThan(1000);
  expect(differences(expectedRows(one), shown)).toEqual([]);
});
