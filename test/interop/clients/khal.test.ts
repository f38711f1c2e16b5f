import { whenHere } from '../judge.ts';
import { isInstalled } from '../readers.ts';
import { followsChanges } from './client.ts';
import { Khal } from './khal.ts';

/** vdirsyncer's http storage with khal reading. vdirsyncer sends no validators: it always fetches. */

const missing = ['vdirsyncer', 'khal'].filter((program) => !isInstalled(program));

whenHere(missing.length === 0 ? undefined : missing.join(', '), () => {
  followsChanges({ start: () => new Khal(), revalidates: false });
});
