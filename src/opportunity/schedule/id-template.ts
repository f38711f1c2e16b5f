import { shown } from '../findings.ts';
import { first, noteProperty, type Part } from '../item/reading.ts';
import { idText, webAddress } from '../item/values.ts';

/**
 * An `idTemplate` or `urlTemplate`. It must have `{startDate}`, or all occurrences would share one id, and may have `{endDate}`.
 * Any other variable makes it unusable (RFC 6570 level 1, Schedules guide).
 */
export function templateOf(part: Part, name: 'idTemplate' | 'urlTemplate'): string | undefined {
  const value = first(part, name);
  if (value === undefined) return undefined;
  const text = typeof value === 'string' ? idText(value) : undefined;
  if (text !== undefined && isUsable(text, name)) return text;
  noteProperty(part, name, 'template-unusable', { value: shown(value) });
  return undefined;
}

function isUsable(text: string, name: string): boolean {
  if (!text.includes('{startDate}')) return false;
  const filled = text.replaceAll('{startDate}', '2000-01-01T00:00:00Z').replaceAll('{endDate}', '2000-01-01T00:00:00Z');
  if (/[{}]/.test(filled)) return false;
  return name === 'idTemplate' || webAddress(filled) !== undefined;
}
