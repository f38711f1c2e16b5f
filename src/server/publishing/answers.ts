import { defined } from '../../opportunity/records.ts';
import { activityList } from '../../vocabulary/shipped.ts';

/** The form of `/publish`. */

/** The answers of the form (`publish/trial/answers.ts`). */
export interface TrialAnswers {
  site?: string;
  organizer?: string;
  price?: number;
  activities?: readonly { title: string; activity: string }[];
}

/** A sent form: its answers, and what it shows again. */
export interface SentAnswers {
  answers: TrialAnswers;
  /** The typed texts, to be shown again. */
  typed: { site: string; organizer: string; price: string };
  /** A sentence for each field that cannot be used. */
  wrong: string[];
}

/** Most titles of one form. */
export const MOST_TITLES = 40;
const LONGEST = 300;

/** Reads a sent form; an empty field is no answer. Pure. */
export function answersIn(form: URLSearchParams): SentAnswers {
  const typedIn = (name: string) => (form.get(name) ?? '').trim().slice(0, LONGEST);
  const typed = { site: typedIn('site'), organizer: typedIn('organizer'), price: typedIn('price') };
  const wrong: string[] = [];
  const site = siteIn(typed.site, wrong);
  const price = priceIn(typed.price, wrong);
  const activities = activitiesIn(form, wrong);
  const answers = defined({ site, organizer: typed.organizer || undefined, price, activities });
  return { answers, typed, wrong };
}

function siteIn(text: string, wrong: string[]): string | undefined {
  if (text === '') return undefined;
  const url = URL.parse(/^https?:\/\//i.test(text) ? text : `https://${text}`);
  if (url?.hostname.includes('.') && !/[{}\s]/.test(text)) return `${url.origin}${url.pathname}`;
  wrong.push('The website is an address, such as https://club.example.');
  return undefined;
}

function priceIn(text: string, wrong: string[]): number | undefined {
  if (text === '') return undefined;
  const amount = /^£?\s*(\d{1,5}(?:[.,]\d{1,2})?)$/.exec(text)?.[1];
  if (amount !== undefined) return Number(amount.replace(',', '.'));
  wrong.push('The price is one amount, such as 4.50; 0 is free.');
  return undefined;
}

/** The activities of titles; undefined: the form had no such question. A title without an activity is not published. */
function activitiesIn(form: URLSearchParams, wrong: string[]): TrialAnswers['activities'] {
  const titles = form.getAll('title').slice(0, MOST_TITLES);
  const given = form.getAll('activity');
  if (titles.length === 0) return undefined;
  return titles.flatMap((title, index) => {
    const label = (given[index] ?? '').trim().slice(0, LONGEST);
    if (label === '' || title === '') return [];
    const concept = activityList().byLabel(label);
    if (concept === undefined) wrong.push(`“${label}” is not in OpenActive’s list of activities.`);
    return concept === undefined ? [] : [{ title: title.slice(0, LONGEST), activity: concept.prefLabel }];
  });
}
