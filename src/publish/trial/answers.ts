import { isObject, type Json, type JsonObject } from '../../opportunity/item/json.ts';

/** The answers of a person to the questions of a starter mapping; a missing answer leaves the question open. */
export interface TrialAnswers {
  /** The club's website: an address of http(s). */
  site?: string;
  organizer?: string;
  /** Usual price in pounds; 0 is free. */
  price?: number;
  /** Activities of titles that name none. Where they are given, other titles stay unpublished. */
  activities?: readonly { title: string; activity: string }[];
}

/** The mapping with the answers, and without the questions answered. `undecided`: the titles in question. Pure. */
export function withAnswers(mapping: JsonObject, answers: TrialAnswers, undecided: ReadonlySet<string>): JsonObject {
  const { site, organizer, price, activities } = answers;
  const made: JsonObject = { ...mapping };
  const known = isObject(mapping.organizer ?? null) ? (mapping.organizer as JsonObject) : {};
  if (site !== undefined) {
    const address = `${site.replace(/\/+$/, '')}/`;
    delete made.$comment;
    Object.assign(made, { base: `${address}open-data/`, url: address });
    made.organizer = { ...known, id: `${address}#organizer`, url: address };
  }
  if (organizer !== undefined) {
    const { $comment: _, ...rest } = made.organizer as JsonObject;
    made.organizer = { ...rest, name: organizer };
  }
  if (price !== undefined) made.offers = [{ price }];
  if (activities !== undefined) {
    const lines = activities.map(({ title, activity }) => ({ words: [title.toLowerCase()], activity }));
    // Lines of whole titles precede lines of words.
    made.activities = [...lines, ...listOf(mapping.activities)];
    made.events = decidedEvents(listOf(mapping.events), new Set(activities.map(({ title }) => title)), undecided);
  }
  return made;
}

/** Without the question, the line of titles that name no activity and stay left out by the person's choice. */
function decidedEvents(lines: readonly Json[], named: ReadonlySet<string>, undecided: ReadonlySet<string>): Json[] {
  return lines.flatMap((line): Json[] => {
    if (!isObject(line)) return [line];
    const titles = listOf(line.title).map(String);
    if (titles.length === 0 || !titles.every((title) => undecided.has(title))) return [line];
    const left = titles.filter((title) => !named.has(title));
    const { $comment: _, ...rest } = line;
    return left.length === 0 ? [] : [{ ...rest, title: left }];
  });
}

function listOf(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : [];
}
