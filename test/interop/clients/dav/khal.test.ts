import { whenHere } from '../../judge.ts';
import { isInstalled } from '../../readers.ts';
import { followsChanges, overDav } from '../client.ts';
import { Khal } from '../khal.ts';

/** vdirsyncer's CalDAV storage with khal reading: what has changed is found by ETags. */

const missing = ['vdirsyncer', 'khal'].filter((program) => !isInstalled(program));

whenHere(missing.length === 0 ? undefined : missing.join(', '), () => {
  followsChanges({ start: () => overDav(new Khal('caldav')), revalidates: false });
});
