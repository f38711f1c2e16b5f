import type { Instant } from '../time/instant.ts';
import { findingOf, type PublishFinding } from './codes.ts';
import type { CalendarText, Previous, Published, PublishedObject, PublishResult } from './contract.ts';
import { MAX_PUBLISHED } from './limits.ts';
import { unknownConcepts } from './map/concepts.ts';
import type { Mapping } from './map/mapping.ts';
import { missingValues, undecided } from './map/missing.ts';
import type { PublishedSeries } from './map/series.ts';
import { type CalendarOutcome, publishReading, readSource, tooMany } from './publish-calendar.ts';
import { fairShare, Share } from './share.ts';

/**
 * Calendars as the objects of the three feeds. Pure: the same input gives the same objects in the same order. `now` only
 * bounds how far rules that a Schedule cannot say are written out, and which years of opening hours are read.
 */
export function publishCalendars(
  inputs: readonly CalendarText[],
  mapping: Mapping,
  previous: Previous,
  now: Instant,
): PublishResult {
  const combined = new Combined(mapping);
  for (const input of inputs) combined.add(publishReading(readSource(input, mapping), previous, now));
  return combined.finish();
}

/** Several calendars in one set of feeds. None takes room from one that needs less of it. */
export class Combined {
  readonly #mapping: Mapping;
  readonly #most: number;
  readonly #calendars: CalendarOutcome[] = [];
  readonly #known = new Set<string>();
  #size = 0;

  constructor(mapping: Mapping, most = MAX_PUBLISHED) {
    this.#mapping = mapping;
    this.#most = most;
  }

  add(calendar: CalendarOutcome): void {
    const findings: PublishFinding[] = [];
    const series = calendar.series.filter(({ series: { id } }) => {
      const isNew = !this.#known.has(id);
      this.#known.add(id);
      const kept = 'the one of the calendar named first was published';
      if (!isNew) findings.push(findingOf('uid-twice', calendar.count.source, id, '', { kept }));
      return isNew;
    });
    this.#calendars.push({ ...calendar, series, findings: [...calendar.findings, ...findings] });
    this.#size += sizeOf(series);
    // What is in memory at once stays bounded.
    if (this.#size > 2 * this.#most) this.#cut();
  }

  /** Calendars that need more than an equal share give up what is more. */
  #cut(): void {
    const most = fairShare(
      this.#calendars.map(({ series }) => sizeOf(series)),
      this.#most,
    );
    for (const [index, calendar] of this.#calendars.entries()) {
      if (sizeOf(calendar.series) <= most) continue;
      const share = new Share<PublishedSeries>(most);
      for (const one of calendar.series)
        share.add({ id: one.series.id, size: 1 + one.sessions.length, last: one.sessions.at(-1)?.id ?? '' }, one);
      const { kept, left } = share.finish();
      const overLimit = [...calendar.overLimit, ...left.map(({ id }) => id)];
      const findings = [...calendar.findings, tooMany(calendar.count.source, left, most)];
      this.#calendars[index] = { ...calendar, series: kept, overLimit, findings };
    }
    this.#size = this.#calendars.reduce((sum, { series }) => sum + sizeOf(series), 0);
  }

  finish(): PublishResult {
    if (this.#size > this.#most) this.#cut();
    const all = this.#calendars.flatMap(({ series }) => series);
    const published: Published = {
      'session-series': sorted(all.map(({ series }) => series)),
      'scheduled-sessions': sorted(all.flatMap(({ sessions }) => sessions)),
      'facility-uses': sorted(this.#calendars.flatMap(({ facilities }) => facilities)),
    };
    const findings = this.#calendars.flatMap((calendar) => calendar.findings);
    return {
      published,
      findings: [
        ...findings,
        ...missingValues(published, this.#mapping),
        ...unknownConcepts(this.#mapping),
        ...undecided(this.#mapping),
      ],
      calendars: this.#calendars.map(({ count }) => count),
      overLimit: this.#calendars.flatMap(({ overLimit }) => overLimit),
    };
  }
}

function sizeOf(series: readonly PublishedSeries[]): number {
  return series.reduce((sum, { sessions }) => sum + 1 + sessions.length, 0);
}

/** Each id once. */
function sorted(objects: readonly PublishedObject[]): PublishedObject[] {
  const byId = new Map(objects.map((object) => [object.id, object]));
  return [...byId.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
}
