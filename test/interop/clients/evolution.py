"""dbus-run-session -- /usr/bin/python3 evolution.py: the real Evolution data server. One command a line of standard input,
as a JSON list, and one line of JSON for each:
["subscribe", URL]: adds a webcal source, or a CalDAV one below /dav/, and fetches it; ["refresh", URL]: fetches it again;
["show", URL, FROM, TO]: the rows that its own engine shows."""
import datetime
import json
import sys
import time
from urllib.parse import urlsplit

import gi

gi.require_version("ECal", "2.0")
gi.require_version("ICalGLib", "3.0")
gi.require_version("EDataServer", "1.2")
from gi.repository import ECal, EDataServer, ICalGLib  # noqa: E402

MARGIN = 2 * 86400
# (guint32) -1: the calendar is fetched while the test looks again and again.
NO_WAIT = 0xFFFFFFFF


def seconds(date):
    return int(datetime.datetime.fromisoformat(date + "T00:00:00+00:00").timestamp())


def add_source(registry, url):
    parts = urlsplit(url)
    source = EDataServer.Source.new(None, None)
    source.set_display_name(url)
    backend = "caldav" if parts.path.startswith("/dav/") else "webcal"
    source.set_parent(backend + "-stub")
    source.get_extension("Calendar").set_backend_name(backend)
    authentication = source.get_extension("Authentication")
    authentication.set_host(parts.hostname)
    authentication.set_port(parts.port)
    source.get_extension("WebDAV Backend").set_resource_path(parts.path)
    security = source.get_extension("Security")
    security.set_method("none")
    security.set_secure(False)
    registry.commit_source_sync(source, None)
    return source.get_uid()


def connect(registry, uid):
    """The process that opens calendars hears of a new source somewhat later than this one."""
    for tries in range(50):
        try:
            return ECal.Client.connect_sync(registry.ref_source(uid), ECal.ClientSourceType.EVENTS, NO_WAIT, None)
        except Exception:
            if tries == 49:
                raise
            time.sleep(0.2)


def utc(at):
    instant = at.as_timet_with_zone(at.get_timezone())
    return datetime.datetime.fromtimestamp(instant, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def status_of(component):
    prop = component.get_first_property(ICalGLib.PropertyKind.STATUS_PROPERTY)
    return prop.get_value_as_string() if prop else ""


def show(client, first, last):
    rows = []

    def take(component, start, end, _data, _cancellable):
        row = {"uid": component.get_uid(), "start": utc(start), "end": utc(end)}
        rows.append({**row, "summary": component.get_summary() or "", "status": status_of(component)})
        return True

    # Its own window compares overrides near the edge by their local date, so it is asked for more and the rest left out.
    client.generate_instances_sync(seconds(first) - MARGIN, seconds(last) + MARGIN, None, take, None)
    return rows


def main():
    registry = EDataServer.SourceRegistry.new_sync(None)
    clients = {}
    for line in sys.stdin:
        command, url, *rest = json.loads(line)
        answer = None
        try:
            if command == "subscribe":
                clients[url] = connect(registry, add_source(registry, url))
            elif command == "refresh":
                clients[url].refresh_sync(None)
            else:
                answer = show(clients[url], *rest)
            print(json.dumps({"value": answer}), flush=True)
        except Exception as error:  # what it is does not matter here: the test shows it
            print(json.dumps({"error": repr(error)}), flush=True)


main()
