"""dbus-run-session -- /usr/bin/python3 evolution.py FROM TO URL...: the real Evolution data server subscribes to each
calendar as a webcal source; prints, per URL, one JSON line {"url", "rows"} of what its own engine shows."""
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

PATIENCE = 25
MARGIN = 2 * 86400


def seconds(date):
    return int(datetime.datetime.fromisoformat(date + "T00:00:00+00:00").timestamp())


def subscribe(registry, url):
    parts = urlsplit(url)
    source = EDataServer.Source.new(None, None)
    source.set_display_name(url)
    source.set_parent("webcal-stub")
    source.get_extension("Calendar").set_backend_name("webcal")
    authentication = source.get_extension("Authentication")
    authentication.set_host(parts.hostname)
    authentication.set_port(parts.port)
    source.get_extension("WebDAV Backend").set_resource_path(parts.path)
    security = source.get_extension("Security")
    security.set_method("none")
    security.set_secure(False)
    registry.commit_source_sync(source, None)
    time.sleep(1)
    return registry.ref_source(source.get_uid())


def utc(at):
    instant = at.as_timet_with_zone(at.get_timezone())
    return datetime.datetime.fromtimestamp(instant, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def status_of(component):
    prop = component.get_first_property(ICalGLib.PropertyKind.STATUS_PROPERTY)
    return prop.get_value_as_string() if prop else ""


def instances(client, begin, finish):
    rows = []

    def take(component, start, end, _data, _cancellable):
        row = {"uid": component.get_uid(), "start": utc(start), "end": utc(end)}
        rows.append({**row, "summary": component.get_summary() or "", "status": status_of(component)})
        return True

    # Its own window compares overrides near the edge by their local date, so it is asked for more and the rest left out.
    client.generate_instances_sync(begin - MARGIN, finish + MARGIN, None, take, None)
    return rows


def main(first, last, urls):
    registry = EDataServer.SourceRegistry.new_sync(None)
    for url in urls:
        source = subscribe(registry, url)
        client = ECal.Client.connect_sync(source, ECal.ClientSourceType.EVENTS, 2, None)
        end = time.time() + PATIENCE
        while time.time() < end and not client.get_object_list_as_comps_sync("#t", None)[1]:
            time.sleep(0.3)
        print(json.dumps({"url": url, "rows": instances(client, seconds(first), seconds(last))}), flush=True)
        source.remove_sync(None)


main(sys.argv[1], sys.argv[2], sys.argv[3:])
