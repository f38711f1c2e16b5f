"""rfc7953.py FILE FROM TO: busy time of every VAVAILABILITY in a calendar, as RFC 7953 section 4 reckons it from the text
alone: bounds, PRIORITY, BUSYTYPE, AVAILABLE with RRULE, EXDATE, RDATE and overrides. One line per busy period:
`SUMMARY<TAB>BUSYTYPE START END`. Components of one SUMMARY are of one place.

python3-icalendar parses, python3-dateutil expands wall times, zoneinfo tells the time.
"""

import collections
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


def instant(component, name):
    return utc(*wall(component[name])) if name in component else None


def listed(component, name, zone):
    """Wall times in the zone of EXDATE or RDATE lines."""
    lines = component.get(name, [])
    for line in lines if isinstance(lines, list) else [lines]:
        own = zoneinfo.ZoneInfo(str(line.params["TZID"])) if "TZID" in line.params else UTC
        for one in line.dts:
            yield utc(one.dt.replace(tzinfo=None), own).astimezone(zone).replace(tzinfo=None)


def starts(available, until):
    """Wall times at which an AVAILABLE begins."""
    start, zone = wall(available["DTSTART"])
    found = [start]
    if "RRULE" in available:
        rule = {name.upper(): values for name, values in available["RRULE"].items()}
        end = rule.pop("UNTIL", [None])[0]
        text = ";".join(f"{name}={','.join(str(value) for value in values)}" for name, values in rule.items())
        found = []
        for local in rrule.rrulestr(text, dtstart=start):
            at = utc(local, zone)
            if at > until or (end is not None and at > end):
                break
            found.append(local)
    gone = set(listed(available, "EXDATE", zone))
    return [local for local in [*found, *listed(available, "RDATE", zone)] if local not in gone]


def free(component, until):
    """When a VAVAILABILITY's AVAILABLEs say that there is time."""
    parts = [part for part in component.subcomponents if part.name == "AVAILABLE"]
    replaced = {(str(part["UID"]), instant(part, "RECURRENCE-ID")) for part in parts if "RECURRENCE-ID" in part}
    for part in parts:
        local, zone = wall(part["DTSTART"])
        nominal = wall(part["DTEND"])[0] - local if "DTEND" in part else part["DURATION"].dt
        for start in [local] if "RECURRENCE-ID" in part else starts(part, until):
            if "RECURRENCE-ID" not in part and (str(part["UID"]), utc(start, zone)) in replaced:
                continue
            # DTEND is a wall time like DTSTART; of another zone only where both are instants of their own.
            yield utc(start, zone), utc(start + nominal, zone)


def without(ranges, taken):
    taken = sorted(taken)
    left = []
    for start, end in ranges:
        for first, last in taken:
            if last <= start or first >= end:
                continue
            if first > start:
                left.append((start, first))
            start = max(start, last)
        if start < end:
            left.append((start, end))
    return left


def busy(components, begin, finish):
    """By falling priority: what a higher component covers, a lower one says nothing about."""
    left, found = [(begin, finish)], []
    for component in sorted(components, key=lambda one: int(one.get("PRIORITY", 0)) or 10):
        start = instant(component, "DTSTART") or begin
        end = instant(component, "DTEND") or (start + component["DURATION"].dt if "DURATION" in component else finish)
        mine = [(max(a, start), min(b, end)) for a, b in left if max(a, start) < min(b, end)]
        kind = str(component.get("BUSYTYPE", "BUSY-UNAVAILABLE"))
        found += [(a, b, kind) for a, b in without(mine, free(component, min(end, finish)))]
        left = without(left, [(start, end)])
    return sorted(found)


def main(path, first, last):
    with open(path, "rb") as file:
        calendar = icalendar.Calendar.from_ical(file.read())
    places = collections.defaultdict(list)
    for component in calendar.walk("VAVAILABILITY"):
        places[str(component.get("SUMMARY", ""))].append(component)
    for name, components in places.items():
        for start, end, kind in busy(components, bound(first), bound(last)):
            print(f"{name}\t{kind} {start.strftime('%Y-%m-%dT%H:%M:%SZ')} {end.strftime('%Y-%m-%dT%H:%M:%SZ')}")


main(*sys.argv[1:])
