import { messageOf, StalledError } from '../errors.ts';
import { startThread, type Thread } from '../process/thread.ts';
import type { Instant } from '../time/instant.ts';
import { findingOf, type PublishFinding } from './codes.ts';
import type { CalendarText, Previous, PublishResult } from './contract.ts';
import { THREAD_MB, THREAD_MS } from './limits.ts';
import type { Mapping } from './map/schema.ts';
import type { CalendarOutcome } from './publish-calendar.ts';
import { Combined } from './publish-calendars.ts';
import type { Survey } from './starter/survey.ts';
import type { WorkerReply, WorkerRequest } from './worker.ts';

/** Limits of one calendar; smaller in tests. */
const LIMITS = { megabytes: THREAD_MB, milliseconds: THREAD_MS };

/** The published series of these ids, with their sessions. */
type Before = (keys: readonly string[]) => Promise<Previous>;

/**
 * `publishCalendars` on a thread of its own, with bounded memory and time for each calendar, because calendars come from
 * anybody. A calendar that exceeds either is left out with the finding `calendar-too-much`, and the others are published.
 */
export async function publishOffThread(
  inputs: readonly CalendarText[],
  mapping: Mapping,
  before: Before,
  now: Instant,
  limits = LIMITS,
): Promise<PublishResult> {
  const pass = (apart: ReadonlySet<string>) => passOffThread(inputs, mapping, before, now, limits, apart);
  const first = await pass(new Set());
  const { combined, findings } = first.combined.apart.size === 0 ? first : await pass(first.combined.apart);
  const result = combined.finish();
  return { ...result, findings: [...findings, ...result.findings] };
}

async function passOffThread(
  inputs: readonly CalendarText[],
  mapping: Mapping,
  before: Before,
  now: Instant,
  limits: typeof LIMITS,
  apart: ReadonlySet<string>,
): Promise<{ combined: Combined; findings: PublishFinding[] }> {
  const combined = new Combined(mapping);
  const findings: PublishFinding[] = [];
  const reader = threadReader(limits);
  try {
    for (const input of inputs) {
      const outcome = await reader.outcome(input, mapping, before, now, apart);
      if (typeof outcome !== 'string') combined.add(outcome);
      else findings.push(findingOf('calendar-too-much', input.source, '', '', { why: outcome }));
    }
  } finally {
    await reader.end();
  }
  return { combined, findings };
}

/** The survey of each calendar, within the same limits; a text is the reason why there is none. */
export async function surveyOffThread(inputs: readonly CalendarText[], now: Instant): Promise<(Survey | string)[]> {
  const reader = threadReader(LIMITS);
  try {
    const found: (Survey | string)[] = [];
    for (const input of inputs) found.push(await reader.survey(input, now));
    return found;
  } finally {
    await reader.end();
  }
}

/** A thread that reads calendars in turn. After a calendar that exceeds its limits there is a new thread. */
function threadReader(limits: typeof LIMITS) {
  let thread: Thread<WorkerRequest, WorkerReply> | undefined;

  /** A text says why there is none. */
  async function outcome(
    input: CalendarText,
    mapping: Mapping,
    before: Before,
    now: Instant,
    apart: ReadonlySet<string>,
  ): Promise<CalendarOutcome | string> {
    return tried(async () => {
      const { keys } = (await ask({ input, mapping })) as { keys: string[] };
      const previous = await before(keys);
      return ((await ask({ previous, now, apart })) as { outcome: CalendarOutcome }).outcome;
    });
  }

  /** A text says why there is none. */
  function survey(input: CalendarText, now: Instant): Promise<Survey | string> {
    return tried(async () => ((await ask({ surveyed: input, now })) as { survey: Survey }).survey);
  }

  async function tried<T>(work: () => Promise<T>): Promise<T | string> {
    try {
      return await work();
    } catch (error) {
      await end();
      return reason(error);
    }
  }

  async function end(): Promise<void> {
    await thread?.end();
    thread = undefined;
  }

  function ask(question: WorkerRequest): Promise<WorkerReply> {
    const { megabytes, milliseconds } = limits;
    if (thread === undefined || thread.ended)
      thread = startThread(import.meta.url, './worker', {
        resourceLimits: { maxOldGenerationSizeMb: megabytes, maxYoungGenerationSizeMb: 32 },
        answerMs: milliseconds,
      });
    return thread.ask(question);
  }

  function reason(error: unknown): string {
    const { megabytes, milliseconds } = limits;
    if (error instanceof StalledError) return `took more than ${milliseconds / 1000} s`;
    const isMemory = (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY';
    return isMemory ? `took more than ${megabytes} MB of memory` : `failed (${messageOf(error)})`;
  }

  return { outcome, survey, end };
}
