/** `publish --init`: writes a mapping file to begin with. */

import type { Settings } from '../../config.ts';
import { createClient, createHostQueue } from '../../fetch/index.ts';
import { judge, type Starter, type Survey, starterMapping, surveyOffThread } from '../../publish/index.ts';
import type { Io } from '../io.ts';
import { userAgent } from '../package.ts';
import { tableLines } from '../table.ts';
import { CalendarSources, isAddress } from './publish-sources.ts';

/** The most titles that the summary lists; the file has all. */
const SHOWN = 40;

/** Writes the file to standard output, and the result for each title to standard error. @returns the exit code */
export async function writeStarter(
  places: readonly string[],
  { allowPrivate, contact }: Settings,
  io: Io,
): Promise<number> {
  const named = places.filter(isAddress).map((place) => place.replace(/^webcals?:/i, 'https:'));
  const client = createClient({ userAgent: userAgent(contact), named, allowPrivate, now: io.now });
  const nothing = { state: async () => ({}), folder: { remembered: async () => [], remember: async () => {} } };
  try {
    const sources = new CalendarSources(places, { client, queue: createHostQueue(), io, pollMs: 0, ...nothing });
    const surveys = await surveysOf(sources, io);
    if (surveys.every(({ titles, facilities }) => titles.length + facilities.length === 0)) {
      io.stderr('openactive-ical: there is nothing to make a mapping of\n');
      return 1;
    }
    const starter = starterMapping(surveys);
    io.stderr(`${summaryOf(starter, surveys).join('\n')}\n`);
    await io.stdout(`${JSON.stringify(starter.mapping, undefined, 2)}\n`);
    return 0;
  } finally {
    await client.close();
  }
}

/** Surveys of readable calendars; others are reported on standard error. */
async function surveysOf(sources: CalendarSources, io: Io): Promise<Survey[]> {
  const texts = (await sources.read()).flatMap(({ name, got }) => {
    const verdict = 'text' in got ? judge({}, got.text, io.now()) : undefined;
    if ('text' in got && verdict?.take) return { source: name, text: got.text, encoding: got.encoding };
    const trouble = verdict?.take === false ? verdict.trouble : 'trouble' in got && got.trouble;
    if (trouble !== false) io.stderr(`openactive-ical: ${name}: ${trouble}\n`);
    return [];
  });
  const found = await surveyOffThread(texts, io.now());
  return found.flatMap((one, index) => {
    if (typeof one !== 'string') {
      const isEmpty = one.titles.length + one.facilities.length + one.private === 0;
      const troubles = isEmpty && one.troubles.length === 0 ? ['there are no events in it'] : one.troubles;
      for (const trouble of troubles) io.stderr(`openactive-ical: ${one.source}: ${trouble}\n`);
      return one;
    }
    io.stderr(`openactive-ical: ${texts[index]?.source}: reading it ${one}\n`);
    return [];
  });
}

const COLUMNS = [{ title: 'events' }, { title: 'title', most: 60 }, { title: 'becomes' }];

function summaryOf({ titles }: Starter, surveys: readonly Survey[]): string[] {
  const rows = titles
    .slice(0, SHOWN)
    .map(({ title, events, activity, why }) => [String(events), title, activity ?? `nothing: it ${why}`]);
  const lines = tableLines(COLUMNS, rows);
  if (titles.length > SHOWN) lines.push(`and ${titles.length - SHOWN} more titles`);
  const categories = surveys.flatMap((one) => one.categories).slice(0, SHOWN);
  if (categories.length > 0)
    lines.push(`categories: ${categories.map(([label, events]) => `${label} (${events})`).join(', ')}`);
  const hidden = surveys.reduce((sum, one) => sum + one.private, 0);
  if (hidden > 0) lines.push(`private and left out: ${hidden}`);
  return lines;
}
