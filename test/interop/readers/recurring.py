"""recurring.py FILE.ics FROM TO: the occurrences as Debian's python3-recurring-ical-events sees them (icalendar and
dateutil), as JSON lines."""
import datetime
import json
import sys

import icalendar
import recurring_ical_events

DAY = datetime.timedelta(days=1)


def utc(value):
    if not isinstance(value, datetime.datetime):
        return datetime.datetime(value.year, value.month, value.day, tzinfo=datetime.timezone.utc)
    return value.replace(tzinfo=datetime.timezone.utc) if value.tzinfo is None else value.astimezone(datetime.timezone.utc)


def main(path, first, last):
    begin, finish = utc(datetime.date.fromisoformat(first)), utc(datetime.date.fromisoformat(last))
    with open(path, "rb") as file:
        calendar = icalendar.Calendar.from_ical(file.read())
    for event in recurring_ical_events.of(calendar).between(begin - 2 * DAY, finish + 2 * DAY):
        if event.name != "VEVENT":
            continue
        start = utc(event["DTSTART"].dt)
        end = utc(event["DTEND"].dt) if "DTEND" in event else start
        if start < finish and (end > begin or (start == end and start >= begin)):
            row = {"uid": str(event.get("UID", "")), "summary": str(event.get("SUMMARY", "")), "status": str(event.get("STATUS", ""))}
            row["start"], row["end"] = (at.strftime("%Y-%m-%dT%H:%M:%SZ") for at in (start, end))
            print(json.dumps(row))


main(*sys.argv[1:4])
