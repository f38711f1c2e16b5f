import { whenHere } from '../../judge.ts';
import { isInstalled, runs } from '../../readers.ts';
import { followsChanges, overDav } from '../client.ts';
import { Evolution } from '../evolution.ts';

/** The real Evolution data server over CalDAV: by sync tokens. */

const probe = "import gi; gi.require_version('ECal', '2.0'); from gi.repository import ECal";
const isHere = isInstalled('dbus-run-session') && runs('/usr/bin/python3', ['-c', probe]);

whenHere(isHere ? undefined : 'dbus-run-session, evolution-data-server and gir1.2-ecal-2.0', () => {
  followsChanges({ start: () => overDav(Evolution.start()), revalidates: false });
});
