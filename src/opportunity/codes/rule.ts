/** Severities, the worst first, as in lists. */
export const SEVERITIES = ['error', 'warning', 'info'] as const;

export type Severity = (typeof SEVERITIES)[number];

/** Small facts for a sentence, by name. */
export type Facts = Record<string, string | number>;

/**
 * One line of the table of codes: severity, the rule broken, and the sentence that tells the publisher what to change.
 * Codes are stable: people filter by them.
 */
export interface FindingRule {
  severity: Severity;
  rule: string;
  text: (facts: Facts) => string;
}

/** A sentence with the names of its facts in braces, or a function of the facts. */
type Sentence = string | FindingRule['text'];

/** Makes the lines of the table for rules of a document. `about`: the rule within the document. */
export function under(document: string): Record<Severity, (sentence: Sentence, about?: string) => FindingRule> {
  const lines = (severity: Severity) => (sentence: Sentence, about?: string) => ({
    severity,
    rule: about === undefined ? document : `${document}: ${about}`,
    text: typeof sentence === 'string' ? (facts: Facts) => filled(sentence, facts) : sentence,
  });
  return { error: lines('error'), warning: lines('warning'), info: lines('info') };
}

function filled(sentence: string, facts: Facts): string {
  return sentence.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(facts[name]));
}

const MODELLING = 'Modelling Opportunity Data 2.0';
export const modelling = under(MODELLING);
export const events = under(`${MODELLING}, Describing events`);
export const places = under(`${MODELLING}, Describing locations`);
export const related = under(`${MODELLING}, Relating events`);
export const schedules = under(`${MODELLING}, Publishing event schedules`);
export const templates = under('Schedules guide, Complementary ScheduledSession feed');
export const jsonLd = under('JSON-LD 1.1, Syntax tokens');
export const utf8 = under('RFC 8259, section 8.1');
export const order = under('RPDE 1.0, Ordering strategies');
