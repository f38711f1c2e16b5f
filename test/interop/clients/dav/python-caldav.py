"""/usr/bin/python3 python-caldav.py: python-caldav. One command a line of standard input, as a JSON list, and one line of JSON
for each: ["subscribe", URL]: discovers the calendar from its address, and syncs it; ["refresh", URL]: syncs by its token;
["show", URL, FROM, TO]: the instances that the server expands, of the objects that were synced alone."""
import datetime
import json
import sys

import caldav
import icalendar

DAY = datetime.timedelta(days=1)


def moment(date):
    return datetime.datetime.fromisoformat(date + "T00:00:00+00:00")


def subscribe(url):
    client = caldav.DAVClient(url=url)
    names = [calendar.name for calendar in client.principal().calendars()]
    if len(names) != 1:
        raise Exception("found " + repr(names))
    return client.principal().calendars()[0].objects_by_sync_token(load_objects=True)


def text_of(at):
    if not isinstance(at, datetime.datetime):
        at = datetime.datetime(at.year, at.month, at.day, tzinfo=datetime.timezone.utc)
    return at.astimezone(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def row(event):
    start = event["DTSTART"].dt
    end = event["DTEND"].dt if "DTEND" in event else start
    return {
        "uid": str(event["UID"]),
        "start": text_of(start),
        "end": text_of(end),
        "summary": str(event.get("SUMMARY", "")),
        "status": str(event.get("STATUS", "")),
    }


def show(synced, first, last):
    held = {str(one.url).rsplit("/", 1)[1] for one in synced}
    found = synced.calendar.date_search(moment(first) - DAY, moment(last) + DAY, expand=True)
    names = {str(one.url).rsplit("/", 1)[1] for one in found}
    if not names <= held:
        raise Exception("not synced: " + repr(names - held))
    return [row(event) for one in found for event in icalendar.Calendar.from_ical(one.data).walk("VEVENT")]


def main():
    synced = {}
    for line in sys.stdin:
        command, url, *rest = json.loads(line)
        answer = None
        try:
            if command == "subscribe":
                synced[url] = subscribe(url)
            elif command == "refresh":
                synced[url].sync()
            else:
                answer = show(synced[url], *rest)
            print(json.dumps({"value": answer}), flush=True)
        except Exception as error:  # what it is does not matter here: the test shows it
            print(json.dumps({"error": repr(error)}), flush=True)


main()
