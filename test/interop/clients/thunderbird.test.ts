import { whenHere } from '../judge.ts';
import { isInstalled } from '../readers.ts';
import { followsChanges } from './client.ts';
import { Thunderbird } from './thunderbird.ts';

/** The real Thunderbird, subscribed over HTTP. */

whenHere(isInstalled('thunderbird') ? undefined : 'thunderbird', () => {
  followsChanges({ start: () => Thunderbird.start(), revalidates: true, remembers: true });
});
