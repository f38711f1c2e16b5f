import { judgedBy } from '../judge.ts';
import { readerOf } from '../readers.ts';

/** Mozilla's ical.js: the engine of Thunderbird, with VTIMEZONE arithmetic of its own. */

judgedBy(readerOf('ical.js'));
