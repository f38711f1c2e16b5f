import { messageOf, StalledError } from '../errors.ts';
import { startThread } from '../process/thread.ts';
import type { Instant } from '../time/instant.ts';
import { findingOf, type PublishFinding } from './codes.ts';
import type { CalendarText, Previous, PublishResult } from './contract.ts';
import { THREAD_MB, THREAD_MS } from './limits.ts';
import type { Mapping } from './map/mapping.ts';
import type { Question } from './worker.ts';

/** What a thread may use; smaller in tests. */
const LIMITS = { megabytes: THREAD_MB, milliseconds: THREAD_MS };

/**
 * `publishCalendars` on a thread of its own with bounded memory and time: calendars are other people's. Calendars that use up
 * either are found one by one and left out with the finding `calendar-too-much`, and the others are published.
 */
export async function publishOffThread(
  inputs: readonly CalendarText[],
  mapping: Mapping,
  previous: Previous,
  now: Instant,
  limits = LIMITS,
): Promise<PublishResult> {
  const publish = (some: readonly CalendarText[]) => ask([some, mapping, previous, now], limits);
  const all = await publish(inputs);
  if (typeof all !== 'string') return all;
  const good: CalendarText[] = [];
  const findings: PublishFinding[] = [];
  for (const input of inputs) {
    const alone = inputs.length === 1 ? all : await publish([input]);
    if (typeof alone === 'string') findings.push(tooMuch(input.source, alone));
    else good.push(input);
  }
  let rest = await publish(good);
  if (typeof rest === 'string') {
    // Each alone is small enough, all together are not.
    findings.push(tooMuch('mapping', rest));
    rest = await publish([]);
  }
  if (typeof rest === 'string') throw new Error(rest);
  return { ...rest, findings: [...findings, ...rest.findings] };
}

function tooMuch(source: string, why: string): PublishFinding {
  return findingOf('calendar-too-much', source, '', '', { why });
}

/** The result; a text says why there is none. */
async function ask(question: Question, { megabytes, milliseconds }: typeof LIMITS): Promise<PublishResult | string> {
  const thread = startThread<Question, PublishResult>(import.meta.url, './worker', {
    resourceLimits: { maxOldGenerationSizeMb: megabytes, maxYoungGenerationSizeMb: 32 },
    answerMs: milliseconds,
  });
  try {
    return await thread.ask(question);
  } catch (error) {
    if (error instanceof StalledError) return `took more than ${milliseconds / 1000} s`;
    const isMemory = (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY';
    return isMemory ? `took more than ${megabytes} MB of memory` : `failed (${messageOf(error)})`;
  } finally {
    await thread.end();
  }
}
