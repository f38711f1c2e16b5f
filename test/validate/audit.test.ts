import { expect, test } from 'vitest';
import { FINDINGS } from '../../src/opportunity/findings.ts';
import { auditFindings } from '../../src/validate/audit.ts';

const DATE_TIME = 'a date and time with its zone, such as 2027-03-28T09:30:00Z';

/** Advised to write a date, a publisher would have excepted the whole day. */
test.each([
  ['milliseconds', ['2026-11-09T18:00:00.000Z'], DATE_TIME],
  ['no zone', ['2026-11-09T18:00:00'], DATE_TIME],
  ['words', ['the ninth'], 'a date such as 2027-03-28'],
])('exceptDate with %s is advised to be what it comes near to', (_name, exceptDate, expected) => {
  const data = { '@type': 'SessionSeries', eventSchedule: [{ '@type': 'Schedule', exceptDate }] };
  const found = auditFindings(data, []).find(({ path }) => path.endsWith('exceptDate'));
  expect(found).toMatchObject({ code: 'value-misformatted', facts: { expected, value: exceptDate[0] } });
  expect(FINDINGS['value-misformatted'].text(found?.facts as never)).toContain(`as ${expected}; found`);
});

test('exceptDate with a date among times names the date, and asks for a time', () => {
  const exceptDate = ['2026-11-02T18:00:00Z', '2026-11-09', '2026-11-16T18:00:00Z'];
  const data = { '@type': 'SessionSeries', eventSchedule: [{ '@type': 'Schedule', exceptDate }] };
  const [found] = auditFindings(data, []).filter(({ path }) => path.endsWith('exceptDate'));
  const expected = `${DATE_TIME}, like the others of the array`;
  expect(found).toMatchObject({ code: 'value-misformatted', facts: { expected, value: '2026-11-09' } });
});

/** The program read `byMonthWeek` and `previousStartDate`, and told publishers to correct them. */
test.each([
  ['byMonthWeek', { '@type': 'Schedule', byMonthWeek: [2] }],
  ['previousStartDate', { '@type': 'ScheduledSession', previousStartDate: '2026-11-09T18:00:00Z' }],
])('%s, which the program reads, is no unknown property', (_name, data) => {
  expect(auditFindings(data, []).map(({ code }) => code)).not.toContain('property-unknown');
  expect(auditFindings({ ...data, colour: 'red' }, []).map(({ code }) => code)).toContain('property-unknown');
});

test.each([
  ['£5.50', false],
  ['5.50 EUR', false],
  ['0.00', false],
  ['free', false],
  [0, false],
  ['5.50', true],
  [5.5, true],
  ['ask us', true],
])('a price of %j lacks its currency: %s', (price, isMissing) => {
  const data = { '@type': 'SessionSeries', offers: [{ '@type': 'Offer', price }] };
  expect(auditFindings(data, []).some(({ code }) => code === 'currency-missing')).toBe(isMissing);
});
