"""availability.py FILE FROM TO: open time of the VAVAILABILITY in a calendar, as `START END` lines in UTC.

python3-icalendar parses, python3-dateutil expands wall times, zoneinfo tells the time (RFC 7953 section 4).
"""

import datetime
import sys
import zoneinfo

import icalendar
from dateutil import rrule

UTC = datetime.timezone.utc


def bound(text):
    return datetime.datetime.fromisoformat(text).replace(tzinfo=UTC)


def wall(prop):
    zone = zoneinfo.ZoneInfo(str(prop.params["TZID"])) if "TZID" in prop.params else UTC
    return prop.dt.replace(tzinfo=None), zone


def utc(local, zone):
    return local.replace(tzinfo=zone).astimezone(UTC)


def instances(available, end):
    start, zone = wall(available["DTSTART"])
    length = wall(available["DTEND"])[0] - start
    if "RRULE" not in available:
        return [(start, zone, length)]
    rule = {name.upper(): values for name, values in available["RRULE"].items()}
    until = rule.pop("UNTIL", [None])[0]
    text = ";".join(f"{name}={','.join(str(value) for value in values)}" for name, values in rule.items())
    found = []
    for local in rrule.rrulestr(text, dtstart=start):
        at = utc(local, zone)
        if at > end or (until is not None and at > until):
            break
        found.append((local, zone, length))
    return found


def main(path, from_, to):
    with open(path, "rb") as file:
        calendar = icalendar.Calendar.from_ical(file.read())
    (component,) = calendar.walk("VAVAILABILITY")
    first = max(bound(from_), utc(*wall(component["DTSTART"])))
    last = min(bound(to), utc(*wall(component["DTEND"])))
    periods = []
    for available in component.subcomponents:
        for local, zone, length in instances(available, last):
            start, end = max(utc(local, zone), first), min(utc(local + length, zone), last)
            if start < end:
                periods.append([start, end])
    merged = []
    for start, end in sorted(periods):
        if merged and start <= merged[-1][1]:
            merged[-1][1] = max(merged[-1][1], end)
        else:
            merged.append([start, end])
    for start, end in merged:
        print(start.strftime("%Y-%m-%dT%H:%M:%SZ"), end.strftime("%Y-%m-%dT%H:%M:%SZ"))


main(*sys.argv[1:])
