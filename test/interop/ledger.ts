/**
 * What other people's programs read wrong, however it is written: the ledger of what is left out of the comparisons, each
 * with its evidence. Whatever can be written so that all read it alike is written so, and does not stand here.
 */

/**
 * Zones that are in no generated input, because readers here reckon with other zone data than the calendar's own VTIMEZONE:
 * no TZID text can be right for them. Seen with Debian 12 (tzdata 2025b, ICU 72 with rules of 2022) and Node 24 (2026c).
 */
export const UNSETTLED_ZONES: Readonly<Record<string, string>> = {
  'Africa/Casablanca': 'tzdata 2025b has a winter hour around Ramadan after September 2026, 2026c has none',
  'Africa/El_Aaiun': 'as Africa/Casablanca',
  'America/Vancouver': 'tzdata 2025b ends summer time on 2026-11-01, 2026c keeps it for good',
  'America/Edmonton': 'as America/Vancouver',
  'Europe/Chisinau': 'tzdata 2025b changes the clocks at another hour of the same nights',
  'America/Havana': 'tzdata 2026f keeps summer time through the winter of 2026, 2026c ends it on 2026-11-01',
  'Asia/Gaza':
    'the dates of summer time are foretold anew in most releases; ICU 72 has 2025-03-29, 2026c has 2025-04-12',
  'Asia/Hebron': 'as Asia/Gaza',
  'Pacific/Fiji': 'ICU 72 foretells summer time from the second Sunday of November, which never came',
  'America/Nuuk':
    'libical misreads the `M3.5.0/-1` of its zone file: a week of another offset in 2029 (TZID of any other name: right)',
  'America/Scoresbysund': 'as America/Nuuk',
};

/**
 * A backslash before `n`, a comma or a semicolon, as in `C:\new`, is written `C:\\new` (RFC 5545 3.3.11). Some readers
 * undo `\n` before `\\` (node-ical 0.27, icalendar 4, sabre/vobject 2): they see a line break where there was none.
 * Names are compared without what that touches.
 */
export function comparable(summary: string): string {
  return summary.replaceAll(/\\+n|\\|\n/g, '');
}

/**
 * Thunderbird 153 goes on showing recurring events whose UID has left a calendar until it is started again: its storage
 * empties the database at each refresh, and not the copy of recurring events in memory (CalStorageCachedItemModel). UIDs
 * stay as long as anything of their rule is left; what a publisher takes away whole cannot keep one. Rows of such UIDs
 * are left out for a running Thunderbird (`remembers` in clients/client.ts); a fresh one does not have them.
 */

/**
 * An event without DTEND ends when it starts (RFC 5545 3.6.1), and so says `expand` of a session of which nobody says when it
 * ends. khal 0.10 shows it for an hour, as others do by their settings. No generated session for it is without length.
 */

/**
 * libical 3.0.16 moves the instance of a rule that falls into a spring gap an hour on, and keeps that hour for the days of
 * BYDAY after it in the same week, also where that instance lies before DTSTART (icalrecur_iterator_next, with a zone that
 * it knows by name: DTSTART 2022-03-26T02:30 in Asia/Jerusalem, FREQ=WEEKLY;BYDAY=FR,SA gives 2022-03-26T03:30, for the gap
 * was on the Friday; six other engines read 02:30). What falls into the gap itself is an event of its own in UTC, so only
 * a rule that goes on in the same week is misread: where clocks change on another day than Sunday (Israel, Egypt), by an
 * hour, until that week is over. Nothing is left out of a comparison for it, as it would hide other faults of an hour: seed
 * 27181 meets it, the seeds of CI do not.
 */

/**
 * libical 3.0.16 ends the span of an all-day event with the last second of the day of DTEND, which RFC 5545 3.6.1 excludes
 * (icaltime_span_new: DTSTART 2022-06-12, DTEND 2022-06-15 gives 2022-06-15T23:59:59). Its reader takes DTEND itself.
 */

/**
 * Calendars of other programs that an engine reads otherwise than RFC 5545 says, by file and engine. Every engine that is not
 * named sees in them what comes back from the feeds.
 */
export const MISREAD_CALENDARS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'dtstart-not-in-rule.ics': {
    'recurring-ical-events': 'a DTSTART that the RRULE does not have is shown; RFC 5545 3.8.5.3 leaves it undefined',
    'sabre/vobject 2.1': 'as recurring-ical-events, and it counts among COUNT',
  },
  'outlook-leisure.ics': {
    'sabre/vobject 2.1': 'a monthly rule keeps the offset of its DTSTART after the clocks changed',
  },
  'thunderbird-swim.ics': {
    'node-ical': 'a TZID behind a path, as /mozilla.org/20050126_1/Europe/Berlin, is UTC',
    libical: 'a RDATE with a TZID is UTC',
    'sabre/vobject 2.1': 'its reader takes DTEND alone, and the calendar has DURATION',
  },
  'tz-comma-escaped.ics': {
    KCalendarCore: 'a quoted TZID with a comma is not the zone whose TZID escapes it',
  },
  'v3.ics': {
    'ical.js': 'an override whose RECURRENCE-ID names no instance is not shown',
    KCalendarCore: 'as ical.js',
    'recurring-ical-events': 'an override replaces the instance of its day, whatever the time of its RECURRENCE-ID',
  },
};
