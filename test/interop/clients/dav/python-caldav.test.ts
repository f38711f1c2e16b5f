import { whenHere } from '../../judge.ts';
import { runs } from '../../readers.ts';
import { followsChanges, overDav } from '../client.ts';
import { PythonCaldav } from './python-caldav.ts';

/** python-caldav: discovers by the principal, syncs by token, and has the server expand. */

const isHere = runs('/usr/bin/python3', ['-c', 'import caldav, icalendar']);

whenHere(isHere ? undefined : 'python3-caldav and python3-icalendar', () => {
  followsChanges({ start: () => overDav(new PythonCaldav()), revalidates: false });
});
