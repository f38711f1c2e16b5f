import { DAY_SECONDS } from '../../time/days.ts';
import type { Filters } from '../filters.ts';
import type { PhraseRow, ValueReader } from '../patterns.ts';
import type { Token } from '../tokens.ts';
import type { Clock, QueryContext } from './context.ts';

/** Phrases for times of day. */

const [HOUR, MINUTE] = [3600, 60];

export const hours = (after: number, before: number): Filters => ({
  ...(after > 0 && { after: after * HOUR }),
  ...(before < 24 && { before: before * HOUR }),
});

const HELLO = new Set(['hello', 'hey', 'hi']);
const PART_OF_DAY = /^(?:morning|afternoon|evening)$/;

/** The token after a greeting at the beginning, such as `Hi, good morning`, which is no time of day; 0 without a greeting. */
export function greetingEnd(tokens: readonly Token[]): number {
  const at = HELLO.has(tokens[0]?.word ?? '') ? 1 : 0;
  return tokens[at]?.word === 'good' && PART_OF_DAY.test(tokens[at + 1]?.word ?? '') ? at + 2 : 0;
}

export const greeting: ValueReader<QueryContext> = (tokens, at) => {
  const end = at === 0 ? greetingEnd(tokens) : 0;
  return end === 0 ? undefined : [undefined, end];
};

/** `late night`, where no name in the data has it. */
export const lateNight: ValueReader<QueryContext> = (tokens, at, { isName }) => {
  const words = `${tokens[at]?.word} ${tokens[at + 1]?.word}`;
  return /^late nights?$/.test(words) && isName?.(words) !== true ? [undefined, at + 2] : undefined;
};

/** Behind `late`, where no name in the data has it, alone or in a loose reading. Nothing of what follows is read. */
export const lateAlone: ValueReader<QueryContext> = (tokens, at, { isName, loosely }) =>
  isName?.('late') === false && (loosely !== undefined || tokens.length === 1) ? [undefined, at] : undefined;

/** What comes next is no verb: `not too late to learn` says no time. Nothing of it is read. */
export const notTo: ValueReader<QueryContext> = (tokens, at) =>
  tokens[at]?.word === 'to' ? undefined : [undefined, at];

export const TIMES: readonly PhraseRow<Filters>[] = [
  ['{greeting}', {}],
  ['(first thing) (in the morning)?', hours(0, 9)],
  ['(in|during)? the? early morning|mornings', hours(0, 9)],
  ['(in|during|every|each)? the? morning|mornings', hours(0, 12)],
  ['(in|during)? the? late morning|mornings', hours(10, 12)],
  ['(in|during|every|each)? the? afternoon|afternoons', hours(12, 17)],
  ['(in|during)? the? early afternoon|afternoons', hours(12, 15)],
  ['(in|during)? the? late afternoon|afternoons', hours(15, 18)],
  ['(in|during|every|each)? the? evening|evenings', hours(17, 24)],
  ['(in|during)? the? early evening|evenings', hours(17, 19)],
  ['(in|during)? the? late evening|evenings', hours(20, 24)],
  ['(at|every|each) night', hours(18, 24)],
  ['(in|during)? the? (daytime|day time)', hours(9, 17)],
  ['(during the day)', hours(9, 17)],
  ['(in|during)? the? (mid morning|mid mornings|midmorning)', hours(9.5, 11.5)],
  ['(in|during)? the? (mid afternoon|mid afternoons|midafternoon)', hours(14, 16)],
  ['at? (teatime|tea time)', hours(16, 18)],
  ['(late at night)', hours(21, 24)],
  ['{lateNight}', hours(21, 24)],
  ['(at|during|in|every|each)? my? (lunchtime|lunchtimes|lunch time|lunch break|lunch hour)', hours(12, 14)],
  ['(at lunch)', hours(12, 14)],
  ['(at|around|about)? midday', hours(11.5, 13.5)],
  ['(after work)', hours(17, 24)],
  ['(after dinner|after tea)', hours(18, 24)],
  ['(after the school run|after school run|after drop off)', hours(9, 12)],
  ['(before work|b4 work)', hours(0, 9)],
  ['(after school)', hours(15, 18)],
  ['(before school|b4 school)', hours(0, 9)],
  [
    '(after|later than|past|not before|not earlier than|no earlier than|nothing before|nothing earlier than) {clock}',
    since,
  ],
  ['(from|starting|starting from) {statedClock} (onwards|onward)?', since],
  ['(starting|starts|start|beginning|begins) at {clock}', at],
  ['(before|b4|earlier than) {clock}', until],
  ['(not after|not past|not later than|no later than|nothing after|nothing later than) {clock}', untilThen],
  ['(not too early|not very early|not early|nothing too early|nothing early) (in the morning)?', hours(9, 24)],
  [
    '(not too late|not very late|not late|nothing too late|nothing late) (in the evening|at night)? {notTo}',
    hours(0, 20),
  ],
  ['(until|till|by) {statedClock}', until],
  ['at? (around|about)? {ishClock}', (time: Clock, { half }: QueryContext) => about(timed(time, half, 1, 6))],
  ['(at|around|about) {clock}', at],
  ['(starting at|from)? {exactClock} (onwards|onward|or later|or after)', since],
  ['{exactClock} (or earlier|or before)', untilThen],
  ['(at|around|about)? {clock} in the (morning|afternoon|evening)', at],
  ['{exactClock}', at],
  ['(between|from) {clock} (and|to|till|until|-) {clock}', within],
  [
    '(on|every)? {when} {bareClock} (to|till|until|-) {bareClock}',
    (when: Filters, first: Clock, last: Clock, context: QueryContext) => both(when, within(first, last, context)),
  ],
  [
    '{bareClock} (to|till|until|-) {bareClock} on? {when}',
    (first: Clock, last: Clock, when: Filters, context: QueryContext) => both(when, within(first, last, context)),
  ],
  [
    '(on|every)? {when} {clockBeside}',
    (when: Filters, time: Clock, { half }: QueryContext) => both(when, halfHour(timed(time, half, 1, 6))),
  ],
  [
    '{dottedClock} on? {when}',
    (time: Clock, when: Filters, { half }: QueryContext) => both(when, halfHour(timed(time, half, 1, 6))),
  ],
  ['(starts|starting|start)? {looseClock}', at],
  ['{looseHour} (to|-) {looseHour}', within],
  ['{clock} (to|till|until|-) {exactClock}', within],
  ['{exactClock} (to|till|until|-) {clock}', within],
];

function since(time: Clock, { half }: QueryContext): Filters {
  return { after: limit(time, half, 1, 7) };
}

function until(time: Clock, { half }: QueryContext): Filters {
  return { before: limit(time, half, 1, 5) };
}

/** Up to a time, with what begins at that minute, which `before` excludes. */
function untilThen(time: Clock, { half }: QueryContext): Filters {
  return { before: Math.min(limit(time, half, 1, 5) + MINUTE, DAY_SECONDS) };
}

/** The last minute of `untilThen`, for those who write its `before` in words. Undefined: a time before which something begins. */
export function lastStart(before: number): number | undefined {
  const last = before - MINUTE;
  return last % (5 * MINUTE) === 0 ? last : undefined;
}

/** From a time on, for half an hour. */
function at(time: Clock, { half }: QueryContext): Filters | undefined {
  return halfHour(timed(time, half, 1, 6));
}

/** A time with its half of the day: as the query has it, else after noon from hour `first` to `last`. */
function timed({ seconds, bare }: Clock, half: QueryContext['half'], first: number, last: number): number {
  const hour = Math.floor(seconds / HOUR);
  const isUsual = hour >= first && hour <= last;
  const isAfternoon = half === undefined ? isUsual : half === 'other' ? !isUsual : half === 'pm';
  return bare && isAfternoon ? seconds + 12 * HOUR : seconds;
}

/** A time before or after which something starts. It stays in the usual half of the day in other readings too. */
function limit(time: Clock, half: QueryContext['half'], first: number, last: number): number {
  return timed(time, half === 'other' ? undefined : half, first, last);
}

function halfHour(after: number): Filters | undefined {
  return after < 0 || after >= DAY_SECONDS
    ? undefined
    : { after, ...(after + HOUR / 2 < DAY_SECONDS && { before: after + HOUR / 2 }) };
}

/** From half an hour before a time to half an hour after it. */
function about(time: number): Filters {
  const [after, before] = [Math.max(0, time - HOUR / 2), time + HOUR / 2];
  return { after, ...(before < DAY_SECONDS && { before }) };
}

function both(when: Filters, times: Filters | undefined): Filters | undefined {
  return times && { ...when, ...times };
}

/** A range of times. Its end decides the half of the day; a bare beginning is as late before the end as it can be. */
function within(first: Clock, last: Clock, { half }: QueryContext): Filters | undefined {
  const before = timed(last, half, 1, 8);
  const after = first.bare && first.seconds + 12 * HOUR < before ? first.seconds + 12 * HOUR : first.seconds;
  return after < before ? { after, ...(before < DAY_SECONDS && { before }) } : undefined;
}
