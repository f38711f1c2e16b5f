/** The lines that a calendar adds to a description (wording.ts, attribution.ts). */
const FACT =
  /^(Price|Leader|Level|Ages|For|Where|Meeting point|Online|Note|Instructions|Organiser|Places left|Details): |^Usually /;
const CREDIT = /^(Source: |Open data, )[^\n]*$/;

/**
 * What the publisher said in a description of ours: without the facts and the credit that the calendar added, which would
 * grow with every way there and back. undefined: nothing is left.
 */
export function ownWords(description: string): string | undefined {
  const paragraphs = description.split('\n\n');
  if (CREDIT.test(paragraphs.at(-1) ?? '')) paragraphs.pop();
  const last = paragraphs.at(-1)?.split('\n') ?? [];
  if (last.length > 0 && last.every((line) => FACT.test(line))) paragraphs.pop();
  return paragraphs.length === 0 ? undefined : paragraphs.join('\n\n');
}
