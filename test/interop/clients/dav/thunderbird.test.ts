import { whenHere } from '../../judge.ts';
import { isInstalled } from '../../readers.ts';
import { followsChanges, overDav } from '../client.ts';
import { Thunderbird } from '../thunderbird.ts';

/** The real Thunderbird over CalDAV: by sync tokens. */

whenHere(isInstalled('thunderbird') ? undefined : 'thunderbird', () => {
  followsChanges({ start: async () => overDav(await Thunderbird.start()), revalidates: false });
});
