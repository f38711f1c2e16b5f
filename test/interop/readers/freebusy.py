"""freebusy.py FILE FROM TO: the periods of every VFREEBUSY in a calendar that are not free, as python3-icalendar reads
them: `URL<TAB>FBTYPE START END`. The window is that of the file."""

import sys

import icalendar


def main(path):
    with open(path, "rb") as file:
        calendar = icalendar.Calendar.from_ical(file.read())
    for component in calendar.walk("VFREEBUSY"):
        lines = component.get("FREEBUSY", [])
        for line in lines if isinstance(lines, list) else [lines]:
            kind = line.params.get("FBTYPE", "BUSY")
            if kind == "FREE":
                continue
            for one in getattr(line, "dts", [line]):
                start, end = one.dt if hasattr(one, "dt") else (one.start, one.end)
                print(f"{component['URL']}\t{kind} {start.strftime('%Y-%m-%dT%H:%M:%SZ')} {end.strftime('%Y-%m-%dT%H:%M:%SZ')}")


main(sys.argv[1])
