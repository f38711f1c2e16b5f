import { expect, test } from 'vitest';
import { FINDINGS } from '../../src/opportunity/findings.ts';
import type { Json } from '../../src/opportunity/item/json.ts';
import { auditFindings } from '../../src/validate/audit.ts';
import { conceptFindings } from '../../src/validate/concepts.ts';
import { activityList } from '../../src/vocabulary/shipped.ts';

const LIST = 'https://openactive.io/activity-list';
const YOGA = `${LIST}#bf1a5e00-cdcf-465d-8c5a-6f57040b7f7e`;
const RUNNING = `${LIST}#72ddb2dc-7d75-424e-880a-d90eabe91381`;
const concept = (id: string | undefined, prefLabel?: string): Json => ({
  '@type': 'Concept',
  ...(id !== undefined && { '@id': id }),
  ...(prefLabel !== undefined && { prefLabel }),
});
const found = (property: string, value: Json) =>
  conceptFindings(property, value, `$.${property}`).map(
    ({ code, path, facts }) => `${code} ${path}: ${FINDINGS[code].text(facts ?? {})}`,
  );

test.each<[string, string, Json]>([
  ['an id with its label', 'activity', [concept(YOGA, 'Yoga')]],
  ['an id of an older spelling', 'activity', [concept(YOGA.replace('https://', 'http://www.'), 'Yoga')]],
  ['an id with a label of the publisher’s own', 'activity', [concept(YOGA, 'Sunrise stretch with Sam')]],
  ['an id with another label of it', 'activity', [concept(activityList().byLabel('Keep Fit')?.id, 'Keep Fit')]],
  ['an address alone', 'activity', [YOGA, ` ${YOGA.replace('https', 'http')}`]],
  ['an id without a label', 'activity', [concept(YOGA)]],
  ['a label alone', 'activity', [concept(undefined, 'yoga')]],
  ['one object instead of an array', 'facilityType', concept(undefined, 'Badminton Court')],
  ['a text', 'accessibilitySupport', ['Visual impairment']],
  ['nothing that names a concept', 'activity', [null, 5, {}, '', concept(undefined, ' ')]],
  ['another property', 'category', [concept('https://x.example/#1', 'Anything')]],
  ['a property that every object has', 'constructor', [concept(undefined, 'Anything')]],
])('%s has no finding', (_name, property, value) => {
  expect(found(property, value)).toEqual([]);
});

test.each<[string, string, Json, string[]]>([
  [
    'a mistyped label',
    'activity',
    [concept(YOGA), concept(undefined, 'Yoag')],
    [`concept-not-in-list $.activity[1]: Name a concept of ${LIST}, most likely Yoga (${YOGA}); "Yoag" is not in it.`],
  ],
  [
    'an id of the publisher’s own with a label of the list',
    'activity',
    [concept('https://a.example/activities#1', 'Running')],
    [
      `concept-not-in-list $.activity[0]: Name a concept of ${LIST}, most likely Running (${RUNNING}); "Running (https://a.example/activities#1)" is not in it.`,
    ],
  ],
  [
    'an id that the list never had, without a label',
    'activity',
    concept(`${LIST}#yoga`),
    [
      `concept-not-in-list $.activity: Name a concept of ${LIST}, most likely Yoga (${YOGA}); "${LIST}#yoga" is not in it.`,
    ],
  ],
  [
    'a label like no other',
    'facilityType',
    [concept(undefined, 'Quantum chamber of the moon')],
    [
      'concept-not-in-list $.facilityType[0]: Name a concept of https://openactive.io/facility-types; "Quantum chamber of the moon" is not in it.',
    ],
  ],
  [
    'the id of one with the label of another',
    'activity',
    [concept(YOGA, 'Running')],
    [
      `concept-label-of-another $.activity[0].prefLabel: Give the "@id" and "prefLabel" of one concept: the "@id" is that of Yoga (${YOGA}), the "prefLabel" that of Running (${RUNNING}).`,
    ],
  ],
])('%s is found', (_name, property, value, findings) => {
  expect(found(property, value)).toEqual(findings);
});

test('the audit finds it wherever it stands in an item', () => {
  const subEvent = [{ '@type': 'ScheduledSession', activity: [concept(undefined, 'Yoag')] }];
  const findings = auditFindings({ '@type': 'SessionSeries', subEvent }, []);
  expect(findings.map(({ code, path }) => `${code} ${path}`)).toContain(
    'concept-not-in-list $.subEvent[0].activity[0]',
  );
});
