import { judgedBy } from '../judge.ts';
import { readerOf } from '../readers.ts';

/** sabre/vobject, from which Nextcloud, ownCloud and Baïkal descend. */

judgedBy(readerOf('sabre/vobject 2.1'));
