/** The thread behind `/publish`: turns the octets of one calendar into the result of a trial. */

import { parentPort } from 'node:worker_threads';
import { charsetOf, octetsOf } from '../../fetch/decode.ts';
import { decodedCalendar } from '../../ical/decode.ts';
import { giveWay } from '../../process/priority.ts';
import { trialOf } from '../../publish/index.ts';
import type { TrialAnswer, TrialQuestion } from './trial.ts';

giveWay();
parentPort?.on('message', (question: TrialQuestion) => parentPort?.postMessage(answerTo(question)));

function answerTo({ body, source, answers, now }: TrialQuestion): TrialAnswer {
  let octets: Uint8Array;
  try {
    octets = octetsOf(body);
  } catch {
    return { trouble: 'What the server sent does not unpack. Try again, or ask whoever runs that server.' };
  }
  const { text, encoding } = decodedCalendar(octets, charsetOf(body.contentType));
  const trouble = faultOf(text);
  if (trouble !== undefined) return { trouble };
  return { trial: trialOf({ source, text, ...(encoding !== undefined && { encoding }) }, answers, now) };
}

/** Words for a text that is no calendar; undefined: it is one. */
function faultOf(text: string): string | undefined {
  if (text.trim() === '') return 'There is nothing in what the server sent: the calendar is empty.';
  if (/^\uFEFF?\s*BEGIN:V/i.test(text.slice(0, 1000))) return undefined;
  return /<(?:!doctype|html|body)\b/i.test(text.slice(0, 2000))
    ? 'This is the address of a web page, not of a calendar. See below where the address of the calendar is found.'
    : 'What is at this address is no calendar: it does not begin with BEGIN:VCALENDAR.';
}
