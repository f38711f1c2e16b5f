"""zones.py FROM TO HOURS ZONE...: offsets in seconds of each zone every so many hours, as the machine's tz database has them;
one JSON list a line."""

import datetime
import json
import sys
import zoneinfo

UTC = datetime.timezone.utc


def main(first, last, hours, *zones):
    start, end = (datetime.datetime.fromisoformat(text).replace(tzinfo=UTC) for text in (first, last))
    count = int((end - start).total_seconds() // 3600) // int(hours)
    instants = [start + datetime.timedelta(hours=int(hours) * n) for n in range(count)]
    for name in zones:
        zone = zoneinfo.ZoneInfo(name)
        print(json.dumps([int(at.astimezone(zone).utcoffset().total_seconds()) for at in instants]))


main(*sys.argv[1:])
