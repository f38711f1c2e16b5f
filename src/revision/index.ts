/** Saves records, revises the calendars that they change, and rolls the stored day forward. */

export { replan, reviseCalendars } from './changed-calendars.ts';
export { type RevisionContext, type RevisionOptions, RULES_VERSION, revisionContext, sameSource } from './context.ts';
export { lastStates, NOTHING_ENDS } from './last-calendars.ts';
export { ByName } from './records/by-name.ts';
export { type Affected, noteWithdrawal, nothingAffected } from './records/changed-records.ts';
export { CrossFindings } from './records/cross-findings.ts';
export { type ItemLoss, lossesOf } from './records/losses.ts';
export { Written } from './records/record-write.ts';
export { type NamedRecord, namedRows, type Rows } from './records/rows.ts';
export { SAVING_ORDER, saveKind } from './records/saving.ts';
export { joinSessions } from './records/session-series.ts';
export { rollForward } from './roll.ts';
