import { type FindingRule, under } from './rule.ts';

const RULE = 'Complementary ScheduledSession feed';
const rule = under(RULE);
const only = under(
  `${RULE}: sessions must not cover all occurrences, only those with bookings, exceptions and differences`,
);
const template = under(
  `${RULE}: the Schedule must include an idTemplate that matches the pattern of the sessions' @id`,
);

/** Findings about the sessions of a series beside Schedules that generate them. */
export const COMPLEMENTARY_CODES = {
  'sessions-cover-schedule': only.error(
    'Publish only the sessions that have bookings or differ: all {count} occurrences of this Schedule from {first} to {last} are published as sessions, and {idle} of them say nothing new.',
  ),
  'session-adds-nothing': only.error(
    ({ id, count }) =>
      `Leave out ${count === 1 ? `the session ${id}` : `${count} sessions such as ${id}`}: without bookings ${count === 1 ? 'it says' : 'they say'} nothing that this Schedule does not generate.`,
  ),
  'id-template-missing': template.error(
    ({ id }) =>
      `Give the Schedule an "idTemplate" that makes the "@id"s of its sessions, such as ${id}, with {startDate} in place of the time.`,
  ),
  'id-differs-from-template': template.error(
    ({ id, count }) =>
      `Let "idTemplate" and the "@id"s of the sessions follow one pattern: ${count === 1 ? `${id} does not` : `${count} such as ${id} do not`}, so the same occurrence may be shown twice.`,
  ),
  'id-time-spelling': rule.warning(
    ({ id, count, used }) =>
      `Write the time in the "@id" as the template gives it, ${used}; found ${id}${count === 1 ? '' : ` and ${Number(count) - 1} more`}.`,
    '{startDate} has the format YYYY-MM-DDThh:mm:ssZ',
  ),
  'earlier-session-not-excepted': rule.error(
    ({ id, start, count }) =>
      `Add ${start} to "exceptDate": the session ${id} of an earlier Schedule is on the same day, and both are shown${count === 1 ? '' : ` (${count} such sessions)`}.`,
    'an updated Schedule must list in exceptDate every overlap with sessions of earlier Schedules',
  ),
  'rescheduled-id-not-kept': rule.error(
    ({ id, count }) =>
      `Keep the "@id" with the original start when a session is rescheduled; ${count === 1 ? `${id} has` : `${id} and ${Number(count) - 1} more have`} the new one, so the original is still shown.`,
    'a rescheduled session must retain its original @id',
  ),
  'session-without-capacity': rule.warning(
    ({ id, count }) =>
      `Give the sessions beside a Schedule their "remainingAttendeeCapacity": ${count === 1 ? `${id} has none` : `${count} such as ${id} have none`}.`,
    'it should include remainingAttendeeCapacity',
  ),
  'complementary-feed-missing': rule.info(
    'Publish a ScheduledSession feed too, with the sessions that have bookings or differ: {count} series with a Schedule are here, and no session.',
    'one should be published alongside any SessionSeries feed that contains Schedules',
  ),
} satisfies Record<string, FindingRule>;
